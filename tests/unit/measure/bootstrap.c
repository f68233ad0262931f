/* Intervals: every draw beside one that is made by hand, the percentiles beside those of
 * numpy, and that intervals hold what they should. */
#include "measure/bootstrap.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

#include "base/memory.h"
#include "base/random.h"
#include "pooled.h"

#define assert_near_to(a, b, eps) assert_true(fabs((double)(a) - (double)(b)) <= (eps))

enum { K = 3, IDS = 30, N = K * IDS, D = 6, PAIRS = K * IDS, SCORES = 50 };

static float row[N][D];
static uint16_t lang[N];
static uint32_t id[N], left[PAIRS], right[PAIRS], group[PAIRS];
static uint32_t scored[2][SCORES], kind[SCORES];
static double score[SCORES];
static const char *kind_name[2] = {"one", "other"};
static const ig_scores scores = {SCORES, scored[0], scored[1], score,
                                 2,      kind_name, kind};
static ig_subject subject;

/* Rows by turns of language; the last id has one row alone, without an id. */
static int plant(void **state)
{
    ig_random random;
    size_t at = 0;

    ig_random_init(&random, 3, 0);
    for (size_t i = 0; i < N; i++) {
        lang[i] = i % K;
        id[i] = i / K == IDS - 1 ? IG_NO_ID : (uint32_t)(i / K);
        for (size_t j = 0; j < D; j++)
            row[i][j] = (float)((i % K ? (double)row[i - i % K][j] : 0) +
                                (j ? 0.6 : 1.5) * ig_random_normal(&random));
    }
    for (uint32_t i = 0; i + 1 < IDS; i++)
        for (uint32_t a = 0; a < K; a++)
            for (uint32_t b = a + 1; b < K; b++, at++) {
                left[at] = K * i + a;
                right[at] = K * i + b;
                group[at] = i;
            }
    for (size_t i = 0; i < SCORES; i++) {
        scored[0][i] = (uint32_t)ig_random_below(&random, N);
        scored[1][i] = (uint32_t)ig_random_below(&random, N);
        score[i] = (double)ig_random_below(&random, 6); /* with ties */
        kind[i] = i % 5 == 0;
    }
    subject = (ig_subject){.measures = IG_MEASURE_ALL,
                           .id = id,
                           .pairs = {.lang = lang,
                                     .languages = K,
                                     .left = left,
                                     .right = right,
                                     .group = group,
                                     .pairs = at},
                           .scores = &scores,
                           .intervals = true,
                           .seed = 1};
    return pool_start(state);
}

static void take(ig_evaluation *e, ig_pool *by)
{
    const ig_rows rows = ig_rows_of_matrix(ig_matrix_of(&row[0][0], N, D));
    ig_resampling resampling;

    assert_int_equal(ig_evaluation_take(e, &rows, &subject, by, NULL, NULL), IG_OK);
    assert_int_equal(ig_resampling_init(&resampling, N, &subject, 7, by, NULL), IG_OK);
    /* The rows without an id stand for themselves. */
    assert_int_equal(resampling.units, IDS - 1 + K);
    assert_int_equal(ig_bootstrap_take(e, &resampling, by, NULL), IG_OK);
    ig_resampling_free(&resampling);
}

/* How often each of n is drawn, as measure/bootstrap.c has it. */
static void draw(size_t b, size_t n, size_t *times)
{
    ig_random random;

    ig_random_init(&random, 7, 0x424f4f54 + b);
    memset(times, 0, n * sizeof *times);
    for (size_t i = 0; i < n; i++)
        times[ig_random_below(&random, n)]++;
}

/* The unit of a row: meanings in the order of the rows, then those without. */
static size_t unit_of(uint32_t r)
{
    return id[r] == IG_NO_ID ? IDS - 1 + r - (uint32_t)(N - K) : id[r];
}

static float drawn(const ig_evaluation *e, const char *key, size_t b)
{
    const ig_figure *figure = ig_figures_whole(&e->figures, key);

    return figure->draw ? figure->draw[b] : NAN;
}

