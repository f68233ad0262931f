/* Queries of a sample have the results that they have where all rows ask. */
#include <math.h>
#include <string.h>

#include "suite.h"

#include "core/blas.h"
#include "core/memory.h"
#include "measure/evaluation.h"
#include "planted.h"

static ig_pool *pools[2]; /* of 1 and 3 members */

static ig_evaluation_spec subject_of_set(void)
{
    return (ig_evaluation_spec){.measures = IG_MEASURE_GEOMETRY | IG_MEASURE_POOL |
                                            IG_MEASURE_RETRIEVAL | IG_MEASURE_MINING,
                                .id = set.id,
                                .pairs = pairs_of_set(),
                                .seed = 1};
}

static void take(ig_evaluation *e, const ig_evaluation_spec *subject, ig_pool *pool)
{
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(&set.row[0][0], set.rows, D));
    ig_error error = {0};

    if (ig_evaluation_take(e, &rows, subject, pool, NULL, &error) != IG_OK)
        fail_msg("%s", error.message);
}

/* --- what becomes of the queries -------------------------------------------------- */

static int by_row(const void *a, const void *b)
{
    const ig_query_result *x = a, *y = b;

    if (x->query != y->query)
        return x->query < y->query ? -1 : 1;
    return x->truth < y->truth ? -1 : x->truth > y->truth;
}

static void check_found(const ig_query_result *some, const ig_query_result *all)
{
    assert_int_equal(some->rank, all->rank);
    assert_int_equal(some->other, all->other);
    assert_int_equal(some->tied, all->tied);
    assert_int_equal(some->common, all->common);
    assert_near_to(some->cosine, all->cosine, 1e-6);
    assert_int_equal(isnan(some->margin), isnan(all->margin));
    if (!isnan(some->margin))
        assert_near_to(some->margin, all->margin, 1e-6);
}

/* Every query of the sample. */
static void check_retrieval(const ig_retrieval *some, const ig_retrieval *all,
                            const uint8_t *asks)
{
    size_t drawn[LANGUAGES][LANGUAGES] = {{0}};

    qsort(all->found, all->queries, sizeof *all->found, by_row);
    for (size_t q = 0; q < all->queries; q++) {
        const ig_query_result *found = &all->found[q];
        size_t from = set.lang[found->query], to = set.lang[found->truth];

        drawn[from][to] += asks[found->query];
    }
    assert_int_equal(some->count, all->count);
    for (size_t i = 0; i < some->count; i++) {
        const ig_retrieval_score *score = &some->score[i];

        assert_int_equal(score->from, all->score[i].from);
        assert_int_equal(score->candidates, all->score[i].candidates);
        assert_int_equal(score->pairs, drawn[score->from][score->to]);
        for (size_t q = score->first; q < score->first + score->pairs; q++) {
            const ig_query_result *found = &some->found[q];

            assert_int_equal(set.lang[found->query], score->from);
            check_found(found, bsearch(found, all->found, all->queries,
                                       sizeof *all->found, by_row));
        }
    }
}

static void check_pool(const ig_evaluation *some, const ig_evaluation *all,
                       const uint8_t *asks)
{
    static const char *const means[] = {"pool_translation", "pool_mrr", "pool_ndcg10",
                                        "pool_last_rank"};
    size_t at = 0;

    for (size_t i = 0; i < all->multilingual_pool.rows; i++) {
        const ig_pool_row *one = &some->multilingual_pool.found[at];
        const ig_pool_row *other = &all->multilingual_pool.found[i];

        if (!asks[other->row])
            continue;
        assert_int_equal(one->row, other->row);
        assert_near_to(one->purity, other->purity, 0);
        assert_near_to(one->density, other->density, 0);
        for (int m = 0; m < 4; m++)
            assert_memory_equal(
                &ig_figures_whole(&some->figures, means[m])->item[0][at],
                &ig_figures_whole(&all->figures, means[m])->item[0][i], sizeof(float));
        at++;
    }
    assert_int_equal(some->multilingual_pool.rows, at);
}

/* Whether a figure of all rows has an item of a sampled row: there it is twice the mean
 * over the others, less that of all rows. */
static bool has_item(const ig_figure *all, uint32_t unit, double mean)
{
    for (size_t i = 0; i < all->items; i++)
        if (all->unit[i] == unit &&
            fabs(2 * mean - all->centre - (double)all->item[0][i]) < 1e-6)
            return true;
    return false;
}

static void check_geometry(const ig_figures *some, const ig_figures *all)
{
    const ig_figure *one = ig_figures_whole(some, "uniformity");
    const ig_figure *other = ig_figures_whole(all, "uniformity");

    assert_true(one->items > 0 && one->items < other->items);
    for (size_t i = 0; i < one->items; i++)
        assert_true(has_item(other, one->unit[i], (double)one->item[0][i]));
    assert_int_equal(one->n, other->n);
    assert_near_to(ig_figures_value(some, "alignment"),
                   ig_figures_value(all, "alignment"), 1e-6);
}

/* The rows that ask. */
static void mark_asking(uint8_t *asks, const ig_evaluation_spec *subject)
{
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(&set.row[0][0], set.rows, D));
    unsigned needs = IG_NEEDS_ROWS | IG_NEEDS_PAIRS | IG_NEEDS_ALL_PAIRS;
    ig_embeddings e;

    memset(asks, 0, set.rows);
    assert_int_equal(ig_embeddings_init(&e, &rows, subject, needs, NULL, NULL, NULL),
                     IG_OK);
    assert_true(e.sample.rows > 0);
    for (size_t i = 0; i < e.n; i++)
        asks[e.row[i]] = e.query[i];
    ig_embeddings_free(&e);
}

/* Sets of which every row is paired with every language, and others; with languages of
 * many rows and of few, which are measured in other passes. */
static void test_queries(void **state)
{
    static const struct kind kinds[] = {
        {.meanings = 300},
        {.meanings = 40},
        {300, true, true, true, true, false},
        {60, true, true, true, true, false},
        {300, true, false, false, true, true},
    };
    static uint8_t asks[MOST_ROWS];

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        ig_evaluation all, some;
        ig_evaluation_spec subject;

        plant(&kinds[k], 20 + k);
        subject = subject_of_set();
        subject.intervals = true; /* values of all rows are kept */
        take(&all, &subject, pools[1]);
        subject.sample = set.rows / 6;
        mark_asking(asks, &subject);
        for (int threads = 0; threads < 2; threads++) {
            take(&some, &subject, pools[threads]);
            check_retrieval(&some.retrieval, &all.retrieval, asks);
            check_pool(&some, &all, asks);
            check_geometry(&some.figures, &all.figures);
            assert_near_to(ig_figures_value(&some.figures, "relative_alignment"),
                           ig_figures_value(&all.figures, "relative_alignment"), 1e-6);
            ig_evaluation_free(&some);
        }
        ig_evaluation_free(&all);
    }
}

static int start(void **state)
{
    ig_blas_init();
    return ig_pool_new(&pools[0], 1, NULL) || ig_pool_new(&pools[1], 3, NULL);
}

static int end(void **state)
{
    for (size_t i = 0; i < 2; i++)
        ig_pool_delete(pools[i]);
    return 0;
}

SUITE(query_sample, start, end, TEST(test_queries))
