/* Charts: what is drawn is an SVG whose parts follow the data, odd data does no harm. */
#include "draw/chart.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"

#include "base/memory.h"
#include "draw/palette.h"

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
    (void)state;
    for (size_t i = 0; i < MANY; i++)
        values[i] = 1 / (1 + (double)i);
    return 0;
}

static void test_lines(void **state)
{
    ig_chart_line line[3] = {line_of(40, 0), line_of(20, 1), line_of(40, 3)};
    ig_chart chart = {"epoch", "loss", line, 3, false, false, 0};
    size_t size, with;

    (void)state;
    /* two lines are dashed, each with a piece beside its name; one ends far from it */
    assert_int_equal(count_in(&chart, "stroke-dasharray", &size), 5);
    line[0].best = 7;
    count_in(&chart, "x", &with);
    assert_true(with > size);
    chart.lines = 1;
    assert_int_equal(count_in(&chart, "stroke-dasharray", &size), 0);
    assert_true(size < with);
}

static void test_many_values_are_thinned(void **state)
{
    ig_chart_line line = line_of(MANY, 0);
    ig_chart chart = {"component", "share", &line, 1, true, true, 1e-3};
    size_t size;

    (void)state;
    count_in(&chart, "x", &size);
    assert_true(size < 120000);
}

static void test_odd_data(void **state)
{
    double odd[] = {NAN, INFINITY, 3, NAN, 2, 2, -1, 0, 1e300, NAN};
    ig_chart_line line[30];
    ig_chart chart = {"odd \x1B[31m", "y", line, 1, false, false, 0};
    size_t size;

    (void)state;
    for (int i = 0; i < 30; i++)
        line[i] = line_of(5, i);
    line[0].y = odd;
    for (size_t n = 0; n <= 10; n++) {
        line[0].count = n;
        for (int logs = 0; logs < 4; logs++) {
            chart.log_x = logs & 1;
            chart.log_y = logs & 2;
            count_in(&chart, "x", &size);
        }
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

static void test_memory(void **state)
{
    ig_chart_line line = line_of(10, 0);
    ig_chart chart = {"x", "y", &line, 1, false, false, 0};
    size_t size;
    char *svg;

    (void)state;
    ig_alloc_fail_at(1);
    assert_int_equal(ig_chart_svg(&chart, &svg, &size, &error), IG_NOMEM);
    assert_null(svg);
    ig_alloc_fail_at(0);
    assert_string_equal(error.message, "out of memory for a picture");
}

SUITE(chart)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_many_values_are_thinned),
        cmocka_unit_test(test_odd_data),
        cmocka_unit_test(test_memory),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
