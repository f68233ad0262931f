/* A set as a source of rows: what it reads is what the set gives, in place and not. */
#include "data/dataset.h"

#include <string.h>

#include "suite.h"

enum { N = 5, D = 3 };

/* All columns and the first two, of rows in place and of rows that are read. */
static void test_set(void **state)
{
    const float a[N * D] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const char *const lang[N] = {"en", "en", "de", "de", "de"};
    const uint32_t list[3] = {4, 0, 4};
    ig_dataset *set;

    assert_int_equal(ig_dataset_of_rows(&set, "five", a, N, D, lang, NULL, NULL, NULL),
                     IG_OK);
    for (int way = 0; way < 4; way++) {
        ig_rows rows = ig_rows_of_dataset(set);
        float out[3 * 4] = {0};

        assert_int_equal(rows.rows, N);
        assert_int_equal(rows.dims, D);
        rows.dims -= way % 2;
        rows.direct = way / 2 ? NULL : rows.direct;
        ig_rows_read(&rows, NULL, 1, 3, out, 4, NULL);
        assert_true(out[0] == 4 && out[5] == 8 && out[8] == 10 && out[3] == 0);
        assert_true(out[6] == (way % 2 ? 0 : 9));
        ig_rows_read(&rows, list, 0, 3, out, 4, NULL);
        assert_true(out[0] == 13 && out[4] == 1 && out[9] == 14 && out[3] == 0);
        assert_true(out[10] == (way % 2 ? 0 : 15));
    }
    ig_dataset_free(set);
}

SUITE(rows, NULL, NULL, TEST(test_set))
