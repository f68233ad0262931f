/* The tour: each step goes on once what it asks for is done, or by Enter. */
#include "tui/tour.h"

#include "pressing.h"
#include "scratch.h"

static const struct look usual = {48, 8, 4, true, true, false, false, 0.1};

static void press(scene *s, const char *keys)
{
    press_at(s, keys, 24, 80);
}

static void check_step(const scene *s, const char *title)
{
    if (!on_screen(s, title))
        fail_msg("no '%s' on the screen", title);
}

static void test_by_doing(void **state)
{
    static const struct {
        const char *keys, *then;
    } steps[] = {
        {"j", "tour: 2 of 10"},       {" ", "tour: 3 of 10"},
        {"v", "tour: 4 of 10"},       {"<Enter>", "tour: 5 of 10"},
        {",", "tour: 6 of 10"},       {"<Esc>", "tour: 7 of 10"},
        {"]", "tour: 8 of 10"},       {"/short<Enter>", "tour: 9 of 10"},
        {"m<Esc>", "tour: 10 of 10"}, {"<Enter>", "the tour has ended"},
    };
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, ":tour<Enter>");
    check_step(&s, "tour: 1 of 10");
    assert_true(on_screen(&s, "Esc leave the tour"));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        press(&s, steps[i].keys);
        check_step(&s, steps[i].then);
    }
    assert_false(s.app.tour.on);
    close_scene(&s);
}

static void test_by_enter(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, ":tour<Enter><Enter><Enter><Enter>");
    check_step(&s, "tour: 4 of 10");
    assert_string_equal(s.app.focus->name, "map");
    press(&s, "<Enter>");
    check_step(&s, "tour: 5 of 10");
    assert_string_equal(s.app.focus->name, "neighbours");
    close_scene(&s);
}

static void test_leaving(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, ":tour<Enter>m<Esc>"); /* the list is closed, not the tour */
    assert_true(s.app.tour.on);
    press(&s, "<Esc>");
    assert_false(s.app.tour.on);
    assert_false(on_screen(&s, "tour: 1"));
    press(&s, ":tour<Enter>:tour<Enter>");
    assert_false(s.app.tour.on);
    close_scene(&s);
}

SUITE(tour)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_doing),
        cmocka_unit_test(test_by_enter),
        cmocka_unit_test(test_leaving),
    };

    return cmocka_run_group_tests_name("tour", tests, scratch_enter, scratch_leave);
}
