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
static void read_rows(const ig_rows *rows, const uint32_t *row, size_t first,
                      size_t count, float *out, size_t stride, float *scratch)
{
    scratch[2] = 0;
    for (size_t i = 0; i < count; i++)
        memcpy(out + i * stride,
               (const float *)rows->context + (row ? row[i] : first + i) * STRIDE,
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

/* Search one query; returns how many rows are found. */
static size_t query(ig_searcher *search, const float *vector, uint32_t own,
                    const uint8_t *to, size_t k, ig_scored *best)
{
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of((float *)vector, 1, D));
    size_t found;

    assert_int_equal(
        ig_searcher_find(search, &rows, &own, NULL, to, k, NULL, best, &found, NULL),
        IG_OK);
    return found;
}

static void test_query(void **state)
{
    for (int in_place = 0; in_place < 2; in_place++) {
        ig_rows rows = make_rows(in_place);
        const uint8_t to[K] = {0, 1, 0};
        ig_searcher *search;
        ig_scored best[BEST];

        assert_int_equal(
            ig_searcher_new(&search, &rows, NULL, lang, K, pool, NULL, NULL), IG_OK);
        for (uint32_t q = 0; q < 30; q++) {
            const float *vector = rows_at + q * STRIDE;
            size_t found;

            found = query(search, vector, q, NULL, BEST, best);
            check_best(vector, best, found, q, NULL);
            found = query(search, vector, q, to, BEST, best);
            check_best(vector, best, found, q, to);
            for (size_t i = 0; i < N; i += 99)
                assert_near_to(ig_searcher_cosines(search)[i],
                               cosine(vector, rows_at + i * STRIDE), 1e-6);
        }
        assert_int_equal(query(search, rows_at, IG_NO_ROW, NULL, 0, best), 0);
        ig_searcher_delete(search);
    }
}

/* The rank of one row. */
static uint32_t rank_of(const ig_searcher *search, uint32_t target, uint32_t skip)
{
    uint32_t rank;

    ig_searcher_ranks(search, &target, 1, skip, &rank);
    return rank;
}

/* Identical rows answer in the order of their numbers, with the same cosine. */
static void test_ties(void **state)
{
    ig_rows rows = make_rows(true);
    ig_searcher *search;
    ig_scored best[3];

    assert_int_equal(ig_searcher_new(&search, &rows, NULL, NULL, 1, pool, NULL, NULL),
                     IG_OK);
    assert_int_equal(query(search, rows_at + 40 * STRIDE, IG_NO_ROW, NULL, 3, best), 3);
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
        ig_rows queries = ig_rows_of_matrix((ig_matrix){rows_at, QUERIES, D, STRIDE});
        ig_searcher *search;

        for (uint32_t q = 0; q < QUERIES; q++)
            own[q] = q % 2 ? q : IG_NO_ROW;
        assert_int_equal(
            ig_searcher_new(&search, &rows, NULL, lang, K, pool, NULL, NULL), IG_OK);
        assert_int_equal(ig_searcher_find(search, &queries, own, NULL, NULL, BEST, NULL,
                                          best, found, NULL),
                         IG_OK);
        for (size_t q = 0; q < QUERIES; q++)
            check_best(rows_at + q * STRIDE, best + q * BEST, found[q], own[q], NULL);
        assert_int_equal(ig_searcher_find(search, &queries, NULL, NULL, to, BEST, NULL,
                                          best, found, NULL),
                         IG_OK);
        for (size_t q = 0; q < QUERIES; q++)
            check_best(rows_at + q * STRIDE, best + q * BEST, found[q], IG_NO_ROW, to);
        assert_int_equal(ig_searcher_find(search, &queries, own, lang, NULL, BEST, NULL,
                                          best, found, NULL),
                         IG_OK);
        for (size_t q = 0; q < QUERIES; q++) {
            const uint8_t others[K] = {lang[q] != 0, lang[q] != 1, lang[q] != 2};

            check_best(rows_at + q * STRIDE, best + q * BEST, found[q], own[q], others);
        }
        ig_searcher_delete(search);
    }
    ig_free(best);
}

/* More queries than are read at once, and fewer rows than are wanted. */
static void test_sizes(void **state)
{
    enum { QUERIES = 4200, ROWS = 7 };
    ig_rows all = make_rows(true), rows;
    uint32_t *list = ig_alloc(QUERIES, sizeof *list);
    ig_rows_pick pick = {&all, list, QUERIES};
    ig_rows queries = ig_rows_of_pick(&pick);
    ig_scored *best = ig_alloc(QUERIES * BEST, sizeof *best);
    size_t *found = ig_alloc(QUERIES, sizeof *found);
    ig_progress watch = {0};
    ig_searcher *search;

    for (uint32_t i = 0; i < QUERIES; i++)
        list[i] = i % 2 ? 3 : N - 1 - i / 2;
    rows = ig_rows_of_matrix((ig_matrix){rows_at, ROWS, D, STRIDE});
    assert_int_equal(ig_searcher_new(&search, &rows, NULL, NULL, 1, pool, NULL, NULL),
                     IG_OK);
    assert_int_equal(ig_searcher_find(search, &queries, list, NULL, NULL, BEST, &watch,
                                      best, found, NULL),
                     IG_OK);
    assert_int_equal(atomic_load(&watch.done), QUERIES);
    for (size_t i = 0; i < QUERIES; i++) {
        assert_int_equal(found[i], list[i] < ROWS ? ROWS - 1 : ROWS);
        for (size_t j = 0; j < found[i]; j++) {
            const ig_scored *it = &best[i * BEST + j];

            assert_true(it->row != list[i]);
            assert_near_to(
                it->score,
                cosine(rows_at + list[i] * STRIDE, rows_at + it->row * STRIDE), 1e-6);
            assert_true(j == 0 || it->score <= it[-1].score);
        }
    }
    ig_searcher_delete(search);
    IG_FREE(list, best, found);
}

/* Rows without a usable length are never found, and do not disturb the others. */
static void test_extreme(void **state)
{
    const float *vector = rows_at + 9 * STRIDE;
    ig_rows rows = make_rows(true), queries;
    ig_scored best[2 * BEST];
    size_t found[2];
    ig_searcher *search;

    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < D && i % 3; j++)
            rows_at[i * STRIDE + j] *= i % 3 == 1 ? 1e-41f : i % 2 ? 2e37f : NAN;
    assert_int_equal(ig_searcher_new(&search, &rows, NULL, lang, K, pool, NULL, NULL),
                     IG_OK);
    assert_int_equal(query(search, vector, IG_NO_ROW, NULL, BEST, best), BEST);
    for (size_t i = 0; i < BEST; i++) {
        assert_int_equal(best[i].row % 3, 0);
        assert_near_to(best[i].score, cosine(vector, rows_at + best[i].row * STRIDE),
                       1e-6);
    }
    queries = ig_rows_of_matrix((ig_matrix){rows_at + 9 * STRIDE, 2, D, STRIDE});
    assert_int_equal(ig_searcher_find(search, &queries, NULL, NULL, NULL, BEST, NULL,
                                      best, found, NULL),
                     IG_OK);
    for (size_t i = 0; i < BEST; i++) {
        assert_int_equal(best[i].row % 3, 0); /* the second query is tiny */
        assert_near_to(best[BEST + i].score,
                       cosine(vector + STRIDE, rows_at + best[BEST + i].row * STRIDE),
                       1e-6);
    }
    ig_searcher_delete(search);
}

SUITE(neighbours, pool_start, pool_end, TEST(test_query), TEST(test_ties),
      TEST(test_batch), TEST(test_sizes), TEST(test_extreme))
