/* Rows so close together that floats do not distinguish them, but doubles do. */
#include <math.h>
#include <string.h>

#include "suite.h"

#include "planted.h"
#include "pooled.h"

static double cosine(uint32_t a, uint32_t b)
{
    double sum = 0;

    for (size_t j = 0; j < D; j++)
        sum += (double)set.unit[a][j] * (double)set.unit[b][j];
    return sum;
}

/* Ranks and the best others of two languages. Sums of doubles in another order may
 * differ by SLACK. */
static void test_ranks(void **state)
{
    const double SLACK = 1e-9;
    static const double spread[] = {0, 2e-4, 1e-3, 4e-3};

    for (size_t i = 0; i < sizeof spread / sizeof *spread; i++) {
        ig_retrieval_pairs pairs;
        ig_evaluation e;
        ig_random random;
        double tied;

        plant(&(struct kind){.meanings = 530}, 3);
        ig_random_init(&random, i, 0);
        for (size_t row = 0; row < set.rows; row++)
            for (size_t j = 0; j < D; j++)
                set.row[row][j] =
                    (float)(sin((double)j + 1) + spread[i] * ig_random_normal(&random));
        memcpy(set.unit, set.row, sizeof set.unit);
        ig_rows_unit(&set.unit[0][0], D, set.rows, D);
        pairs = pairs_of_set();
        for (size_t p = pairs.pairs = 0; p < set.pairs; p++)
            if (set.lang[set.left[p]] + set.lang[set.right[p]] == 1) {
                set.left[pairs.pairs] = set.left[p];
                set.right[pairs.pairs++] = set.right[p];
            }
        assert_int_equal(measure(&e, &pairs, pool, NULL), IG_OK);
        tied = ig_figures_value(&e.figures, "tied");
        assert_true(spread[i] > 0 || tied == 1);
        assert_true(spread[i] < 4e-3 || tied < 1);
        assert_int_equal(e.retrieval.queries, 2 * 530);
        for (size_t q = 0; q < e.retrieval.queries; q++) {
            const ig_query_result *f = &e.retrieval.found[q];
            double own = cosine(f->query, f->truth), best = -1;
            size_t least = 1, most = 1;

            for (uint32_t row = 0; row < set.rows; row++) {
                double value;

                if (set.lang[row] != set.lang[f->truth])
                    continue;
                value = cosine(f->query, row);
                least += value > own + 0x1p-23 + SLACK;
                most += value > own + 0x1p-23 - SLACK;
                if (row != f->truth && value > best)
                    best = value;
            }
            assert_in_range(f->rank, least, most);
            assert_near_to(cosine(f->query, f->other), best, SLACK);
        }
        ig_evaluation_free(&e);
    }
}

SUITE(close_rows, pool_start, pool_end, TEST(test_ranks))
