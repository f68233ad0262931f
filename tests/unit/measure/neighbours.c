/* Neighbours: one query and batches against a plain search, from rows in place and rows
 * that are read, with filters, zero rows and ties. */
#include "measure/searcher.h"

#include <math.h>
#include <string.h>

#include "suite.h"

#include "core/blas.h"
#include "core/memory.h"
#include "core/random.h"
#include "pooled.h"

enum { N = 3000, D = 40, K = 3, STRIDE = 43, BEST = 10 };

static float rows_at[N * STRIDE];
static uint16_t lang[N];
static void read_rows(void *context, const uint32_t *row, size_t first, size_t count,
                      float *out, size_t stride, float *scratch)
{
    scratch[2] = 0;
    for (size_t i = 0; i < count; i++)
        memcpy(out + i * stride,
               (const float *)context + (row ? row[i] : first + i) * STRIDE,
               D * sizeof *out);
}

static ig_rows make_rows(bool in_place)
{
    ig_random random;

    ig_random_init(&random, 21, 0);
    for (size_t i = 0; i < N; i++) {
        double scale = 0.1 + 3 * ig_random_unit(&random);

        for (size_t j = 0; j < D; j++)
            rows_at[i * STRIDE + j] = (float)(scale * ig_random_normal(&random));
        lang[i] = (uint16_t)ig_random_below(&random, K);
    }
    memset(rows_at + 17 * STRIDE, 0, D * sizeof *rows_at);
    /* A row that occurs three times, at other lengths. */
    for (size_t j = 0; j < D; j++) {
        rows_at[1500 * STRIDE + j] = 2 * rows_at[40 * STRIDE + j];
        rows_at[2999 * STRIDE + j] = rows_at[40 * STRIDE + j];
    }
    if (in_place)
        return ig_rows_of_matrix((ig_matrix){rows_at, N, D, STRIDE});
    return (ig_rows){
        .rows = N, .dims = D, .read = read_rows, .context = rows_at, .scratch = 3};
}

