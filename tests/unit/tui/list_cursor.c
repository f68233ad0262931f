/* The cursor of all lists. */
#include "suite.h"

#include "tui/list_cursor.h"

static void check_act(ig_list_cursor *c, ig_action action, size_t line, size_t offset)
{
    assert_true(ig_list_cursor_act(c, action, 20, 5));
    ig_list_cursor_follow(c, 20, 5);
    assert_int_equal(c->line, line);
    assert_int_equal(c->offset, offset);
}

static void test_moving(void **state)
{
    ig_list_cursor c = {0};

    (void)state;
    check_act(&c, IG_ACT_UP, 0, 0);
    check_act(&c, IG_ACT_DOWN, 1, 0);
    check_act(&c, IG_ACT_PAGE_DOWN, 6, 2);
    check_act(&c, IG_ACT_LAST, 19, 15);
    check_act(&c, IG_ACT_DOWN, 19, 15);
    check_act(&c, IG_ACT_PAGE_UP, 14, 14);
    check_act(&c, IG_ACT_PAGE_UP, 9, 9);
    check_act(&c, IG_ACT_PAGE_UP, 4, 4);
    check_act(&c, IG_ACT_PAGE_UP, 0, 0);
    check_act(&c, IG_ACT_LAST, 19, 15);
    check_act(&c, IG_ACT_FIRST, 0, 0);
    assert_false(ig_list_cursor_act(&c, IG_ACT_ENTER, 20, 5));
    assert_true(ig_list_cursor_act(&c, IG_ACT_DOWN, 0, 5));
    assert_int_equal(c.line, 0);
}

static void test_following_a_list_that_shrinks(void **state)
{
    ig_list_cursor c = {.line = 19, .offset = 15};

    (void)state;
    ig_list_cursor_follow(&c, 8, 5);
    assert_int_equal(c.line, 7);
    assert_int_equal(c.offset, 3);
    ig_list_cursor_follow(&c, 8, 20);
    assert_int_equal(c.offset, 0);
    ig_list_cursor_follow(&c, 0, 5);
    assert_int_equal(c.line, 0);
}

static void test_the_mouse(void **state)
{
    ig_rect rect = {10, 4, 6, 30};
    ig_list_cursor c = {.line = 3, .offset = 2};
    ig_key key = {.code = IG_KEY_MOUSE, .mouse = IG_MOUSE_PRESS, .row = 12, .col = 5};

    (void)state;
    assert_true(ig_list_cursor_mouse(&c, key, rect, true, 20)); /* pressed again */
    key.row = 15;
    assert_false(ig_list_cursor_mouse(&c, key, rect, true, 20));
    assert_int_equal(c.line, 6);
    key.row = 10; /* the header */
    assert_false(ig_list_cursor_mouse(&c, key, rect, true, 20));
    key.row = 16; /* below */
    assert_false(ig_list_cursor_mouse(&c, key, rect, true, 20));
    assert_int_equal(c.line, 6);
    key.mouse = IG_MOUSE_WHEEL_DOWN;
    assert_false(ig_list_cursor_mouse(&c, key, rect, true, 20));
    assert_int_equal(c.line, 7);
}

SUITE(list_cursor)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moving),
        cmocka_unit_test(test_following_a_list_that_shrinks),
        cmocka_unit_test(test_the_mouse),
    };

    return cmocka_run_group_tests_name("list_cursor", tests, NULL, NULL);
}
