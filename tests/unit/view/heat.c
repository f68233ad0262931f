/* Matrices in the colours of heat: scrolling, names in little room, any size. */
#include <math.h>

#include "drawing.h"

#include "view/heat.h"

enum { N = 4 };

static const char *const name[] = {"en", "de", "fra", "zh-Hant"};

/* 0 … 1 by place; the diagonal has no meaning. */
static void some(void *context, size_t row, size_t col, ig_heat_cell *cell)
{
    static const double value[N][N] = {{0, 1, 0.9996, 0.957},
                                       {0.5, 0, NAN, 0.002},
                                       {0.314, 0.25, 0, 0.995},
                                       {0, 0.1, 0.05, 0}};

    (void)context;
    cell->blank = row == col;
    cell->value = value[row % N][col % N];
    cell->heat = sqrt(1 - cell->value);
    cell->mark = row == 1 && col == 3 ? '~' : 0;
}

static ig_heat matrix(void)
{
    return (ig_heat){.rows = N,
                     .cols = N,
                     .row_name = name,
                     .col_name = name,
                     .row = 0,
                     .col = 3,
                     .focused = true,
                     .source = some};
}

static void draw(ig_canvas *canvas, int rows, int cols, ig_depth depth,
                 ig_glyphs glyphs, ig_heat *heat)
{
    ig_rect all = {0, 0, rows, cols};

    assert_int_equal(ig_canvas_resize(canvas, rows, cols, NULL), IG_OK);
    ig_canvas_clear(canvas);
    canvas->depth = depth;
    canvas->glyphs = glyphs;
    ig_heat_scroll(all, heat);
    ig_heat_draw(canvas, all, heat);
    check_cells(canvas);
}

/* The selected cell is always seen, and arrows tell what is not. */
static void scrolling(void **state)
{
    ig_canvas canvas = {0};
    ig_heat heat = matrix();
    size_t row, col;

    heat.row = 3;
    heat.col = 2;
    draw(&canvas, 3, 11, IG_DEPTH_NONE, IG_BRAILLE, &heat);
    check_screen(&canvas, "  ← de fr→\n"
                          "fr  25   ↑\n"
                          "zh  10[ 5]\n");
    assert_int_equal(heat.row_offset, 2);
    assert_int_equal(heat.col_offset, 1);
    assert_true(ig_heat_at((ig_rect){0, 0, 3, 11}, &heat, 2, 8, &row, &col));
    assert_true(row == 3 && col == 2);
    assert_false(ig_heat_at((ig_rect){0, 0, 3, 11}, &heat, 0, 8, &row, &col));
    assert_false(ig_heat_at((ig_rect){0, 0, 3, 11}, &heat, 2, 9, &row, &col));
    heat.row = heat.col = 0;
    draw(&canvas, 3, 11, IG_DEPTH_NONE, IG_BRAILLE, &heat);
    assert_true(heat.row_offset == 0 && heat.col_offset == 0);
    assert_int_equal(ig_heat_fit_of((ig_rect){0, 0, 3, 11}, &heat).page, 2);
    assert_int_equal(ig_heat_fit_of((ig_rect){0, 0, 9, 11}, &heat).lines, 5);
    assert_int_equal(ig_heat_fit_of((ig_rect){0, 0, 3, 11}, &heat).lines, 3);
    ig_canvas_free(&canvas);
}

/* Names that begin alike get the room that tells them apart, before figures do. */
static void alike(void **state)
{
    static const char *const close[] = {"en", "de", "zho_Hans", "zho_Hant"};
    static const char *const more[] = {"l000", "l001", "l002", "l003",
                                       "l004", "l005", "l006", "l007"};
    ig_canvas canvas = {0};
    ig_heat heat = matrix();

    heat.row_name = heat.col_name = close;
    draw(&canvas, 5, 19, IG_DEPTH_256, IG_BRAILLE, &heat);
    check_screen(&canvas, "        ← de zh zh\n"
                          "en         ● 99[96]\n"
                          "de            – ~0\n"
                          "zho_Hans  25    99\n"
                          "zho_Hant  10  5\n");
    /* Scrolled anyway: the columns' names, too. */
    heat.row_name = heat.col_name = more;
    heat.rows = heat.cols = 8;
    heat.row = heat.col = 0;
    draw(&canvas, 5, 17, IG_DEPTH_256, IG_BRAILLE, &heat);
    check_screen(&canvas, "      l000 l001→\n"
                          "l000 [    ] 100\n"
                          "l001  50.0\n"
                          "l002  31.4 25.0\n"
                          "l003   0.0 10.0↓\n");
    ig_canvas_free(&canvas);
}

/* Any size, no matrix at all, more languages than anyone has. */
static void every_size(void **state)
{
    static const char *many[1200];
    ig_canvas canvas = {0};
    ig_heat heat = matrix();

    for (size_t i = 0; i < 1200; i++)
        many[i] = name[i % N];
    for (int rows = 0; rows < 30; rows++)
        for (int cols = 0; cols < 90; cols += 1 + cols / 20) {
            ig_rect place = {rows / 3, cols / 5, rows - rows / 2, cols - cols / 3};

            heat.rows = heat.cols = rows % 5 == 4 ? 0 : N;
            assert_int_equal(ig_canvas_resize(&canvas, rows, cols, NULL), IG_OK);
            mark_all(&canvas);
            ig_heat_scroll(place, &heat);
            ig_heat_draw(&canvas, place, &heat);
            check_outside(&canvas, place);
            check_cells(&canvas);
        }
    heat = matrix();
    heat.rows = heat.cols = 0;
    draw(&canvas, 10, 40, IG_DEPTH_256, IG_BRAILLE, &heat);
    heat.row_name = heat.col_name = many;
    heat.rows = heat.cols = 1200;
    heat.row = heat.col = 1199;
    draw(&canvas, 10, 40, IG_DEPTH_256, IG_BRAILLE, &heat);
    assert_int_equal(heat.row_offset, 1200 - 9);
    ig_canvas_free(&canvas);
}

SUITE(heat, NULL, NULL, TEST(scrolling), TEST(alike), TEST(every_size))
