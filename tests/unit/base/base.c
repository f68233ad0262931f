/* Errors, memory and random numbers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "suite.h"

#include "base/array.h"
#include "base/builder.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"

static void test_a_sentence_is_cut_and_never_overrun(void **state)
{
    static char text[3 * IG_ERROR_SIZE];
    ig_error error;

    (void)state;
    assert_int_equal(ig_fail(&error, IG_VALUE, "%s is %d", "x", 7), IG_VALUE);
    assert_string_equal(error.message, "x is 7");
    assert_int_equal(error.status, IG_VALUE);
    assert_int_equal(ig_fail(NULL, IG_IO, "nobody reads this"), IG_IO);
    assert_int_equal(ig_fail_memory(&error, "a list"), IG_NOMEM);
    assert_string_equal(error.message, "out of memory for a list");

    memset(text, 'a', sizeof text - 1);
    ig_fail(&error, IG_FORMAT, "%s", text);
    assert_true(strlen(error.message) < IG_ERROR_SIZE);
    assert_true(strlen(error.message) > IG_ERROR_SIZE - 16);
}

static void test_blocks_are_zeroed_aligned_and_checked(void **state)
{
    (void)state;
    for (size_t size = 0; size < 300; size += 37) {
        unsigned char *block = ig_alloc(size, 3);

        assert_non_null(block);
        assert_int_equal((uintptr_t)block % 64, 0);
        for (size_t i = 0; i < size * 3; i++)
            assert_int_equal(block[i], 0);
        ig_free(block);
    }
    assert_null(ig_alloc(SIZE_MAX / 2, 3));
    assert_null(ig_alloc(SIZE_MAX, SIZE_MAX));
    ig_free(NULL);
}

static void test_the_nth_allocation_fails(void **state)
{
    void *block;

    (void)state;
    ig_alloc_fail_at(2);
    block = ig_alloc(1, 1);
    assert_non_null(block);
    assert_null(ig_alloc(1, 1));
    ig_free(block);
    block = ig_alloc(1, 1);
    assert_non_null(block);
    ig_free(block);
    ig_alloc_fail_at(1);
    assert_null(ig_strdup("text"));
    ig_alloc_fail_at(0);
}

static void test_a_builder_makes_a_whole_text_or_none(void **state)
{
    ig_builder builder = {0};
    char *text = ig_builder_take(&builder);

    (void)state;
    assert_string_equal(text, "");
    ig_free(text);
    for (long fail = 0, made = 0; made < 2; fail++) {
        ig_alloc_fail_at(fail); /* 0: none */
        for (int i = 0; i < 200; i++) {
            ig_builder_add(&builder, "%03d", i);
            ig_builder_put(&builder, "\0x", 2);
        }
        assert_true(builder.failed || builder.length == 1000);
        text = ig_builder_take(&builder);
        ig_alloc_fail_at(0);
        assert_null(builder.text);
        assert_true(text || fail > 0);
        if (text) {
            assert_memory_equal(text, "000\0x001\0x", 10);
            assert_memory_equal(text + 995, "199\0x", 6);
            made++; /* the second time, it takes fewer allocations than `fail` */
        }
        ig_free(text);
    }
}

static void test_an_arena_keeps_its_blocks_apart(void **state)
{
    ig_arena arena = {0};
    unsigned char *block[500];
    char *text;

    (void)state;
    for (size_t i = 0; i < 500; i++) {
        block[i] = ig_arena_alloc(&arena, i * 7);
        assert_non_null(block[i]);
        assert_int_equal((uintptr_t)block[i] % 16, 0);
        for (size_t k = 0; k < i * 7; k++)
            assert_int_equal(block[i][k], 0);
        memset(block[i], (int)(i % 251) + 1, i * 7);
    }
    for (size_t i = 0; i < 500; i++)
        for (size_t k = 0; k < i * 7; k++)
            assert_int_equal(block[i][k], i % 251 + 1);
    text = ig_arena_text(&arena, "abcdef", 3);
    assert_string_equal(text, "abc");
    assert_null(ig_arena_alloc(&arena, SIZE_MAX - 3));
    ig_arena_free(&arena);
    assert_null(arena.head);
    assert_int_equal(arena.total, 0);
}

