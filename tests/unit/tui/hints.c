/* The line of hints, tabs and messages: what is said, where, and that the mouse presses
 * it. */
#include "tui/chrome.h"

#include "pressing.h"
#include "scratch.h"

static const struct look usual = {48, 8, 4, true, true, false, false, 0.1};

/* The cell at which a text begins on the screen. */
static void find(const scene *s, const char *text, int *row, int *col)
{
    const ig_canvas *c = &s->app.canvas;
    size_t length = strlen(text);

    for (*row = 0; *row < c->rows; ++*row)
        for (*col = 0; *col + (int)length <= c->cols; ++*col) {
            size_t i = 0;

            while (i < length &&
                   ig_canvas_cell(c, *row, *col + (int)i)->bytes[0] == text[i])
                i++;
            if (i == length)
                return;
        }
    fail_msg("'%s' is not on the screen", text);
}

static void click(scene *s, const char *text, int rows, int cols)
{
    ig_key key = {.code = IG_KEY_MOUSE, .mouse = IG_MOUSE_PRESS};

    find(s, text, &key.row, &key.col);
    ig_explorer_key(&s->app, key);
    settle(s, rows, cols);
}

static void test_hints_follow_the_panel(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press_at(&s, "", 24, 80);
    settle(&s, 24, 80);
    assert_true(on_screen(&s, "Space train  m method"));
    assert_true(on_screen(&s, "b select"));
    press_at(&s, ":panel neighbours<Enter>", 24, 80);
    assert_true(on_screen(&s, "Enter go there"));
    assert_false(on_screen(&s, "b select"));
    close_scene(&s);
}

static void test_hints_follow_the_state(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    s.app.start.options.epochs = 2;
    settle(&s, 40, 120);
    assert_false(on_screen(&s, ", epochs"));
    press_at(&s, "ss", 40, 120);
    assert_true(on_screen(&s, "Space go on"));
    assert_true(on_screen(&s, "e edit"));
    press_at(&s, "p", 40, 200); /* two things can be paused: it is said which */
    assert_true(on_screen(&s, "Space train on"));
    assert_true(on_screen(&s, "p pause replay"));
    press_at(&s, "p<Esc>", 40, 120);
    press_at(&s, " ", 40, 120);
    assert_true(on_screen(&s, "Space train"));
    assert_true(on_screen(&s, ", epochs"));
    assert_false(on_screen(&s, "e edit"));
    assert_false(on_screen(&s, "C compare"));
    press_at(&s, ",", 40, 120);
    assert_true(on_screen(&s, "Esc to the newest"));
    press_at(&s, "<Esc>p", 40, 200); /* one thing goes: it is told once */
    assert_true(on_screen(&s, "Space pause  "));
    assert_false(on_screen(&s, "p pause replay"));
    press_at(&s, " ", 40, 200);
    assert_true(on_screen(&s, "the replay stands at epoch 0"));
    assert_true(on_screen(&s, "p replay"));
    press_at(&s, "<Esc>:method inter<Enter>", 40, 120);
    assert_true(on_screen(&s, "C compare"));
    close_scene(&s);
}

/* The head of a column sorts, and once more the other way round. */
static void test_heads_are_pressed(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    s.app.start.options.epochs = 1;
    press_at(&s, " :method inter<Enter>:panel runs<Enter>", 40, 120);
    click(&s, "epochs ", 40, 120);
    assert_true(on_screen(&s, "runs by epochs, greatest first"));
    click(&s, "epochs ", 40, 120);
    assert_true(on_screen(&s, "runs by epochs "));
    click(&s, "method ", 40, 120);
    assert_true(on_screen(&s, "runs by method"));
    close_scene(&s);
}

/* A line of a list takes a click as it takes the arrows, a second one as Enter. */
static void test_lines_are_pressed(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    s.app.start.options.epochs = 1;
    press_at(&s, "m", 40, 120);
    click(&s, "inter ", 40, 120);
    assert_int_equal(s.app.now->runs, 0);
    click(&s, "inter ", 40, 120);
    assert_int_equal(s.app.now->runs, 1);
    assert_true(on_screen(&s, "inter"));
    close_scene(&s);
}

