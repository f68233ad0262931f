/* The map: views, points in cells, and finding points. */
#include <math.h>
#include <stdlib.h>

#include "drawing.h"

#include "core/random.h"
#include "view/scatter.h"

enum { POINTS = 300 };

static ig_colour_group groups[] = {{"en", NULL, IG_COLOUR_LANGUAGE, 'e', true},
                                   {"de", NULL, IG_COLOUR_LANGUAGE + 1, 'd', true},
                                   {"ja", NULL, IG_COLOUR_LANGUAGE + 2, 'j', true}};

static void show(bool en, bool de, bool ja)
{
    groups[0].shown = en;
    groups[1].shown = de;
    groups[2].shown = ja;
}

static ig_scatter scatter_of(const float *xy, const uint16_t *of, size_t count)
{
    return (ig_scatter){.count = count,
                        .series = 1,
                        .of_series = {{.name = "日本語", .xy = xy}},
                        .groups = 3,
                        .of = of,
                        .group = groups};
}

static void views(void **state)
{
    static const float xy[] = {3, 5, NAN, 1, 7, INFINITY, 3, 5};
    static const uint16_t of[] = {0, 0, 0, 1};
    ig_scatter s = scatter_of(xy, of, 4);
    ig_view v = ig_view_fit(&s, 0.05);
    int row, col;
    double px, py;

    assert_true(v.xmin == 2.5 && v.xmax == 3.5 && v.ymin == 4.5 && v.ymax == 5.5);
    show(false, false, false);
    v = ig_view_fit(&s, 0.05);
    show(true, true, true);
    assert_true(v.xmin == -0.5 && v.xmax == 0.5);
    s.series = 0;
    v = ig_view_fit(&s, 0.05);
    assert_true(v.xmin < v.xmax && v.ymin < v.ymax);
    v = (ig_view){0, 10, 0, 4};
    v = ig_view_zoom(v, 0.5, 10, 0);
    assert_true(v.xmin == 5 && v.xmax == 10 && v.ymin == 0 && v.ymax == 2);
    v = ig_view_pan(v, -1, 0.5);
    assert_true(v.xmin == 0 && v.xmax == 5 && v.ymin == 1 && v.ymax == 3);
    for (int i = 0; i < 2000; i++)
        v = ig_view_zoom(v, i < 1000 ? 0.5 : 3, 2, 2);
    assert_true(v.xmin < v.xmax && v.ymin < v.ymax && isfinite(v.xmax - v.xmin));
    v = (ig_view){0, 10, 0, 4};
    assert_true(ig_view_cell(v, (ig_rect){1, 1, 4, 10}, 10, 0, &row, &col));
    assert_true(row == 4 && col == 10);
    assert_true(ig_view_cell(v, (ig_rect){1, 1, 4, 10}, 0, 4, &row, &col));
    assert_true(row == 1 && col == 1);
    assert_false(ig_view_cell(v, (ig_rect){1, 1, 4, 10}, NAN, 4, &row, &col));
    assert_false(ig_view_cell(v, (ig_rect){1, 1, 4, 10}, 11, 4, &row, &col));
    assert_false(ig_view_cell(v, (ig_rect){1, 1, 0, 10}, 1, 1, &row, &col));
    for (int i = 0; i < 40; i++) {
        ig_view_point(v, (ig_rect){1, 1, 4, 10}, 1 + i / 10, 1 + i % 10, &px, &py);
        assert_true(ig_view_cell(v, (ig_rect){1, 1, 4, 10}, px, py, &row, &col));
        assert_true(row == 1 + i / 10 && col == 1 + i % 10);
    }
}

static void finding(void **state)
{
    static const float xy[] = {1, 5, 5, 5, 5, 9, 5.02f, 5, 9, 5, 5, 1, 20, 5};
    static const uint16_t of[] = {0, 0, 1, 0, 2, 2, 0};
    ig_scatter s = scatter_of(xy, of, 7);
    ig_view v = {0, 10, 0, 10};
    ig_rect r = {0, 0, 10, 20};
    ig_hit hit = {9, 9}, from = {0, 1};

    assert_true(ig_scatter_nearest(&s, v, r, 0, 10, &hit));
    assert_int_equal(hit.point, 2);
    assert_true(ig_scatter_toward(&s, v, r, from, IG_UP, &hit));
    assert_int_equal(hit.point, 2);
    assert_true(ig_scatter_toward(&s, v, r, from, IG_DOWN, &hit));
    assert_int_equal(hit.point, 5);
    assert_true(ig_scatter_toward(&s, v, r, from, IG_LEFT, &hit));
    assert_int_equal(hit.point, 0);
    /* 3 is nearer but in the same cell; 6 is outside the view. */
    assert_true(ig_scatter_toward(&s, v, r, from, IG_RIGHT, &hit));
    assert_int_equal(hit.point, 4);
    from.point = 4;
    assert_false(ig_scatter_toward(&s, v, r, from, IG_RIGHT, &hit));
    show(true, false, true);
    assert_false(ig_scatter_toward(&s, v, r, (ig_hit){0, 1}, IG_UP, &hit));
    assert_true(ig_scatter_nearest(&s, v, r, 0, 10, &hit));
    assert_int_not_equal(hit.point, 2);
    s.count = 0;
    assert_false(ig_scatter_nearest(&s, v, r, 0, 10, &hit));
    show(true, true, true);
}