/* The mean over the directions of a draw. */
static double plain_top1(const ig_retrieval *r, const size_t *times)
{
    double mean = 0;

    for (size_t s = 0; s < r->count; s++) {
        double hits = 0, all = 0;

        for (size_t i = r->score[s].first; i < r->score[s].first + r->score[s].pairs;
             i++) {
            size_t t = times[unit_of(r->found[i].query)];

            hits += (double)t * (r->found[i].rank == 1);
            all += (double)t;
        }
        mean += hits / all / (double)r->count;
    }
    return mean;
}

static double plain_mrr(const ig_mixed_pool *p, const size_t *times)
{
    double sum = 0, all = 0;

    for (size_t i = 0; i < p->rows; i++)
        if (p->found[i].rank) {
            size_t t = times[unit_of(p->found[i].row)];

            sum += (double)t / (double)p->found[i].rank;
            all += (double)t;
        }
    return sum / all;
}

/* Correlations of the pairs as they were drawn, written out. */
static void plain_correlations(const ig_similarity *s, const size_t *times, size_t from,
                               size_t to, double *pearson, double *spearman)
{
    static double x[SCORES], y[SCORES];
    size_t n = 0;

    for (size_t i = from; i < to; i++)
        for (size_t t = 0; t < times[i]; t++) {
            x[n] = s->cosine[i];
            y[n++] = s->score[i];
        }
    *pearson = ig_pearson(x, y, n);
    *spearman = ig_spearman(x, y, n);
}

static void test_draws(void **state)
{
    size_t times[N], pairs[SCORES];
    ig_evaluation e;

    (void)state;
    take(&e, pool);
    for (size_t b = 0; b < IG_DRAWS; b++) {
        size_t one = e.similarity.by_pair[0].pairs;
        double r[3][2];

        draw(b, IDS - 1 + K, times);
        draw(b, SCORES, pairs);
        assert_near_to(drawn(&e, "top1", b), plain_top1(&e.retrieval, times), 1e-5);
        assert_near_to(drawn(&e, "pool_mrr", b), plain_mrr(&e.mixed_pool, times), 1e-5);
        plain_correlations(&e.similarity, pairs, 0, SCORES, &r[0][0], &r[0][1]);
        plain_correlations(&e.similarity, pairs, 0, one, &r[1][0], &r[1][1]);
        plain_correlations(&e.similarity, pairs, one, SCORES, &r[2][0], &r[2][1]);
        assert_near_to(drawn(&e, "pearson", b), r[0][0], 1e-6);
        assert_near_to(drawn(&e, "spearman", b), r[0][1], 1e-6);
        for (int two = 0; two < 2; two++) {
            size_t some[SCORES];

            for (size_t i = 0; i < SCORES; i++)
                some[i] = e.similarity.two[i] == two ? pairs[i] : 0;
            plain_correlations(&e.similarity, some, 0, SCORES, &r[0][0], &r[0][1]);
            assert_near_to(
                drawn(&e, two ? "pearson_crosslingual" : "pearson_monolingual", b),
                r[0][0], 1e-6);
            assert_near_to(
                drawn(&e, two ? "spearman_crosslingual" : "spearman_monolingual", b),
                r[0][1], 1e-6);
        }
        if (!isnan(r[2][0])) {
            assert_near_to(drawn(&e, "mean_pearson", b), (r[1][0] + r[2][0]) / 2, 1e-6);
            assert_near_to(drawn(&e, "mean_spearman", b), (r[1][1] + r[2][1]) / 2,
                           1e-6);
        }
    }
    ig_evaluation_free(&e);
}

