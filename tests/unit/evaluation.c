/* Every measure by one call: against the measures by themselves, of a part of the rows,
 * held together or not, and what is missing. */
#include "isogloss/measure/evaluation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "isogloss/base/memory.h"
#include "isogloss/base/random.h"
#include "pooled.h"

/* cmocka's own compares as floats. */
#define assert_near_to(a, b, eps) assert_true(fabs((double)(a) - (double)(b)) <= (eps))

enum { MEANINGS = 60, K = 3, N = MEANINGS * K + 7, D = 12, PAIRS = 2 * MEANINGS };

/* Row 3·i + k + 7 is meaning i in language k; the first seven rows have no id. */
static float a[N * D];
static uint16_t lang[N];
static uint32_t id[N], left[PAIRS], right[PAIRS];
static uint32_t scored[2][20];
static double score[20];
static ig_rows rows;
static ig_scores scores = {
    .count = 20, .left = scored[0], .right = scored[1], .score = score};
static ig_subject whole;

static int plant(void **state)
{
    ig_random random;
    size_t p = 0;

    ig_random_init(&random, 5, 0);
    for (size_t i = 0; i < N * D; i++)
        a[i] = (float)ig_random_normal(&random);
    for (uint32_t i = 0; i < N; i++) {
        lang[i] = i < 7 ? 0 : (i - 7) % K;
        id[i] = i < 7 ? IG_NO_ID : (i - 7) / K;
        a[i * D + lang[i]] += 1;
        for (size_t j = 0; i >= 7 && j < D; j++)
            a[i * D + j] += 2 * a[(7 + id[i] * K) * D + j] * (lang[i] > 0);
        for (uint32_t k = 1; i >= 7 && lang[i] == 0 && k < K; k++) {
            left[p] = i;
            right[p++] = i + k;
        }
    }
    for (uint32_t i = 0; i < 20; i++) {
        scored[0][i] = 3 * i;
        scored[1][i] = 3 * i + 40;
        score[i] = ig_random_unit(&random);
    }
    memset(a + 9 * D, 0, D * sizeof *a);
    rows = ig_rows_of_matrix(ig_matrix_of(a, N, D));
    whole = (ig_subject){.measures = IG_MEASURE_ALL,
                         .id = id,
                         .pairs = {.lang = lang,
                                   .languages = K,
                                   .left = left,
                                   .right = right,
                                   .pairs = PAIRS},
                         .scores = &scores,
                         .seed = 1};
    return pool_start(state);
}

static void test_whole(void **state)
{
    ig_evaluation e;
    ig_geometry geometry;
    ig_retrieval retrieval;
    ig_isotropy isotropy;
    ig_probe probe;
    ig_purity purity;
    ig_similarity similarity;

    (void)state;
    assert_int_equal(ig_evaluation_take(&e, &rows, &whole, pool, NULL, NULL), IG_OK);
    assert_int_equal(e.taken, IG_MEASURE_ALL);
    assert_int_equal(e.rows, N);
    assert_int_equal(e.zero_rows, 1);
    assert_int_equal(
        ig_geometry_measure(&geometry, &rows, left, right, PAIRS, pool, NULL, NULL),
        IG_OK);
    assert_near_to(e.geometry.alignment, geometry.alignment, 1e-6);
    assert_near_to(e.geometry.uniformity, geometry.uniformity, 1e-6);
    assert_int_equal(
        ig_retrieval_measure(&retrieval, &rows, &whole.pairs, pool, NULL, NULL), IG_OK);
    assert_int_equal(e.retrieval.count, 4);
    assert_near_to(e.retrieval.mean.top1, retrieval.mean.top1, 1e-9);
    assert_near_to(e.retrieval.mean.mean_rank, retrieval.mean.mean_rank, 1e-9);
    assert_int_equal(ig_isotropy_measure(&isotropy, &rows, pool, NULL, NULL), IG_OK);
    assert_near_to(e.isotropy.isoscore, isotropy.isoscore, 1e-6);
    assert_int_equal(ig_probe_measure(&probe, &rows, lang, K, id, 1, pool, NULL, NULL),
                     IG_OK);
    assert_near_to(e.probe.accuracy, probe.accuracy, 1e-9);
    assert_near_to(e.probe.shuffled, probe.shuffled, 1e-9);
    assert_int_equal(ig_purity_measure(&purity, &rows, lang, K, pool, NULL, NULL),
                     IG_OK);
    assert_near_to(e.purity.purity, purity.purity, 1e-9);
    assert_int_equal(
        ig_similarity_measure(&similarity, &rows, &scores, pool, NULL, NULL), IG_OK);
    assert_near_to(e.similarity.all.pearson, similarity.all.pearson, 1e-6);
    assert_near_to(e.similarity.all.spearman, similarity.all.spearman, 1e-6);
    ig_retrieval_free(&retrieval);
    ig_isotropy_free(&isotropy);
    ig_probe_free(&probe);
    ig_similarity_free(&similarity);
    ig_evaluation_free(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
    };

    return cmocka_run_group_tests(tests, plant, pool_end);
}
