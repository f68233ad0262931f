/* The layout at every size: rectangles inside the screen, disjoint, without gaps. */
#include "drawing.h"

#include "view/layout.h"

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
    assert_false(ig_rect_empty(layout.role[settings.focus].rect));
}

static void every_size(void **state)
{
    struct cover c = {0, 0, malloc(MOST_ROWS * MOST_COLS)};
    int step = thorough() ? 1 : 3;

    for (c.rows = 1; c.rows <= MOST_ROWS; c.rows += c.rows < 50 ? 1 : 7) {
        for (c.cols = IG_MIN_COLS; c.cols <= MOST_COLS;
             c.cols += c.cols < 62 ? step : 13) {
            ig_role focus = (ig_role)((c.rows + c.cols) % IG_ROLES);

            check_layout(&c, (ig_layout_settings){focus, false, true, 2});
            check_layout(&c, (ig_layout_settings){focus, true, true, 2});
            check_layout(&c, (ig_layout_settings){focus, false, false, 0});
            check_layout(&c, (ig_layout_settings){focus, true, false, 0});
        }
    }
    free(c.times);
}

SUITE(layout, NULL, NULL, TEST(every_size))