/* --- medians, skewness, probes ----------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) -
           (*(const double *)a < *(const double *)b);
}

static double plain_median(const ig_retrieval *r, const size_t *times)
{
    static double rank[N * N];
    double mean = 0;

    for (size_t s = 0; s < r->count; s++) {
        size_t n = 0;

        for (size_t i = r->score[s].first; i < r->score[s].first + r->score[s].pairs;
             i++)
            for (size_t t = 0; t < times[unit_of(r->found[i].query)]; t++)
                rank[n++] = r->found[i].rank;
        qsort(rank, n, sizeof *rank, ascending);
        mean += (rank[(n - 1) / 2] + rank[n / 2]) / 2 / (double)r->count;
    }
    return mean;
}

static double plain_skewness(const ig_mixed_pool *p, const size_t *times)
{
    double n = 0, mean = 0, two = 0, three = 0;

    for (size_t i = 0; i < p->rows; i++) {
        n += (double)times[unit_of(p->found[i].row)];
        mean += (double)times[unit_of(p->found[i].row)] * p->found[i].hub;
    }
    mean /= n;
    for (size_t i = 0; i < p->rows; i++) {
        double t = (double)times[unit_of(p->found[i].row)], x = p->found[i].hub - mean;

        two += t * x * x / n;
        three += t * x * x * x / n;
    }
    return three / pow(two, 1.5);
}

static double plain_mean(const ig_item_values *items, size_t from, size_t to,
                         const size_t *times)
{
    double sum = 0, all = 0;

    for (size_t i = from; i < to; i++) {
        sum += (double)times[unit_of(items->row[i])] * items->value[i];
        all += (double)times[unit_of(items->row[i])];
    }
    return sum / all;
}

static void test_other_draws(void **state)
{
    size_t times[N];
    ig_evaluation e;

    (void)state;
    take(&e, pool);
    assert_int_equal(e.geometry.items.count, subject.pairs.pairs + N - K);
    for (size_t b = 0; b < IG_DRAWS; b++) {
        draw(b, IDS - 1 + K, times);
        assert_near_to(drawn(&e, "median_rank", b), plain_median(&e.retrieval, times),
                       1e-5);
        assert_near_to(drawn(&e, "hubness10", b), plain_skewness(&e.mixed_pool, times),
                       1e-4);
        assert_near_to(drawn(&e, "alignment", b),
                       plain_mean(&e.geometry.items, 0, subject.pairs.pairs, times),
                       1e-5);
        assert_near_to(
            drawn(&e, "probe_hidden", b),
            plain_mean(&e.hidden_probe.items, 0, e.hidden_probe.items.count, times),
            1e-5);
    }
    ig_evaluation_free(&e);
}

/* --- figures over pairs of rows ---------------------------------------------------- */

static double unit[N][D];

static double squared_distance(size_t a, size_t b)
{
    double sum = 0;

    for (size_t j = 0; j < D; j++)
        sum += (unit[a][j] - unit[b][j]) * (unit[a][j] - unit[b][j]);
    return sum;
}

/* Measured again: log mean exp(−2‖u−v‖²) over two rows that were drawn. A meaning that
 * is drawn twice is not compared with itself. */
static double again_uniformity(const size_t *times)
{
    double sum = 0, all = 0;

    for (size_t a = 0; a < N - K; a++)
        for (size_t b = 0; b < N - K; b++) {
            size_t of[2] = {unit_of((uint32_t)a), unit_of((uint32_t)b)};
            double t = (double)(times[of[0]] * (of[0] == of[1] ? 1 : times[of[1]]));

            sum += a == b ? 0 : t * exp(-2 * squared_distance(a, b));
            all += a == b ? 0 : t;
        }
    return log(sum / all);
}

static double again_alignment(const size_t *times)
{
    double near = 0, far = 0;

    for (size_t x = 0; x < K; x++)
        for (size_t y = x + 1; y < K; y++) {
            double others = 0, all = 0, pairs = 0;

            for (size_t a = 0; a + 1 < IDS; a++)
                for (size_t b = 0; b + 1 < IDS; b++) {
                    double t = (double)(times[a] * times[b]);
                    double apart = squared_distance(K * a + x, K * b + y);

                    near += a == b ? (double)times[a] * apart : 0;
                    pairs += a == b ? (double)times[a] : 0;
                    others += a == b ? 0 : t * apart;
                    all += a == b ? 0 : t;
                }
            far += pairs * others / all;
        }
    return near / far;
}

static double again_isoscore(const size_t *times)
{
    double mean[D] = {0}, c[D][D] = {{0}}, n = 0, trace = 0, squares = 0;

    for (size_t i = 0; i < N; i++) {
        double t = (double)times[unit_of((uint32_t)i)];

        n += t;
        for (size_t j = 0; j < D; j++)
            mean[j] += t * unit[i][j];
    }
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < D; j++)
            for (size_t k = 0; k < D; k++)
                c[j][k] += (double)times[unit_of((uint32_t)i)] / n *
                           (unit[i][j] - mean[j] / n) * (unit[i][k] - mean[k] / n);
    for (size_t j = 0; j < D; j++)
        for (size_t k = 0; k < D; k++) {
            trace += j == k ? c[j][k] : 0;
            squares += c[j][k] * c[j][k];
        }
    return (trace * trace / squares - 1) / (D - 1);
}

