/* What the worker shows is what it was asked for: methods one after another, memory that
 * runs out, commands that come together. Without a worker thread: the same jobs. */
#include "isogloss/live/session.h"

#include "explorer.h"
#include "scratch.h"

static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};

static ig_snapshot *settle(scene *s)
{
    ig_session_want(s->session, &s->app.want);
    ig_session_settle(s->session);
    return ig_session_take(s->session);
}

static ig_snapshot *run(scene *s, const char *method)
{
    snprintf(s->app.want.method, sizeof s->app.want.method, "%s", method);
    s->app.want.start++;
    return settle(s);
}

/* The baseline's meaning rows are the originals, also where it is the first method. */
static void test_the_baseline_shows_the_originals(void **state)
{
    scene s;
    ig_snapshot *original, *baseline;

    (void)state;
    open_scene(&s, &usual, 1);
    s.app.want.space = IG_MAP_MEANING;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_baseline_shows_the_originals),
    };

    return cmocka_run_group_tests_name("live", tests, scratch_enter, scratch_leave);
}
