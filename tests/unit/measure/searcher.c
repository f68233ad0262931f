/* The searcher against a plain computation in double, over rows in memory, rows that are
 * read, and linear images of others: the best rows and ranks. */
#include "measure/searcher.h"

#include <math.h>
#include <string.h>

#include "suite.h"

#include "core/blas.h"
#include "core/memory.h"
#include "core/random.h"
#include "pooled.h"

/* Languages: 0 and 1 large, 2 of three rows, 3 of one, 4 without any. */
enum { N = 700, D = 24, K = 5, BEST = 30 };

static float original[N * D], weight[D * D], bias[D];
static double space[N][D]; /* the rows that are searched, as they are in truth */
static float stored[N * D];
static uint16_t lang[N];

typedef enum source { IN_PLACE, READ, IMAGE, REST, SOURCES } source;

static void read_rows(const ig_rows *rows, const uint32_t *row, size_t first,
                      size_t count, float *out, size_t stride, float *scratch)
{
    scratch[4] = 0;
    for (size_t i = 0; i < count; i++)
        memcpy(out + i * stride,
               (const float *)rows->context + (row ? row[i] : first + i) * D,
               D * sizeof *out);
}

static void compute_space(source from)
{
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < D; j++) {
            double value = (double)bias[j];

            for (size_t k = 0; k < D; k++)
                value += (double)weight[j * D + k] * (double)original[i * D + k];
            space[i][j] = from == IMAGE  ? value
                          : from == REST ? (double)original[i * D + j] - value
                                         : (double)original[i * D + j];
            stored[i * D + j] = (float)space[i][j];
        }
}

static void make(source from)
{
    ig_random random;

    ig_random_init(&random, 5, from);
    for (size_t i = 0; i < N; i++) {
        lang[i] = i < 3 ? 2 : i == 500 ? 3 : (uint16_t)(i % 2);
        for (size_t j = 0; j < D; j++)
            original[i * D + j] = (float)(ig_random_normal(&random) + (lang[i] == 1));
    }
    for (size_t j = 0; j < D * D; j++)
        weight[j] = (float)(0.2 * ig_random_normal(&random));
    for (size_t j = 0; j < D; j++)
        bias[j] = (float)(0.1 * ig_random_normal(&random));
    if (from < IMAGE)
        memset(original + 40 * D, 0, D * sizeof *original);
    memcpy(original + 60 * D, original + 600 * D, D * sizeof *original);
    compute_space(from);
}

/* A searcher over the space, with what it needs. */
typedef struct scene {
    ig_rows rows, of;
    ig_image image;
    ig_searcher *search;
} scene;

static void open_scene(scene *s, source from)
{
    make(from);
    *s = (scene){.rows = ig_rows_of_matrix(ig_matrix_of(stored, N, D)),
                 .of = ig_rows_of_matrix(ig_matrix_of(original, N, D))};
    if (from != IN_PLACE)
        s->rows = (ig_rows){
            .rows = N, .dims = D, .read = read_rows, .context = stored, .scratch = 5};
    s->image = (ig_image){&s->of, ig_matrix_of(weight, D, D), bias, from == REST};
    assert_int_equal(ig_searcher_new(&s->search, &s->rows,
                                     from >= IMAGE ? &s->image : NULL, lang, pool, NULL,
                                     NULL),
                     IG_OK);
}

