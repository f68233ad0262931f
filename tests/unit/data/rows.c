/* A set as a source of rows: what it reads is what the set gives, in place and not. */
#include "data/set.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "suite.h"

enum { N = 5, D = 3 };

static void test_set(void **state)
{
    const float a[N * D] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const char *const lang[N] = {"en", "en", "de", "de", "de"};
    const uint32_t list[3] = {4, 0, 4};
    float in_place[3 * 4], read[3 * 4];
    ig_set *set;
    ig_rows rows;

    (void)state;
    assert_int_equal(ig_set_of_rows(&set, "five", a, N, D, lang, NULL, NULL, NULL),
                     IG_OK);
    rows = ig_rows_of_set(set);
    assert_int_equal(rows.rows, N);
    assert_int_equal(rows.dims, D);
    memset(in_place, 0, sizeof in_place);
    memset(read, 0, sizeof read);
    for (int way = 0; way < 2; way++) {
        float *out = way ? read : in_place;

        ig_rows_read(&rows, 1, 3, out, 4, NULL);
        assert_true(out[0] == 4 && out[6] == 9 && out[8] == 10 && out[3] == 0);
        ig_rows_gather(&rows, list, 3, out, 4, NULL);
        assert_true(out[0] == 13 && out[4] == 1 && out[10] == 15);
        rows.direct = NULL;
    }
    assert_memory_equal(in_place, read, sizeof read);
    ig_set_free(set);
}

/* The first columns alone, of rows in place and of rows that are read. */
static void test_narrow(void **state)
{
    const float a[N * D] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const char *const lang[N] = {"en", "en", "de", "de", "de"};
    const uint32_t list[2] = {4, 1};
    static float scratch[IG_ROWS_TILE * D];
    ig_rows_narrow narrow = {.dims = 2};
    ig_set *set;
    ig_rows all, rows;

    (void)state;
    assert_int_equal(ig_set_of_rows(&set, "five", a, N, D, lang, NULL, NULL, NULL),
                     IG_OK);
    all = ig_rows_of_set(set);
    for (int way = 0; way < 2; way++) {
        float out[2 * 3] = {0};

        narrow.all = &all;
        rows = ig_rows_of_narrow(&narrow);
        assert_int_equal(rows.dims, 2);
        ig_rows_read(&rows, 1, 2, out, 3, scratch);
        assert_true(out[0] == 4 && out[1] == 5 && out[2] == 0 && out[4] == 8);
        ig_rows_gather(&rows, list, 2, out, 3, scratch);
        assert_true(out[0] == 13 && out[1] == 14 && out[2] == 0 && out[4] == 5);
        all.direct = NULL;
    }
    ig_set_free(set);
}

/* Each row times its factor, and the factor behind it. */
static void test_scaled(void **state)
{
    const float a[N * D] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const float scale[N] = {1, 2, 0, 3, 0.5F};
    const uint32_t list[2] = {4, 1};
    ig_rows all = ig_rows_of_matrix(ig_matrix_of((float *)a, N, D));
    ig_rows_scaled scaled = {&all, scale};
    ig_rows rows = ig_rows_of_scaled(&scaled);
    float out[2 * 5] = {0};

    (void)state;
    assert_int_equal(rows.dims, D + 1);
    ig_rows_read(&rows, 1, 2, out, 5, NULL);
    assert_true(out[0] == 8 && out[2] == 12 && out[3] == 2 && out[4] == 0);
    assert_true(out[5] == 0 && out[8] == 0);
    ig_rows_gather(&rows, list, 2, out, 5, NULL);
    assert_true(out[0] == 6.5F && out[3] == 0.5F && out[5] == 8 && out[8] == 2);
}

SUITE(rows)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_set),
                                       cmocka_unit_test(test_narrow),
                                       cmocka_unit_test(test_scaled)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
