/* Floats with nine digits: as printf has them, and they read back. */
#include "core/setting.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"

/* Where printf decides a tie by the bits behind a double, the last digit may differ. */
static void check_float(float x)
{
    char out[IG_FLOAT_SIZE], right[IG_FLOAT_SIZE];
    const char *text = ig_float_format(out, x);

    snprintf(right, sizeof right, "%.9g", (double)x);
    assert_int_equal(strlen(text), strlen(right));
    if (isnan(x))
        assert_string_equal(text, right);
    else
        assert_true(strtof(text, NULL) == x);
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

SUITE(decimal, NULL, NULL, TEST(test_floats))
