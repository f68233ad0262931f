/* How mixed cells are: alone, with those around them, and where points are few. */
#include "suite.h"

#include "draw/mixing.h"
#include "draw/palette.h"

enum { ROWS = 5, COLS = 12, KEYS = 5, FIRST = 1, CATEGORIES = 4 };

struct grid {
    uint32_t count[ROWS][COLS][KEYS], total[ROWS][COLS], pooled[CATEGORIES];
};

static void put(struct grid *g, int row, int col, size_t category, uint32_t points)
{
    g->count[row][col][FIRST + category] += points;
    g->total[row][col] += points;
}

static ig_mixing mixing_of(struct grid *g)
{
    return (ig_mixing){.count = &g->count[0][0][0],
                       .total = &g->total[0][0],
                       .rows = ROWS,
                       .cols = COLS,
                       .keys = KEYS,
                       .first = FIRST,
                       .categories = CATEGORIES,
                       .apart = 0.75,
                       .pooled = g->pooled};
}

static void apart(void **state)
{
    static const uint32_t one[] = {0, 7, 0}, halves[] = {2, 2}, single[] = {1};
    uint32_t many[19];

    (void)state;
    assert_true(ig_mixing_apart(one, 3) == 0);
    assert_true(ig_mixing_apart(single, 1) == 0);
    assert_float_equal(ig_mixing_apart(halves, 2), 4.0 / 6, 1e-12);
    for (uint32_t i = 0; i < 19; i++)
        many[i] = i;
    assert_int_equal(ig_mixing_sum(many, 19), 171);
    assert_int_equal(ig_mixing_sum(many, 8), 28);
}

/* A cell with enough points is judged by itself, whatever stands beside it; one without
 * by all that is near. Points of other series do not count. */
static void near(void **state)
{
    struct grid g = {0};
    ig_mixing m = mixing_of(&g);

    (void)state;
    put(&g, 2, 5, 0, IG_MIXING_ENOUGH);
    put(&g, 2, 6, 1, 1);
    for (size_t i = 0; i < CATEGORIES; i++)
        put(&g, 2, 7, i, 100);
    g.count[2][5][0] = 1000;
    assert_true(ig_mixing_of(&m, 2, 5) == 0);
    assert_true(ig_mixing_of(&m, 2, 6) > 0.9);
    assert_true(ig_mixing_of(&m, 2, 7) > 0.9);
    /* Too far away to be asked, and off the edge. */
    put(&g, 0, 0, 3, 1);
    assert_true(ig_mixing_of(&m, 0, 0) == 0);
    put(&g, 1, 1, 2, 1);
    assert_true(ig_mixing_of(&m, 0, 0) > 0 && ig_mixing_of(&m, 0, 0) < 0.2);
    m.apart = 0; /* there is one category alone */
    assert_true(ig_mixing_of(&m, 2, 7) == 0);
}

static void steps(void **state)
{
    (void)state;
    assert_int_equal(ig_mixing_step(0), 0);
    assert_int_equal(ig_mixing_step(0.1), 0);
    assert_int_equal(ig_mixing_step(0.3), 1);
    assert_int_equal(ig_mixing_step(0.57), 2); /* two of eight languages, evenly */
    assert_int_equal(ig_mixing_step(1), IG_MIXING_STEPS - 1);
}

SUITE(mixing)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(apart),
        cmocka_unit_test(near),
        cmocka_unit_test(steps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
