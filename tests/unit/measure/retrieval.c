/* Retrieval: the golden values, and what cannot be computed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"

#include "core/blas.h"
#include "core/memory.h"
#include "core/random.h"
#include "measured.h"
#include "pooled.h"

static double value_of(const ig_evaluation *e, const char *name, size_t from, size_t to)
{
    return ig_figures_find(&e->figures, ig_measure_named(name), from, to)->value;
}

static void test_golden(void **state)
{
    enum { N = 24, D = 16 };
    static float a[2 * N * D];
    const char *const path[2] = {"tests/golden/x.npy", "tests/golden/y.npy"};
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(a, 2 * N, D));
    uint16_t lang[2 * N];
    uint32_t left[N], right[N];
    ig_evaluation e;

    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(path[i], "rb");

        assert_non_null(file);
        assert_int_equal(fseek(file, 128, SEEK_SET), 0); /* past the header */
        assert_int_equal(fread(a + i * N * D, sizeof *a, N * D, file), N * D);
        assert_int_equal(fclose(file), 0);
    }
    for (uint32_t i = 0; i < N; i++) {
        left[i] = i;
        right[i] = N + i;
        lang[i] = 0;
        lang[N + i] = 1;
    }
    assert_int_equal(measure_group(&e, IG_MEASURE_RETRIEVAL, &rows,
                                   (ig_evaluation_spec){.pairs = {.lang = lang,
                                                                  .languages = 2,
                                                                  .left = left,
                                                                  .right = right,
                                                                  .group = left,
                                                                  .pairs = N}},
                                   pool, NULL),
                     IG_OK);
    assert_int_equal(e.retrieval.count, 2);
    /* metrics.csv: top1_xy, top1_yx, mean_rank_xy, median_rank_xy */
    assert_near_to(value_of(&e, "top1", 0, 1), 0.875, 1e-12);
    assert_near_to(value_of(&e, "top1", 1, 0), 0.8333333333333334, 1e-12);
    assert_near_to(value_of(&e, "mean_rank", 0, 1), 1.25, 1e-12);
    assert_near_to(value_of(&e, "median_rank", 0, 1), 1, 1e-12);
    assert_near_to(ig_figures_value(&e.figures, "top1"),
                   (0.875 + 0.8333333333333334) / 2, 1e-12);
    assert_true(e.retrieval.score[0].from == 0 && e.retrieval.score[0].to == 1 &&
                e.retrieval.score[0].tied == 0);
    assert_int_equal(e.retrieval.score[0].candidates, N);
    /* margin_xy, overlap5, margin_ratio_top1_error_k4 */
    assert_near_to(value_of(&e, "similarity_gap", 0, 1), 0.17919630562874814, 1e-7);
    assert_near_to(value_of(&e, "overlap5", 0, 1), 0.375, 1e-7);
    assert_near_to(value_of(&e, "overlap5", 1, 0), 0.375, 1e-7);
    assert_near_to(value_of(&e, "xsim", 0, 1), 0.041666666666666664, 1e-7);
    ig_evaluation_free(&e);
}

static void test_not_computable(void **state)
{
    float a[6] = {1, 0, 0, 0, 0, 1};
    uint16_t lang[3] = {0, 0, 1};
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(a, 3, 2));
    uint32_t left[2] = {0, 1}, right[2] = {1, 2};
    atomic_bool stop = true;
    ig_evaluation e;

    assert_int_equal(measure_group(&e, IG_MEASURE_RETRIEVAL, &rows,
                                   (ig_evaluation_spec){.pairs = {.lang = lang,
                                                                  .languages = 2,
                                                                  .left = left,
                                                                  .right = right,
                                                                  .pairs = 1}},
                                   pool, NULL),
                     IG_OK);
    assert_true(e.retrieval.count == 0 && isnan(ig_figures_value(&e.figures, "top1")) &&
                isnan(ig_figures_value(&e.figures, "median_rank")));
    assert_non_null(e.retrieval.reason);
    ig_evaluation_free(&e);
    assert_int_equal(measure_group(&e, IG_MEASURE_RETRIEVAL, &rows,
                                   (ig_evaluation_spec){.pairs = {.lang = lang,
                                                                  .languages = 2,
                                                                  .left = left,
                                                                  .right = right,
                                                                  .pairs = 2}},
                                   pool, NULL),
                     IG_OK);
    assert_int_equal(e.retrieval.count, 2);
    assert_int_equal(e.retrieval.score[0].pairs, 1);
    ig_evaluation_free(&e);
    assert_int_equal(measure_group(&e, IG_MEASURE_RETRIEVAL, &rows,
                                   (ig_evaluation_spec){.pairs = {.lang = lang,
                                                                  .languages = 1,
                                                                  .left = left,
                                                                  .right = right,
                                                                  .pairs = 2}},
                                   pool, NULL),
                     IG_SHAPE);
    assert_int_equal(measure_group(&e, IG_MEASURE_RETRIEVAL, &rows,
                                   (ig_evaluation_spec){.pairs = {.lang = lang,
                                                                  .languages = 2,
                                                                  .left = left,
                                                                  .right = right,
                                                                  .pairs = 2}},
                                   pool, &(ig_progress){.stop = &stop}),
                     IG_INTERRUPTED);
    assert_true(e.retrieval.count == 0 && !e.retrieval.score);
}

SUITE(retrieval, pool_start, pool_end, TEST(test_golden), TEST(test_not_computable))
