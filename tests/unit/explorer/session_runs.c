/* Several runs in a session: kept, shown, written and read back. */
#include "explorer/session.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratch.h"
#include "settled.h"
#include "stepped.h"
#include "train/run.h"

static void start(bench *b, const char *method, uint64_t seed)
{
    ig_command *run = &b->s.app.start;

    snprintf(run->method, sizeof run->method, "%s", method);
    run->options.seed = seed;
    b->s.session->view.show = 0;
    command(b->s.session, run);
    settle(b);
    assert_false(b->now->is_error);
}

/* Commands that come before the worker looks: each is carried out, in their order. */
static void test_no_command_is_lost(void **state)
{
    bench b;

    open_bench(&b, &usual, 1);
    start(&b, "seed", 1);
    post(&b, IG_COMMAND_SAVE, 1, "twice-a");
    post(&b, IG_COMMAND_SAVE, 1, "twice-b");
    settle(&b);
    assert_int_equal(access("twice-a/run.json", F_OK), 0);
    assert_int_equal(access("twice-b/run.json", F_OK), 0);

    post(&b, IG_COMMAND_LOAD, 0, "twice-a");
    post(&b, IG_COMMAND_LOAD, 0, "twice-b");
    post(&b, IG_COMMAND_DROP, 1, "");
    post(&b, IG_COMMAND_DROP, 2, "");
    command(b.s.session, &b.s.app.start);
    command(b.s.session, &b.s.app.start);
    post(&b, IG_COMMAND_STOP, 0, "");
    settle(&b);
    /* The first of the two starts saw no epoch, and is no run to be kept. */
    assert_int_equal(b.now->runs.count, 2);
    assert_int_equal(b.now->runs.entry[0]->number, 3);
    assert_null(b.now->runs.entry[0]->run);
    assert_int_equal(b.now->runs.entry[1]->number, 5);
    assert_non_null(strstr(b.now->message, "run 5 seed: stopped by hand at epoch 0"));
    close_bench(&b);
}

/* --- run directories -------------------------------------------------------------- */

static void check_refused(const char *name, const char *text, const char *why,
                          const ig_dataset *set)
{
    ig_run_info stored;
    ig_error error;
    char path[128];

    snprintf(path, sizeof path, "bad/%s", name);
    scratch_text(path, text);
    if (ig_run_read(&stored, "bad", set, false, -1, &error) == IG_OK)
        fail_msg("read in spite of: %s", text);
    if (!strstr(error.message, why))
        fail_msg("\"%s\" without \"%s\"", error.message, why);
    assert_null(stored.record);
}

static void test_directories_that_lie(void **state)
{
    static const char head[] =
        "epoch,train_loss,valid_loss,live_alignment,live_uniformity,seconds,"
        "pairs_per_second";
    char text[1024];
    bench b;
    ig_run_info stored;

    open_bench(&b, &usual, 1);
    start(&b, "seed", 1);
    order(&b, IG_COMMAND_SAVE, 1, "bad");
    check_refused("epochs.csv", "epoch,train_loss\n0,1\n",
                  "epochs.csv:1: expected the columns epoch, train_loss, valid_loss",
                  b.s.set);
    snprintf(text, sizeof text, "%s,\"a,b\"\n0,1,1,1,1,1,1\n", head);
    check_refused("epochs.csv", text, "epochs.csv:2: expected 8 fields", b.s.set);
    snprintf(text, sizeof text, "%s\n0,1,1,x,1,1,1\n", head);
    check_refused("epochs.csv", text, "epochs.csv:2: 'x' is no number", b.s.set);
    snprintf(text, sizeof text, "%s\n0,1,1,1,1,1,1\n2,1,1,1,1,1,1\n", head);
    check_refused("epochs.csv", text, "epochs.csv:3: '2' is no next epoch", b.s.set);
    snprintf(text, sizeof text, "%s\n0,1,1,1,1,1,1\n", head);
    check_refused("epochs.csv", text, "the best epoch is 3 but epochs.csv has 1 epochs",
                  b.s.set);
    snprintf(text, sizeof text, "%s,\"a,\"\"b\"\"\"\n0,1,nan,1,1,1,1,5\n", head);
    scratch_text("bad/epochs.csv", text);
    check_refused("run.json", "{\"method\": ", "run.json:1", b.s.set);
    /* A named pipe without a writer is an error, and does not hang. */
    assert_int_equal(unlink("bad/run.json"), 0);
    assert_int_equal(mkfifo("bad/run.json", 0600), 0);
    assert_int_not_equal(ig_run_read(&stored, "bad", b.s.set, false, -1, NULL), IG_OK);
    assert_int_equal(unlink("bad/run.json"), 0);
    scratch_text("bad/run.json", "{\"extractor\": \"residual\", \"method\": \"m\", "
                                 "\"best_epoch\": 0, \"data\": {\"dims\": 8}}");
    assert_int_equal(ig_run_read(&stored, "bad", b.s.set, false, -1, NULL), IG_OK);
    assert_true(isnan(stored.record[0].epoch.valid_loss));
    assert_true(stored.record[0].epoch.value[0] == 5);
    ig_run_info_free(&stored);

    /* Other dimensions: refused, or its history alone. */
    check_refused("run.json",
                  "{\"extractor\": \"residual\", \"best_epoch\": 0, "
                  "\"data\": {\"dims\": 9}}",
                  "has 8 dimensions", b.s.set);
    assert_int_equal(ig_run_read(&stored, "bad", b.s.set, true, -1, NULL), IG_OK);
    assert_null(stored.extractor);
    assert_int_equal(stored.records, 1);
    ig_run_info_free(&stored);
    assert_int_equal(ig_session_load(b.s.session, "bad", true, NULL), IG_OK);
    b.s.session->view.show = 2;
    settle(&b);
    assert_int_equal(b.now->shown_run, 1);
    assert_null(b.now->runs.entry[1]->info->extractor);
    b.s.session->view.compared = 2;
    settle(&b);
    assert_int_equal(b.now->compared_run, 0);
    close_bench(&b);
}

SUITE(session_runs, scratch_enter, scratch_leave, TEST(test_no_command_is_lost),
      TEST(test_directories_that_lie))
