/* Plots of odd values, on the screen at any size. */
#include <math.h>
#include <string.h>

#include "drawing.h"

#include "core/random.h"
#include "view/plane.h"

static ig_track line_of(const char *name, const double *y, size_t count)
{
    ig_track line = {.y = y, .stride = 1, .count = count};

    strcpy(line.name, name);
    return line;
}

static void check_plot(const double *y, size_t count, ig_plane plot,
                       const char *expected)
{
    int rows = 0;
    ig_canvas c;

    for (const char *at = expected; *at; at++)
        rows += *at == '\n';
    c = canvas_of(rows, 20);
    plot.plot = true;
    ig_plane_add(&plot, line_of("", y, count));
    ig_plot_draw(&c, ig_canvas_rect(&c), &plot);
    check_screen(&c, expected);
    ig_canvas_free(&c);
}

/* Nothing, one value, equal values, negative ones, a cursor and a fixed axis. */
static void special(void **state)
{
    static const double one[] = {2}, equal[] = {3, 3, 3, 3}, never[] = {NAN, INFINITY},
                        falling[] = {-1, -2, -3.5}, near[] = {5, 5.000001, 5.000002};

    check_plot(NULL, 0, (ig_plane){.cursor = NAN}, "\n\n\n\n");
    check_plot(never, 2, (ig_plane){.cursor = NAN}, "\n\n\n\n");
    check_plot(one, 1, (ig_plane){.cursor = NAN},
               "   │\n"
               "2.0┤⡀\n"
               "   │\n"
               "1.8┤\n");
    check_plot(equal, 4, (ig_plane){.cursor = NAN},
               "    │\n"
               "3.00┤⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀\n"
               "    │\n"
               "2.75┤\n");
    check_plot(near, 3, (ig_plane){.cursor = NAN},
               "    ┤              ⢀\n"
               "    │             ⢠⠃\n"
               "    │            ⡠⠃\n"
               "    ┤          ⢀⡰⠁\n"
               "    │         ⢀⠎\n"
               "    │        ⢠⠊\n"
               "    ┤       ⢠⠃\n"
               "    │      ⡰⠁\n"
               "    │     ⡔⠁\n"
               "    ┤   ⢀⡜\n"
               "    │  ⢠⠃\n"
               "    │ ⡰⠁\n"
               "5.00┤⡰⠁\n"
               "     0             2\n");
    check_plot(falling, 3, (ig_plane){.last = 8, .share = true, .cursor = 5},
               " 0┤          │\n"
               "  │⠢⣄        │\n"
               "  │  ⠑⢢⡀     │\n"
               "−5┤          │\n");
}

/* Any size, any values: nothing outside, every cell whole. */
static void anywhere(void **state)
{
    ig_random random;
    double y[40] = {0};
    ig_plane plot = {.plot = true,
                     .track = {line_of("日本語", y, 20), line_of("b", y + 1, 20)},
                     .tracks = 2};
    ig_canvas c;

    plot.track[0].stride = plot.track[1].stride = 2;
    strcpy(plot.track[0].brief, "1");
    plot.track[1].dashed = true;
    ig_random_init(&random, 9, 0);
    c = canvas_of(20, 50);
    for (int round = 0; round < 1500; round++) {
        int rows = (int)ig_random_below(&random, 14),
            cols = (int)ig_random_below(&random, 40);
        ig_rect r = {(int)ig_random_below(&random, (size_t)(21 - rows)),
                     (int)ig_random_below(&random, (size_t)(51 - cols)), rows, cols};
        double size = pow(10, (double)ig_random_below(&random, 60) - 30);

        for (int i = 0; i < 40; i++)
            y[i] = ig_random_below(&random, 9) ? ig_random_normal(&random) * size : NAN;
        if (round % 7 == 0)
            y[5] = 1e308, y[6] = -1e308;
        plot.track[1].best = 1 + ig_random_below(&random, 30);
        plot.cursor = (double)ig_random_below(&random, 30);
        for (size_t i = 0; i < 3; i++)
            plot.mark[i] = ig_random_below(&random, 30);
        plot.marks = ig_random_below(&random, 4);
        c.glyphs = (ig_glyphs)(round % IG_GLYPHS);
        mark_all(&c);
        ig_plot_draw(&c, r, &plot);
        check_outside(&c, r);
        check_cells(&c);
    }
    ig_canvas_free(&c);
}

/* Names of ends that are near each other stand in the order of their values. */
static void names_by_value(void **state)
{
    static const double over[] = {4, 0, 2.1}, under[] = {4, 0, 2};
    ig_plane plot = {.plot = true,
                     .track = {line_of("over", over, 3), line_of("under", under, 3)},
                     .tracks = 2,
                     .cursor = NAN};

    assert_int_equal(ig_axes_decimals((const double[]){0, 1e-7, 2e-7}, 3), 7);
    for (int turn = 0; turn < 2; turn++) {
        ig_track first = plot.track[0];
        ig_canvas c = canvas_of(8, 60);
        char *screen;

        ig_plot_draw(&c, ig_canvas_rect(&c), &plot);
        screen = ig_canvas_format(&c, false);
        assert_non_null(strstr(screen, "over"));
        assert_true(strstr(screen, "over") < strstr(screen, "under"));
        ig_free(screen);
        ig_canvas_free(&c);
        plot.track[0] = plot.track[1];
        plot.track[1] = first;
    }
}

/* Of 80 tracks 66 are drawn, which is said; no name is on another or on a line. */
static void planes(void **state)
{
    static ig_plane plane;
    const ig_rect rect = {0, 0, 36, 100};
    ig_map_name name[IG_TRACKS_MAX];
    ig_span axis[2];
    ig_random random;
    size_t names;
    char *screen;
    ig_canvas c;

    plane = (ig_plane){.x_label = "x", .y_label = "y"};
    ig_random_init(&random, 3, 0);
    for (size_t i = 0; i < 80; i++) {
        double from[2] = {ig_random_unit(&random), ig_random_unit(&random)};
        double to[2] = {ig_random_unit(&random), ig_random_unit(&random)};
        ig_track *t = ig_plane_arrow(&plane, from, to, IG_COLOUR_LANGUAGE);

        assert_int_equal(!t, i >= IG_TRACKS_MAX);
        if (t)
            strcpy(t->name, i % 2 ? "en-de" : "日本");
    }
    assert_true(ig_plane_ranges(&plane, axis));
    names = ig_plane_names(&plane, axis, rect, name);
    assert_int_equal(names, IG_TRACKS_MAX);
    for (size_t i = 0; i < names; i++)
        for (size_t j = 0; j < i; j++)
            assert_true(!name[i].width || !name[j].width ||
                        name[i].row != name[j].row ||
                        name[i].col >= name[j].col + name[j].width ||
                        name[j].col >= name[i].col + name[i].width);
    c = canvas_of(24, 60);
    assert_true(ig_plane_draw(&c, ig_canvas_rect(&c), &plane));
    screen = ig_canvas_format(&c, false);
    assert_non_null(strstr(screen, "y; 66 of 80 drawn"));
    ig_free(screen);
    for (int cols = 0; cols < 60; cols += 7) {
        ig_rect r = {3, 5, cols / 3, cols};

        mark_all(&c);
        ig_plane_draw(&c, r, &plane);
        check_outside(&c, r);
        check_cells(&c);
    }
    ig_canvas_free(&c);
}

SUITE(plot, NULL, NULL, TEST(special), TEST(anywhere), TEST(names_by_value),
      TEST(planes))
