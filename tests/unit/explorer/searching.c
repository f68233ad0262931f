/* Searching: what is listed while one types, ways through the list, and that the screen stands as before when it ends. Glosses: which row stands
 * for which, and what is said where there can be none. */
#include "explorer/searching.h"

#include <string.h>

#include "explorer.h"
#include "pressing.h"
#include "scratch.h"

static void press(scene *s, const char *keys)
{
    press_at(s, keys, 24, 80);
}

static const char *side_of(const scene *s)
{
    return ig_app_in(&s->app, IG_ROLE_SIDE)->name;
}

/* "A short one." is the text of every eighth row. */
static void the_list_is_walked_while_one_types(void **state)
{
    ig_matches m;
    scene *s = *state;

    press(s, ":row 20<Enter>/");
    assert_string_equal(side_of(s), "curves");
    press(s, "short");
    assert_string_equal(side_of(s), "sentences");
    assert_int_equal(s->app.cursor, 24);
    m = ig_search_matches(&s->app);
    assert_int_equal(m.count, 15);
    assert_int_equal(m.row[3], 24);
    assert_true(on_screen(s, "matches of short"));
    assert_true(on_screen(s, " 4/15 "));
    press(s, "<Down><Down>");
    assert_int_equal(s->app.cursor, 40);
    assert_true(on_screen(s, "match 6 of 15"));
    press(s, "<Up>");
    assert_int_equal(s->app.cursor, 32);
    press(s, "<Enter>");
    assert_int_equal(s->app.cursor, 32);
    assert_string_equal(side_of(s), "sentences");
    assert_string_equal(s->app.focus->name, "map");
    press(s, "n");
    assert_int_equal(s->app.cursor, 40);
    press(s, "<Backspace>"); /* and back */
    assert_int_equal(s->app.cursor, 32);
    press(s, "<Backspace>");
    assert_int_equal(s->app.cursor, 40);
    press(s, "<Esc>");
    assert_string_equal(side_of(s), "curves");
    assert_int_equal(ig_search_matches(&s->app).serial, 0);
}

static void all_stands_as_before(void **state)
{
    static const char *const panel[] = {"map", "leakage", "runs", "neighbours"};
    scene *s = *state;

    for (size_t i = 0; i < sizeof panel / sizeof *panel; i++) {
        char keys[64], side[32];

        snprintf(keys, sizeof keys, ":panel %s<Enter>", panel[i]);
        press(s, keys);
        snprintf(side, sizeof side, "%s", side_of(s));
        press(s, "/short<Down>");
        assert_string_equal(side_of(s), "sentences");
        press(s, "<Esc>");
        assert_string_equal(s->app.focus->name, panel[i]);
        assert_string_equal(side_of(s), side);
        assert_int_equal(s->app.cursor, 0);
        press(s, "/short<Ctrl-U>"); /* nothing typed: nothing listed */
        assert_string_equal(s->app.focus->name, panel[i]);
        assert_string_equal(side_of(s), side);
        press(s, "<Esc>");
    }
    /* A panel of the side gives its place up, with the keys. */
    press(s, ":panel leakage<Enter>/short<Enter>");
    assert_string_equal(s->app.focus->name, "sentences");
    press(s, "j");
    assert_int_equal(s->app.cursor, 8);
    press(s, "<Enter>");
    assert_string_equal(s->app.focus->name, "neighbours");
}

/* --- glosses ---------------------------------------------------------------------- */

/* Rows by turns of language, two ids: 0 1 2 are of the first, 3 4 5 of the second. */
static const struct look look = {6, 4, 3, true, true, false, false, 0};

static void rows_of_the_language_stand_for_others(void **state)
{
    char text[IG_ROW_TEXT_SIZE], title[32];
    scene s;

    open_scene(&s, &look, 1);
    assert_null(ig_gloss_language(&s.app));
    assert_int_equal(ig_gloss_row(&s.app, 4), IG_NO_ROW);
    assert_string_equal(ig_gloss_title(&s.app, title), "");
    press_at(&s, ":gloss ca<Enter>", 24, 80);
    assert_string_equal(ig_gloss_language(&s.app), "ca");
    assert_string_equal(ig_gloss_title(&s.app, title), ", in ca");
    for (uint32_t row = 0; row < 6; row++)
        if (row % 3 == 2)
            assert_int_equal(ig_gloss_row(&s.app, row), IG_NO_ROW);
        else
            assert_int_equal(ig_gloss_row(&s.app, row), row / 3 * 3 + 2);
    assert_ptr_equal(ig_gloss_text(&s.app, 3, text), s.app.set->text[5]);
    assert_ptr_equal(ig_gloss_text(&s.app, 5, text), s.app.set->text[5]);
    /* Off and on again: the same language. */
    press_at(&s, "r", 24, 80);
    assert_null(ig_gloss_language(&s.app));
    assert_ptr_equal(ig_gloss_text(&s.app, 3, text), s.app.set->text[3]);
    press_at(&s, "r", 24, 80);
    assert_string_equal(ig_gloss_language(&s.app), "ca");
    press_at(&s, ":gloss nowhere<Enter>", 24, 80);
    assert_true(s.app.note_is_error);
    assert_string_equal(ig_gloss_language(&s.app), "ca");
    press_at(&s, ":gloss off<Enter>", 24, 80);
    assert_null(ig_gloss_language(&s.app));
    close_scene(&s);
}

SUITE(searching, scratch_enter, scratch_leave,
      scene_test(the_list_is_walked_while_one_types), scene_test(all_stands_as_before),
      TEST(rows_of_the_language_stand_for_others))
