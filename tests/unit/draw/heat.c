/* Matrices in the colours of heat: figures at every width, scrolling, contrast. */
#include <math.h>

#include "drawing.h"

#include "draw/heat.h"

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

static void figures(void **state)
{
    ig_canvas canvas = {0};
    ig_heat heat = matrix();

    (void)state;
    draw(&canvas, 5, 30, IG_DEPTH_256, IG_BRAILLE, &heat);
    check_screen(&canvas, "           en   de  fra zh-H\n"
                          "en             100 99.9[95.7]\n"
                          "de       50.0         – ~0.2\n"
                          "fra      31.4 25.0      99.5\n"
                          "zh-Hant   0.0 10.0  5.0\n");
    /* Three columns, the least: hundreds are discs, nothing below 1 becomes one. */
    draw(&canvas, 5, 16, IG_DEPTH_256, IG_BRAILLE, &heat);
    check_screen(&canvas, "    en de fr zh\n"
                          "en      ● 99[96]\n"
                          "de  50     – ~0\n"
                          "fr  31 25    99\n"
                          "zh   0 10  5\n");
    draw(&canvas, 5, 16, IG_DEPTH_NONE, IG_ASCII, &heat);
    check_screen(&canvas, "    en de fr zh\n"
                          "en      * 99[96]\n"
                          "de  50     - ~0\n"
                          "fr  31 25    99\n"
                          "zh   0 10  5\n");
    /* Room enough: high tiles. */
    draw(&canvas, 13, 60, IG_DEPTH_256, IG_BRAILLE, &heat);
    check_screen(&canvas, "             en       de      fra   zh-Hant\n"
                          "\n"
                          "en                   100     99.9    [95.7]\n"
                          "\n"
                          "\n"
                          "de         50.0                 –     ~0.2\n"
                          "\n"
                          "\n"
                          "fra        31.4     25.0              99.5\n"
                          "\n"
                          "\n"
                          "zh-Hant     0.0     10.0      5.0\n"
                          "\n");
    ig_canvas_free(&canvas);
}

static void numbers(void **state)
{
    ig_canvas canvas = {0};
    ig_heat heat = matrix();

    (void)state;
    heat.unit = IG_HEAT_NUMBER;
    draw(&canvas, 5, 18, IG_DEPTH_256, IG_BRAILLE, &heat);
    check_screen(&canvas, "  ←  de fra zh-\n"
                          "en  1.0 1.0[1.0]\n"
                          "de        –~0.0\n"
                          "fr  0.2     1.0\n"
                          "zh  0.1 0.1\n");
    ig_canvas_free(&canvas);
}

