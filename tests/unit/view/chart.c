/* Charts: what is drawn is an SVG whose parts follow the data, odd data does no harm. */
#include "view/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"

#include "core/memory.h"
#include "view/palette.h"

enum { MANY = 9000 };

static double values[MANY];
static ig_error error;

static ig_chart_line line_of(size_t count, int dash)
{
    return (ig_chart_line){.name = "1 seed",
                           .y = values,
                           .count = count,
                           .best = NAN,
                           .colour = ig_colour_language((size_t)dash),
                           .dash = dash};
}

/* Draw, and count a text in what comes out; *size out. */
static size_t count_in(const ig_chart *chart, const char *text, size_t *size)
{
    size_t found = 0;
    char *svg;

    assert_int_equal(ig_chart_svg(chart, &svg, size, &error), IG_OK);
    assert_memory_equal(svg, "<?xml", 5);
    assert_non_null(strstr(svg, "</svg>"));
    assert_null(strstr(svg, "nan"));
    assert_null(strstr(svg, "inf"));
    assert_int_equal(strlen(svg), *size);
    for (const char *at = svg; (at = strstr(at, text)) != NULL; at++)
        found++;
    ig_free(svg);
    return found;
}

static int set_up(void **state)
{
    for (size_t i = 0; i < MANY; i++)
        values[i] = 1 / (1 + (double)i);
    return 0;
}

static void test_lines(void **state)
{
    ig_chart_line line[3] = {line_of(40, 0), line_of(20, 1), line_of(40, 3)};
    ig_chart chart = {"epoch", "loss", line, 3};
    size_t size, with;

    /* two lines are dashed, each with a piece beside its name; one ends far from it */
    assert_int_equal(count_in(&chart, "stroke-dasharray", &size), 5);
    line[0].best = 7;
    count_in(&chart, "x", &with);
    assert_true(with > size);
    chart.lines = 1;
    assert_int_equal(count_in(&chart, "stroke-dasharray", &size), 0);
    assert_true(size < with);
}

static void test_odd_data(void **state)
{
    double odd[] = {NAN, INFINITY, 3, NAN, 2, 2, -1, 0, 1e300, NAN};
    ig_chart_line line[30];
    ig_chart chart = {"odd \x1B[31m", "y", line, 1};
    size_t size;

    for (int i = 0; i < 30; i++)
        line[i] = line_of(5, i);
    line[0].y = odd;
    for (size_t n = 0; n <= 10; n++) {
        line[0].count = n;
        count_in(&chart, "x", &size);
    }
    chart.lines = 30; /* more than there is room to name */
    count_in(&chart, "x", &size);
    chart.lines = 0;
    count_in(&chart, "x", &size);
    line[0] = line_of(3, -7);
    line[0].best = -4;
    line[1].best = INFINITY;
    line[1].name = NULL;
    chart.lines = 2;
    count_in(&chart, "x", &size);
}

SUITE(chart, set_up, NULL, TEST(test_lines), TEST(test_odd_data))
