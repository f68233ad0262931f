/* A sample of the rows asks: what becomes of its queries is what becomes of them where
 * all ask; the means over them estimate those over all, as near as is said; and a sample
 * of all rows is none. */
#include "measure/query_sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

#include "base/memory.h"
#include "linear/blas.h"
#include "measure/evaluation.h"
#include "planted.h"

/* cmocka's own compares as floats. */
#define assert_near_to(a, b, eps) assert_true(fabs((double)(a) - (double)(b)) <= (eps))

static ig_pool *pools[2]; /* of 1 and 3 members */

static ig_subject subject_of_set(void)
{
    return (ig_subject){.measures = IG_MEASURE_GEOMETRY | IG_MEASURE_MIXED_POOL |
                                    IG_MEASURE_RETRIEVAL | IG_MEASURE_MINING |
                                    IG_MEASURE_RELATIVE_ALIGNMENT,
                        .id = set.id,
                        .pairs = pairs_of_set(),
                        .seed = 1};
}

static void take(ig_evaluation *e, const ig_subject *subject, ig_pool *pool)
{
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(&set.row[0][0], set.rows, D));
    ig_error error = {0};

    if (ig_evaluation_take(e, &rows, subject, pool, NULL, &error) != IG_OK)
        fail_msg("%s", error.message);
}

/* --- what becomes of the queries -------------------------------------------------- */

static int by_row(const void *a, const void *b)
{
    const ig_found *x = a, *y = b;

    if (x->query != y->query)
        return x->query < y->query ? -1 : 1;
    return x->truth < y->truth ? -1 : x->truth > y->truth;
}

static void check_found(const ig_found *some, const ig_found *all)
{
    assert_int_equal(some->rank, all->rank);
    assert_int_equal(some->other, all->other);
    assert_int_equal(some->tied, all->tied);
    assert_int_equal(some->common, all->common);
    assert_near_to(some->cosine, all->cosine, 1e-6);
    assert_int_equal(isnan(some->margin), isnan(all->margin));
    if (!isnan(some->margin)) {
        assert_near_to(some->margin, all->margin, 1e-6);
        assert_near_to(some->other_cosine, all->other_cosine, 1e-6);
    }
}

/* Every query of the sample, and of the directions that ask whole. */
static void check_retrieval(const ig_retrieval *some, const ig_retrieval *all,
                            const uint8_t *asks)
{
    size_t drawn[LANGUAGES][LANGUAGES] = {{0}}, both[LANGUAGES][LANGUAGES] = {{0}};

    qsort(all->found, all->queries, sizeof *all->found, by_row);
    for (size_t q = 0; q < all->queries; q++) {
        const ig_found *found = &all->found[q];
        size_t from = set.lang[found->query], to = set.lang[found->truth];

        drawn[from][to] += asks[found->query] == IG_ASKS_DRAWN;
        both[from][to] += asks[found->query] && asks[found->truth];
    }
    assert_int_equal(some->count, all->count);
    for (size_t i = 0; i < some->count; i++) {
        const ig_retrieval_score *score = &some->score[i];

        assert_int_equal(score->from, all->score[i].from);
        assert_int_equal(score->candidates, all->score[i].candidates);
        assert_int_equal(score->of_pairs, all->score[i].pairs);
        assert_int_equal(score->pairs, both[score->from][score->to] == score->of_pairs
                                           ? score->of_pairs
                                           : drawn[score->from][score->to]);
        assert_true(isnan(score->csls_top1) && isnan(score->xsim));
        for (size_t q = score->first; q < score->first + score->pairs; q++) {
            const ig_found *found = &some->found[q];

            assert_int_equal(set.lang[found->query], score->from);
            check_found(found, bsearch(found, all->found, all->queries,
                                       sizeof *all->found, by_row));
        }
    }
}

static void check_pool(const ig_mixed_pool *some, const ig_mixed_pool *all,
                       const uint8_t *asks)
{
    size_t at = 0;

    for (size_t i = 0; i < all->rows; i++) {
        const ig_pool_row *one = &some->found[at], *other = &all->found[i];

        if (asks[other->row] != IG_ASKS_DRAWN)
            continue;
        assert_int_equal(one->row, other->row);
        assert_int_equal(one->nearest, other->nearest);
        assert_int_equal(one->rank, other->rank);
        assert_int_equal(one->own, other->own);
        assert_int_equal(one->translation, other->translation);
        assert_int_equal(one->tied, other->tied);
        assert_int_equal(one->unsettled, other->unsettled);
        at++;
    }
    assert_int_equal(some->rows, at);
    assert_near_to(some->own_chance, all->own_chance, 1e-12);
    assert_near_to(some->mrr_chance, all->mrr_chance, 1e-12);
    assert_true(isnan(some->hubness));
}

