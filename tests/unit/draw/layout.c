/* The layout at every size: rectangles inside the screen, disjoint, without gaps. */
#include <stdlib.h>

#include "drawing.h"

#include "draw/layout.h"

enum { MOST_ROWS = 120, MOST_COLS = 400 };

/* Count how often each cell of the screen is covered. */
struct cover {
    int rows, cols;
    unsigned char *times;
};

static void cover(struct cover *c, ig_rect r)
{
    assert_true(r.rows >= 0 && r.cols >= 0);
    if (ig_rect_empty(r))
        return;
    assert_true(r.row >= 0 && r.col >= 0);
    assert_true(r.row + r.rows <= c->rows && r.col + r.cols <= c->cols);
    for (int row = r.row; row < r.row + r.rows; row++) {
        for (int col = r.col; col < r.col + r.cols; col++)
            c->times[row * c->cols + col]++;
    }
}

static void check_once(struct cover *c, ig_rect r)
{
    for (int row = r.row; row < r.row + r.rows; row++) {
        for (int col = r.col; col < r.col + r.cols; col++)
            assert_int_equal(c->times[row * c->cols + col], 1);
    }
}

static void check_inside(const ig_pane *slot)
{
    ig_rect in = ig_rect_clip(slot->inside, slot->rect);

    assert_true(ig_rect_empty(slot->inside) ||
                memcmp(&in, &slot->inside, sizeof in) == 0);
}

static void check_layout(struct cover *c, ig_layout_settings settings)
{
    ig_layout layout = ig_layout_compute(c->rows, c->cols, settings);
    ig_rect all = {0, 0, c->rows, c->cols};

    memset(c->times, 0, (size_t)(c->rows * c->cols));
    cover(c, layout.header);
    cover(c, layout.footer);
    for (int i = 0; i < IG_ROLES; i++) {
        check_inside(&layout.role[i]);
        cover(c, layout.role[i].rect);
    }
    check_once(c, all);
    for (int i = 0; i < IG_TILES; i++) {
        check_inside(&layout.tile[i]);
        cover(c, layout.tile[i].rect);
    }
    /* The tiles cover the side. */
    for (int row = 0; row < c->rows; row++) {
        for (int col = 0; col < c->cols; col++) {
            bool side = ig_layout_at(&layout, row, col) == IG_ROLE_SIDE;

            assert_int_equal(c->times[row * c->cols + col],
                             side && settings.tiled ? 2 : 1);
        }
    }
    if (c->rows > 2 && c->cols > 0)
        assert_false(ig_rect_empty(layout.role[settings.focus].rect));
}

static void every_size(void **state)
{
    struct cover c = {0, 0, malloc(MOST_ROWS * MOST_COLS)};
    int step = thorough() ? 1 : 3;

    (void)state;
    for (c.rows = 1; c.rows <= MOST_ROWS; c.rows += c.rows < 50 ? 1 : 7) {
        for (c.cols = 1; c.cols <= MOST_COLS; c.cols += c.cols < 62 ? step : 13) {
            ig_role focus = (ig_role)((c.rows + c.cols) % IG_ROLES);

            check_layout(&c, (ig_layout_settings){focus, false, true});
            check_layout(&c, (ig_layout_settings){focus, true, true});
            check_layout(&c, (ig_layout_settings){focus, false, false});
            check_layout(&c, (ig_layout_settings){focus, true, false});
        }
    }
    free(c.times);
}

static void no_size(void **state)
{
    ig_layout layout = ig_layout_compute(-3, 0, (ig_layout_settings){.tiled = true});

    (void)state;
    assert_true(ig_rect_empty(layout.body));
    assert_int_equal(ig_layout_at(&layout, 0, 0), IG_ROLES);
}

static void check_rect(ig_rect r, int row, int col, int rows, int cols)
{
    ig_rect expected = {row, col, rows, cols};

    assert_memory_equal(&r, &expected, sizeof r);
}

static void usual_sizes(void **state)
{
    ig_layout_settings main = {.tiled = true};
    ig_layout l = ig_layout_compute(24, 80, main);

    (void)state;
    check_rect(l.header, 0, 0, 1, 80);
    check_rect(l.footer, 23, 0, 1, 80);
    check_rect(l.role[IG_ROLE_MAIN].rect, 1, 0, 14, 44);
    check_rect(l.role[IG_ROLE_MAIN].inside, 2, 1, 12, 42);
    check_rect(l.tile[0].rect, 1, 44, 8, 36);
    check_rect(l.role[IG_ROLE_LIST].rect, 15, 0, 8, 80);
    l = ig_layout_compute(40, 120, main);
    check_rect(l.role[IG_ROLE_MAIN].rect, 1, 0, 23, 60);
    check_rect(l.role[IG_ROLE_SIDE].rect, 1, 60, 23, 60);
    check_rect(l.role[IG_ROLE_LIST].rect, 24, 0, 15, 120);
    l = ig_layout_compute(60, 200, main);
    check_rect(l.role[IG_ROLE_MAIN].rect, 1, 0, 41, 100);
    check_rect(l.tile[2].rect, 29, 100, 13, 100);
    check_rect(l.role[IG_ROLE_LIST].rect, 42, 0, 17, 200);
    assert_false(l.alone);
    l = ig_layout_compute(15, 80, main);
    assert_true(l.alone);
    assert_int_equal(ig_layout_at(&l, 5, 5), IG_ROLE_MAIN);
    assert_int_equal(ig_layout_at(&l, 0, 0), IG_ROLES);
}

