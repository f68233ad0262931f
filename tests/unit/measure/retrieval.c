/* Retrieval: the golden values, planted ranks, ties, several languages, a plain
 * computation. */
#include "measure/retrieval.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"

#include "base/memory.h"
#include "base/random.h"
#include "linear/blas.h"
#include "pooled.h"

/* cmocka's own compares as floats. */
#define assert_near_to(a, b, eps) assert_true(fabs((double)(a) - (double)(b)) <= (eps))

static void test_golden(void **state)
{
    enum { N = 24, D = 16 };
    static float a[2 * N * D];
    const char *const path[2] = {"tests/golden/x.npy", "tests/golden/y.npy"};
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(a, 2 * N, D));
    uint16_t lang[2 * N];
    uint32_t left[N], right[N];
    ig_retrieval r;

    (void)state;
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
    assert_int_equal(
        ig_retrieval_measure(
            &r, &rows,
            &(ig_retrieval_pairs){
                .lang = lang, .languages = 2, .left = left, .right = right, .pairs = N},
            pool, NULL, NULL),
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
    ig_retrieval_free(&r);
}

/* On a circle, query i at angle 10°·i and its translation at 10°·i + off[i]. */
static void test_planted(void **state)
{
    const double off[4] = {0, 0, 25, -14};
    float a[8 * 2];
    uint16_t lang[8] = {0, 0, 0, 0, 1, 1, 1, 1};
    uint32_t left[4] = {0, 1, 2, 3}, right[4] = {4, 5, 6, 7};
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(a, 8, 2));
    ig_retrieval r;

    (void)state;
    for (int i = 0; i < 4; i++) {
        double angle = 10 * i * acos(-1) / 180, by = off[i] * acos(-1) / 180;

        a[i * 2] = (float)cos(angle);
        a[i * 2 + 1] = (float)sin(angle);
        a[8 + i * 2] = (float)(3 * cos(angle + by));
        a[8 + i * 2 + 1] = (float)(3 * sin(angle + by));
    }
    /* Candidates at 0, 10, 45 and 16; queries at 0, 10, 20 and 30: distances to their own
     * 0, 0, 25 (behind 4, 10, 20), 14 (behind none; 15, 20, 30). */
    assert_int_equal(
        ig_retrieval_measure(
            &r, &rows,
            &(ig_retrieval_pairs){
                .lang = lang, .languages = 2, .left = left, .right = right, .pairs = 4},
            pool, NULL, NULL),
        IG_OK);
    assert_near_to(r.score[0].top1, 0.75, 1e-12);
    assert_near_to(r.score[0].top5, 1, 1e-12);
    assert_near_to(r.score[0].mean_rank, 1.75, 1e-12);
    assert_near_to(r.score[0].median_rank, 1, 1e-12);
    /* Back: 0→1; 10→1; 45: own 25 behind 15 → 2; 16: own 14 behind 4 and 6 → 3. */
    assert_near_to(r.score[1].top1, 0.5, 1e-12);
    assert_near_to(r.score[1].mean_rank, 1.75, 1e-12);
    assert_near_to(r.score[1].median_rank, 1.5, 1e-12);
    ig_retrieval_free(&r);
}

/* Identical candidates tie with the translation: rank 1, and it is said. */
static void test_ties(void **state)
{
    enum { N = 600, D = 37 };
    float *a = ig_alloc(2 * N * D, sizeof *a);
    uint16_t *lang = ig_alloc(2 * N, sizeof *lang);
    uint32_t left[N], right[N];
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(a, 2 * N, D));
    ig_random random;
    ig_retrieval r;

    (void)state;
    ig_random_init(&random, 6, 0);
    for (size_t j = 0; j < D; j++)
        a[j] = (float)ig_random_normal(&random);
    for (uint32_t i = 0; i < 2 * N; i++) {
        for (size_t j = 0; j < D; j++)
            a[i * D + j] = i < N ? (float)ig_random_normal(&random) : a[j];
        lang[i] = i >= N;
        left[i % N] = i % N;
        right[i % N] = N + i % N;
    }
    assert_int_equal(
        ig_retrieval_measure(
            &r, &rows,
            &(ig_retrieval_pairs){
                .lang = lang, .languages = 2, .left = left, .right = right, .pairs = N},
            pool, NULL, NULL),
        IG_OK);
    assert_near_to(r.score[0].mean_rank, 1, 0);
    assert_near_to(r.score[0].tied, 1, 0);
    /* Back, all queries are row 0 and all candidates differ. */
    assert_near_to(r.score[1].mean_rank, (N + 1) / 2.0, 1e-9);
    assert_near_to(r.score[1].tied, 0, 0);
    ig_retrieval_free(&r);
    ig_free(a);
    ig_free(lang);
}

/* Three languages, a pivot, rows that no pair names, repeated rows; against the
 * definition in double. */