static double cosine(size_t a, size_t b)
{
    double ab = 0, aa = 0, bb = 0;

    for (size_t j = 0; j < D; j++) {
        ab += space[a][j] * space[b][j];
        aa += space[a][j] * space[a][j];
        bb += space[b][j] * space[b][j];
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

static void check_near(double found, double expected, double eps)
{
    if (!isfinite(expected))
        assert_true(isnan(found));
    else if (!(fabs(found - expected) <= eps))
        fail_msg("%.8g, not %.8g", found, expected);
}

static size_t query(scene *s, uint32_t row, ig_scored best[BEST])
{
    ig_rows queries = ig_rows_of_matrix(ig_matrix_of(stored + row * D, 1, D));
    size_t found;

    assert_int_equal(ig_searcher_find(s->search, &queries, &row, NULL, BEST, NULL, best,
                                      &found, NULL),
                     IG_OK);
    return found;
}

/* Nothing that may be found is better than the last; each is in order, allowed and
 * rightly scored. */
static void check_best(size_t query, const ig_scored *best, size_t found, uint32_t own,
                       const uint8_t to[K])
{
    size_t allowed = 0, better = 0;

    for (size_t i = 0; i < found; i++) {
        assert_true(best[i].row != own && to[lang[best[i].row]]);
        check_near((double)best[i].score, cosine(query, best[i].row), 2e-6);
        assert_true(i == 0 || best[i].score <= best[i - 1].score);
    }
    for (uint32_t i = 0; i < N; i++)
        if (i != own && to[lang[i]]) {
            allowed++;
            better += cosine(query, i) > (double)best[found - 1].score + 4e-6;
        }
    assert_int_equal(found, allowed < BEST ? allowed : BEST);
    assert_true(better < found);
}

/* Of one query, which keeps its cosines, and of many; of all languages, some, and all but
 * the query's. */
static void test_best(void **state)
{
    enum { QUERIES = 600 }; /* more than a block */
    static const uint8_t all[K] = {1, 1, 1, 1, 1}, some[K] = {0, 1, 1, 0, 0};
    static ig_scored best[QUERIES * BEST];
    uint32_t own[QUERIES];
    size_t found[QUERIES];

    for (int from = 0; from < SOURCES; from++)
        for (size_t n = 1; n <= QUERIES; n += QUERIES - 1) {
            ig_rows queries = ig_rows_of_matrix(ig_matrix_of(stored, n, D));
            scene s;

            open_scene(&s, (source)from);
            for (uint32_t q = 0; q < n; q++)
                own[q] = q % 2 ? IG_NO_ROW : q;
            assert_int_equal(ig_searcher_find(s.search, &queries, own, NULL, BEST, NULL,
                                              best, found, NULL),
                             IG_OK);
            for (size_t q = 0; q < n; q += 7)
                check_best(q, best + q * BEST, found[q], own[q], all);
            assert_int_equal(ig_searcher_find(s.search, &queries, own, some, BEST, NULL,
                                              best, found, NULL),
                             IG_OK);
            for (size_t q = 0; q < n; q += 7)
                check_best(q, best + q * BEST, found[q], own[q], some);
            ig_searcher_delete(s.search);
        }
}

/* Identical rows are found in the order of their numbers, with the same cosine; no more
 * rows than there are, and of more queries than are read at once. */
static void test_few_rows(void **state)
{
    enum { QUERIES = 4200, ROWS = 7 };
    static uint32_t list[QUERIES];
    static ig_scored best[QUERIES * BEST];
    static size_t found[QUERIES];
    ig_rows all = ig_rows_of_matrix(ig_matrix_of(stored, N, D));
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(stored, ROWS, D));
    ig_rows_pick pick = {&all, list, QUERIES};
    ig_rows queries = ig_rows_of_pick(&pick);
    ig_progress watch = {0};
    ig_searcher *search;

    make(IN_PLACE);
    memcpy(stored + 5 * D, stored + 2 * D, D * sizeof *stored);
    for (uint32_t i = 0; i < QUERIES; i++)
        list[i] = i % 2 ? 2 : N - 1 - i / 7;
    assert_int_equal(ig_searcher_new(&search, &rows, NULL, NULL, pool, NULL, NULL),
                     IG_OK);
    assert_int_equal(
        ig_searcher_find(search, &queries, NULL, NULL, BEST, &watch, best, found, NULL),
        IG_OK);
    assert_int_equal(atomic_load(&watch.done), QUERIES);
    for (size_t i = 0; i < QUERIES; i++) {
        const ig_scored *first = best + i * BEST;

        assert_int_equal(found[i], ROWS);
        assert_true(i % 2 == 0 || (first[0].row == 2 && first[1].row == 5 &&
                                   first[0].score == first[1].score));
    }
    ig_searcher_delete(search);
}

/* Queries may be tiny; a row without a usable length is refused. */
static void test_extreme(void **state)
{
    ig_scored best[2 * BEST];
    size_t found[2];
    float tiny[2 * D];
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(stored, N, D)), queries;
    ig_searcher *search;

    make(IN_PLACE);
    queries = ig_rows_of_matrix(ig_matrix_of(tiny, 2, D));
    for (size_t j = 0; j < 2 * D; j++)
        tiny[j] = stored[9 * D + j] * (j < D ? 1 : 1e-41f);
    assert_int_equal(ig_searcher_new(&search, &rows, NULL, lang, pool, NULL, NULL),
                     IG_OK);
    assert_int_equal(
        ig_searcher_find(search, &queries, NULL, NULL, BEST, NULL, best, found, NULL),
        IG_OK);
    for (size_t i = 0; i < BEST; i++) {
        check_near((double)best[i].score, cosine(9, best[i].row), 2e-6);
        check_near((double)best[BEST + i].score, cosine(10, best[BEST + i].row), 1e-3);
    }
    ig_searcher_delete(search);
    for (size_t i = 0; i < 3; i++) {
        stored[7 * D] = i == 0 ? NAN : i == 1 ? 2e30f : 0;
        for (size_t j = 1; j < D && i == 2; j++)
            stored[7 * D + j] = 1e-41f;
        ig_searcher_new(&search, &rows, NULL, lang, pool, NULL, NULL);
        assert_int_equal(ig_searcher_find(search, &queries, NULL, NULL, BEST, NULL,
                                          best, found, NULL),
                         IG_VALUE);
        ig_searcher_delete(search);
    }
}

static void test_ranks(void **state)
{
    static const uint32_t list[] = {8, 10, 1, 500, 60, 600, 12, 699};
    enum { LIST = sizeof list / sizeof *list };
    ig_scored best[BEST];
    scene s;

    open_scene(&s, READ);
    query(&s, 12, best);
    for (size_t i = 0; i < LIST; i++) {
        size_t better = 0;

        for (size_t j = 0; j < N; j++)
            better += j != 12 && lang[j] == lang[list[i]] &&
                      cosine(12, j) > cosine(12, list[i]) + 0x1p-23;
        assert_int_equal(ig_searcher_rank(s.search, list[i], 12), 1 + better);
    }
    ig_searcher_delete(s.search);
}

SUITE(searcher, pool_start, pool_end, TEST(test_best), TEST(test_few_rows),
      TEST(test_extreme), TEST(test_ranks))
