/* A set as a source of rows: what it reads is what the set gives, in place and not. */
#include "data/dataset.h"

#include <string.h>

#include "suite.h"

enum { N = 5, D = 3 };

static void test_set(void **state)
{
    const float a[N * D] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const char *const lang[N] = {"en", "en", "de", "de", "de"};
    const uint32_t list[3] = {4, 0, 4};
    float in_place[3 * 4], read[3 * 4];
    ig_dataset *set;
    ig_rows rows;

    assert_int_equal(ig_dataset_of_rows(&set, "five", a, N, D, lang, NULL, NULL, NULL),
                     IG_OK);
    rows = ig_rows_of_dataset(set);
    assert_int_equal(rows.rows, N);
    assert_int_equal(rows.dims, D);
    memset(in_place, 0, sizeof in_place);
    memset(read, 0, sizeof read);
    for (int way = 0; way < 2; way++) {
        float *out = way ? read : in_place;

        ig_rows_read(&rows, NULL, 1, 3, out, 4, NULL);
        assert_true(out[0] == 4 && out[6] == 9 && out[8] == 10 && out[3] == 0);
        ig_rows_read(&rows, list, 0, 3, out, 4, NULL);
        assert_true(out[0] == 13 && out[4] == 1 && out[10] == 15);
        rows.direct = NULL;
    }
    assert_memory_equal(in_place, read, sizeof read);
    ig_dataset_free(set);
}

/* The first columns alone, of rows in place and of rows that are read. */
static void test_narrow(void **state)
{
    const float a[N * D] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const char *const lang[N] = {"en", "en", "de", "de", "de"};
    const uint32_t list[2] = {4, 1};
    ig_dataset *set;
    ig_rows rows;

    assert_int_equal(ig_dataset_of_rows(&set, "five", a, N, D, lang, NULL, NULL, NULL),
                     IG_OK);
    rows = ig_rows_of_dataset(set);
    rows.dims = 2;
    for (int way = 0; way < 2; way++) {
        float out[2 * 3] = {0};

        ig_rows_read(&rows, NULL, 1, 2, out, 3, NULL);
        assert_true(out[0] == 4 && out[1] == 5 && out[2] == 0 && out[4] == 8);
        ig_rows_read(&rows, list, 0, 2, out, 3, NULL);
        assert_true(out[0] == 13 && out[1] == 14 && out[2] == 0 && out[4] == 5);
        rows.direct = NULL;
    }
    ig_dataset_free(set);
}

SUITE(rows, NULL, NULL, TEST(test_set), TEST(test_narrow))