/* The mean of each row over the others. */
static void check_geometry(const ig_geometry *some, const ig_geometry *all)
{
    double sum = 0;
    size_t n = 0, at = all->pairs;

    for (size_t i = some->pairs; i < some->items.count; i++, n++) {
        while (all->items.row[at] != some->items.row[i])
            at++;
        assert_near_to(2 * some->items.value[i] - exp(all->uniformity),
                       all->items.value[at], 1e-6);
        sum += some->items.value[i];
    }
    assert_true(n > 0 && n < all->rows);
    assert_near_to(some->uniformity, log(sum / (double)n), 1e-12);
    assert_near_to(some->alignment, all->alignment, 1e-6);
    assert_int_equal(some->rows, all->rows);
}

/* Leave few pairs with the last language: those of some ids. */
static void thin_pairs(uint32_t ids)
{
    size_t n = 0;

    for (size_t p = 0; p < set.pairs; p++) {
        uint32_t a = set.left[p], b = set.right[p];

        if ((set.lang[a] == LANGUAGES - 1 || set.lang[b] == LANGUAGES - 1) &&
            set.id[a] >= ids)
            continue;
        set.left[n] = a;
        set.right[n] = b;
        set.group[n++] = set.group[p];
    }
    set.pairs = n;
}

/* The rows that ask. */
static void mark_asking(uint8_t *asks, const ig_subject *subject)
{
    uint32_t *unit = ig_alloc(set.rows, sizeof *unit);
    ig_query_sample sample;
    size_t units;

    memset(asks, 0, set.rows);
    assert_int_equal(ig_subject_units(subject, set.rows, unit, &units, NULL), IG_OK);
    assert_int_equal(ig_query_sample_draw(&sample, asks, &subject->pairs, unit,
                                          set.rows, units, subject->sample,
                                          subject->seed, NULL),
                     IG_OK);
    assert_true(sample.rows > 0);
    ig_free(unit);
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

    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        ig_evaluation all, some;
        ig_subject subject;

        plant(&kinds[k], 20 + k);
        if (k % 2)
            thin_pairs(4);
        subject = subject_of_set();
        subject.intervals = true; /* values of all rows are kept */
        take(&all, &subject, pools[1]);
        subject.intervals = false;
        subject.sample = set.rows / 6;
        mark_asking(asks, &subject);
        for (int threads = 0; threads < 2; threads++) {
            take(&some, &subject, pools[threads]);
            check_retrieval(&some.retrieval, &all.retrieval, asks);
            check_pool(&some.mixed_pool, &all.mixed_pool, asks);
            check_geometry(&some.geometry, &all.geometry);
            assert_near_to(some.relative_alignment.alignment,
                           all.relative_alignment.alignment, 1e-6);
            ig_evaluation_free(&some);
        }
        ig_evaluation_free(&all);
    }
}

/* Pairs within a language, too: then retrieval has a pass of its own. */
static void test_own_pass(void **state)
{
    static uint8_t asks[MOST_ROWS];
    ig_retrieval all;
    ig_evaluation some;
    ig_subject subject;

    (void)state;
    plant(&(struct kind){.meanings = 70, .missing = true, .repeated = true}, 4);
    for (uint32_t i = 0; i < set.rows; i++)
        for (uint32_t j = 0; j < i; j++)
            if (set.id[i] == set.id[j] && set.lang[i] == set.lang[j]) {
                set.left[set.pairs] = i;
                set.right[set.pairs] = j;
                set.group[set.pairs++] = 7 * set.id[i] + 1;
            }
    subject = subject_of_set();
    subject.measures = IG_MEASURE_RETRIEVAL;
    assert_int_equal(measure(&all, &subject.pairs, pools[1], NULL), IG_OK);
    subject.sample = set.rows / 4;
    mark_asking(asks, &subject);
    take(&some, &subject, pools[1]);
    check_retrieval(&some.retrieval, &all, asks);
    ig_evaluation_free(&some);
    ig_retrieval_free(&all);
}

