/* Scales: steps, their names, and round ends. */
#include "view/axes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"

/* "0 | 0.125 0.25 …" */
static void check_names(const ig_scale *scale, const char *expected)
{
    char text[256], name[IG_SCALE_NAME_SIZE];
    size_t used = 0;

    for (size_t i = 0; i <= IG_HEAT_COLOURS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, i ? " %s" : "%s |",
                                 ig_scale_name(name, scale, i));
    assert_string_equal(text, expected);
}

static void linear(void **state)
{
    ig_scale s = ig_scale_linear(0, 1), open = ig_scale_linear(-2, 2);

    open.open = true;
    check_names(&s, "0 | 0.125 0.25 0.375 0.5 0.625 0.75 0.875 1");
    check_names(&open, "-2 | -1.5 -1 -0.5 0 0.5 1 1.5 2+");
    assert_int_equal(ig_scale_step(&s, -1), 0);
    assert_int_equal(ig_scale_step(&s, 0), 0);
    assert_int_equal(ig_scale_step(&s, 0.1249), 0);
    assert_int_equal(ig_scale_step(&s, 0.125), 1);
    assert_int_equal(ig_scale_step(&s, 0.9), 7);
    assert_int_equal(ig_scale_step(&s, 1), 7);
    assert_int_equal(ig_scale_step(&s, 5), 7);
    assert_int_equal(ig_scale_step(&s, NAN), -1);
    assert_int_equal(ig_scale_step(&s, INFINITY), -1);
}

/* What is first in one language and second in another is not first. */
static void ranks(void **state)
{
    ig_scale s = ig_scale_ranks();
    static const struct {
        double rank;
        int step;
    } is[] = {{1, 0},   {1.01, 1},  {2, 1},    {2.1, 2},   {5, 2},
              {5.5, 3}, {10, 3},    {10.2, 4}, {30, 4},    {31, 5},
              {100, 5}, {100.5, 6}, {300, 6},  {300.5, 7}, {1e9, 7}};

    check_names(&s, " | 1 2 3-5 6-10 11-30 31-100 101-300 301+");
    for (size_t i = 0; i < sizeof is / sizeof *is; i++)
        assert_int_equal(ig_scale_step(&s, is[i].rank), is[i].step);
}

static void even(void **state)
{
    double grown[64], tied[40] = {0};
    ig_scale s;

    for (int i = 0; i < 64; i++)
        grown[63 - i] = 0.00301 * i * i;
    s = ig_scale_even(grown, 64);
    check_names(&s, "0 | 0.1 0.7 1.7 3 4.8 6.9 9.4 11.9467");
    for (int i = 0; i < 10; i++)
        tied[i] = i;
    s = ig_scale_even(tied, 40);
    check_names(&s, "0 | 1 2 3 4 5 6 8 9");
    s = ig_scale_even(tied, 1);
    assert_int_equal(ig_scale_step(&s, 0), 7);
}

SUITE(scale, NULL, NULL, TEST(linear), TEST(ranks), TEST(even))
