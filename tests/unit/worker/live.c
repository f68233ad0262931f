/* What the worker shows is what it was asked for: methods one after another, memory
 * that runs out, commands that come together. Without a worker thread: the same jobs.
 * */
#include "worker/session.h"

#include <math.h>

#include "explorer.h"
#include "scratch.h"
#include "worker/state.h"

static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};

static ig_snapshot *settle(scene *s)
{
    ig_session_request(s->session, &s->app.request);
    ig_session_settle(s->session);
    return ig_session_take(s->session);
}

static ig_snapshot *run(scene *s, const char *method)
{
    snprintf(s->app.start.method, sizeof s->app.start.method, "%s", method);
    command(s->session, &s->app.start, &s->app.request);
    return settle(s);
}

/* The baseline's meaning rows are the originals, also where it is the first method. */
static void test_the_baseline_shows_the_originals(void **state)
{
    scene s;
    ig_snapshot *original, *baseline;

    (void)state;
    open_scene(&s, &usual, 1);
    s.app.request.space = IG_MAP_MEANING;
    original = settle(&s);
    assert_int_equal(original->map->space, IG_MAP_ORIGINAL);
    baseline = run(&s, "baseline");
    assert_int_equal(baseline->activity, IG_FINISHED);
    assert_int_equal(baseline->map->space, IG_MAP_MEANING);
    assert_memory_equal(baseline->map->xy[0], original->map->xy[0],
                        2 * usual.rows * sizeof(float));
    ig_snapshot_free(original);
    ig_snapshot_free(baseline);
    close_scene(&s);
}

/* A start that comes to nothing leaves the run there is, and says so. */
static void test_a_refused_start_leaves_the_run(void **state)
{
    scene s;
    ig_snapshot *before, *after;

    (void)state;
    open_scene(&s, &usual, 1);
    before = run(&s, "seed");
    assert_int_equal(before->starts, 1);
    assert_false(before->refused);
    after = run(&s, "sed");
    assert_int_equal(after->starts, 2);
    assert_true(after->refused && after->is_error);
    assert_int_equal(after->activity, IG_FINISHED);
    assert_string_equal(after->method, "seed");
    assert_int_equal(after->records, before->records);
    ig_snapshot_free(before);
    ig_snapshot_free(after);
    close_scene(&s);
}

/* A run and its end asked for at once: it never begins. The end of a run that is over
 * does not meet the next one. */
static void test_a_stop_ends_the_run_before_it(void **state)
{
    static const ig_command stop = {.kind = IG_COMMAND_STOP};
    scene s;
    ig_snapshot *now;

    (void)state;
    open_scene(&s, &usual, 1);
    command(s.session, &s.app.start, NULL);
    command(s.session, &stop, NULL);
    now = settle(&s);
    assert_int_equal(now->activity, IG_FINISHED);
    assert_int_equal(now->records, 0);
    ig_snapshot_free(now);
    command(s.session, &stop, NULL);
    now = run(&s, "seed");
    assert_int_equal(now->activity, IG_FINISHED);
    assert_int_equal(now->epochs, 3);
    ig_snapshot_free(now);
    close_scene(&s);
}

/* A map that training has left upright is laid down when the run ends. */
static void test_the_end_of_a_run_lays_the_map_down(void **state)
{
    scene s;
    ig_map *map;

    (void)state;
    open_scene(&s, &usual, 1);
    s.app.request.halt = 2;
    ig_snapshot_free(run(&s, "seed"));
    map = s.session->main.map.map;
    assert_false(map->turned && map->share[1] > map->share[0]);
    for (size_t i = 0; i < map->rows * map->series; i++) {
        float x = map->xy[0][2 * i];

        map->xy[0][2 * i] = -map->xy[0][2 * i + 1];
        map->xy[0][2 * i + 1] = x;
    }
    map->turned = true;
    map->share[0] = 0.1;
    map->share[1] = 0.8;
    s.app.request.halt = 0;
    ig_snapshot_free(settle(&s));
    map = s.session->main.map.map;
    assert_false(map->turned);
    assert_true(map->share[0] >= map->share[1]);
    close_scene(&s);
}

/* Whichever allocation fails, the jobs end, and what is shown is what was done. */
static void test_memory_that_runs_out(void **state)
{
    (void)state;
    for (long n = 1; n < 400; n += n < 150 && thorough() ? 1 : 7) {
        scene s;
        ig_snapshot *now;

        open_scene(&s, &usual, 1);
        s.app.request.row = 3;
        command(s.session, &s.app.start, NULL);
        ig_alloc_fail_at(n);
        now = settle(&s);
        ig_alloc_fail_at(0);
        if (now) {
            assert_true(now->epochs <= 3 && now->shown <= 3);
            assert_true(now->activity != IG_FAILED || now->message[0]);
            assert_true(now->activity != IG_TRAINING);
        }
        ig_snapshot_free(now);
        close_scene(&s);
    }
}

