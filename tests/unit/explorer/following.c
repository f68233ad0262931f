/* Following a run directory that somebody else writes: every checkpoint is seen when it
 * is time to look, and its end. */
#include "explorer/session.h"

#include <math.h>
#include <string.h>

#include "explorer.h"
#include "scratch.h"
#include "stepped.h"
#include "train/run.h"

static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};

typedef struct bench {
    scene s;
    ig_run *run; /* of the other process */
    const ig_session *now;
} bench;

static void write_epochs(bench *b, size_t records, bool ends)
{
    while (b->run->info.records < records)
        assert_int_equal(ig_run_epoch(b->run, NULL, NULL, NULL), IG_OK);
    if (ends)
        ig_run_stop(b->run);
    assert_int_equal(ig_run_write(b->run, "run", NULL), IG_OK);
}

/* Work for so many seconds of the clock. */
static void pass(bench *b, double seconds)
{
    for (double end = stepped_now + seconds; stepped_now < end;) {
        bool worked = ig_session_update(b->s.session);
        double wait = ig_session_wait(b->s.session);

        assert_true(worked || wait >= 0 || b->s.session->following.over);
        stepped_now += worked ? 0 : wait >= 0 ? fmin(wait, 0.5) : 0.5;
    }
}

static void open_bench(bench *b)
{
    ig_run_setup setup = {.method = "seed", .options = ig_train_defaults()};

    open_scene(&b->s, &usual, 1);
    drive(b->s.session);
    b->now = b->s.app.now;
    setup.set = b->s.set;
    setup.pairs = &b->s.pairs;
    setup.pairing = "all";
    setup.options.batch = 16;
    setup.options.lr = 1e-2;
    setup.checkpoint = 1;
    assert_int_equal(ig_run_new(&b->run, &setup, NULL), IG_OK);
}

static void close_bench(bench *b)
{
    ig_run_delete(b->run);
    close_scene(&b->s);
}

static void test_every_checkpoint(void **state)
{
    char ending[IG_RUN_ENDING];
    bench b;

    scratch_remove("run");
    open_bench(&b);
    ig_session_follow(b.s.session, "run");
    pass(&b, 3); /* nothing is there yet */
    assert_int_equal(b.now->runs.count, 0);
    assert_string_equal(b.now->message,
                        "waiting for run: train --checkpoint N saves it");
    write_epochs(&b, 1, false);
    pass(&b, 3);
    assert_int_equal(b.now->runs.count, 1);
    assert_int_equal(b.now->activity, IG_FOLLOWED);
    assert_int_equal(ig_run_epochs(b.now->info), 0);
    for (size_t records = 3; records < 8; records += 2) {
        write_epochs(&b, records, false);
        pass(&b, 3);
        assert_int_equal(b.now->runs.count, 1);
        assert_int_equal(b.now->activity, IG_FOLLOWED);
        assert_int_equal(b.now->info->records, records);
        assert_int_equal(b.now->main.shown->epoch,
                         ig_run_best(&b.run->info)->epoch.epoch);
        assert_true(b.now->info->record[records - 1].epoch.valid_loss > 0);
    }
    assert_non_null(strstr(b.now->message, "run: checkpoint, epoch 6, best "));
    /* Its trainer is killed, which leaves its lock, and trained on afterwards. */
    scratch_text("run.isogloss-lock", "");
    pass(&b, 3);
    assert_int_equal(b.now->activity, IG_FINISHED);
    assert_string_equal(b.now->message, "run: its trainer ended at epoch 6 of 1000");
    write_epochs(&b, 8, true);
    pass(&b, 3);
    assert_int_equal(b.now->activity, IG_FINISHED);
    assert_non_null(strstr(b.now->message, "run: interrupted, epoch 7, best "));
    assert_string_equal(ig_run_ending(b.now->runs.entry[0], ending),
                        "interrupted at epoch 7 of 1000");
    assert_true(ig_session_wait(b.s.session) < 0); /* and is left alone */
    close_bench(&b);
}

/* What is there but cannot be read is reported once; the next checkpoint is taken. */
static void test_broken(void **state)
{
    bench b;

    scratch_remove("run");
    open_bench(&b);
    write_epochs(&b, 2, false);
    scratch_text("run/run.json", "{");
    ig_session_follow(b.s.session, "run");
    pass(&b, 3);
    assert_int_equal(b.now->runs.count, 0);
    assert_true(b.now->news);
    write_epochs(&b, 3, false);
    pass(&b, 3);
    assert_int_equal(b.now->runs.count, 1);
    assert_int_equal(b.now->info->records, 3);
    /* A run that is deleted from the list does not come again. */
    command(b.s.session, &(ig_command){.kind = IG_COMMAND_DROP, .run = 1});
    pass(&b, 0.3);
    write_epochs(&b, 4, false);
    pass(&b, 3);
    assert_int_equal(b.now->runs.count, 0);
    assert_true(ig_session_wait(b.s.session) < 0);
    close_bench(&b);
}

SUITE(following, scratch_enter, scratch_leave, TEST(test_every_checkpoint),
      TEST(test_broken))
