/* Several runs in a session: kept, shown, compared, written, read back and forgotten.
 * */
#include "worker/session.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "explorer.h"
#include "runs/run_directory.h"
#include "scratch.h"
#include "stepped.h"

static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};

typedef struct bench {
    scene s;
    ig_view_request request;
    ig_snapshot *now;
} bench;

static void settle(bench *b)
{
    ig_snapshot *now;

    ig_session_request(b->s.session, &b->request);
    ig_session_settle(b->s.session);
    now = ig_session_take(b->s.session);
    if (now) {
        ig_snapshot_free(b->now);
        b->now = now;
    }
}

static void order(bench *b, const ig_command *one)
{
    command(b->s.session, one, NULL);
    settle(b);
}

static void drop(bench *b, unsigned number)
{
    order(b, &(ig_command){.kind = IG_COMMAND_DROP, .run = number});
}

static ig_command save(unsigned number, const char *path)
{
    ig_command one = {.kind = IG_COMMAND_SAVE, .run = number};

    snprintf(one.path, sizeof one.path, "%s", path);
    return one;
}

static ig_command load(const char *path)
{
    ig_command one = {.kind = IG_COMMAND_LOAD};

    snprintf(one.path, sizeof one.path, "%s", path);
    return one;
}

static void open_bench(bench *b)
{
    open_scene(&b->s, &usual, 1);
    b->request = b->s.app.request;
    b->now = NULL;
}

static void close_bench(bench *b)
{
    ig_snapshot_free(b->now);
    close_scene(&b->s);
}

static void start(bench *b, const char *method, uint64_t seed)
{
    ig_command *run = &b->s.app.start;

    snprintf(run->method, sizeof run->method, "%s", method);
    run->options.seed = seed;
    b->request.show = 0;
    order(b, run);
    assert_false(b->now->is_error);
}

static void check_line(const ig_run_line *line, unsigned number, const char *method,
                       uint64_t seed)
{
    assert_int_equal(line->number, number);
    assert_string_equal(line->method, method);
    assert_int_equal(line->options.seed, seed);
    assert_true(line->curves->records == line->epochs + 1);
}

static void test_earlier_runs_are_kept(void **state)
{
    bench b;
    double loss;

    (void)state;
    open_bench(&b);
    settle(&b);
    assert_int_equal(b.now->runs, 0);
    assert_int_equal(b.now->shown_run, 0);
    start(&b, "seed", 1);
    loss = b.now->run_line[0].loss;
    assert_true(loss == b.now->record[b.now->best].epoch.valid_loss);
    start(&b, "oracle", 1);
    start(&b, "seed", 2);
    assert_int_equal(b.now->runs, 3);
    check_line(&b.now->run_line[0], 1, "seed", 1);
    check_line(&b.now->run_line[1], 2, "oracle", 1);
    check_line(&b.now->run_line[2], 3, "seed", 2);
    assert_true(b.now->run_line[0].loss == loss);
    assert_int_equal(b.now->unsaved, 3);
    assert_int_equal(b.now->shown_run, 3);
    assert_false(b.now->busy);

    /* The first again: its figures, its map, its past. */
    b.request.show = 1;
    settle(&b);
    assert_int_equal(b.now->shown_run, 1);
    assert_string_equal(b.now->method, "seed");
    assert_int_equal(b.now->options.seed, 1);
    assert_int_equal(b.now->shown, b.now->best);
    assert_int_equal(b.now->map->epoch, b.now->best);
    assert_true(b.now->record[b.now->best].epoch.valid_loss == loss);
    assert_true(b.now->history > 0);
    b.request.looking = true;
    b.request.epoch = 1;
    settle(&b);
    assert_true(b.now->looking);
    assert_int_equal(b.now->map->epoch, 1);
    b.request.looking = false;

    /* One that does not exist is the newest. */
    b.request.show = 9;
    settle(&b);
    assert_int_equal(b.now->shown_run, 3);
    close_bench(&b);
}

static void test_a_run_that_cannot_start_changes_nothing(void **state)
{
    bench b;

    (void)state;
    open_bench(&b);
    start(&b, "seed", 1);
    start(&b, "oracle", 1);
    b.request.show = 1;
    settle(&b);
    snprintf(b.s.app.start.method, sizeof b.s.app.start.method, "no such method");
    order(&b, &b.s.app.start);
    assert_true(b.now->refused);
    assert_int_equal(b.now->runs, 2);
    assert_int_equal(b.now->shown_run, 1);
    close_bench(&b);
}

