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

static void test_golden(void **state)
{
    enum { N = 24, D = 16 };
    static float a[2 * N * D];
    const char *const path[2] = {"tests/golden/x.npy", "tests/golden/y.npy"};
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(a, 2 * N, D));
    uint16_t lang[2 * N];
    uint32_t left[N], right[N];
    ig_retrieval r;

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
    assert_int_equal(measure_retrieval(&r, &rows,
                                       (ig_evaluation_spec){.pairs = {.lang = lang,
                                                                      .languages = 2,
                                                                      .left = left,
                                                                      .right = right,
                                                                      .pairs = N}},
                                       pool, NULL),
                     IG_OK);
    assert_int_equal(r.count, 2);
    /* metrics.csv: top1_xy, top1_yx, mean_rank_xy, median_rank_xy */
    assert_near_to(r.score[0].top1, 0.875, 1e-12);
    assert_near_to(r.score[1].top1, 0.8333333333333334, 1e-12);
    assert_near_to(r.score[0].mean_rank, 1.25, 1e-12);
    assert_near_to(r.score[0].median_rank, 1, 1e-12);
    assert_near_to(r.mean.top1, (0.875 + 0.8333333333333334) / 2, 1e-12);
    assert_true(r.score[0].from == 0 && r.score[0].to == 1 && r.score[0].tied == 0);
    assert_int_equal(r.score[0].candidates, N);
    /* margin_xy, overlap5, margin_ratio_top1_error_k4 */
    assert_near_to(r.score[0].margin, 0.17919630562874814, 1e-7);
    assert_near_to(r.score[0].overlap5, 0.375, 1e-12);
    assert_near_to(r.score[1].overlap5, 0.375, 1e-12);
    assert_near_to(r.score[0].xsim, 0.041666666666666664, 1e-12);
    ig_retrieval_group.free(&r);
}

static void test_not_computable(void **state)
{
    float a[6] = {1, 0, 0, 0, 0, 1};
    uint16_t lang[3] = {0, 0, 1};
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(a, 3, 2));
    uint32_t left[2] = {0, 1}, right[2] = {1, 2};
    atomic_bool stop = true;
    ig_retrieval r;

    assert_int_equal(measure_retrieval(&r, &rows,
                                       (ig_evaluation_spec){.pairs = {.lang = lang,
                                                                      .languages = 2,
                                                                      .left = left,
                                                                      .right = right,
                                                                      .pairs = 1}},
                                       pool, NULL),
                     IG_OK);
    assert_true(r.count == 0 && isnan(r.mean.top1) && isnan(r.mean.median_rank));
    assert_non_null(r.reason);
    ig_retrieval_group.free(&r);
    assert_int_equal(measure_retrieval(&r, &rows,
                                       (ig_evaluation_spec){.pairs = {.lang = lang,
                                                                      .languages = 2,
                                                                      .left = left,
                                                                      .right = right,
                                                                      .pairs = 2}},
                                       pool, NULL),
                     IG_OK);
    assert_int_equal(r.count, 2);
    assert_int_equal(r.zero_rows, 1);
    assert_int_equal(r.score[0].pairs, 1);
    ig_retrieval_group.free(&r);
    assert_int_equal(measure_retrieval(&r, &rows,
                                       (ig_evaluation_spec){.pairs = {.lang = lang,
                                                                      .languages = 1,
                                                                      .left = left,
                                                                      .right = right,
                                                                      .pairs = 2}},
                                       pool, NULL),
                     IG_SHAPE);
    assert_int_equal(measure_retrieval(&r, &rows,
                                       (ig_evaluation_spec){.pairs = {.lang = lang,
                                                                      .languages = 2,
                                                                      .left = left,
                                                                      .right = right,
                                                                      .pairs = 2}},
                                       pool, &(ig_progress){.stop = &stop}),
                     IG_INTERRUPTED);
    assert_true(r.count == 0 && !r.score);
}

SUITE(retrieval, pool_start, pool_end, TEST(test_golden), TEST(test_not_computable))