/* Draws from stored values follow what is measured again: they go with it (r), and
 * spread alike. */
static void test_first_order(void **state)
{
    static const struct {
        const char *key;
        double (*again)(const size_t *);
    } figures[] = {{"uniformity", again_uniformity},
                   {"relative_alignment", again_alignment},
                   {"isoscore", again_isoscore}};
    static double stored[IG_DRAWS], again[IG_DRAWS];
    size_t times[N];
    ig_evaluation e;

    (void)state;
    for (size_t i = 0; i < N; i++) {
        double length = 0;

        for (size_t j = 0; j < D; j++)
            length += (double)row[i][j] * (double)row[i][j];
        for (size_t j = 0; j < D; j++)
            unit[i][j] = (double)row[i][j] / sqrt(length);
    }
    take(&e, pool);
    for (size_t f = 0; f < 3; f++) {
        double mean[2] = {0}, spread[2] = {0};
        double value = ig_figures_value(&e.figures, figures[f].key);

        for (size_t i = 0; i < IDS - 1 + K; i++)
            times[i] = 1;
        assert_near_to(figures[f].again(times), value, 1e-5);
        for (size_t b = 0; b < IG_DRAWS; b++) {
            draw(b, IDS - 1 + K, times);
            stored[b] = (double)drawn(&e, figures[f].key, b);
            again[b] = figures[f].again(times);
            mean[0] += stored[b] / IG_DRAWS;
            mean[1] += again[b] / IG_DRAWS;
        }
        for (size_t b = 0; b < IG_DRAWS; b++) {
            spread[0] += pow(stored[b] - mean[0], 2);
            spread[1] += pow(again[b] - mean[1], 2);
        }
        assert_true(ig_pearson(stored, again, IG_DRAWS) > 0.85);
        assert_true(fabs(sqrt(spread[0] / spread[1]) - 1) < 0.15);
        assert_true(fabs(mean[0] - value) < sqrt(spread[0] / IG_DRAWS) / 4);
    }
    ig_evaluation_free(&e);
}

/* Every figure that can be computed is within its interval, figures of parts too. */
static void test_figures(void **state)
{
    size_t with = 0, whole = 0;
    ig_evaluation e;

    (void)state;
    take(&e, pool);
    for (size_t i = 0; i < e.figures.count; i++) {
        const ig_figure *figure = &e.figures.row[i];
        bool counted = strcmp(figure->measure->name, "eigenvalue") != 0 &&
                       strcmp(figure->measure->name, "candidates") != 0 &&
                       strcmp(figure->measure->name, "mining_threshold") != 0 &&
                       strcmp(figure->measure->name, "probe_read") != 0 &&
                       strcmp(figure->measure->name, "pool_nearest") != 0;

        if (ig_figure_is_whole(figure)) {
            assert_true(ig_figure_has_interval(figure) == !isnan(figure->value));
            assert_true((figure->draw != NULL) == !isnan(figure->value));
        }
        if (!ig_figure_has_interval(figure))
            continue;
        assert_true(counted);
        with++;
        whole += ig_figure_is_whole(figure);
        assert_true(figure->low <= figure->value + 1e-6 &&
                    figure->value <= figure->high + 1e-6);
    }
    assert_true(whole >= 21);
    assert_true(with >= whole + 10 * K * (K - 1)); /* of directions and kinds, too */
    ig_evaluation_free(&e);
}

/* The same from any number of members. */
static void test_members(void **state)
{
    ig_evaluation one, more;

    (void)state;
    take(&one, NULL);
    take(&more, pool);
    assert_int_equal(one.figures.count, more.figures.count);
    for (size_t i = 0; i < one.figures.count; i++) {
        const ig_figure *a = &one.figures.row[i], *b = &more.figures.row[i];

        assert_memory_equal(&a->low, &b->low, sizeof a->low);
        assert_memory_equal(&a->high, &b->high, sizeof a->high);
        if (a->draw)
            assert_memory_equal(a->draw, b->draw, IG_DRAWS * sizeof(float));
    }
    ig_evaluation_free(&one);
    ig_evaluation_free(&more);
}

/* numpy.percentile(numpy.sin(numpy.arange(n) * 12.9898) * 43758.5453 % 1, [2.5, 97.5]).
 */
