/* Glosses: which row stands for which, and what is said where there can be none. */
#include "tui/gloss.h"

#include "explorer.h"
#include "pressing.h"
#include "scratch.h"

/* Rows by turns of language, two ids: 0 1 2 are of the first, 3 4 5 of the second. */
static const struct look look = {6, 4, 3, true, true, false, false, 0};
static const struct look textless = {6, 4, 3, false, true, false, false, 0};

static void rows_of_the_language_stand_for_others(void **state)
{
    char text[IG_ROW_TEXT_SIZE], title[32];
    scene s;

    (void)state;
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

static void without_texts_there_are_none(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &textless, 1);
    press_at(&s, "r", 24, 80);
    assert_true(s.app.note_is_error);
    assert_null(ig_gloss_language(&s.app));
    close_scene(&s);
}

SUITE(gloss)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_the_language_stand_for_others),
        cmocka_unit_test(without_texts_there_are_none),
    };

    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
