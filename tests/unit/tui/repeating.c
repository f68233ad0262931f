/* The same run once more is asked for; another one is not. */
#include "tui/repeating.h"

#include "explorer.h"
#include "pressing.h"
#include "scratch.h"

static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};

static ig_key_result press(scene *s, const char *keys)
{
    return press_at(s, keys, 30, 110);
}

static void expect_runs(const scene *s, size_t runs, bool asked)
{
    assert_int_equal(s->app.now->runs, runs);
    assert_int_equal(s->app.overlay != NULL, asked);
}

static void test_the_same_is_asked_for(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, " ");
    expect_runs(&s, 1, false);
    press(&s, " ");
    expect_runs(&s, 1, true);
    assert_true(on_screen(&s, "Run 1 seed is done: best epoch"));
    press(&s, "n");
    expect_runs(&s, 1, false);
    press(&s, "s<Esc>");
    expect_runs(&s, 1, false);
    press(&s, "  "); /* really */
    expect_runs(&s, 2, false);
    press(&s, " o");
    expect_runs(&s, 3, false);
    assert_int_equal(s.app.now->run_line[2].options.seed, 2);
    press(&s, " ");
    assert_true(on_screen(&s, "Run 3 seed is done"));
    press(&s, "m<Esc>");
    expect_runs(&s, 3, false);
    press(&s, "ss");
    expect_runs(&s, 4, false);
    assert_int_equal(s.app.now->activity, IG_PAUSED);
    press(&s, " "); /* goes on */
    expect_runs(&s, 4, false);
    close_scene(&s);
}

static void test_another_is_not(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, " :set lr 0.02<Enter> ");
    expect_runs(&s, 2, false);
    press(&s, ":method oracle<Enter>");
    expect_runs(&s, 3, false);
    press(&s, ":panel runs<Enter>Gkgjjdd"); /* the run that it would repeat is gone */
    assert_int_equal(s.app.now->runs, 2);
    press(&s, " ");
    expect_runs(&s, 3, false);
    press(&s,
          ":write kept<Enter>:load kept<Enter> "); /* one that was read is no start */
    expect_runs(&s, 4, true);
    assert_true(on_screen(&s, "Run 4 oracle is done"));
    close_scene(&s);
}

/* An objective of a file is another one when the file is. */
static void test_a_file_that_changed_is_another(void **state)
{
    static const char text[] = "# mine\nextractor residual\npull 1 m(x) m(y)\n";
    FILE *file = fopen("mine.objective", "w");
    scene s;

    (void)state;
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    open_scene(&s, &usual, 1);
    press(&s, ":method mine.objective<Enter>");
    expect_runs(&s, 1, false);
    press(&s, " ");
    expect_runs(&s, 1, true);
    press(&s, "n");
    file = fopen("mine.objective", "a");
    assert_non_null(file);
    fputs("push 1 m(x) m(x')\n", file);
    fclose(file);
    press(&s, " ");
    expect_runs(&s, 2, false);
    close_scene(&s);
}

SUITE(repeating)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_is_asked_for),
        cmocka_unit_test(test_another_is_not),
        cmocka_unit_test(test_a_file_that_changed_is_another),
    };

    return cmocka_run_group_tests_name("repeating", tests, scratch_enter,
                                       scratch_leave);
}