static void test_runs_are_forgotten(void **state)
{
    bench b;

    (void)state;
    open_bench(&b);
    for (uint64_t seed = 1; seed < 4; seed++)
        start(&b, "seed", seed);
    b.request.show = 2;
    settle(&b);
    drop(&b, 2);
    assert_int_equal(b.now->runs, 2);
    assert_int_equal(b.now->shown_run, 3);
    drop(&b, 3); /* the newest, shown */
    assert_int_equal(b.now->runs, 1);
    assert_int_equal(b.now->shown_run, 1);
    assert_int_equal(b.now->activity, IG_FINISHED);
    assert_int_equal(b.now->map->epoch, b.now->best);
    drop(&b, 1);
    assert_int_equal(b.now->runs, 0);
    assert_int_equal(b.now->activity, IG_IDLE);
    assert_false(b.now->has_spaces);
    assert_int_equal(b.now->map->space, IG_MAP_ORIGINAL);
    drop(&b, 1); /* again: nothing */
    /* Numbers are not used again. */
    start(&b, "seed", 5);
    assert_int_equal(b.now->shown_run, 4);
    assert_int_equal(b.now->map->space, IG_MAP_JOINT);
    close_bench(&b);
}

static void test_another_run_stands_beside(void **state)
{
    bench b;
    uint32_t nearest[2];
    float *first;
    size_t bytes;

    (void)state;
    open_bench(&b);
    start(&b, "seed", 1);
    nearest[0] = b.now->neighbours->near[IG_SPACE_MEANING][0].row;
    bytes = b.now->map->rows * b.now->map->series * 2 * sizeof *first;
    first = ig_alloc(1, bytes);
    memcpy(first, b.now->map->xy[0], bytes);
    start(&b, "oracle", 1);
    nearest[1] = b.now->neighbours->near[IG_SPACE_MEANING][0].row;
    assert_null(b.now->compared_map);
    b.request.compared = 1;
    settle(&b);
    assert_int_equal(b.now->compared_run, 1);
    assert_int_equal(b.now->compared_map->rows, b.now->map->rows);
    assert_int_equal(b.now->compared_neighbours->row, b.now->neighbours->row);
    assert_int_equal(b.now->compared_neighbours->near[IG_SPACE_MEANING][0].row,
                     nearest[0]);
    assert_int_equal(b.now->neighbours->near[IG_SPACE_MEANING][0].row, nearest[1]);
    assert_false(b.now->compared_neighbours->has[IG_SPACE_ORIGINAL]);

    /* It is the map that the run had, but for a turn: distances are the same. */
    for (size_t i = 0; i + 1 < b.now->map->rows; i++) {
        const float *a = b.now->compared_map->xy[0] + 2 * i, *c = first + 2 * i;

        assert_true(fabs(hypot((double)a[2] - a[0], (double)a[3] - a[1]) -
                         hypot((double)c[2] - c[0], (double)c[3] - c[1])) < 1e-4);
    }
    /* It follows the cursor and the view. */
    b.request.row = 17;
    b.request.space = IG_MAP_MEANING;
    settle(&b);
    assert_int_equal(b.now->compared_neighbours->row, 17);
    assert_int_equal(b.now->compared_map->space, IG_MAP_MEANING);

    /* Not beside itself; not when it is gone; while one is trained, beside its newest
     * weights. */
    b.request.show = 1;
    settle(&b);
    assert_int_equal(b.now->compared_run, 0);
    b.request.compared = 2;
    settle(&b);
    assert_int_equal(b.now->compared_run, 2);
    drop(&b, 2);
    assert_int_equal(b.now->compared_run, 0);
    assert_null(b.now->compared_map);
    ig_free(first);
    close_bench(&b);
}

static void test_written_and_read_back(void **state)
{
    ig_command one;
    bench b;
    ig_run_record best;

    (void)state;
    open_bench(&b);
    start(&b, "seed", 1);
    start(&b, "oracle", 2);
    one = save(1, "first");
    order(&b, &one);
    assert_false(b.now->is_error);
    assert_true(b.now->run_line[0].saved);
    assert_false(b.now->run_line[1].saved);
    assert_int_equal(b.now->unsaved, 1);
    one = load("first");
    order(&b, &one);
    assert_string_equal(b.now->message, "run 3 read from first");
    assert_int_equal(b.now->runs, 3);
    check_line(&b.now->run_line[2], 3, "seed", 1);
    assert_true(b.now->run_line[2].stored && b.now->run_line[2].saved);
    assert_true(fabs(b.now->run_line[2].loss - b.now->run_line[0].loss) < 1e-8);
    assert_int_equal(b.now->shown_run, 2); /* reading shows nothing by itself */

    b.request.show = 1;
    settle(&b);
    best = b.now->record[b.now->best];
    b.request.show = 3;
    settle(&b);
    assert_int_equal(b.now->activity, IG_FINISHED);
    assert_string_equal(b.now->method, "seed");
    assert_string_equal(b.now->ending, "all epochs done");
    assert_int_equal(b.now->terms, 11);
    assert_string_equal(b.now->term[1], "push m(x) m(x')");
    assert_true(fabs(b.now->record[b.now->best].epoch.value[1] - best.epoch.value[1]) <
                1e-8);
    assert_int_equal(b.now->map->epoch, b.now->best);
    assert_true(b.now->saved);
    one = save(3, "first");
    order(&b, &one);
    assert_true(b.now->is_error);
    assert_string_equal(b.now->message, "run 3 was read from first");

    one = load("nowhere");
    order(&b, &one);
    assert_true(b.now->is_error);
    assert_int_equal(b.now->runs, 3);
    assert_int_equal(b.now->shown_run, 3);
    close_bench(&b);
}