static void test_plain(void **state)
{
    enum { N = 900, D = 33 };
    float *a = ig_alloc(3 * N * D, sizeof *a);
    double *unit = ig_alloc(3 * N * D, sizeof *unit);
    uint16_t lang[3 * N];
    uint32_t left[2 * N], right[2 * N];
    size_t pairs = 0, at = 0;
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(a, 3 * N, D));
    ig_random random;
    ig_retrieval r;

    (void)state;
    ig_random_init(&random, 9, 0);
    for (uint32_t i = 0; i < 3 * N; i++) {
        double length = 0;

        for (size_t j = 0; j < D; j++) {
            a[i * D + j] = (float)((i >= N ? (double)a[(i % N) * D + j] : 0) +
                                   1.5 * ig_random_normal(&random));
            length += (double)a[i * D + j] * (double)a[i * D + j];
        }
        for (size_t j = 0; j < D; j++)
            unit[i * D + j] = (double)a[i * D + j] / sqrt(length);
        lang[i] = (uint16_t)(i / N);
        if (i >= N && i % 3) {
            /* The right side first now and then. */
            left[pairs] = i % 2 ? i % N : i;
            right[pairs++] = i % 2 ? i : i % N;
        }
    }
    assert_int_equal(ig_retrieval_measure(&r, &rows,
                                          &(ig_retrieval_pairs){.lang = lang,
                                                                .languages = 3,
                                                                .left = left,
                                                                .right = right,
                                                                .pairs = pairs},
                                          pool, NULL, NULL),
                     IG_OK);
    assert_int_equal(r.count, 4); /* 0→1, 0→2, 1→0, 2→0 */
    for (size_t s = 0; s < r.count; s++) {
        const ig_retrieval_score *score = &r.score[s];
        double ranks = 0, top1 = 0, top5 = 0;
        uint16_t other = score->from ? score->from : score->to;
        size_t n = 0;

        for (uint32_t q = other * N; q < (uint32_t)(other + 1) * N; q++) {
            uint32_t from = score->from ? q : q % N, to = score->from ? q % N : q;
            size_t rank = 1;

            if (q % 3 == 0)
                continue;
            for (uint32_t c = other * N; c < (uint32_t)(other + 1) * N; c++) {
                uint32_t candidate = score->from ? c % N : c;
                double more = 0;

                for (size_t j = 0; c % 3 && j < D; j++)
                    more += unit[from * D + j] *
                            (unit[candidate * D + j] - unit[to * D + j]);
                rank += more > 1e-9;
            }
            n++;
            ranks += (double)rank;
            top1 += rank == 1;
            top5 += rank <= 5;
        }
        assert_int_equal(score->pairs, n);
        assert_near_to(score->mean_rank, ranks / (double)n, 1e-9);
        assert_near_to(score->top1, top1 / (double)n, 1e-9);
        assert_near_to(score->top5, top5 / (double)n, 1e-9);
        assert_true(score->top1 > 0.02 && score->top1 < 0.98);
        at += score->pairs;
    }
    assert_int_equal(r.mean.pairs, at);
    ig_retrieval_free(&r);
    ig_free(a);
    ig_free(unit);
}

static void test_not_computable(void **state)
{
    float a[6] = {1, 0, 0, 0, 0, 1};
    uint16_t lang[3] = {0, 0, 1};
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(a, 3, 2));
    uint32_t left[2] = {0, 1}, right[2] = {1, 2};
    atomic_bool stop = true;
    ig_retrieval r;

    (void)state;
    assert_int_equal(
        ig_retrieval_measure(
            &r, &rows,
            &(ig_retrieval_pairs){
                .lang = lang, .languages = 2, .left = left, .right = right, .pairs = 1},
            pool, NULL, NULL),
        IG_OK);
    assert_true(r.count == 0 && isnan(r.mean.top1) && isnan(r.mean.median_rank));
    assert_non_null(r.reason);
    ig_retrieval_free(&r);
    assert_int_equal(
        ig_retrieval_measure(
            &r, &rows,
            &(ig_retrieval_pairs){
                .lang = lang, .languages = 2, .left = left, .right = right, .pairs = 2},
            pool, NULL, NULL),
        IG_OK);
    assert_int_equal(r.count, 2);
    assert_int_equal(r.zero_rows, 1);
    assert_int_equal(r.score[0].pairs, 1);
    ig_retrieval_free(&r);
    assert_int_equal(
        ig_retrieval_measure(
            &r, &rows,
            &(ig_retrieval_pairs){
                .lang = lang, .languages = 1, .left = left, .right = right, .pairs = 2},
            pool, NULL, NULL),
        IG_SHAPE);
    assert_int_equal(
        ig_retrieval_measure(
            &r, &rows,
            &(ig_retrieval_pairs){
                .lang = lang, .languages = 2, .left = left, .right = right, .pairs = 2},
            pool, &(ig_watch){.stop = &stop}, NULL),
        IG_INTERRUPTED);
    assert_true(r.count == 0 && !r.score);
}

SUITE(retrieval)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),         cmocka_unit_test(test_planted),
        cmocka_unit_test(test_ties),           cmocka_unit_test(test_plain),
        cmocka_unit_test(test_not_computable),
    };

    return cmocka_run_group_tests(tests, pool_start, pool_end);
}