static double cosine(const float *a, const float *b)
{
    double ab = 0, aa = 0, bb = 0;

    for (size_t j = 0; j < D; j++) {
        ab += (double)a[j] * (double)b[j];
        aa += (double)a[j] * (double)a[j];
        bb += (double)b[j] * (double)b[j];
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

/* The answer is right when nothing that may answer is better than its last, and each is
 * in order, allowed and rightly scored. */
static void check_best(const float *query, const ig_scored *best, size_t found,
                       uint32_t own, const uint8_t *to)
{
    size_t allowed = 0, better = 0;

    for (size_t i = 0; i < found; i++) {
        const float *row = rows_at + best[i].row * STRIDE;

        assert_true(best[i].row != own && (!to || to[lang[best[i].row]]));
        assert_near_to(best[i].score, cosine(query, row), 1e-6);
        assert_true(i == 0 || best[i].score <= best[i - 1].score);
    }
    for (uint32_t i = 0; i < N; i++) {
        if (i == own || (to && !to[lang[i]]))
            continue;
        allowed++;
        better += cosine(query, rows_at + i * STRIDE) >
                  (double)best[found - 1].score + 2e-6;
    }
    assert_int_equal(found, allowed < BEST ? allowed : BEST);
    assert_true(better < found);
}

static void test_query(void **state)
{
    for (int in_place = 0; in_place < 2; in_place++) {
        ig_rows rows = make_rows(in_place);
        const uint8_t to[2] = {0, 1};
        ig_searcher *search;
        ig_scored best[BEST];

        assert_int_equal(ig_searcher_new(&search, &rows, lang, pool, NULL), IG_OK);
        for (uint32_t q = 0; q < 30; q++) {
            const float *vector = rows_at + q * STRIDE;
            ig_searcher_filter all = {.row = q},
                               some = {.row = q, .to = to, .languages = 2};
            size_t found;

            assert_int_equal(ig_searcher_query(search, vector, NULL, NULL), IG_OK);
            for (size_t i = 0; i < N; i += 99)
                assert_near_to(ig_searcher_cosines(search)[i],
                               cosine(vector, rows_at + i * STRIDE), 1e-6);
            found = ig_searcher_best(search, all, BEST, best);
            check_best(vector, best, found, q, NULL);
            found = ig_searcher_best(search, some, BEST, best);
            check_best(vector, best, found, q, (const uint8_t[K]){0, 1, 0});
        }
        assert_int_equal(ig_searcher_best(search, (ig_searcher_filter){0}, 0, NULL), 0);
        ig_searcher_delete(search);
    }
}

/* The rank of one row. */
static uint32_t rank_of(const ig_searcher *search, uint32_t target, uint32_t skip)
{
    ig_rank rank;

    assert_int_equal(ig_searcher_ranks(search, &target, 1, skip, &rank, NULL), IG_OK);
    return rank.rank;
}

/* Identical rows answer in the order of their numbers, with the same cosine. */
static void test_ties(void **state)
{
    ig_rows rows = make_rows(true);
    ig_searcher_filter filter = {.row = IG_NO_ROW};
    ig_searcher *search;
    ig_scored best[3];

    assert_int_equal(ig_searcher_new(&search, &rows, NULL, pool, NULL), IG_OK);
    ig_searcher_query(search, rows_at + 40 * STRIDE, NULL, NULL);
    assert_int_equal(ig_searcher_best(search, filter, 3, best), 3);
    assert_true(best[0].row == 40 && best[1].row == 1500 && best[2].row == 2999);
    assert_true(best[0].score == best[2].score);
    assert_near_to(best[0].score, 1, 1e-6);
    assert_int_equal(rank_of(search, 2999, IG_NO_ROW), 1);
    assert_int_equal(rank_of(search, 1500, 40), 1);
    ig_searcher_delete(search);
}

static void test_batch(void **state)
{
    enum { QUERIES = 300 };
    const uint8_t to[K] = {1, 0, 1};
    uint32_t own[QUERIES];
    ig_scored *best = ig_alloc(QUERIES * BEST, sizeof *best);
    size_t found[QUERIES];

    for (int in_place = 0; in_place < 2; in_place++) {
        ig_rows rows = make_rows(in_place);
        ig_matrix queries = {rows_at, QUERIES, D, STRIDE};
        ig_searcher_filter all = {.row = IG_NO_ROW},
                           some = {.row = IG_NO_ROW, .to = to, .languages = K};
        ig_searcher *search;

        for (uint32_t q = 0; q < QUERIES; q++)
            own[q] = q % 2 ? q : IG_NO_ROW;
        assert_int_equal(ig_searcher_new(&search, &rows, lang, pool, NULL), IG_OK);
        assert_int_equal(
            ig_searcher_batch(search, queries, own, all, BEST, NULL, best, found, NULL),
            IG_OK);
        for (size_t q = 0; q < QUERIES; q++)
            check_best(rows_at + q * STRIDE, best + q * BEST, found[q], own[q], NULL);
        assert_int_equal(ig_searcher_batch(search, queries, NULL, some, BEST, NULL,
                                           best, found, NULL),
                         IG_OK);
        for (size_t q = 0; q < QUERIES; q++)
            check_best(rows_at + q * STRIDE, best + q * BEST, found[q], IG_NO_ROW, to);
        queries.cols--;
        assert_int_equal(ig_searcher_batch(search, queries, NULL, some, BEST, NULL,
                                           best, found, NULL),
                         IG_SHAPE);
        ig_searcher_delete(search);
    }
    ig_free(best);
}

/* Lengths whose inverse is no float, or whose products are none: cosines are those of
 * the values all the same. */
static void test_extreme(void **state)
{
    enum { QUERIES = 40 };
    ig_scored best[QUERIES * BEST];
    size_t found[QUERIES];

    for (int in_place = 0; in_place < 2; in_place++) {
        ig_rows rows = make_rows(in_place);
        ig_matrix queries = {rows_at, QUERIES, D, STRIDE};
        ig_searcher_filter all = {.row = IG_NO_ROW}, some = all;
        uint32_t among[N / 2];
        ig_searcher *search;

        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < D && i % 3; j++)
                rows_at[i * STRIDE + j] *= i % 3 == 1 ? 1e-41f : 2e37f;
        for (uint32_t i = 0; i < N / 2; i++)
            among[i] = 2 * i;
        some.among = among;
        some.amongs = N / 2;
        assert_int_equal(ig_searcher_new(&search, &rows, lang, pool, NULL), IG_OK);
        for (uint32_t q = 0; q < 6; q++) {
            ig_searcher_query(search, rows_at + q * STRIDE, NULL, NULL);
            for (size_t i = 0; i < N; i++)
                assert_near_to(ig_searcher_cosines(search)[i],
                               cosine(rows_at + q * STRIDE, rows_at + i * STRIDE),
                               1e-6);
        }
        ig_searcher_changed(search);
        ig_searcher_batch(search, queries, NULL, all, BEST, NULL, best, found, NULL);
        for (size_t q = 0; q < QUERIES; q++)
            check_best(rows_at + q * STRIDE, best + q * BEST, found[q], IG_NO_ROW,
                       NULL);
        ig_searcher_batch(search, queries, NULL, some, BEST, NULL, best, found, NULL);
        for (size_t q = 0; q < QUERIES; q++)
            for (size_t i = 0; i < found[q]; i++) {
                const ig_scored *one = best + q * BEST + i;

                assert_true(one->row % 2 == 0);
                assert_near_to(
                    one->score,
                    cosine(rows_at + q * STRIDE, rows_at + one->row * STRIDE), 1e-6);
            }
        ig_searcher_delete(search);
    }
}

SUITE(neighbours, pool_start, pool_end, TEST(test_query), TEST(test_ties),
      TEST(test_batch), TEST(test_extreme))