/* Commands that come before the worker looks: each is carried out, in their order. */
static void test_no_command_is_lost(void **state)
{
    ig_command one;
    bench b;

    (void)state;
    open_bench(&b);
    start(&b, "seed", 1);
    one = save(1, "twice-a");
    command(b.s.session, &one, NULL);
    one = save(1, "twice-b");
    command(b.s.session, &one, NULL);
    settle(&b);
    assert_int_equal(access("twice-a/run.json", F_OK), 0);
    assert_int_equal(access("twice-b/run.json", F_OK), 0);

    one = load("twice-a");
    command(b.s.session, &one, NULL);
    one = load("twice-b");
    command(b.s.session, &one, NULL);
    command(b.s.session, &(ig_command){.kind = IG_COMMAND_DROP, .run = 1}, NULL);
    command(b.s.session, &(ig_command){.kind = IG_COMMAND_DROP, .run = 2}, NULL);
    command(b.s.session, &b.s.app.start, NULL);
    command(b.s.session, &b.s.app.start, NULL);
    command(b.s.session, &(ig_command){.kind = IG_COMMAND_STOP}, NULL);
    settle(&b);
    assert_int_equal(b.now->starts, 3);
    /* The first of the two starts saw no epoch, and is no run to be kept. */
    assert_int_equal(b.now->runs, 2);
    assert_int_equal(b.now->run_line[0].number, 3);
    assert_true(b.now->run_line[0].stored);
    assert_int_equal(b.now->run_line[1].number, 5);
    assert_string_equal(b.now->message, "seed stopped before its first epoch");
    close_bench(&b);
}

/* --- run directories
 * ------------------------------------------------------------------ */

static void check_refused(const char *name, const char *text, const char *why,
                          const ig_set *set)
{
    ig_stored stored;
    ig_error error;
    char path[128];

    snprintf(path, sizeof path, "bad/%s", name);
    scratch_text(path, text);
    if (ig_stored_read(&stored, "bad", set, false, &error) == IG_OK)
        fail_msg("read in spite of: %s", text);
    if (!strstr(error.message, why))
        fail_msg("\"%s\" without \"%s\"", error.message, why);
    assert_null(stored.record);
}