/* The same bytes from any number of threads, and the same but for rounding where rows
 * are not held. */
static void test_threads(void **state)
{
    ig_evaluation one, other;
    ig_subject subject;

    (void)state;
    plant(&(struct kind){150, true, true, true, true, false}, 6);
    subject = subject_of_set();
    subject.sample = 100;
    take(&one, &subject, pools[0]);
    for (int held = 1; held >= 0; held--) {
        subject.memory = !held;
        subject.directory = "/tmp";
        take(&other, &subject, pools[1]);
        assert_int_equal(one.retrieval.queries, other.retrieval.queries);
        if (held)
            assert_memory_equal(one.retrieval.found, other.retrieval.found,
                                one.retrieval.queries * sizeof *one.retrieval.found);
        assert_int_equal(one.figures.count, other.figures.count);
        for (size_t i = 0; i < one.figures.count; i++) {
            double a = one.figures.row[i].value, b = other.figures.row[i].value;

            if (held)
                assert_memory_equal(&a, &b, sizeof a);
            assert_true(isnan(a) ? isnan(b) : fabs(a - b) < 1e-6);
        }
        ig_evaluation_free(&other);
    }
    ig_evaluation_free(&one);
}

/* Whatever allocation fails, it is told and nothing is lost; stopped likewise. */
static void test_given_up(void **state)
{
    ig_rows rows;
    ig_subject subject;
    ig_evaluation e;
    atomic_bool stop = true;
    ig_watch watch = {.stop = &stop};

    (void)state;
    plant(&(struct kind){.meanings = 24, .missing = true}, 2);
    thin_pairs(3);
    rows = ig_rows_of_matrix(ig_matrix_of(&set.row[0][0], set.rows, D));
    subject = subject_of_set();
    subject.sample = 24;
    for (size_t i = 0; i < 2; i++) {
        ig_status status = IG_NOMEM;
        long n;

        for (n = 1; status != IG_OK; n++) {
            ig_alloc_fail_at(n);
            status = ig_evaluation_take(&e, &rows, &subject, pools[i], NULL, NULL);
            ig_alloc_fail_at(0);
            if (status != IG_OK) {
                assert_int_equal(status, IG_NOMEM);
                assert_true(!e.taken && !e.retrieval.found);
            }
        }
        assert_true(n > 80);
        assert_true(e.sample.rows > 0 && e.sample.beside > 0);
        ig_evaluation_free(&e);
    }
    assert_int_equal(ig_evaluation_take(&e, &rows, &subject, pools[1], &watch, NULL),
                     IG_INTERRUPTED);
}

/* --- what is told of them --------------------------------------------------------- */

/* A sample of all rows is none: figures are those of all, without errors. */
static void test_all(void **state)
{
    ig_evaluation all, some;
    ig_subject subject;

    (void)state;
    plant(&(struct kind){60, true, true, true, true, false}, 3);
    subject = subject_of_set();
    take(&all, &subject, pools[1]);
    for (size_t more = 0; more < 2; more++) {
        subject.sample = set.rows + 1000 * more;
        take(&some, &subject, pools[1]);
        assert_int_equal(some.sample.rows, 0);
        assert_memory_equal(&all.retrieval.mean, &some.retrieval.mean,
                            sizeof all.retrieval.mean);
        assert_int_equal(all.figures.count, some.figures.count);
        for (size_t i = 0; i < all.figures.count; i++)
            assert_memory_equal(&all.figures.row[i].value, &some.figures.row[i].value,
                                sizeof(double));
        ig_evaluation_free(&some);
    }
    ig_evaluation_free(&all);
}

