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

static void check_inside(const ig_slot *slot)
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
    for (int i = 0; i < IG_PANELS; i++) {
        check_inside(&layout.panel[i]);
        cover(c, layout.panel[i].rect);
    }
    check_once(c, all);
    for (int i = 0; i < IG_PLOTS; i++) {
        check_inside(&layout.plot[i]);
        cover(c, layout.plot[i].rect);
    }
    /* The plots tile the curves' area. */
    for (int row = 0; row < c->rows; row++) {
        for (int col = 0; col < c->cols; col++) {
            bool curves = ig_layout_at(&layout, row, col) == IG_PANEL_CURVES;

            assert_int_equal(c->times[row * c->cols + col], curves ? 2 : 1);
        }
    }
    if (c->rows > 2 && c->cols > 0)
        assert_false(ig_rect_empty(layout.panel[settings.focus].rect));
}

static void every_size(void **state)
{
    struct cover c = {0, 0, malloc(MOST_ROWS * MOST_COLS)};

    (void)state;
    for (c.rows = 1; c.rows <= MOST_ROWS; c.rows += c.rows < 50 ? 1 : 7) {
        for (c.cols = 1; c.cols <= MOST_COLS; c.cols += c.cols < 62 ? 1 : 13) {
            ig_panel focus = (ig_panel)((c.rows + c.cols) % IG_PANELS);

            check_layout(
                &c, (ig_layout_settings){focus, IG_PANEL_RUNS, false, IG_PANEL_CURVES});
            check_layout(
                &c, (ig_layout_settings){focus, IG_PANEL_RUNS, true, IG_PANEL_CURVES});
            check_layout(&c, (ig_layout_settings){IG_PANEL_MAP, IG_PANEL_RUNS, false,
                                                  IG_PANEL_LEAKAGE});
        }
    }
    free(c.times);
}

static void no_size(void **state)
{
    ig_layout layout = ig_layout_compute(
        -3, 0,
        (ig_layout_settings){IG_PANEL_MAP, IG_PANEL_DATA, false, IG_PANEL_CURVES});

    (void)state;
    assert_true(ig_rect_empty(layout.body));
    assert_int_equal(ig_layout_at(&layout, 0, 0), IG_PANELS);
}

static void check_rect(ig_rect r, int row, int col, int rows, int cols)
{
    ig_rect expected = {row, col, rows, cols};

    assert_memory_equal(&r, &expected, sizeof r);
}

static void usual_sizes(void **state)
{
    ig_layout_settings map = {IG_PANEL_MAP, IG_PANEL_NEIGHBOURS, false,
                              IG_PANEL_CURVES};
    ig_layout l = ig_layout_compute(24, 80, map);

    (void)state;
    check_rect(l.header, 0, 0, 1, 80);
    check_rect(l.footer, 23, 0, 1, 80);
    check_rect(l.panel[IG_PANEL_MAP].rect, 1, 0, 14, 48);
    check_rect(l.panel[IG_PANEL_MAP].inside, 2, 1, 12, 46);
    check_rect(l.plot[IG_PLOT_LOSS].rect, 1, 48, 8, 32);
    check_rect(l.panel[IG_PANEL_NEIGHBOURS].rect, 15, 0, 8, 80);
    l = ig_layout_compute(40, 120, map);
    check_rect(l.panel[IG_PANEL_MAP].rect, 1, 0, 38, 69);
    check_rect(l.panel[IG_PANEL_CURVES].rect, 1, 69, 19, 51);
    check_rect(l.panel[IG_PANEL_NEIGHBOURS].rect, 20, 69, 19, 51);
    l = ig_layout_compute(60, 200, map);
    check_rect(l.panel[IG_PANEL_MAP].rect, 1, 0, 41, 120);
    check_rect(l.plot[IG_PLOT_UNIFORMITY].rect, 29, 120, 13, 80);
    check_rect(l.panel[IG_PANEL_NEIGHBOURS].rect, 42, 0, 17, 200);
    assert_false(l.alone);
    l = ig_layout_compute(15, 80, map);
    assert_true(l.alone);
    assert_int_equal(ig_layout_at(&l, 5, 5), IG_PANEL_MAP);
    assert_int_equal(ig_layout_at(&l, 0, 0), IG_PANELS);
}

static void list_place(void **state)
{
    ig_layout l;

    (void)state;
    l = ig_layout_compute(40, 120,
                          (ig_layout_settings){IG_PANEL_DATA, IG_PANEL_NEIGHBOURS,
                                               false, IG_PANEL_CURVES});
    assert_true(ig_rect_empty(l.panel[IG_PANEL_NEIGHBOURS].rect));
    assert_false(ig_rect_empty(l.panel[IG_PANEL_DATA].rect));
    l = ig_layout_compute(
        40, 120,
        (ig_layout_settings){IG_PANEL_MAP, IG_PANEL_RUNS, false, IG_PANEL_CURVES});
    assert_false(ig_rect_empty(l.panel[IG_PANEL_RUNS].rect));
    l = ig_layout_compute(
        40, 120,
        (ig_layout_settings){IG_PANEL_MAP, IG_PANEL_CURVES, false, IG_PANEL_CURVES});
    assert_false(ig_rect_empty(l.panel[IG_PANEL_NEIGHBOURS].rect));
}

