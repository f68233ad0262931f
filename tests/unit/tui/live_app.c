/* The app beside a worker: keys in quick succession, over every state of a run. Run under
 * ThreadSanitizer as well. Nothing is decided by the clock. */
#include "tui/explorer.h"

#include <poll.h>

#include "explorer.h"
#include "scratch.h"

static void walk(uint64_t seed, int keys)
{
    static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};
    scene s;
    ig_random random;

    open_scene(&s, &usual, 2);
    s.app.start.options.epochs = 100000;
    assert_int_equal(ig_session_start(s.session, NULL), IG_OK);
    ig_random_init(&random, seed, 0);
    for (int i = 0; i < keys; i++) {
        struct pollfd news = {.fd = ig_session_fd(s.session), .events = POLLIN};

        ig_explorer_key(&s.app, random_key(&random, s.app.prompt.use != NULL));
        if (ig_random_below(&random, 4) == 0)
            poll(&news, 1, 20);
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
