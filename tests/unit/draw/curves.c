/* Curves at several sizes and steps of the ladder. */
#include <math.h>

#include "drawing.h"

#include "base/random.h"
#include "draw/curves.h"

enum { EPOCHS = 31 };

/* A loss that falls from 4 and a validation loss above it, with a gap. */
static void losses(double train[EPOCHS], double valid[EPOCHS])
{
    for (int i = 0; i < EPOCHS; i++) {
        train[i] = 1 + 3 * exp(-i / 8.0);
        valid[i] = train[i] + 0.3;
    }
    valid[0] = valid[20] = NAN;
}

static void check_curves(int rows, int cols, ig_glyphs glyphs, const char *expected)
{
    double train[EPOCHS], valid[EPOCHS];
    ig_curve curve[2] = {{"train", train, 1, EPOCHS, 0, IG_COLOUR_TRAIN, false, NULL},
                         {"valid", valid, 1, EPOCHS, 0, IG_COLOUR_VALID, true, NULL}};
    ig_curves_options options = ig_curves_defaults();
    ig_canvas c;

    losses(train, valid);
    options.best = 24;
    assert_int_equal(ig_canvas_init(&c, rows, cols, NULL), IG_OK);
    c.glyphs = glyphs;
    ig_curves_draw(&c, ig_canvas_rect(&c), curve, 2, &options);
    check_screen(&c, expected);
    ig_canvas_free(&c);
}

static void large(void **state)
{
    (void)state;
    check_curves(10, 50, IG_BRAILLE,
                 "4┤⠑⢌⠢                              train ─ valid ┄\n"
                 " │  ⠉⠦⡑ ⡀\n"
                 "3┤    ⠈⠓⢬⡀⠤\n"
                 " │       ⠈⠑⠢⢍⡀⠢ ⣀\n"
                 "2┤           ⠈⠙⠒⠢⠤⣑⡀⠢ ⠤ ⣀\n"
                 " │                 ⠈⠉⠑⠒⠒⠤⠤⠭⣀⣉⣀⣒ ⠂  ⠠⠤ ⠤ ⠤ ⣀ ⣀ ⣀ ⣀\n"
                 "1┤                             ⠉⠉⠉⠉⠉⠑⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠤⠤⠤\n"
                 " │\n"
                 "0┤                                      ▲\n"
                 "  0       5      10      15     20      25      30\n");
}

static void medium(void **state)
{
    (void)state;
    check_curves(6, 32, IG_BRAILLE,
                 "4┤⠑⠥⡤            train ─ valid ┄\n"
                 " │  ⠈⠑⠵⣀⠤\n"
                 "2┤      ⠉⠑⠛⠤⠶⣀⣤⡀⠤ ⣀ ⣀\n"
                 " │             ⠈⠉⠉⠑⠒⠒⠒⠚⠒⠛⠢⠭⠤⠭⠤⠭⠤\n"
                 "0┤                       ▲\n"
                 "  0        10       20        30\n");
}

static void small(void **state)
{
    (void)state;
    check_curves(3, 12, IG_BRAILLE,
                 "⠻⡄\n"
                 " ⠉⢳⡀⡀    ▲\n"
                 "   ⠈⠙⠒⠷⠤⢖⣀⣤⣀\n");
}

static void blocks(void **state)
{
    (void)state;
    check_curves(6, 32, IG_BLOCKS,
                 "4┤▀▙▄            train ─ valid ┄\n"
                 " │  ▝▀█▄▄\n"
                 "2┤      ▀▀▀▄█▄▄▄▄ ▄ ▄\n"
                 " │              ▀▀▀▀▀▀▀▀▀▀▀▀█▄█▄\n"
                 "0┤                       ▲\n"
                 "  0        10       20        30\n");
}

static void ascii(void **state)
{
    (void)state;
    check_curves(8, 40, IG_ASCII,
                 "4+*.                     train * valid .\n"
                 " | ** .\n"
                 "3+   *..\n"
                 " |      **..\n"
                 "2+         ***..* ..\n"
                 " |              ******..*** . ..^ ..  ..\n"
                 "1+                         *************\n"
                 "  0          10           20          30\n");
}

static ig_canvas drawn(const double *y, size_t count, const ig_curves_options *options)
{
    ig_curve curve = {NULL, y, 1, count, 0, IG_COLOUR_TRAIN, false, NULL};
    ig_canvas c;

    assert_int_equal(ig_canvas_init(&c, 4, 20, NULL), IG_OK);
    ig_curves_draw(&c, ig_canvas_rect(&c), &curve, 1, options);
    return c;
}

/* Nothing, one value, equal values, negative ones, a cursor and a fixed axis. */
static void special(void **state)
{
    static const double one[] = {2}, equal[] = {3, 3, 3, 3}, never[] = {NAN, INFINITY},
                        falling[] = {-1, -2, -3.5};
    ig_curves_options options = ig_curves_defaults();
    ig_canvas c;

    (void)state;
    c = drawn(NULL, 0, NULL);
    check_screen(&c, "\n\n\n\n");
    ig_canvas_free(&c);
    c = drawn(one, 1, NULL);
    check_screen(&c, "    │\n"
                     "    │\n"
                     "2.00┤⠁\n"
                     "    │\n");
    ig_canvas_free(&c);
    c = drawn(equal, 4, NULL);
    check_screen(&c, "    │\n"
                     "    │\n"
                     "3.00┤⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉\n"
                     "    │\n");
    ig_canvas_free(&c);
    c = drawn(never, 2, NULL);
    check_screen(&c, "\n\n\n\n");
    ig_canvas_free(&c);
    options.last = 8;
    options.cursor = 5;
    options.high = 0;
    c = drawn(falling, 3, &options);
    check_screen(&c, " 0.00┤        │\n"
                     "     │⠱⡀      │\n"
                     "     │ ⠘⢆     │\n"
                     "−3.50┤  ⠈⢆    │\n");
    ig_canvas_free(&c);
}