/* A flat screen has a column at the right; a side with one frame takes more of it. */
static void flat_screens(void **state)
{
    ig_layout_settings s = {.focus = IG_ROLE_SIDE};
    ig_layout l = ig_layout_compute(24, 150, s);

    (void)state;
    check_rect(l.role[IG_ROLE_MAIN].rect, 1, 0, 22, 60);
    check_rect(l.role[IG_ROLE_SIDE].inside, 2, 61, 12, 88);
    check_rect(l.role[IG_ROLE_LIST].rect, 14, 60, 9, 90);
    s.tiled = true;
    l = ig_layout_compute(24, 150, s);
    check_rect(l.role[IG_ROLE_SIDE].rect, 1, 60, 11, 90);
    check_rect(l.role[IG_ROLE_LIST].rect, 12, 60, 11, 90);
}

/* From 80 columns on a list of sentences has nearly all of them, and no map is much
 * wider than high. */
static void sentences_have_room(void **state)
{
    (void)state;
    for (int cols = 80; cols <= 200; cols++) {
        for (int rows = 24; rows <= 60; rows++) {
            ig_layout l = ig_layout_compute(rows, cols, (ig_layout_settings){0});
            ig_rect map = l.role[IG_ROLE_MAIN].rect;

            assert_true(l.role[IG_ROLE_LIST].inside.cols >= 64);
            assert_true(l.role[IG_ROLE_SIDE].inside.cols >= 34);
            assert_true(map.cols >= 44 && map.cols <= cols * 6 / 10);
            assert_true(map.cols <= cols / 2 + 4 || map.cols <= map.rows * 12 / 5);
        }
    }
}

/* The frames of a whole screen meet. */
static void frames_meet(void **state)
{
    ig_layout l = ig_layout_compute(20, 120, (ig_layout_settings){.tiled = true});
    ig_canvas canvas;

    (void)state;
    assert_int_equal(ig_canvas_init(&canvas, 20, 120, NULL), IG_OK);
    ig_frame_draw(&canvas, l.role[0].rect, l.role[0].edges, "map", NULL, true);
    for (int i = 0; i < IG_TILES; i++)
        ig_frame_draw(&canvas, l.tile[i].rect, l.tile[i].edges, "plot", NULL, false);
    ig_frame_draw(&canvas, l.role[2].rect, l.role[2].edges, "neighbours", NULL, false);
    check_screen(&canvas,
                 "\n"
                 "┌ map ─────────────────────────────────────────┐┌ plot "
                 "────────────────────────────────────────────────────────────────┐\n"
                 "│                                              ││                    "
                 "                                                  │\n"
                 "│                                              ││                    "
                 "                                                  │\n"
                 "│                                              ││                    "
                 "                                                  │\n"
                 "│                                              ││                    "
                 "                                                  │\n"
                 "│                                              │├ plot "
                 "─────────────────────────────┬ plot ────────────────────────────┤\n"
                 "│                                              ││                    "
                 "               │                                  │\n"
                 "│                                              ││                    "
                 "               │                                  │\n"
                 "│                                              ││                    "
                 "               │                                  │\n"
                 "│                                              │├ neighbours "
                 "───────────────────────┴──────────────────────────────────┤\n"
                 "│                                              ││                    "
                 "                                                  │\n"
                 "│                                              ││                    "
                 "                                                  │\n"
                 "│                                              ││                    "
                 "                                                  │\n"
                 "│                                              ││                    "
                 "                                                  │\n"
                 "│                                              ││                    "
                 "                                                  │\n"
                 "│                                              ││                    "
                 "                                                  │\n"
                 "│                                              ││                    "
                 "                                                  │\n"
                 "└──────────────────────────────────────────────┘└────────────────────"
                 "──────────────────────────────────────────────────┘\n"
                 "\n");
    ig_canvas_free(&canvas);
}

SUITE(layout)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size),          cmocka_unit_test(no_size),
        cmocka_unit_test(usual_sizes),         cmocka_unit_test(flat_screens),
        cmocka_unit_test(sentences_have_room), cmocka_unit_test(frames_meet),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
