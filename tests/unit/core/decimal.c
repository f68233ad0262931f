/* Shortest numbers: they read back, and no shorter one does. */
#include "core/decimal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"

static void test_doubles(void **state)
{
    char text[IG_SHORTEST_SIZE];

    assert_string_equal(ig_shortest(text, 0.1), "0.1");
    assert_string_equal(ig_shortest(text, 1e-4), "0.0001");
    assert_string_equal(ig_shortest(text, 1.0 / 3), "0.3333333333333333");
    assert_string_equal(ig_shortest(text, -0.0), "-0");
    assert_string_equal(ig_shortest(text, NAN), "nan");
    for (double x = 1e-300; x < 1e300; x *= 977.123)
        assert_true(strtod(ig_shortest(text, x), NULL) == x);
}

/* The definition: the first of 6 to 9 digits that reads back. */
static void check_float(float x)
{
    char text[IG_SHORTEST_SIZE], right[IG_SHORTEST_SIZE];

    for (int digits = 6; digits <= 9; digits++) {
        snprintf(right, sizeof right, "%.*g", digits, (double)x);
        if (isnan(x) || strtof(right, NULL) == x)
            break;
    }
    assert_string_equal(ig_shortest_float(text, x), right);
}

static void test_floats(void **state)
{
    static const float chosen[] = {
        0,         0.1f,      16777216,       1e6f,      999999.5f,
        9999999,   1e-4f,     0.00009999995f, 123456.5f, 0x1.fffffep127f,
        0x1p-126f, 0x1p-149f, 1e10f,          INFINITY,  NAN};
    float x;

    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
        check_float(chosen[i]);
        check_float(-chosen[i]);
    }
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 50021) {
        uint32_t word = (uint32_t)bits;

        memcpy(&x, &word, sizeof x);
        check_float(x);
    }
    for (int i = -126; i < 128; i++) { /* about powers of two and of ten */
        check_float(ldexpf(1, i));
        check_float(nextafterf(ldexpf(1, i), 0));
        check_float(powf(10, (float)i / 3));
    }
}

SUITE(decimal, NULL, NULL, TEST(test_doubles), TEST(test_floats))
