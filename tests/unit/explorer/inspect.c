/* The card of a sentence: what it waits for, and where keys and clicks lead. */
#include "explorer/overlay.h"

#include "explorer.h"
#include "pressing.h"
#include "scratch.h"

static const struct look bare = {12, 4, 1, false, false, false, false, 0};

static void check(scene *s, const struct pressed *step)
{
    check_pressed(s, 40, 120, step);
}

static void what_is_missing_is_waited_for(void **state)
{
    scene *s = *state, other;
    const ig_shown_evaluation *evaluation;
    const ig_neighbours *near;
    int row, col;

    press_at(s, "I", 40, 120);
    evaluation = s->app.now->evaluation;
    near = s->app.now->neighbours;
    s->app.now->evaluation = NULL;
    s->app.now->neighbours = NULL;
    assert_int_equal(ig_explorer_draw(&s->app, 40, 120, &row, &col, NULL), IG_OK);
    assert_true(on_screen(s, "translations  searching"));
    assert_true(on_screen(s, "measures      being measured"));
    s->app.now->evaluation = evaluation;
    s->app.now->neighbours = near;
    open_scene(&other, &bare, 1);
    check(&other, (const struct pressed[]){
                      {"I", "dataset has no texts"},
                      {NULL, "none: translations unknown"},
                      {NULL, "translations  none: no other language has this id"},
                      {0}});
    close_scene(&other);
}

static void it_follows_the_cursor(void **state)
{
    uint32_t near;
    scene *s = *state;

    press_at(s, "/short<Enter>I", 40, 120);
    assert_true(on_screen(s, "┌ #0 aa ─"));
    press_at(s, "n", 40, 120);
    assert_true(on_screen(s, "┌ #8 aa ─"));
    press_at(s, "r", 40, 120); /* glosses are turned on beneath it */
    assert_non_null(s->app.overlay);
    press_at(s, "<Esc>:panel neighbours<Enter>I", 40, 120);
    near = s->app.now->neighbours->near[IG_SPACE_ORIGINAL][0].row;
    assert_int_equal(s->app.card.row, near);
    assert_true(on_screen(s, "Enter to go to this one"));
    press_at(s, "<Enter>", 40, 120);
    assert_int_equal(s->app.cursor, near);
    assert_int_equal(s->app.card.row, near);
    assert_true(on_screen(s, "rank  cos"));
    press_at(s, "<Enter>", 40, 120); /* it is there: nothing more to do */
    assert_null(s->app.overlay);
    assert_int_equal(s->app.cursor, near);
}

/* A translation that is clicked is gone to, and the card is then its own. */
static void its_lines_are_clicked(void **state)
{
    ig_key key = {.code = IG_KEY_MOUSE, .mouse = IG_MOUSE_PRESS};
    scene *s = *state;
    size_t i = 0;

    press_at(s, ":row 17<Enter>I", 40, 120);
    while (i < s->app.hotspots &&
           !(s->app.hotspot[i].goes && s->app.hotspot[i].row == 19))
        i++;
    assert_true(i < s->app.hotspots);
    key.row = s->app.hotspot[i].rect.row;
    key.col = s->app.hotspot[i].rect.col + 20;
    assert_true(strncmp(ig_canvas_cell(&s->app.canvas, key.row, key.col - 20)->bytes,
                        "d", 1) == 0); /* language da */
    ig_explorer_key(&s->app, key);
    settle(s, 40, 120);
    assert_int_equal(s->app.cursor, 19);
    assert_true(on_screen(s, "┌ #19 da ─"));
    press_at(s, "<Backspace>", 40, 120);
    assert_int_equal(s->app.cursor, 17);
}

/* Pressed and let go where the cursor is; a drag is none of that. */
static void its_point_is_clicked(void **state)
{
    ig_key key = {.code = IG_KEY_MOUSE, .mouse = IG_MOUSE_PRESS, .row = 10, .col = 20};
    ig_key up = {.code = IG_KEY_MOUSE, .mouse = IG_MOUSE_RELEASE, .row = 10, .col = 20};
    scene *s = *state;

    settle(s, 24, 80);
    ig_explorer_key(&s->app, key); /* the cursor comes here */
    ig_explorer_key(&s->app, up);
    assert_null(s->app.overlay);
    settle(s, 24, 80);
    ig_explorer_key(&s->app, key);
    up.col += 3;
    ig_explorer_key(&s->app, up);
    assert_null(s->app.overlay);
    up.col -= 3;
    ig_explorer_key(&s->app, key);
    ig_explorer_key(&s->app, up);
    assert_non_null(s->app.overlay);
    assert_int_equal(s->app.card.row, s->app.cursor);
}

SUITE(inspect, scratch_enter, scratch_leave, scene_test(what_is_missing_is_waited_for),
      scene_test(it_follows_the_cursor), scene_test(its_lines_are_clicked),
      scene_test(its_point_is_clicked))
