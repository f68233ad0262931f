/* Bookmarks: made, named and taken away, of the row that a panel is on, and gone to. */
#include "tui/bookmarks.h"

#include "explorer.h"
#include "pressing.h"
#include "scratch.h"

static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};

static void press(scene *s, const char *keys)
{
    press_at(s, keys, 24, 80);
}

static void made_named_and_taken_away(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, "'");
    assert_true(on_screen(&s, "no bookmarks: B makes one"));
    assert_null(s.app.overlay);
    press(&s, ":row 7<Enter>B:row 9<Enter>:bookmark first train<Enter>");
    assert_int_equal(ig_bookmark_at(&s.app, 0)->row, 7);
    assert_string_equal(ig_bookmark_of(&s.app, 9)->name, "first train");
    assert_null(ig_bookmark_at(&s.app, 2));
    press(&s, ":bookmark another<Enter>"); /* it has one: that is renamed */
    assert_null(ig_bookmark_at(&s.app, 2));
    assert_string_equal(ig_bookmark_of(&s.app, 9)->name, "another");
    press(&s, ":row 7<Enter>B");
    assert_null(ig_bookmark_of(&s.app, 7));
    assert_int_equal(ig_bookmark_at(&s.app, 0)->row, 9);
    close_scene(&s);
}

static void of_the_line_of_a_list(void **state)
{
    uint32_t near;
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, ":panel neighbours<Enter>jB");
    near = s.app.now->neighbours->near[IG_SPACE_ORIGINAL][1].row;
    assert_non_null(ig_bookmark_of(&s.app, near));
    assert_null(ig_bookmark_of(&s.app, s.app.cursor));
    close_scene(&s);
}

static void gone_to_from_their_list(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s,
          "B:row 9<Enter>B:row 20<Enter>:bookmark n\u00e4chster<Enter>:row 40<Enter>'");
    assert_true(on_screen(&s, "┌ bookmarks"));
    assert_true(on_screen(&s, "n\u00e4chster"));
    press(&s, "j<Enter>");
    assert_int_equal(s.app.cursor, 9);
    assert_null(s.app.overlay);
    press(&s, "{");
    assert_int_equal(s.app.cursor, 40);
    press(&s, "'e");
    press(&s, "Zeit<Enter>");
    assert_string_equal(ig_bookmark_of(&s.app, 9)->name, "Zeit");
    press(&s, "dd");
    assert_null(ig_bookmark_of(&s.app, 9));
    assert_non_null(ig_bookmark_of(&s.app, 0));
    press(&s, "<Up>d"); /* the last one takes the list with it */
    assert_null(s.app.overlay);
    press_at(&s, "B'", 3, 10);
    press_at(&s, "j", 1, 1);
    close_scene(&s);
}

static void only_so_many(void **state)
{
    char name[2 * IG_BOOKMARK_NAME];
    scene s;

    (void)state;
    memset(name, 'x', sizeof name);
    memcpy(name + IG_BOOKMARK_NAME - 2, "\u00e4", 2); /* is cut, and so left out */
    name[sizeof name - 1] = '\0';
    open_scene(&s, &usual, 1);
    settle(&s, 24, 80);
    for (uint32_t i = 0; i < IG_BOOKMARKS_MAX; i++)
        assert_true(ig_bookmarks_put(&s.app, 1000 + i, ""));
    assert_false(ig_bookmarks_put(&s.app, 0, ""));
    assert_true(ig_bookmarks_put(&s.app, 1000, name));
    assert_int_equal(strlen(ig_bookmark_at(&s.app, 0)->name), IG_BOOKMARK_NAME - 2);
    press(&s, "B");
    assert_true(on_screen(&s, "there are 1000 bookmarks already"));
    close_scene(&s);
}

SUITE(bookmarks)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_named_and_taken_away),
        cmocka_unit_test(of_the_line_of_a_list),
        cmocka_unit_test(gone_to_from_their_list),
        cmocka_unit_test(only_so_many),
    };

    return cmocka_run_group_tests_name("bookmarks", tests, scratch_enter,
                                       scratch_leave);
}
