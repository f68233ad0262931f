/* The command line: what it lists, what Enter and Tab make of it, what it remembers. */
#include "tui/command.h"

#include "pressing.h"
#include "scratch.h"

static const struct look usual = {48, 8, 4, true, true, false, false, 0.1};

static void press(scene *s, const char *keys)
{
    press_at(s, keys, 24, 80);
}

static void test_it_lists_what_there_is(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, ":");
    assert_true(on_screen(&s, " Space     train "));
    press(&s, "procru");
    assert_true(on_screen(&s, "method procrustes"));
    assert_false(on_screen(&s, " Space     train "));
    press(&s, "<Ctrl-U>lr");
    assert_true(on_screen(&s, "set lr"));
    assert_true(on_screen(&s, "learning rate"));
    press(&s, "<Ctrl-U>language ca");
    assert_true(on_screen(&s, "language ca"));
    /* What only the help has fits, too. */
    press(&s, "<Ctrl-U>clipboard");
    assert_true(on_screen(&s, " y         copy "));
    close_scene(&s);
}

static void test_enter_does_what_is_marked(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, ":pan dat<Enter>");
    assert_string_equal(s.app.focus->name, "data");
    press(&s, ":centre<Enter>");
    assert_string_equal(s.app.now->method, "centre");
    press(&s, ":<Down><Down><Up><Up><Enter>"); /* nothing is chosen */
    assert_null(s.app.prompt.use);
    press(&s, ":xqzj<Enter>");
    assert_true(on_screen(&s, "there is no command 'xqzj'"));
    close_scene(&s);
}

/* What needs more is not done, but typed. */
static void test_what_needs_more_goes_on(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, ":set lr<Down><Enter>");
    assert_non_null(s.app.prompt.use);
    assert_string_equal(s.app.prompt.text, "set lr ");
    press(&s, "0.5<Enter>");
    assert_true(s.app.start.options.lr == 0.5);
    press(&s, ":row<Down><Enter>7<Enter>");
    assert_int_equal(s.app.cursor, 7);
    close_scene(&s);
}

/* Full commands keep their meaning, whatever matches better. */
static void test_commands_in_full(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, ":row 9<Enter>");
    assert_int_equal(s.app.cursor, 9);
    press(&s, ":gly<Enter>");
    assert_int_equal(s.app.canvas.glyphs, IG_BLOCKS);
    press(&s, ":set batch=8<Enter>");
    assert_int_equal(s.app.start.options.batch, 8);
    assert_int_equal(press_at(&s, ":quit<Enter>", 24, 80), IG_APP_QUIT);
    close_scene(&s);
}

static void test_tab_completes(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, ":meth<Tab> procr<Tab>");
    assert_string_equal(s.app.prompt.text, "method procrustes");
    press(&s, "<Ctrl-U>dream+o<Tab>"); /* no word begins so: what fits best */
    assert_string_equal(s.app.prompt.text, "method dream+oracle");
    press(&s, "<Ctrl-U>language d<Tab>");
    assert_string_equal(s.app.prompt.text, "language da");
    close_scene(&s);
}

static void test_runs_and_files_are_offered(void **state)
{
    scene s;
    FILE *file = fopen("own.objective", "w");

    (void)state;
    assert_non_null(file);
    fputs("pull 1 m(x) m(y)\n", file);
    fclose(file);
    open_scene(&s, &usual, 1);
    press(&s, ":method centre<Enter>:write saved<Enter>:method zca<Enter>:own");
    assert_true(on_screen(&s, "method own.objective"));
    press(&s, "<Ctrl-U>load");
    assert_true(on_screen(&s, "load saved"));
    press(&s, "<Ctrl-U>run 1<Enter>");
    assert_int_equal(s.app.now->shown_run, 1);
    press(&s, ":run 9<Enter>");
    assert_true(on_screen(&s, "there is no run '9'"));
    close_scene(&s);
}

static void test_up_recalls(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, ":row 3<Enter>:row 4<Enter>:ro<Up>");
    assert_string_equal(s.app.prompt.text, "row 4");
    press(&s, "<Up><Up><Up>");
    assert_string_equal(s.app.prompt.text, "row 3");
    press(&s, "<Down><Down>");
    assert_string_equal(s.app.prompt.text, "ro");
    press(&s, "<Up><Up><Enter>");
    assert_int_equal(s.app.cursor, 3);
    close_scene(&s);
}

static void test_lines_are_pressed(void **state)
{
    ig_key key = {.code = IG_KEY_MOUSE, .mouse = IG_MOUSE_PRESS, .row = 12, .col = 20};
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, ":panel ");
    while (!(ig_canvas_cell(&s.app.canvas, key.row, 12)->bytes[0] == 'p' &&
             ig_canvas_cell(&s.app.canvas, key.row, 18)->bytes[0] == 'd'))
        assert_true(++key.row < 23); /* "panel data" */
    ig_explorer_key(&s.app, key);
    settle(&s, 24, 80);
    assert_string_equal(s.app.focus->name, "map");
    ig_explorer_key(&s.app, key);
    assert_string_equal(s.app.focus->name, "data");
    close_scene(&s);
}

SUITE(command_line)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_lists_what_there_is),
        cmocka_unit_test(test_enter_does_what_is_marked),
        cmocka_unit_test(test_what_needs_more_goes_on),
        cmocka_unit_test(test_commands_in_full),
        cmocka_unit_test(test_tab_completes),
        cmocka_unit_test(test_runs_and_files_are_offered),
        cmocka_unit_test(test_up_recalls),
        cmocka_unit_test(test_lines_are_pressed),
    };

    return cmocka_run_group_tests_name("command_line", tests, scratch_enter,
                                       scratch_leave);
}