static void test_directories_that_lie(void **state)
{
    static const char head[] =
        "epoch,train_loss,valid_loss,alignment,uniformity,seconds,pairs_per_second";
    char text[1024];
    ig_command one;
    bench b;
    ig_stored stored;

    (void)state;
    open_bench(&b);
    start(&b, "seed", 1);
    one = save(0, "bad");
    order(&b, &one);
    check_refused("epochs.csv", "", "epochs.csv: is empty", b.s.set);
    check_refused("epochs.csv", "epoch,loss\n", "expected the column train_loss",
                  b.s.set);
    check_refused("epochs.csv", "epoch,train_loss\n0,1\n",
                  "column valid_loss is missing", b.s.set);
    snprintf(text, sizeof text, "%s,\"a,b\"\n0,1,1,1,1,1,1\n", head);
    check_refused("epochs.csv", text, "epochs.csv:2: expected 8 fields", b.s.set);
    snprintf(text, sizeof text, "%s\n0,1,1,x,1,1,1\n", head);
    check_refused("epochs.csv", text, "epochs.csv:2: 'x' is no number", b.s.set);
    snprintf(text, sizeof text, "%s\n0,1,1,1,1,1,1\n2,1,1,1,1,1,1\n", head);
    check_refused("epochs.csv", text, "epochs.csv:3: '2' is no next epoch", b.s.set);
    snprintf(text, sizeof text, "%s\n0,1,1,1,1,1,1\n", head);
    check_refused("epochs.csv", text, "the best epoch is 3 but epochs.csv ends with 0",
                  b.s.set);
    /* Lines that end with a carriage return alone are lines, however many. */
    snprintf(text, sizeof text,
             "%s\r0,1,1,1,1,1,1\r1,1,1,1,1,1,1\r2,1,1,1,1,1,1\r3,1,1,1,1,1,1\r", head);
    scratch_text("bad/epochs.csv", text);
    assert_int_equal(ig_stored_read(&stored, "bad", b.s.set, false, NULL), IG_OK);
    assert_int_equal(stored.records, 4);
    ig_stored_free(&stored);
    snprintf(text, sizeof text, "%s,\"a,\"\"b\"\"\"\n0,1,nan,1,1,1,1,5\n", head);
    scratch_text("bad/epochs.csv", text);
    check_refused("run.json", "{\"method\": ", "run.json:1", b.s.set);
    /* A named pipe that nobody writes to is told, and does not hang. */
    assert_int_equal(unlink("bad/run.json"), 0);
    assert_int_equal(mkfifo("bad/run.json", 0600), 0);
    assert_int_not_equal(ig_stored_read(&stored, "bad", b.s.set, false, NULL), IG_OK);
    assert_int_equal(unlink("bad/run.json"), 0);
    scratch_text("bad/run.json", "{\"extractor\": \"residual\", \"method\": \"m\", "
                                 "\"best_epoch\": 0, \"data\": {\"dims\": 8}}");
    assert_int_equal(ig_stored_read(&stored, "bad", b.s.set, false, NULL), IG_OK);
    assert_string_equal(stored.term[0], "a,\"b\"");
    assert_true(isnan(stored.record[0].epoch.valid_loss));
    assert_true(stored.record[0].epoch.value[0] == 5);
    ig_stored_free(&stored);

    /* Other dimensions: refused, or its history alone. */
    check_refused("run.json",
                  "{\"extractor\": \"residual\", \"best_epoch\": 0, "
                  "\"data\": {\"dims\": 9}}",
                  "has 8 dimensions", b.s.set);
    assert_int_equal(ig_stored_read(&stored, "bad", b.s.set, true, NULL), IG_OK);
    assert_false(stored.has_weights);
    assert_int_equal(stored.records, 1);
    ig_stored_free(&stored);
    assert_int_equal(ig_session_load(b.s.session, "bad", true, NULL), IG_OK);
    b.request.show = 2;
    settle(&b);
    assert_int_equal(b.now->shown_run, 1);
    assert_false(b.now->run_line[1].has_weights);
    b.request.compared = 2;
    settle(&b);
    assert_int_equal(b.now->compared_run, 0);
    close_bench(&b);
}

/* --- beside a worker
 * --------------------------------------------------------------------- */

static void await(bench *b, bool (*done)(const ig_snapshot *))
{
    while (!b->now || !done(b->now)) {
        ig_snapshot *now;

        step(b->s.session);
        now = ig_session_take(b->s.session);
        if (now) {
            ig_snapshot_free(b->now);
            b->now = now;
        }
    }
}

static bool is_trained(const ig_snapshot *now)
{
    return now->runs == 1 && now->epochs >= 2;
}

static bool stands_beside(const ig_snapshot *now)
{
    return now->shown_run == 1 && now->compared_run == 2 && now->compared_map &&
           now->compared_map->epoch >= 3 && now->busy && now->compared_neighbours;
}

static bool is_alone(const ig_snapshot *now)
{
    return now->runs == 1 && !now->busy && now->compared_run == 0;
}

/* The first is shown while the second is trained and stands beside, and goes. */
static void test_beside_training(void **state)
{
    bench b;

    (void)state;
    open_bench(&b);
    drive(b.s.session);
    b.s.app.start.options.epochs = 1000000;
    b.s.app.start.options.patience = 0;
    command(b.s.session, &b.s.app.start, &b.request);
    await(&b, is_trained);
    command(b.s.session, &b.s.app.start, NULL);
    b.request.show = 1;
    b.request.compared = 2;
    ig_session_request(b.s.session, &b.request);
    await(&b, stands_beside);
    assert_int_equal(b.now->activity, IG_FINISHED);
    assert_int_equal(b.now->run_line[1].activity, IG_TRAINING);
    assert_string_equal(b.now->ending, "stopped by hand");
    command(b.s.session, &(ig_command){.kind = IG_COMMAND_DROP, .run = 2}, NULL);
    await(&b, is_alone);
    close_bench(&b);
}

SUITE(session_runs)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_earlier_runs_are_kept),
        cmocka_unit_test(test_a_run_that_cannot_start_changes_nothing),
        cmocka_unit_test(test_runs_are_forgotten),
        cmocka_unit_test(test_another_run_stands_beside),
        cmocka_unit_test(test_written_and_read_back),
        cmocka_unit_test(test_no_command_is_lost),
        cmocka_unit_test(test_directories_that_lie),
        cmocka_unit_test(test_beside_training),
    };

    return cmocka_run_group_tests_name("session runs", tests, scratch_enter,
                                       scratch_leave);
}