/* Figures that a sample does not tell say so; those of all rows have no error. */
static void test_left_out(void **state)
{
    static const char *const none[] = {
        "csls_top1",  "ratio_margin_top1", "xsim",
        "top1_worst", "csls_top1_worst",   "hubness10",
        "mining_f1",  "mining_precision",  "mining_recall"};
    static const char *const exact[] = {"alignment", "relative_alignment"};
    ig_evaluation e;
    ig_subject subject;

    (void)state;
    plant(&(struct kind){.meanings = 60}, 3);
    subject = subject_of_set();
    subject.sample = 80;
    take(&e, &subject, pools[1]);
    assert_int_equal(e.sample.rows, 80);
    assert_int_equal(e.sample.of_rows, set.rows);
    assert_int_equal(e.sample.meanings, 20);
    assert_int_equal(e.sample.of_meanings, 60);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        const ig_figure *row = ig_figures_whole(&e.figures, none[i]);

        assert_true(isnan(row->value));
        assert_non_null(strstr(row->reason, "sample"));
    }
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
        assert_true(isfinite(ig_figures_value(&e.figures, exact[i])));
    ig_evaluation_free(&e);
}

/* Languages with few pairs ask beside the sample, so that no direction is without
 * queries; what they find is exact. */
static void test_few(void **state)
{
    ig_evaluation all, some;
    ig_subject subject;
    size_t exact = 0;

    (void)state;
    plant(&(struct kind){.meanings = 200}, 11);
    thin_pairs(5);
    subject = subject_of_set();
    take(&all, &subject, pools[1]);
    subject.sample = 160;
    take(&some, &subject, pools[1]);
    assert_int_equal(some.sample.meanings, 35);  /* for 140 rows: 20 are beside */
    assert_in_range(some.sample.beside, 12, 20); /* but for those that are drawn */
    for (size_t i = 0; i < some.retrieval.count; i++) {
        const ig_retrieval_score *score = &some.retrieval.score[i];

        if (score->from < LANGUAGES - 1 && score->to < LANGUAGES - 1) {
            assert_int_equal(score->pairs, 35);
            continue;
        }
        assert_int_equal(score->pairs, 5);
        assert_true(score->top1 == all.retrieval.score[i].top1);
        assert_true(score->margin == all.retrieval.score[i].margin ||
                    fabs(score->margin - all.retrieval.score[i].margin) < 1e-6);
        exact++;
    }
    assert_int_equal(exact, 2 * (LANGUAGES - 1));
    ig_evaluation_free(&all);
    ig_evaluation_free(&some);
}

/* Whole meanings, as many as have so many rows; of a few seeds no two alike. */
static void test_draw(void **state)
{
    uint32_t unit[300];
    uint8_t asks[3][300] = {{0}};
    const ig_retrieval_pairs none = {0};
    ig_query_sample sample;

    (void)state;
    for (uint32_t i = 0; i < 300; i++)
        unit[i] = i < 240 ? i / 3 : UINT32_MAX; /* 80 of three rows */
    for (uint64_t seed = 0; seed < 3; seed++) {
        assert_int_equal(ig_query_sample_draw(&sample, asks[seed], &none, unit, 300, 80,
                                              60, seed, NULL),
                         IG_OK);
        assert_int_equal(sample.meanings, 20);
        assert_int_equal(sample.rows, 60);
        assert_int_equal(sample.of_rows, 240);
        for (size_t i = 0; i < 240; i++)
            assert_int_equal(asks[seed][i], asks[seed][i - i % 3]);
        for (size_t i = 240; i < 300; i++)
            assert_int_equal(asks[seed][i], 0);
    }
    assert_memory_not_equal(asks[0], asks[1], 300);
    /* One meaning alone has no error: two ask at least. */
    assert_int_equal(
        ig_query_sample_draw(&sample, asks[0], &none, unit, 300, 80, 1, 1, NULL),
        IG_OK);
    assert_int_equal(sample.rows, 6);
    assert_int_equal(
        ig_query_sample_draw(&sample, asks[0], &none, unit, 300, 80, 240, 1, NULL),
        IG_OK);
    assert_int_equal(sample.rows, 0);
}

static int start(void **state)
{
    (void)state;
    ig_blas_init();
    return ig_pool_new(&pools[0], 1, NULL) || ig_pool_new(&pools[1], 3, NULL);
}

static int end(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++)
        ig_pool_delete(pools[i]);
    return 0;
}

SUITE(query_sample)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_draw),     cmocka_unit_test(test_queries),
        cmocka_unit_test(test_own_pass), cmocka_unit_test(test_threads),
        cmocka_unit_test(test_given_up), cmocka_unit_test(test_all),
        cmocka_unit_test(test_left_out), cmocka_unit_test(test_few),
    };

    return cmocka_run_group_tests(tests, start, end);
}