/* The selected cell is always seen, and arrows tell what is not. */
static void scrolling(void **state)
{
    ig_canvas canvas = {0};
    ig_heat heat = matrix();
    size_t row, col;

    (void)state;
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
    assert_int_equal(ig_heat_page((ig_rect){0, 0, 3, 11}, &heat), 2);
    assert_int_equal(ig_heat_lines((ig_rect){0, 0, 9, 11}, &heat), 5);
    assert_int_equal(ig_heat_lines((ig_rect){0, 0, 3, 11}, &heat), 3);
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

    (void)state;
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

    (void)state;
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

static double luminance(const unsigned char rgb[3])
{
    double c[3];

    for (int i = 0; i < 3; i++) {
        double v = rgb[i] / 255.0;

        c[i] = v <= 0.03928 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
    }
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

/* Figures can be read on every step, by the 4.5 that WCAG asks for. */
static void contrast(void **state)
{
    static const unsigned char black[3] = {0, 0, 0}, white[3] = {255, 255, 255};

    (void)state;
    for (int step = 1; step < IG_HEAT_COLOURS; step++) {
        ig_style style = ig_heat_style((step + 0.5) / IG_HEAT_COLOURS, IG_DEPTH_256);
        ig_ink ink = ig_palette_ink(style, IG_THEME_DARK, IG_DEPTH_256);
        unsigned char rgb[3];
        double a, b;

        assert_int_equal(style.bg, IG_COLOUR_HEAT + step);
        assert_true(ink.fg == 16 || ink.fg == 231);
        ig_palette_rgb(style.bg, IG_THEME_DARK, rgb);
        a = luminance(rgb);
        b = luminance(ink.fg == 16 ? black : white);
        assert_true((fmax(a, b) + 0.05) / (fmin(a, b) + 0.05) >= 4.5);
        ink = ig_palette_ink(style, IG_THEME_DARK, IG_DEPTH_16);
        assert_true(ink.fg != ink.bg && (ink.fg == 0 || ink.fg == 15));
        ink = ig_palette_ink(style, IG_THEME_DARK, IG_DEPTH_8);
        assert_true(ink.fg != ink.bg && (ink.fg == 0 || ink.fg == 7));
        ink = ig_palette_ink(ig_heat_style((step + 0.5) / 8, IG_DEPTH_NONE),
                             IG_THEME_DARK, IG_DEPTH_NONE);
        assert_true(ink.fg == -1 && ink.bg == -1 && ink.attributes == 0);
    }
    assert_int_equal(ig_heat_style(0.1, IG_DEPTH_256).bg, IG_COLOUR_DEFAULT);
    assert_int_equal(ig_heat_style(NAN, IG_DEPTH_256).bg, IG_COLOUR_DEFAULT);
    assert_int_equal(ig_heat_step(1), IG_HEAT_COLOURS - 1);
    assert_int_equal(ig_heat_step(NAN), 0);
}

static void scale(void **state)
{
    ig_canvas canvas = {0};

    (void)state;
    assert_int_equal(ig_canvas_resize(&canvas, 1, 30, NULL), IG_OK);
    ig_canvas_clear(&canvas);
    canvas.depth = IG_DEPTH_256;
    assert_int_equal(ig_heat_scale_draw(&canvas, 0, 0, 30, "100", "0"), 22);
    assert_int_equal(ig_heat_scale_draw(&canvas, 0, 0, 21, "100", "0"), 14);
    assert_int_equal(ig_heat_scale_draw(&canvas, 0, 0, 13, "100", "0"), 0);
    canvas.depth = IG_DEPTH_NONE;
    assert_int_equal(ig_heat_scale_draw(&canvas, 0, 0, 30, "100", "0"), 0);
    ig_canvas_free(&canvas);
}

static void sums(void *context, size_t row, size_t col, ig_heat_cell *cell)
{
    some(context, row, col, cell);
    cell->heat = NAN;
    cell->mark = 0;
    cell->tone = row > col ? -1 : 1;
    if (row == N || col == N) {
        cell->blank = row == col;
        cell->value = row == N ? 0.1 * (double)col : 0.01 * (double)row;
    }
}

static void means_and_differences(void **state)
{
    ig_canvas canvas = {0};
    ig_heat heat = matrix();

    (void)state;
    heat.means = true;
    heat.unit = IG_HEAT_POINTS;
    heat.source = sums;
    draw(&canvas, 7, 36, IG_DEPTH_256, IG_BRAILLE, &heat);
    check_screen(&canvas, "           en   de  fra zh-H mean\n"
                          "en             100  100[95.7] 0.0\n"
                          "de       50.0         –  0.2  1.0\n"
                          "fra      31.4 25.0      99.5  2.0\n"
                          "zh-Hant   0.0 10.0  5.0       3.0\n"
                          "mean      0.0 10.0 20.0 30.0\n\n");
    assert_int_equal(ig_canvas_cell(&canvas, 2, 11)->style.fg, IG_COLOUR_BAD);
    assert_int_equal(ig_canvas_cell(&canvas, 1, 27)->style.fg, IG_COLOUR_GOOD);
    /* Where they are no longer all seen there are none. */
    draw(&canvas, 5, 36, IG_DEPTH_256, IG_BRAILLE, &heat);
    assert_false(ig_heat_has_means((ig_rect){0, 0, 5, 36}, &heat));
    assert_true(ig_heat_has_means((ig_rect){0, 0, 6, 36}, &heat));
    ig_canvas_free(&canvas);
}

SUITE(heat)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures),    cmocka_unit_test(numbers),
        cmocka_unit_test(scrolling),  cmocka_unit_test(alike),
        cmocka_unit_test(every_size), cmocka_unit_test(contrast),
        cmocka_unit_test(scale),      cmocka_unit_test(means_and_differences),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