static void test_what_is_given_up_is_named(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    settle(&s, 40, 120);
    s.app.now->asking = 1;
    draw(&s, 40, 120);
    assert_true(on_screen(&s, "Ctrl-C give up asking"));
    s.app.now->measuring = true;
    draw(&s, 40, 120);
    assert_true(on_screen(&s, "Ctrl-C give up measuring"));
    close_scene(&s);
}

/* What takes something away is not the first that is offered. */
static void test_deleting_is_not_the_first(void **state)
{
    ig_hint hint[IG_HINTS];
    size_t n, at = 0;
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    s.app.start.options.epochs = 2;
    press_at(&s, " :panel runs<Enter>", 40, 120);
    n = ig_hints_collect(&s.app, hint);
    while (at < n && strcmp(hint[at].entry->name, "delete") != 0)
        at++;
    assert_in_range(at, 1, n - 1);
    close_scene(&s);
}

/* What the cursor is on decides what Enter is said to do. */
static void test_hints_follow_the_cursor(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press_at(&s, ":panel data<Enter>", 40, 120);
    assert_false(on_screen(&s, "Enter hide"));
    press_at(&s, "G", 40, 120);
    assert_true(on_screen(&s, "Enter hide"));
    press_at(&s, "<Enter>", 40, 120);
    assert_true(on_screen(&s, "Enter show"));
    close_scene(&s);
}

static void test_messages_leave_the_hints(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press_at(&s, ":set lr x<Enter>", 24, 80);
    assert_true(s.app.note_is_error);
    assert_true(on_screen(&s, "lr"));
    assert_true(on_screen(&s, "Space train  m method"));
    close_scene(&s);
}

/* A long one is read whole. */
static void test_a_long_message_takes_lines(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press_at(&s, ":set nothing 1<Enter>", 24, 80);
    assert_true(strlen(s.app.note) > 80);
    assert_true(on_screen(&s, "not 'nothing'"));
    close_scene(&s);
}

static void test_tabs_are_pressed(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    settle(&s, 24, 80);
    click(&s, "runs", 24, 80);
    assert_string_equal(s.app.focus->name, "runs");
    assert_true(on_screen(&s, "[runs]"));
    click(&s, "leakage", 24, 80);
    assert_string_equal(s.app.focus->name, "leakage");
    click(&s, "curves", 24, 80);
    assert_string_equal(s.app.focus->name, "curves");
    close_scene(&s);
}

static void test_hints_are_pressed(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    settle(&s, 24, 80);
    click(&s, "? help", 24, 80);
    assert_non_null(s.app.overlay);
    click(&s, "Esc close", 24, 80);
    assert_null(s.app.overlay);
    click(&s, "m method", 24, 80);
    click(&s, "Enter start", 24, 80);
    assert_int_equal(s.app.now->runs, 1);
    close_scene(&s);
}

/* A tab below an overlay is not pressed through it. */
static void test_an_overlay_takes_the_mouse(void **state)
{
    ig_key press = {.code = IG_KEY_MOUSE, .mouse = IG_MOUSE_PRESS};
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    settle(&s, 24, 80);
    find(&s, "runs", &press.row, &press.col);
    press_at(&s, "?", 24, 80);
    ig_explorer_key(&s.app, press);
    assert_string_equal(s.app.focus->name, "map");
    close_scene(&s);
}

SUITE(hints)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hints_follow_the_panel),
        cmocka_unit_test(test_hints_follow_the_state),
        cmocka_unit_test(test_heads_are_pressed),
        cmocka_unit_test(test_lines_are_pressed),
        cmocka_unit_test(test_what_is_given_up_is_named),
        cmocka_unit_test(test_deleting_is_not_the_first),
        cmocka_unit_test(test_hints_follow_the_cursor),
        cmocka_unit_test(test_messages_leave_the_hints),
        cmocka_unit_test(test_a_long_message_takes_lines),
        cmocka_unit_test(test_tabs_are_pressed),
        cmocka_unit_test(test_hints_are_pressed),
        cmocka_unit_test(test_an_overlay_takes_the_mouse),
    };

    return cmocka_run_group_tests_name("hints", tests, scratch_enter, scratch_leave);
}