static void test_percentiles(void **state)
{
    static const struct {
        size_t n;
        double low, high;
    } known[] = {
        {1, 0.000000000000, 0.000000000000},   {2, 0.023042259745, 0.898648130071},
        {3, 0.002860908468, 0.878466778793},   {7, 0.008582725404, 0.877349847292},
        {100, 0.022474197045, 0.976766683290}, {999, 0.028861713905, 0.979090785523},
        {1000, 0.028339913247, 0.979070192314}};
    static double value[IG_DRAWS];
    ig_interval of;

    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        for (size_t i = 0; i < known[k].n; i++) {
            double x = sin((double)i * 12.9898) * 43758.5453;

            value[i] = x - floor(x);
        }
        of = ig_interval_of(value, known[k].n);
        assert_near_to(of.low, known[k].low, 1e-9);
        assert_near_to(of.high, known[k].high, 1e-9);
    }
    for (size_t i = 0; i < 11; i++)
        value[i] = i < 5 ? (double)NAN : i < 8 ? 1 : 2;
    of = ig_interval_of(value, 11);
    assert_near_to(of.low, 1, 0);
    assert_near_to(of.high, 2, 0);
    for (size_t i = 0; i < 11; i++)
        value[i] = i < 6 ? (double)NAN : 1;
    assert_false(ig_interval_is(ig_interval_of(value, 11)));
    assert_false(ig_interval_is(ig_interval_of(value, 0)));
}

/* Memory that is short leaves the evaluation as it was, without intervals. */
static void test_memory(void **state)
{
    const ig_rows rows = ig_rows_of_matrix(ig_matrix_of(&row[0][0], N, D));
    ig_status status = IG_NOMEM;
    ig_resampling resampling;
    ig_evaluation e;

    (void)state;
    assert_int_equal(ig_evaluation_take(&e, &rows, &subject, pool, NULL, NULL), IG_OK);
    for (long n = 1; status != IG_OK; n++) {
        assert_true(n < 500);
        ig_alloc_fail_at(n);
        status = ig_resampling_init(&resampling, N, &subject, 7, pool, NULL);
        if (status == IG_OK)
            status = ig_bootstrap_take(&e, &resampling, pool, NULL);
        ig_alloc_fail_at(0);
        assert_true(status == IG_OK || status == IG_NOMEM);
        for (size_t i = 0; status != IG_OK && i < e.figures.count; i++)
            assert_true(!e.figures.row[i].draw &&
                        !ig_figure_has_interval(&e.figures.row[i]));
        ig_resampling_free(&resampling);
    }
    ig_evaluation_free(&e);
}

static size_t count_intervals(const ig_evaluation *e)
{
    size_t count = 0;

    for (size_t i = 0; i < e->figures.count; i++)
        count += ig_figure_has_interval(&e->figures.row[i]);
    return count;
}

/* A cancelled one leaves no intervals, and the same call without leaves them. */
static void test_cancelled(void **state)
{
    const ig_rows rows = ig_rows_of_matrix(ig_matrix_of(&row[0][0], N, D));
    const atomic_bool stop = true;
    ig_resampling resampling;
    ig_evaluation e;

    (void)state;
    assert_int_equal(ig_evaluation_take(&e, &rows, &subject, pool, NULL, NULL), IG_OK);
    assert_int_equal(ig_resampling_init(&resampling, N, &subject, 7, pool, NULL),
                     IG_OK);
    resampling.stop = &stop;
    assert_int_equal(ig_bootstrap_take(&e, &resampling, pool, NULL), IG_INTERRUPTED);
    assert_int_equal(count_intervals(&e), 0);
    resampling.stop = NULL;
    assert_int_equal(ig_bootstrap_take(&e, &resampling, pool, NULL), IG_OK);
    assert_true(count_intervals(&e) > 0);
    ig_resampling_free(&resampling);
    ig_evaluation_free(&e);
}

SUITE(bootstrap)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_draws),       cmocka_unit_test(test_other_draws),
        cmocka_unit_test(test_first_order), cmocka_unit_test(test_figures),
        cmocka_unit_test(test_members),     cmocka_unit_test(test_percentiles),
        cmocka_unit_test(test_memory),      cmocka_unit_test(test_cancelled),
    };

    return cmocka_run_group_tests(tests, plant, pool_end);
}
