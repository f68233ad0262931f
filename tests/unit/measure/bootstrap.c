/* Intervals: every draw beside one that is made by hand, the percentiles beside those of
 * numpy, and that intervals hold what they should. */
#include "measure/bootstrap.h"

#include <math.h>
#include <string.h>

#include "suite.h"

#include "core/memory.h"
#include "core/random.h"
#include "pooled.h"

enum { K = 3, IDS = 30, N = K * IDS, D = 6, PAIRS = K * IDS, SCORES = 50, ITEMS = 14 };

static float row[N][D];
static uint16_t lang[N];
static uint32_t id[N], left[PAIRS], right[PAIRS], group[PAIRS];
static uint32_t scored[2][SCORES], kind[SCORES];
static double score[SCORES];
static const char *kind_name[2] = {"one", "other"};
static const ig_scores scores = {.count = SCORES,
                                 .left = scored[0],
                                 .right = scored[1],
                                 .score = score,
                                 .pairs = 2,
                                 .pair_name = kind_name,
                                 .pair = kind};
static ig_evaluation_spec subject;

/* Rows by turns of language; the last id has one row alone, without an id. Scored pair i
 * is of item i % ITEMS: of a row of one id with a row of the next. */
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
        for (size_t k = 0; k < 2; k++)
            scored[k][i] =
                (uint32_t)(K * (2 * (i % ITEMS) + k) + ig_random_below(&random, K));
        score[i] = (double)ig_random_below(&random, 6); /* with ties */
        kind[i] = i % 5 == 0;
    }
    subject = (ig_evaluation_spec){.measures = IG_MEASURE_ALL,
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

static double plain_mrr(const ig_multilingual_pool *p, const size_t *times)
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

/* How often each scored pair is drawn, in the order of kinds. */
static void draw_pairs(size_t b, size_t *pairs)
{
    size_t times[ITEMS], n = 0;

    draw(b, ITEMS, times);
    for (uint32_t k = 0; k < 2; k++)
        for (size_t i = 0; i < SCORES; i++)
            if (kind[i] == k)
                pairs[n++] = times[i % ITEMS];
}

/* Correlations of the pairs as they were drawn, written out. */
static void plain_correlations(const ig_similarity *s, const size_t *times, size_t from,
                               size_t to, double *pearson, double *spearman)
{
    static double x[SCORES * ITEMS], y[SCORES * ITEMS];
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

    take(&e, pool);
    for (size_t b = 0; b < IG_DRAWS; b++) {
        size_t one = e.similarity.by_pair[0].pairs;
        double r[3][2];

        draw(b, IDS - 1 + K, times);
        draw_pairs(b, pairs);
        assert_near_to(drawn(&e, "top1", b), plain_top1(&e.retrieval, times), 1e-5);
        assert_near_to(drawn(&e, "pool_mrr", b), plain_mrr(&e.multilingual_pool, times),
                       1e-5);
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

/* --- purity, probes ---------------------------------------------------------------- */

/* The purity of a row and its effect on that of others: three quarters of how far the
 * language of the row raises their shares. */
static void plain_purity(const ig_multilingual_pool *p, double value[N])
{
    static double unit[N][D], cosine[N][N];

    for (size_t i = 0; i < N; i++) {
        double length = 0;

        for (size_t j = 0; j < D; j++)
            length += (double)row[i][j] * (double)row[i][j];
        for (size_t j = 0; j < D; j++)
            unit[i][j] = (double)row[i][j] / sqrt(length);
        value[i] = p->found[i].own / 10.0;
    }
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            for (size_t l = 0; l < D; l++)
                cosine[i][j] += unit[i][l] * unit[j][l];
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            size_t nearer = 0;

            for (size_t o = 0; o < N; o++)
                nearer += o != i && cosine[i][o] > cosine[i][j];
            if (i != j && nearer < 10)
                value[j] += 0.075 * ((lang[i] == lang[j]) - p->found[i].own / 10.0);
        }
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
    double purity[N];
    size_t times[N];
    ig_evaluation e;

    take(&e, pool);
    assert_int_equal(e.geometry.items.count, subject.pairs.pairs + N - K);
    plain_purity(&e.multilingual_pool, purity);
    for (size_t b = 0; b < IG_DRAWS; b++) {
        const ig_probe *p = &e.hidden_probe;
        double sum = 0, all = 0, read = 0, tested = 0;

        draw(b, IDS - 1 + K, times);
        for (uint32_t i = 0; i < N; i++) {
            sum += (double)times[unit_of(i)] * purity[i];
            all += (double)times[unit_of(i)];
        }
        assert_near_to(drawn(&e, "purity10", b), sum / all, 1e-5);
        assert_near_to(drawn(&e, "alignment", b),
                       plain_mean(&e.geometry.items, 0, subject.pairs.pairs, times),
                       1e-5);
        for (size_t i = 0; i < p->answers; i++) {
            read += (double)times[unit_of(p->row[i])] * (p->certainty[i] > 0);
            tested += (double)times[unit_of(p->row[i])];
        }
        assert_near_to(drawn(&e, "probe_hidden", b), read / tested, 1e-5);
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

/* Draws from stored values follow what is measured again: they go with it (r), and
 * spread alike. */
static void test_first_order(void **state)
{
    static const struct {
        const char *key;
        double (*again)(const size_t *);
    } figures[] = {{"uniformity", again_uniformity},
                   {"relative_alignment", again_alignment}};
    static double stored[IG_DRAWS], again[IG_DRAWS];
    size_t times[N];
    ig_evaluation e;

    for (size_t i = 0; i < N; i++) {
        double length = 0;

        for (size_t j = 0; j < D; j++)
            length += (double)row[i][j] * (double)row[i][j];
        for (size_t j = 0; j < D; j++)
            unit[i][j] = (double)row[i][j] / sqrt(length);
    }
    take(&e, pool);
    for (size_t f = 0; f < 2; f++) {
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

    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        for (size_t i = 0; i < known[k].n; i++) {
            double x = sin((double)i * 12.9898) * 43758.5453;

            value[i] = x - floor(x);
        }
        of = ig_interval_of(value, known[k].n, 0);
        assert_near_to(of.low, known[k].low, 1e-9);
        assert_near_to(of.high, known[k].high, 1e-9);
    }
    /* Of 10 units at 0.5 erfc(t √(10/9/2)), t = 2.262157 with 9 degrees of freedom. */
    for (size_t i = 0; i < 1000; i++)
        value[i] = (double)i;
    of = ig_interval_of(value, 1000, 10);
    assert_near_to(of.low, 999 * 0.00855064, 1e-3);
    assert_near_to(of.high, 999 * (1 - 0.00855064), 1e-3);
    for (size_t i = 0; i < 11; i++)
        value[i] = i < 5 ? (double)NAN : i < 8 ? 1 : 2;
    of = ig_interval_of(value, 11, 0);
    assert_near_to(of.low, 1, 0);
    assert_near_to(of.high, 2, 0);
    for (size_t i = 0; i < 11; i++)
        value[i] = i < 6 ? (double)NAN : 1;
    assert_false(ig_interval_is(ig_interval_of(value, 11, 0)));
    assert_false(ig_interval_is(ig_interval_of(value, 0, 0)));
}

SUITE(bootstrap, plant, pool_end, TEST(test_draws), TEST(test_other_draws),
      TEST(test_first_order), TEST(test_percentiles))