/* Equal seeds and streams give equal values; another seed or stream gives others. */
static void test_a_seed_is_a_sequence(void **state)
{
    ig_random a, b, c, d;

    (void)state;
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

    (void)state;
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

    (void)state;
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

    (void)state;
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

static void test_an_array_grows_and_keeps_its_values(void **state)
{
    uint32_t *array = NULL;
    size_t capacity = 0, times = 0;
    ig_error error;

    (void)state;
    for (uint32_t i = 0; i < 10000; i++) {
        size_t before = capacity;

        assert_int_equal(
            ig_array_grow(&array, &capacity, i + 1, sizeof *array, "numbers", &error),
            IG_OK);
        assert_true(capacity > i);
        assert_int_equal(array[i], 0);
        array[i] = i;
        times += capacity != before;
    }
    assert_true(times < 30);
    for (uint32_t i = 0; i < 10000; i++)
        assert_int_equal(array[i], i);
    ig_alloc_fail_at(1);
    assert_int_equal(ig_array_grow(&array, &capacity, capacity + 1, sizeof *array,
                                   "numbers", &error),
                     IG_NOMEM);
    assert_string_equal(error.message, "out of memory for numbers");
    assert_int_equal(array[9999], 9999);
    assert_int_equal(
        ig_array_grow(&array, &capacity, SIZE_MAX / 2, sizeof *array, "numbers", NULL),
        IG_NOMEM);
    ig_free(array);
}

static bool tenth_before(const void *context, size_t i)
{
    return 10 * i < *(const size_t *)context;
}

static void test_sorting(void **state)
{
    uint32_t few[] = {3, UINT32_MAX, 0, 3, 1};
    uint64_t wide[] = {1ULL << 40, 7, UINT64_MAX, 0, 1ULL << 32};

    (void)state;
    ig_array_sort32(few, 5);
    ig_array_sort64(wide, 5);
    for (size_t i = 1; i < 5; i++)
        assert_true(few[i - 1] <= few[i] && wide[i - 1] < wide[i]);
    assert_int_equal(few[4], UINT32_MAX);
    assert_true(wide[4] == UINT64_MAX && wide[1] == 7);
    ig_array_sort32(NULL, 0);
}

static void test_a_sorted_array_is_searched(void **state)
{
    const uint32_t sorted[] = {1, 3, 3, 3, 8, UINT32_MAX};
    size_t wanted = 41;

    (void)state;
    assert_int_equal(ig_array_find(sorted, 0, 3), 0);
    assert_int_equal(ig_array_find(sorted, 6, 0), 0);
    assert_int_equal(ig_array_find(sorted, 6, 3), 1);
    assert_int_equal(ig_array_find(sorted, 6, 4), 4);
    assert_int_equal(ig_array_find(sorted, 6, UINT32_MAX), 5);
    assert_int_equal(ig_array_find(sorted, 5, UINT32_MAX), 5);
    assert_int_equal(ig_array_bisect(100, tenth_before, &wanted), 5);
    wanted = 5000;
    assert_int_equal(ig_array_bisect(100, tenth_before, &wanted), 100);
}

static size_t last_digit(const void *context, size_t i)
{
    return ((const uint32_t *)context)[i] % 10;
}

static void test_items_are_ordered_by_key(void **state)
{
    const uint32_t item[] = {72, 31, 9, 12, 5, 1, 30, 22};
    const uint32_t expected[] = {6, 1, 5, 0, 3, 7};
    uint32_t start[7], order[8];

    (void)state;
    /* Keys of five and more are left out. */
    ig_array_order(8, 5, last_digit, item, start, order);
    assert_memory_equal(order, expected, sizeof expected);
    assert_int_equal(start[0], 0);
    assert_int_equal(start[1], 1);
    assert_int_equal(start[2], 3);
    assert_int_equal(start[3], 6);
    assert_int_equal(start[5], 6);
    ig_array_order(0, 5, last_digit, item, start, order);
    assert_int_equal(start[5], 0);
}

SUITE(base)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorting),
        cmocka_unit_test(test_a_sentence_is_cut_and_never_overrun),
        cmocka_unit_test(test_blocks_are_zeroed_aligned_and_checked),
        cmocka_unit_test(test_the_nth_allocation_fails),
        cmocka_unit_test(test_a_builder_makes_a_whole_text_or_none),
        cmocka_unit_test(test_an_arena_keeps_its_blocks_apart),
        cmocka_unit_test(test_a_seed_is_a_sequence),
        cmocka_unit_test(test_the_generator_is_xoshiro),
        cmocka_unit_test(test_values_are_in_range_and_even),
        cmocka_unit_test(test_a_shuffle_keeps_every_item),
        cmocka_unit_test(test_an_array_grows_and_keeps_its_values),
        cmocka_unit_test(test_a_sorted_array_is_searched),
        cmocka_unit_test(test_items_are_ordered_by_key),
    };

    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
