/* Errors, memory and random numbers. */
#include <math.h>
#include <string.h>

#include "suite.h"

#include "core/array.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/random.h"

static void test_a_sentence_is_cut_and_never_overrun(void **state)
{
    static char text[3 * IG_ERROR_SIZE];
    ig_error error;

    assert_int_equal(ig_fail(&error, IG_VALUE, "%s is %d", "x", 7), IG_VALUE);
    assert_string_equal(error.message, "x is 7");
    assert_int_equal(error.status, IG_VALUE);
    assert_int_equal(ig_fail(NULL, IG_IO, "this is not read"), IG_IO);
    assert_int_equal(ig_fail_memory(&error, "a list"), IG_NOMEM);
    assert_string_equal(error.message, "out of memory for a list");

    memset(text, 'a', sizeof text - 1);
    ig_fail(&error, IG_FORMAT, "%s", text);
    assert_true(strlen(error.message) < IG_ERROR_SIZE);
    assert_true(strlen(error.message) > IG_ERROR_SIZE - 16);
}

/* Equal seeds and streams give equal values; another seed or stream gives others. */
static void test_a_seed_is_a_sequence(void **state)
{
    ig_random a, b, c, d;

    ig_random_init(&a, 1, 0);
    ig_random_init(&b, 1, 0);
    ig_random_init(&c, 1, 1);
    ig_random_init(&d, 2, 0);
    for (int i = 0; i < 100; i++) {
        uint64_t x = ig_random_next(&a);

        assert_int_equal(x, ig_random_next(&b));
        assert_int_not_equal(x, ig_random_next(&c));
        assert_int_not_equal(x, ig_random_next(&d));
    }
}

/* xoshiro256** from the state 1, 2, 3, 4: the first values by hand. result = rotl(s1·5,
 * 7)·9 = rotl(10, 7)·9 = 11520; then s1 = 2^1^3 = 0, so the second is 0. */
static void test_the_generator_is_xoshiro(void **state)
{
    ig_random random = {{1, 2, 3, 4}};

    assert_int_equal(ig_random_next(&random), 11520);
    assert_int_equal(ig_random_next(&random), 0);
    assert_int_equal(ig_random_next(&random), 1509978240);
}

static void test_values_are_in_range_and_even(void **state)
{
    size_t count[7] = {0};
    double sum = 0, squares = 0, units = 0;
    ig_random random;
    const size_t n = 70000;

    ig_random_init(&random, 5, 0);
    for (size_t i = 0; i < n; i++) {
        size_t k = ig_random_below(&random, 7);
        double u = ig_random_unit(&random);
        double z = ig_random_normal(&random);

        assert_true(k < 7);
        assert_true(u >= 0 && u < 1);
        assert_true(isfinite(z));
        count[k]++;
        units += u;
        sum += z;
        squares += z * z;
    }
    /* Five standard deviations, for this one seed. */
    for (int k = 0; k < 7; k++)
        assert_true(fabs((double)count[k] - 10000) < 5 * sqrt(10000 * 6 / 7.0));
    assert_true(fabs(units / (double)n - 0.5) < 5 * sqrt(1 / 12.0 / (double)n));
    assert_true(fabs(sum / (double)n) < 5 / sqrt((double)n));
    assert_true(fabs(squares / (double)n - 1) < 5 * sqrt(2 / (double)n));
    assert_int_equal(ig_random_below(&random, 1), 0);
}

static void test_a_shuffle_keeps_every_item(void **state)
{
    uint32_t item[100];
    bool seen[100] = {false};
    size_t moved = 0;
    ig_random random;

    for (uint32_t i = 0; i < 100; i++)
        item[i] = i;
    ig_random_init(&random, 9, 0);
    ig_random_shuffle(&random, item, 100);
    for (uint32_t i = 0; i < 100; i++) {
        assert_true(item[i] < 100 && !seen[item[i]]);
        seen[item[i]] = true;
        moved += item[i] != i;
    }
    assert_true(moved > 80);
    ig_random_shuffle(&random, item, 0);
}

SUITE(base, NULL, NULL, TEST(test_a_sentence_is_cut_and_never_overrun),
      TEST(test_a_seed_is_a_sequence), TEST(test_the_generator_is_xoshiro),
      TEST(test_values_are_in_range_and_even), TEST(test_a_shuffle_keeps_every_item))