static bool on_screen(ig_layout_settings settings, ig_panel panel)
{
    ig_layout l = ig_layout_compute(40, 120, settings);

    return !ig_rect_empty(l.panel[panel].rect);
}

/* What takes the curves' place, and until when. */
static void side_place(void **state)
{
    ig_layout_settings s = {0};
    ig_layout l;

    (void)state;
    ig_layout_focus(&s, IG_PANEL_LEAKAGE);
    assert_true(on_screen(s, IG_PANEL_LEAKAGE) && !on_screen(s, IG_PANEL_CURVES));
    assert_true(on_screen(s, IG_PANEL_MAP) && on_screen(s, IG_PANEL_NEIGHBOURS));
    ig_layout_focus(&s, IG_PANEL_NEIGHBOURS);
    ig_layout_focus(&s, IG_PANEL_MAP);
    assert_true(on_screen(s, IG_PANEL_LEAKAGE));
    ig_layout_focus(&s, IG_PANEL_SENTENCES);
    assert_true(on_screen(s, IG_PANEL_SENTENCES) && !on_screen(s, IG_PANEL_LEAKAGE));
    ig_layout_focus(&s, IG_PANEL_RUNS);
    assert_true(on_screen(s, IG_PANEL_RUNS) && on_screen(s, IG_PANEL_CURVES));
    ig_layout_focus(&s, IG_PANEL_MAP);
    assert_true(on_screen(s, IG_PANEL_CURVES) && !on_screen(s, IG_PANEL_SENTENCES));

    ig_layout_focus(&s, IG_PANEL_NEIGHBOURS);
    ig_layout_focus(&s, IG_PANEL_LEAKAGE);
    l = ig_layout_compute(24, 80, s);
    check_rect(l.panel[IG_PANEL_LEAKAGE].rect, 1, 48, 14, 32);
    check_rect(l.panel[IG_PANEL_LEAKAGE].inside, 2, 49, 12, 30);
    l = ig_layout_compute(40, 120, s);
    check_rect(l.panel[IG_PANEL_LEAKAGE].inside, 2, 70, 21, 49);
    check_rect(l.panel[IG_PANEL_NEIGHBOURS].rect, 23, 69, 16, 51);
    l = ig_layout_compute(60, 200, s);
    check_rect(l.panel[IG_PANEL_LEAKAGE].rect, 1, 120, 41, 80);
    /* A place that no panel can have is the curves'. */
    s = (ig_layout_settings){IG_PANEL_MAP, IG_PANEL_LEAKAGE, false, IG_PANEL_DATA};
    assert_true(on_screen(s, IG_PANEL_CURVES) && on_screen(s, IG_PANEL_NEIGHBOURS));
}

/* The frames of a whole screen meet. */
static void frames_meet(void **state)
{
    ig_layout l =
        ig_layout_compute(20, 100,
                          (ig_layout_settings){IG_PANEL_MAP, IG_PANEL_NEIGHBOURS, false,
                                               IG_PANEL_CURVES});
    ig_canvas canvas;

    (void)state;
    assert_int_equal(ig_canvas_init(&canvas, 20, 100, NULL), IG_OK);
    ig_frame_draw(&canvas, l.panel[0].rect, l.panel[0].edges, "map", NULL, true);
    for (int i = 0; i < IG_PLOTS; i++)
        ig_frame_draw(&canvas, l.plot[i].rect, l.plot[i].edges, "plot", NULL, false);
    ig_frame_draw(&canvas, l.panel[2].rect, l.panel[2].edges, "neighbours", NULL,
                  false);
    check_screen(&canvas, "\n"
                          "┌ map ───────────────────────────────────────────────────┐┌ "
                          "plot ──────────────────────────────────┐\n"
                          "│                                                        ││ "
                          "                                       │\n"
                          "│                                                        ││ "
                          "                                       │\n"
                          "│                                                        ││ "
                          "                                       │\n"
                          "│                                                        ││ "
                          "                                       │\n"
                          "│                                                        │├ "
                          "plot ──────────────┬ plot ─────────────┤\n"
                          "│                                                        ││ "
                          "                   │                   │\n"
                          "│                                                        ││ "
                          "                   │                   │\n"
                          "│                                                        ││ "
                          "                   │                   │\n"
                          "│                                                        │├ "
                          "neighbours ────────┴───────────────────┤\n"
                          "│                                                        ││ "
                          "                                       │\n"
                          "│                                                        ││ "
                          "                                       │\n"
                          "│                                                        ││ "
                          "                                       │\n"
                          "│                                                        ││ "
                          "                                       │\n"
                          "│                                                        ││ "
                          "                                       │\n"
                          "│                                                        ││ "
                          "                                       │\n"
                          "│                                                        ││ "
                          "                                       │\n"
                          "└────────────────────────────────────────────────────────┘└─"
                          "───────────────────────────────────────┘\n"
                          "\n");
    ig_canvas_free(&canvas);
}

SUITE(layout)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size),  cmocka_unit_test(no_size),
        cmocka_unit_test(usual_sizes), cmocka_unit_test(list_place),
        cmocka_unit_test(side_place),  cmocka_unit_test(frames_meet),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
