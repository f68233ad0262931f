/* The card of a sentence: what it says, and what it waits for; where keys and clicks
 * lead, at any size. */
#include "tui/inspect.h"

#include "explorer.h"
#include "pressing.h"
#include "scratch.h"

static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};
static const struct look bare = {12, 4, 1, false, false, false, false, 0};

static void press(scene *s, const char *keys)
{
    press_at(s, keys, 40, 120);
}

static void all_is_told(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, ":row 17<Enter>I");
    assert_true(on_screen(&s, "┌ #17 ba ─"));
    assert_true(on_screen(&s, "language      ba"));
    assert_true(on_screen(&s, "id            4"));
    assert_true(on_screen(&s, "original"));
    assert_true(on_screen(&s, "rank  cos  margin"));
    assert_true(on_screen(&s, "meaning and language: once a run is trained"));
    assert_true(on_screen(&s, "mean squared distance to its translations"));
    assert_true(on_screen(&s, "leak          once a run has language embeddings"));
    assert_true(on_screen(&s, "in original   "));
    assert_true(s.app.request.asks & IG_ASKS_EVALUATION);
    press(&s, "<Esc>");
    assert_null(s.app.overlay);
    assert_false(s.app.request.asks & IG_ASKS_EVALUATION);
    press(&s, " aI"); /* a run, measured on all rows */
    assert_true(on_screen(&s, "original            meaning             language"));
    assert_true(on_screen(&s, "found by language alone"));
    assert_true(on_screen(&s, "in language   "));
    assert_false(on_screen(&s, "once a run"));
    close_scene(&s);
}

static void what_is_missing_is_waited_for(void **state)
{
    const ig_shown_evaluation *evaluation;
    const ig_neighbours *near;
    scene s;
    int row, col;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, "I");
    evaluation = s.app.now->evaluation;
    near = s.app.now->neighbours;
    s.app.now->evaluation = NULL;
    s.app.now->neighbours = NULL;
    assert_int_equal(ig_explorer_draw(&s.app, 40, 120, &row, &col, NULL), IG_OK);
    assert_true(on_screen(&s, "translations  searching"));
    assert_true(on_screen(&s, "measures      being measured"));
    s.app.now->evaluation = evaluation;
    s.app.now->neighbours = near;
    close_scene(&s);
    open_scene(&s, &bare, 1);
    press(&s, "I");
    assert_true(on_screen(&s, "in a set without texts"));
    assert_true(on_screen(&s, "none: nothing says what translates it"));
    assert_true(on_screen(&s, "translations  none: no other language has this id"));
    close_scene(&s);
}

/* The probe learns from even ids and is asked of odd ones; one reason, that holds. */
static void why_the_probe_is_not_asked(void **state)
{
    ig_evaluation *e;
    scene s;
    size_t learnt;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, ":row 16<Enter>I");
    e = (ig_evaluation *)s.app.now->evaluation->space[IG_SPACE_ORIGINAL];
    learnt = e->probe.learnt;
    assert_int_equal(learnt, e->probe.fitted);
    assert_int_equal(e->probe.learnt_row[8], 16);
    assert_true(on_screen(&s, "not asked: it learnt from this row"));
    assert_false(on_screen(&s, "not asked: it learnt from this row,"));
    e->probe.learnt = 4; /* as of a sample without it */
    draw(&s, 40, 120);
    assert_true(on_screen(&s, "not asked: this row is not among those measured"));
    e->probe.learnt = learnt;
    close_scene(&s);
}

static void it_follows_the_cursor(void **state)
{
    uint32_t near;
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, "/short<Enter>I");
    assert_true(on_screen(&s, "┌ #0 aa ─"));
    press(&s, "n");
    assert_true(on_screen(&s, "┌ #8 aa ─"));
    press(&s, "r"); /* glosses are turned on beneath it */
    assert_non_null(s.app.overlay);
    press(&s, "<Esc>:panel neighbours<Enter>I");
    near = s.app.now->neighbours->near[IG_SPACE_ORIGINAL][0].row;
    assert_int_equal(s.app.card.row, near);
    assert_true(on_screen(&s, "Enter goes to this one"));
    press(&s, "<Enter>");
    assert_int_equal(s.app.cursor, near);
    assert_int_equal(s.app.card.row, near);
    assert_true(on_screen(&s, "rank  cos"));
    press(&s, "<Enter>"); /* it is there: nothing more to do */
    assert_null(s.app.overlay);
    assert_int_equal(s.app.cursor, near);
    close_scene(&s);
}

static void it_scrolls(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press_at(&s, "I", 10, 60);
    assert_false(on_screen(&s, "linear probe"));
    press_at(&s, "<End>", 10, 60);
    assert_true(on_screen(&s, "linear probe"));
    press_at(&s, "<Home>", 10, 60);
    assert_true(on_screen(&s, "language      aa"));
    for (int rows = 1; rows < 12; rows++)
        for (int cols = 1; cols < 40; cols += 3) {
            press_at(&s, "<PgDn>", rows, cols);
            press_at(&s, "<Up>", rows, cols);
        }
    close_scene(&s);
}

/* Pressed and let go where the cursor is; a drag is none of that. */
/* A translation that is clicked is gone to, and the card is then its own. */
static void its_lines_are_clicked(void **state)
{
    ig_key key = {.code = IG_KEY_MOUSE, .mouse = IG_MOUSE_PRESS};
    scene s;
    size_t i = 0;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, ":row 17<Enter>I");
    while (i < s.app.hotspots && !(s.app.hotspot[i].goes && s.app.hotspot[i].row == 19))
        i++;
    assert_true(i < s.app.hotspots);
    key.row = s.app.hotspot[i].rect.row;
    key.col = s.app.hotspot[i].rect.col + 20;
    assert_true(strncmp(ig_canvas_cell(&s.app.canvas, key.row, key.col - 20)->bytes,
                        "d", 1) == 0); /* language da */
    ig_explorer_key(&s.app, key);
    settle(&s, 40, 120);
    assert_int_equal(s.app.cursor, 19);
    assert_true(on_screen(&s, "┌ #19 da ─"));
    press(&s, "<Backspace>");
    assert_int_equal(s.app.cursor, 17);
    close_scene(&s);
}

static void its_point_is_clicked(void **state)
{
    ig_key key = {.code = IG_KEY_MOUSE, .mouse = IG_MOUSE_PRESS, .row = 10, .col = 20};
    ig_key up = {.code = IG_KEY_MOUSE, .mouse = IG_MOUSE_RELEASE, .row = 10, .col = 20};
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    settle(&s, 24, 80);
    ig_explorer_key(&s.app, key); /* the cursor comes here */
    ig_explorer_key(&s.app, up);
    assert_null(s.app.overlay);
    settle(&s, 24, 80);
    ig_explorer_key(&s.app, key);
    up.col += 3;
    ig_explorer_key(&s.app, up);
    assert_null(s.app.overlay);
    up.col -= 3;
    ig_explorer_key(&s.app, key);
    ig_explorer_key(&s.app, up);
    assert_non_null(s.app.overlay);
    assert_int_equal(s.app.card.row, s.app.cursor);
    close_scene(&s);
}

SUITE(inspect)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_told),
        cmocka_unit_test(what_is_missing_is_waited_for),
        cmocka_unit_test(why_the_probe_is_not_asked),
        cmocka_unit_test(it_follows_the_cursor),
        cmocka_unit_test(it_scrolls),
        cmocka_unit_test(its_lines_are_clicked),
        cmocka_unit_test(its_point_is_clicked),
    };

    return cmocka_run_group_tests_name("inspect", tests, scratch_enter, scratch_leave);
}