/* Names are on free cells and overlap no other; where all groups are one cloud there are
 * none. */
static void naming(void **state)
{
    static const float xy[] = {0, 0, 0, 0, 0.1f, 0, 9, 9};
    static const uint16_t of[] = {0, 1, 1, 2};
    ig_scatter s = scatter_of(xy, of, 4);
    ig_rect r = {2, 3, 12, 20};
    ig_view v = {-1, 10, -1, 10};
    uint32_t taken[12 * 20] = {0};
    ig_middle m[4];
    ig_map_name name[IG_MAP_NAMES];
    ig_islands two = {.count = 2, .points = {2, 1}};
    size_t n;

    s.of_series[0].grouped = true;
    for (int i = 0; i < 60; i++)
        taken[9 * 20 + i] = 1; /* the lowest rows */
    ig_scatter_middles(&s, 0, m);
    m[2].spread = m[3].spread; /* named where half of the groups are compact */
    n = ig_scatter_names(&s, m, v, r, taken, name);
    assert_int_equal(n, 3);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(name[i].width, 2);
        assert_true(name[i].row < r.row + 9 && name[i].col >= r.col);
        for (size_t j = 0; j < i; j++)
            assert_true(name[i].row != name[j].row ||
                        abs(name[i].col - name[j].col) > 2);
    }
    for (int i = 0; i < 4; i++) { /* punctuation alone is no name */
        static const char *const text[] = {".", "…", "", "C++"};
        ig_islands islands = {.count = 1, .points = {1}};

        snprintf(islands.name[0], IG_ISLAND_NAME, "%s", text[i]);
        s.islands = &islands;
        assert_int_equal(ig_scatter_names(&s, m, v, r, taken, name), i == 3);
    }
    /* Two islands of one name have it once in a series, in the colour of its group. */
    snprintf(two.name[0], IG_ISLAND_NAME, "%s", s.group[1].name);
    snprintf(two.name[1], IG_ISLAND_NAME, "%s", s.group[1].name);
    s.islands = &two;
    assert_int_equal(ig_scatter_names(&s, m, v, r, taken, name), 1);
    two.series[1] = 1;
    assert_int_equal(ig_scatter_names(&s, m, v, r, taken, name), 2);
    assert_int_equal(name[0].colour, s.group[1].colour);
    s.islands = NULL;
    s.count = 3;
    ig_scatter_middles(&s, 0, m);
    m[0].spread = m[1].spread = 1;
    assert_int_equal(ig_scatter_names(&s, m, v, r, taken, name), 0);
    /* Of two groups both have names, if one is compact. */
    s.groups = 2;
    m[0].spread = 0.1;
    m[2].spread = 1;
    assert_int_equal(ig_scatter_names(&s, m, v, r, taken, name), 2);
    /* The name of a series is above or below it. */
    s.of_series[0] = (ig_series){"all", xy, false};
    ig_scatter_middles(&s, 0, m);
    for (int i = 0; i < 24; i++)
        taken[(5 + i / 6) * 20 + i % 6] = 1;
    assert_int_equal(ig_scatter_names(&s, m, v, r, taken, name), 1);
    assert_true(name[0].row == r.row + 4 && name[0].col == r.col);
}

/* Any size and any data, drawn beside other things: nothing outside the rectangle, nothing
 * allocated once the memory is there. */
static void anywhere(void **state)
{
    static float xy[2 * POINTS];
    static uint16_t of[POINTS];
    ig_scatter s = scatter_of(xy, of, POINTS);
    ig_scatter_memory memory = {0};
    ig_random random;
    ig_canvas c;

    ig_random_init(&random, 5, 0);
    c = canvas_of(20, 50);
    assert_int_equal(ig_scatter_draw(&memory, &c, ig_canvas_rect(&c),
                                     (ig_view){0, 1, 0, 1}, &s, NULL),
                     IG_OK);
    ig_alloc_fail_at(1);
    for (int round = 0; round < 600; round++) {
        int rows = (int)ig_random_below(&random, 16),
            cols = (int)ig_random_below(&random, 40);
        ig_rect r = {(int)ig_random_below(&random, (size_t)(21 - rows)),
                     (int)ig_random_below(&random, (size_t)(51 - cols)), rows, cols};

        for (int i = 0; i < POINTS; i++) {
            xy[2 * i] = (float)ig_random_normal(&random);
            xy[2 * i + 1] =
                ig_random_below(&random, 30) ? (float)ig_random_normal(&random) : NAN;
            of[i] = (uint16_t)ig_random_below(&random, 4);
        }
        s.of_series[0].grouped = round % 2;
        c.glyphs = (ig_glyphs)(round / 3 % IG_GLYPHS);
        mark_all(&c);
        assert_int_equal(
            ig_scatter_draw(&memory, &c, r, (ig_view){-2, 2, -2, 2}, &s, NULL), IG_OK);
        check_outside(&c, r);
        check_cells(&c);
    }
    ig_alloc_fail_at(0);
    ig_scatter_free(&memory);
    ig_canvas_free(&c);
}

SUITE(scatter, NULL, NULL, TEST(views), TEST(finding), TEST(naming), TEST(anywhere))
