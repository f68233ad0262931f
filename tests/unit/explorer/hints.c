/* What is on the screen is pressed by the mouse: hints, tabs, heads, lines. */
#include "explorer/chrome.h"

#include "pressing.h"
#include "scratch.h"

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

/* A line of a list takes a click as it takes the arrows, a second one as Enter. */
static void test_lines_are_pressed(void **state)
{
    scene *s = *state;

    s->app.start.options.epochs = 1;
    press_at(s, "m", 40, 120);
    click(s, "lir ", 40, 120);
    assert_int_equal(s->app.now->runs, 0);
    click(s, "lir ", 40, 120);
    assert_int_equal(s->app.now->runs, 1);
    assert_true(on_screen(s, "lir"));
}

static void test_tabs_are_pressed(void **state)
{
    scene *s = *state;

    settle(s, 24, 80);
    click(s, "runs", 24, 80);
    assert_string_equal(s->app.focus->name, "runs");
    assert_true(on_screen(s, "[runs]"));
    click(s, "leakage", 24, 80);
    assert_string_equal(s->app.focus->name, "leakage");
    click(s, "curves", 24, 80);
    assert_string_equal(s->app.focus->name, "curves");
}

static void test_hints_are_pressed(void **state)
{
    scene *s = *state;

    settle(s, 24, 80);
    click(s, "? help", 24, 80);
    assert_non_null(s->app.overlay);
    click(s, "Esc close", 24, 80);
    assert_null(s->app.overlay);
    click(s, "m method", 24, 80);
    click(s, "Enter start", 24, 80);
    assert_int_equal(s->app.now->runs, 1);
}

/* A tab below an overlay is not pressed through it. */
static void test_an_overlay_takes_the_mouse(void **state)
{
    scene *s = *state;
    ig_key press = {.code = IG_KEY_MOUSE, .mouse = IG_MOUSE_PRESS};

    settle(s, 24, 80);
    find(s, "runs", &press.row, &press.col);
    press_at(s, "?", 24, 80);
    ig_explorer_key(&s->app, press);
    assert_string_equal(s->app.focus->name, "map");
}

SUITE(hints, scratch_enter, scratch_leave, scene_test(test_lines_are_pressed),
      scene_test(test_tabs_are_pressed), scene_test(test_hints_are_pressed),
      scene_test(test_an_overlay_takes_the_mouse))
