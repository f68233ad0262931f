/* Curves of odd values, at any size. */
#include <math.h>
#include <string.h>

#include "drawing.h"

#include "core/memory.h"
#include "core/random.h"
#include "view/curves.h"

enum { EPOCHS = 31 };

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

/* Any size, any values: nothing outside, every cell whole. */
static void anywhere(void **state)
{
    ig_random random;
    double y[40];
    size_t mark[3];
    ig_curve curve[2] = {{"日本語", y, 2, 20, 3, IG_COLOUR_TRAIN, false, NULL},
                         {"b", y + 1, 2, 20, -2, IG_COLOUR_VALID, true, NULL}};
    ig_canvas c;

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

/* Labels of ends that are near each other stand in the order of their values. */
static void labels_by_value(void **state)
{
    static const double over[] = {4, 0, 2.1}, under[] = {4, 0, 2};
    ig_curve curve[2] = {{NULL, over, 1, 3, 0, IG_COLOUR_TRAIN, false, "over"},
                         {NULL, under, 1, 3, 0, IG_COLOUR_VALID, false, "under"}};

    for (int turn = 0; turn < 2; turn++) {
        ig_curve first = curve[0];
        ig_canvas c;
        char *screen;

        assert_int_equal(ig_canvas_init(&c, 8, 60, NULL), IG_OK);
        ig_curves_draw(&c, ig_canvas_rect(&c), curve, 2, NULL);
        screen = ig_canvas_plain(&c);
        assert_non_null(strstr(screen, "over"));
        assert_true(strstr(screen, "over") < strstr(screen, "under"));
        ig_free(screen);
        ig_canvas_free(&c);
        curve[0] = curve[1];
        curve[1] = first;
    }
}

SUITE(curves, NULL, NULL, TEST(special), TEST(anywhere), TEST(labels_by_value))
