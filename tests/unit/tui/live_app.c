/* The app while a run trains on: keys in quick succession, a few steps of the session
 * between them, over every state of a run. */
#include "tui/explorer.h"

#include "explorer.h"
#include "scratch.h"
#include "stepped.h"

static void walk(uint64_t seed, int keys)
{
    static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};
    scene s;
    ig_random random;

    open_scene(&s, &usual, 2);
    s.app.start.options.epochs = 100000;
    drive(s.session);
    ig_random_init(&random, seed, 0);
    for (int i = 0; i < keys; i++) {
        ig_explorer_key(&s.app, random_key(&random, s.app.prompt.use != NULL));
        for (size_t n = ig_random_below(&random, 4); n > 0; n--)
            ig_session_step(s.session);
        draw(&s, 24, 80);
    }
    close_scene(&s);
}

static void test_keys_in_quick_succession(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++)
        walk(seed, 150);
}

SUITE(live_app)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_in_quick_succession),
    };

    return cmocka_run_group_tests_name("live_app", tests, scratch_enter, scratch_leave);
}