static void epochs(void **state)
{
    static const double y[] = {3, 2, 1};
    ig_curve curve = {NULL, y, 1, 3, 0, IG_COLOUR_TRAIN, false, NULL};
    ig_rect small_rect = {0, 5, 3, 11}, large_rect = {0, 0, 8, 40};

    (void)state;
    assert_true(ig_curves_epoch(small_rect, IG_BRAILLE, &curve, 1, NULL, 5) == 0);
    assert_true(ig_curves_epoch(small_rect, IG_BRAILLE, &curve, 1, NULL, 10) == 1);
    assert_true(ig_curves_epoch(small_rect, IG_BRAILLE, &curve, 1, NULL, 15) == 2);
    assert_true(isnan(ig_curves_epoch(small_rect, IG_BRAILLE, &curve, 1, NULL, 16)));
    assert_true(isnan(ig_curves_epoch(large_rect, IG_BRAILLE, &curve, 1, NULL, 0)));
    assert_true(ig_curves_epoch(large_rect, IG_BRAILLE, &curve, 1, NULL, 39) == 2);
}

/* Every second cell of a column at each marked epoch that is in the plot. */
static void marks(void **state)
{
    static const double y[] = {NAN, 1, 1};
    static const size_t mark[] = {0, 1, 9};
    ig_curve curve = {.y = y, .stride = 1, .count = 3, .colour = IG_COLOUR_TRAIN};
    ig_curves_options options = ig_curves_defaults();
    ig_canvas c;

    (void)state;
    options.legend = false;
    options.mark = mark;
    options.marks = 3;
    assert_int_equal(ig_canvas_init(&c, 4, 11, NULL), IG_OK);
    c.glyphs = IG_ASCII;
    ig_curves_draw(&c, (ig_rect){0, 0, 4, 11}, &curve, 1, &options);
    for (int row = 0; row < 4; row++)
        for (int col = 0; col < 11; col += 5) {
            char what = ig_canvas_cell(&c, row, col)->bytes[0];

            if (what != '*') /* the curve crosses them */
                assert_int_equal(what, row % 2 == 0 && col < 10 ? '|' : ' ');
        }
    ig_canvas_free(&c);
}

/* Each curve ends with its name, none over another, beside the plot where that is wide
 * enough. */
static void names_at_the_ends(void **state)
{
    static const double y[] = {5, 4, 3, 3, 3, 1};
    ig_curve curve[3] = {{.y = y, .stride = 1, .count = 6, .mark = "first"},
                         {.y = y, .stride = 1, .count = 6, .mark = "second"},
                         {.y = y, .stride = 1, .count = 5, .mark = "third"}};
    ig_curves_options options = ig_curves_defaults();

    (void)state;
    for (int cols = 12; cols <= 60; cols += 8) {
        ig_canvas c;
        char *text;

        assert_int_equal(ig_canvas_init(&c, 9, cols, NULL), IG_OK);
        ig_curves_draw(&c, ig_canvas_rect(&c), curve, 3, &options);
        text = ig_canvas_plain(&c);
        assert_true(text && strstr(text, "first") && strstr(text, "second") &&
                    strstr(text, "third"));
        ig_free(text);
        ig_canvas_free(&c);
    }
}

/* Any size, any values: nothing outside, every cell whole. */
static void anywhere(void **state)
{
    ig_random random;
    double y[40];
    size_t mark[3];
    ig_curve curve[2] = {{"日本語", y, 2, 20, 3, IG_COLOUR_TRAIN, false, NULL},
                         {"b", y + 1, 2, 20, -2, IG_COLOUR_VALID, true, NULL}};
    ig_canvas c;

    (void)state;
    ig_random_init(&random, 9, 0);
    assert_int_equal(ig_canvas_init(&c, 20, 50, NULL), IG_OK);
    for (int round = 0; round < 1500; round++) {
        ig_curves_options options = ig_curves_defaults();
        int rows = (int)ig_random_below(&random, 14),
            cols = (int)ig_random_below(&random, 40);
        ig_rect r = {(int)ig_random_below(&random, (size_t)(21 - rows)),
                     (int)ig_random_below(&random, (size_t)(51 - cols)), rows, cols};
        double size = pow(10, (double)ig_random_below(&random, 60) - 30);

        for (int i = 0; i < 40; i++)
            y[i] = ig_random_below(&random, 9) ? ig_random_normal(&random) * size : NAN;
        if (round % 7 == 0)
            y[5] = 1e308, y[6] = -1e308;
        options.best = (double)ig_random_below(&random, 30);
        options.cursor = (double)ig_random_below(&random, 30);
        for (size_t i = 0; i < 3; i++)
            mark[i] = ig_random_below(&random, 30);
        options.mark = mark;
        options.marks = ig_random_below(&random, 4);
        c.glyphs = (ig_glyphs)(round % IG_GLYPHS);
        mark_all(&c);
        ig_curves_draw(&c, r, curve, 2, &options);
        check_outside(&c, r);
        check_cells(&c);
    }
    ig_canvas_free(&c);
}

SUITE(curves)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large),    cmocka_unit_test(medium),
        cmocka_unit_test(small),    cmocka_unit_test(blocks),
        cmocka_unit_test(ascii),    cmocka_unit_test(special),
        cmocka_unit_test(epochs),   cmocka_unit_test(marks),
        cmocka_unit_test(anywhere), cmocka_unit_test(names_at_the_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
