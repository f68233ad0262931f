/* Where the cursor has been: back, forth, another way from there, and more places than
 * are remembered; what other panels point at on the map. */
#include "tui/places.h"

#include "tui/linked.h"

#include "explorer.h"
#include "pressing.h"

static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};

static void back_and_forth(void **state)
{
    ig_app *app;
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    app = &s.app;
    settle(&s, 24, 80);
    ig_places_step(app, -1);
    assert_int_equal(app->cursor, 0);
    for (uint32_t row = 1; row <= 3; row++)
        ig_places_go(app, row);
    ig_places_go(app, 3); /* is no move */
    ig_places_step(app, -1);
    ig_places_step(app, -1);
    assert_int_equal(app->cursor, 1);
    ig_places_step(app, 1);
    assert_int_equal(app->cursor, 2);
    ig_places_go(app, 9);
    ig_places_step(app, 1); /* 3 is no more */
    assert_int_equal(app->cursor, 9);
    ig_places_step(app, -1);
    ig_places_step(app, -1);
    assert_int_equal(app->cursor, 1);
    close_scene(&s);
}

static void only_so_many(void **state)
{
    uint32_t rows;
    ig_app *app;
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    app = &s.app;
    rows = (uint32_t)app->set->rows;
    settle(&s, 24, 80);
    for (uint32_t i = 1; i <= 3 * IG_PLACES; i++)
        ig_places_go(app, i % rows);
    for (int i = 0; i < 2 * IG_PLACES; i++)
        ig_places_step(app, -1);
    assert_int_equal(app->cursor, (3 * IG_PLACES - (IG_PLACES - 1)) % rows);
    for (int i = 0; i < 2 * IG_PLACES; i++)
        ig_places_step(app, 1);
    assert_int_equal(app->cursor, 3 * IG_PLACES % rows);
    close_scene(&s);
}

static size_t marked(const ig_app *app)
{
    size_t n = 0;

    for (size_t i = 0; i < app->set->rows; i++)
        n += app->linked->row && app->linked->row[i];
    return n;
}

/* Marks follow the list that has the keys, and a search, and leave nothing behind. */
static void marks_follow(void **state)
{
    ig_app *app;
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    app = &s.app;
    settle(&s, 30, 110);
    assert_null(ig_linked_rows(app, IG_SPACE_ORIGINAL, true));
    press_at(&s, ":panel neighbours<Enter>", 30, 110);
    assert_int_equal(app->linked->link, IG_LINK_NEAR);
    assert_non_null(ig_linked_rows(app, IG_SPACE_ORIGINAL, true));
    assert_null(ig_linked_rows(app, IG_SPACE_MEANING, true));
    assert_non_null(ig_linked_rows(app, IG_SPACE_MEANING, false));
    assert_in_range(marked(app), app->request.neighbours,
                    app->request.neighbours + 1 + app->set->languages);
    assert_int_equal(app->linked->chosen, app->now->neighbours->near[0][0].row);
    press_at(&s, "j", 30, 110);
    assert_int_equal(app->linked->chosen, app->now->neighbours->near[0][1].row);
    press_at(&s, "/zzz", 30, 110);
    assert_int_equal(app->linked->link, IG_LINK_NONE);
    press_at(&s, "<Esc>:panel map<Enter>", 30, 110);
    assert_int_equal(app->linked->link, IG_LINK_NONE);
    assert_int_equal(marked(app), 0);
    close_scene(&s);
}

SUITE(places)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(back_and_forth),
        cmocka_unit_test(only_so_many),
        cmocka_unit_test(marks_follow),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
