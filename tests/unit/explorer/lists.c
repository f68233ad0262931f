/* The cursor of all lists, and lists of names and values. */
#include "suite.h"

#include "explorer/lists.h"

static const ig_rect at = {10, 4, 6, 30};

static void test_moving(void **state)
{
    static const struct {
        ig_action action;
        size_t line, offset;
    } moves[] = {
        {IG_ACT_UP, 0, 0},      {IG_ACT_DOWN, 1, 0},    {IG_ACT_PAGE_DOWN, 6, 2},
        {IG_ACT_LAST, 19, 15},  {IG_ACT_DOWN, 19, 15},  {IG_ACT_PAGE_UP, 14, 14},
        {IG_ACT_PAGE_UP, 9, 9}, {IG_ACT_PAGE_UP, 4, 4}, {IG_ACT_PAGE_UP, 0, 0},
        {IG_ACT_LAST, 19, 15},  {IG_ACT_FIRST, 0, 0}};
    ig_list_cursor c = {.rect = at, .header = true};

    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        assert_true(ig_list_cursor_act(&c, moves[i].action, 20));
        ig_list_cursor_follow(&c, at, true, 20);
        assert_int_equal(c.line, moves[i].line);
        assert_int_equal(c.offset, moves[i].offset);
    }
    assert_false(ig_list_cursor_act(&c, IG_ACT_ENTER, 20));
    assert_true(ig_list_cursor_act(&c, IG_ACT_DOWN, 0));
    assert_int_equal(c.line, 0);
}

static void test_following_a_list_that_shrinks(void **state)
{
    ig_list_cursor c = {.line = 19, .offset = 15};

    ig_list_cursor_follow(&c, at, true, 8);
    assert_int_equal(c.line, 7);
    assert_int_equal(c.offset, 3);
    ig_list_cursor_follow(&c, (ig_rect){0, 0, 20, 30}, false, 8);
    assert_int_equal(c.offset, 0);
    ig_list_cursor_follow(&c, at, true, 0);
    assert_int_equal(c.line, 0);
}

static void test_the_mouse(void **state)
{
    ig_list_cursor c = {
        .line = 3, .offset = 2, .rect = at, .header = true, .lines = 20};
    ig_key key = {.code = IG_KEY_MOUSE, .mouse = IG_MOUSE_PRESS, .row = 12, .col = 5};

    assert_true(ig_list_cursor_mouse(&c, key)); /* pressed again */
    key.row = 15;
    assert_false(ig_list_cursor_mouse(&c, key));
    assert_int_equal(c.line, 6);
    key.row = 10; /* the header */
    assert_false(ig_list_cursor_mouse(&c, key));
    key.row = 16; /* below */
    assert_false(ig_list_cursor_mouse(&c, key));
    assert_int_equal(c.line, 6);
}

SUITE(lists, NULL, NULL, TEST(test_moving), TEST(test_following_a_list_that_shrinks),
      TEST(test_the_mouse))