/* Measures that are broken off are made later, and the same. */
static void test_broken_off_measures_are_made_later(void **state)
{
    scene s;
    ig_run_setup setup;
    ig_run *plain, *broken;
    atomic_bool stop;

    (void)state;
    open_scene(&s, &usual, 1);
    setup = (ig_run_setup){.set = s.set,
                           .pairs = &s.pairs,
                           .method = "seed",
                           .options = s.app.start.options,
                           .pairing = "all",
                           .pool = s.pool};
    assert_int_equal(ig_run_new(&plain, &setup, NULL), IG_OK);
    atomic_init(&stop, true);
    setup.stop = &stop;
    assert_int_equal(ig_run_new(&broken, &setup, NULL), IG_OK);
    while (ig_run_going(plain)) {
        assert_int_equal(ig_run_epoch(plain, NULL, NULL, NULL), IG_OK);
        assert_int_equal(ig_run_epoch(broken, NULL, NULL, NULL), IG_INTERRUPTED);
        assert_int_equal(ig_run_epoch(broken, NULL, NULL, NULL), IG_INTERRUPTED);
        assert_true(ig_run_going(broken));
        atomic_store(&stop, false);
        assert_int_equal(ig_run_epoch(broken, NULL, NULL, NULL), IG_OK);
        atomic_store(&stop, true);
        assert_int_equal(broken->records, plain->records);
        assert_true(broken->record[broken->records - 1].epoch.train_loss ==
                    plain->record[plain->records - 1].epoch.train_loss);
        assert_memory_equal(broken->record[broken->records - 1].geometry,
                            plain->record[plain->records - 1].geometry,
                            sizeof plain->record->geometry);
    }
    assert_false(ig_run_going(broken));
    ig_run_delete(plain);
    ig_run_delete(broken);
    close_scene(&s);
}

/* A map of a sample follows the map of all rows before it, and the other way round. */
static void test_a_sample_follows_the_whole(void **state)
{
    enum { ROWS = 3500, DIMS = 1024 };
    float *row = ig_alloc(ROWS * DIMS, sizeof *row);
    const char **lang = ig_alloc(ROWS, sizeof *lang);
    ig_pairs pairs = {0};
    ig_random random;
    ig_set *set;
    ig_session *s;
    bool exact = true;

    (void)state;
    assert_true(row && lang);
    ig_random_init(&random, 5, 0);
    for (size_t i = 0; i < ROWS; i++) {
        lang[i] = i % 2 ? "de" : "en";
        row[i * DIMS] = 3 * (float)ig_random_normal(&random);
        row[i * DIMS + 1] = (float)ig_random_normal(&random);
    }
    assert_int_equal(
        ig_set_of_rows(&set, "large", row, ROWS, DIMS, lang, NULL, NULL, NULL), IG_OK);
    assert_int_equal(ig_session_new(&s, set, &pairs, "all", NULL, NULL), IG_OK);
    s->request.unit = false;
    assert_int_equal(ig_map_product_make(&s->main.map, NULL, &exact, NULL), IG_OK);
    for (int step = 0; step < 2; step++) {
        float before[2], *xy = s->main.map.map->xy[0];
        uint32_t sampled = s->main.map.map->row ? s->main.map.map->row[7] : 7;

        /* As if the frames before had been turned round. */
        for (size_t i = 0; i < 2 * s->main.map.map->rows; i++)
            xy[i] = -xy[i];
        for (int k = 0; k < 4; k++)
            s->main.map.turn.q[k] = -s->main.map.turn.q[k];
        before[0] = xy[2 * 7];
        before[1] = xy[2 * 7 + 1];
        exact = step == 1;
        if (!exact) { /* which rows it takes is told afterwards */
            float all[2 * ROWS];

            memcpy(all, xy, sizeof all);
            assert_int_equal(ig_map_product_make(&s->main.map, NULL, &exact, NULL),
                             IG_OK);
            assert_false(exact);
            assert_true(s->main.map.map->rows < ROWS);
            sampled = s->main.map.map->row[7];
            memcpy(before, all + 2 * (size_t)sampled, sizeof before);
            xy = s->main.map.map->xy[0] + 2 * 7;
        } else {
            do { /* all rows come on the axes of the sample first */
                exact = true;
                assert_int_equal(ig_map_product_make(&s->main.map, NULL, &exact, NULL),
                                 IG_OK);
            } while (!exact);
            xy = s->main.map.map->xy[0] + 2 * (size_t)sampled;
        }
        assert_true(fabsf(xy[0] - before[0]) < 0.2F);
        assert_true(fabsf(xy[1] - before[1]) < 0.2F);
    }
    ig_session_delete(s);
    ig_set_free(set);
    ig_free(row);
    ig_free(lang);
}

SUITE(live)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_baseline_shows_the_originals),
        cmocka_unit_test(test_a_refused_start_leaves_the_run),
        cmocka_unit_test(test_the_end_of_a_run_lays_the_map_down),
        cmocka_unit_test(test_a_stop_ends_the_run_before_it),
        cmocka_unit_test(test_memory_that_runs_out),
        cmocka_unit_test(test_broken_off_measures_are_made_later),
        cmocka_unit_test(test_a_sample_follows_the_whole),
    };

    return cmocka_run_group_tests_name("live", tests, scratch_enter, scratch_leave);
}
