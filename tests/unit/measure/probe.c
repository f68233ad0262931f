/* The language probe: worked out by hand, the definition in double, the rows that are
 * fitted and tested, and probes that cannot be fitted. */
#include <math.h>
#include <string.h>

#include "suite.h"

#include "core/memory.h"
#include "core/random.h"
#include "data/dataset.h"
#include "measured.h"
#include "pooled.h"

/* Rows and their labels. */
typedef struct cloud {
    size_t n, d, languages;
    float *a;
    uint16_t *lang;
    ig_rows rows;
    uint32_t *id; /* (n) 0, 1, 2 … */
} cloud;

/* n normal rows of d dims: language k lies `apart` along direction k, and all of them
 * `off` along the last one. */
static cloud make(size_t n, size_t d, size_t languages, float apart, float off)
{
    cloud c = {.n = n, .d = d, .languages = languages};
    ig_random random;

    c.a = ig_alloc(n * d, sizeof *c.a);
    c.lang = ig_alloc(n, sizeof *c.lang);
    c.id = ig_alloc(n, sizeof *c.id);
    ig_random_init(&random, 4, 0);
    for (size_t i = 0; i < n; i++) {
        c.id[i] = (uint32_t)i;
        c.lang[i] = (uint16_t)ig_random_below(&random, languages);
        for (size_t j = 0; j < d; j++)
            c.a[i * d + j] = (float)ig_random_normal(&random) +
                             (j == c.lang[i] ? apart : 0) + (j == d - 1 ? off : 0);
    }
    c.rows = ig_rows_of_matrix(ig_matrix_of(c.a, n, d));
    return c;
}

static void discard(cloud *c)
{
    IG_FREE(c->a, c->lang, c->id);
}

static const ig_figure *whole(const ig_evaluation *e)
{
    return ig_figures_whole(&e->figures, "probe");
}

static ig_status take(ig_evaluation *e, const cloud *c, const uint32_t *id, ig_pool *by)
{
    return measure_group(
        e, IG_MEASURE_PROBE, &c->rows,
        (ig_evaluation_spec){
            .id = id, .pairs = {.lang = c->lang, .languages = c->languages}, .seed = 1},
        by, NULL);
}

static ig_evaluation measure(const cloud *c, const uint32_t *id, ig_pool *by)
{
    ig_evaluation e;

    assert_int_equal(take(&e, c, id ? id : c->id, by), IG_OK);
    return e;
}

/* Rows 1 and −1 of languages 0 and 1: W = ±½ / 1.001, the mean is 0, so the scores of a
 * row 1 are ½ ± ½ / 1.001. */
static void test_by_hand(void **state)
{
    float a[6] = {2, 3, -1, -4, 0.5f, -1};
    uint16_t lang[6] = {0, 0, 1, 1, 0, 0};
    uint32_t id[6] = {0, 1, 0, 1, 3, 5};
    const double counts[4] = {2 / 3.0, 1 / 3.0, 0, 1};
    cloud c = {6, 1, 2, a, lang, ig_rows_of_matrix(ig_matrix_of(a, 6, 1)), NULL};
    ig_evaluation e = measure(&c, id, pool);

    assert_null(e.probe.reason);
    assert_int_equal(e.probe.fitted, 2);
    assert_int_equal(e.probe.tested, 4);
    assert_near_to(ig_figures_value(&e.figures, "probe"), 0.75, 1e-12);
    assert_near_to(whole(&e)->chance, 0.75, 1e-12);
    for (size_t i = 0; i < 4; i++) {
        static const uint32_t row[4] = {1, 3, 4, 5};

        assert_int_equal(e.probe.row[i], row[i]);
        assert_int_equal(e.probe.read[i], i == 1 || i == 3);
        assert_near_to(e.probe.certainty[i], (i == 3 ? -1 : 1) / 1.001, 1e-6);
    }
    for (size_t i = 0; i < 4; i++)
        assert_near_to(
            ig_figures_find(&e.figures, ig_measure_named("probe_read"), i / 2, i % 2)
                ->value,
            counts[i], 1e-12);
    ig_evaluation_free(&e);
}

/* Of a hundred rows half of them teach little of sixty dimensions: what the other rows
 * teach is that the language is there. */
static void test_apart(void **state)
{
    enum { ALL = 4000, TESTED = 100 };
    cloud c = make(ALL, 60, 4, 3, 0), few = c;
    uint32_t test[TESTED];
    ig_evaluation e, apart;

    for (uint32_t i = 0; i < TESTED; i++)
        test[i] = i;
    few.n = TESTED;
    few.rows = ig_rows_of_matrix(ig_matrix_of(c.a, TESTED, c.d));
    e = measure(&few, NULL, pool);
    assert_int_equal(
        measure_group(&apart, IG_MEASURE_PROBE, &c.rows,
                      (ig_evaluation_spec){.row = test,
                                           .rows = TESTED,
                                           .rest = true,
                                           .id = c.id,
                                           .pairs = {.lang = c.lang, .languages = 4},
                                           .seed = 1},
                      pool, NULL),
        IG_OK);
    assert_true(ig_figures_value(&e.figures, "probe") < 0.75 &&
                whole(&apart)->value > 0.85);
    assert_int_equal(apart.probe.fitted, ALL - TESTED);
    assert_int_equal(apart.probe.tested, TESTED);
    assert_int_equal(apart.probe.answers, TESTED);
    for (uint32_t i = 0; i < TESTED; i++)
        assert_int_equal(apart.probe.row[i], i);
    assert_true(ig_figures_value(&apart.figures, "probe_shuffled") < 0.6 &&
                isfinite(apart.probe.by_chance[0]));
    ig_evaluation_free(&e);
    ig_evaluation_free(&apart);
    discard(&c);
}

/* --- the definition, in double --------------------------------------------------- */

/* Solve A X = B for k right sides, rows of b, by Gauss's elimination. */
static void eliminate(double *a, size_t n, double *b, size_t k)
{
    for (size_t p = 0; p < n; p++)
        for (size_t i = 0; i < n; i++) {
            double by = a[i * n + p] / a[p * n + p];

            if (i == p)
                continue;
            for (size_t j = p; j < n; j++)
                a[i * n + j] -= by * a[p * n + j];
            for (size_t r = 0; r < k; r++)
                b[r * n + i] -= by * b[r * n + p];
        }
    for (size_t r = 0; r < k; r++)
        for (size_t i = 0; i < n; i++)
            b[r * n + i] /= a[i * n + i];
}

/* The probe of rows whose number is their id, against `p`. */
static void compare_plain(const cloud *c, const ig_probe *p, double eps)
{
    size_t d = c->d, k = c->languages;
    double *u = ig_alloc(c->n * d, sizeof *u), *mean = ig_alloc(d, sizeof *mean);
    double *s = ig_alloc(d * d, sizeof *s), *w = ig_alloc(k * d, sizeof *w);
    double *share = ig_alloc(k, sizeof *share);
    double n = (double)((c->n + 1) / 2), trace = 0;

    for (size_t i = 0; i < c->n; i++) {
        double square = 0;

        for (size_t j = 0; j < d; j++)
            square += (double)c->a[i * d + j] * (double)c->a[i * d + j];
        for (size_t j = 0; j < d; j++)
            u[i * d + j] = (double)c->a[i * d + j] / sqrt(square);
    }
    for (size_t i = 0; i < c->n; i += 2) {
        share[c->lang[i]] += 1 / n;
        for (size_t j = 0; j < d; j++)
            mean[j] += u[i * d + j] / n;
    }
    for (size_t i = 0; i < c->n; i += 2)
        for (size_t j = 0; j < d; j++) {
            double x = u[i * d + j] - mean[j];

            for (size_t l = 0; l < d; l++)
                s[j * d + l] += x * (u[i * d + l] - mean[l]) / n;
            for (size_t l = 0; l < k; l++)
                w[l * d + j] += x * ((c->lang[i] == l) - share[l]) / n;
        }
    for (size_t j = 0; j < d; j++)
        trace += s[j * d + j];
    for (size_t j = 0; j < d; j++)
        s[j * d + j] += 1e-3 * trace / (double)d;
    eliminate(s, d, w, k);
    for (size_t t = 0; t < p->tested; t++) {
        size_t i = 2 * t + 1, read = 0;
        double score[8], other = -INFINITY;

        for (size_t l = 0; l < k; l++) {
            score[l] = share[l];
            for (size_t j = 0; j < d; j++)
                score[l] += w[l * d + j] * (u[i * d + j] - mean[j]);
            if (score[l] > score[read])
                read = l;
            if (l != c->lang[i] && score[l] > other)
                other = score[l];
        }
        assert_near_to(p->certainty[t], score[c->lang[i]] - other, eps);
        if (fabs((double)p->certainty[t]) > eps)
            assert_int_equal(p->read[t] == c->lang[i], read == c->lang[i]);
    }
    IG_FREE(u, mean, s, w, share);
}

static void test_plain(void **state)
{
    static const struct {
        size_t n, d, languages;
        float apart, off;
        double eps;
    } cases[] = {{1500, 20, 5, 1, 0, 1e-5},
                 {40001, 4, 3, 1, 1, 1e-5},   /* more than a chunk */
                 {1500, 20, 5, 1, 300, 1e-3}, /* all rows close together */
                 {21, 40, 3, 1, 0, 1e-3}};    /* fewer rows than dimensions */

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cloud c = make(cases[i].n, cases[i].d, cases[i].languages, cases[i].apart,
                       cases[i].off);
        ig_evaluation e = measure(&c, NULL, pool);

        compare_plain(&c, &e.probe, cases[i].eps);
        ig_evaluation_free(&e);
        discard(&c);
    }
}

/* Even ids are fitted and odd ones tested; rows without one are counted by language:
 * rows 6 and 8 are the first two of language 0, row 7 the first of language 1. */
static void test_ids(void **state)
{
    cloud c = make(10, 3, 2, 1, 0);
    uint32_t id[10] = {0, 0, 1, 1, 2, 4000000001u, IG_NO_ID, IG_NO_ID, IG_NO_ID, 5};
    const uint32_t tested[5] = {2, 3, 5, 8, 9};
    ig_evaluation e;

    for (uint16_t i = 0; i < 10; i++)
        c.lang[i] = i % 2;
    e = measure(&c, id, pool);
    assert_int_equal(e.probe.fitted, 5);
    assert_int_equal(e.probe.tested, 5);
    assert_memory_equal(e.probe.row, tested, sizeof tested);
    ig_evaluation_free(&e);
    /* No ids at all: languages in turn are both fitted and tested. */
    assert_int_equal(take(&e, &c, NULL, pool), IG_OK);
    assert_int_equal(e.probe.fitted, 6);
    assert_int_equal(e.probe.tested, 4);
    assert_true(e.probe.row[0] == 2 && e.probe.row[1] == 3 && e.probe.row[2] == 6);
    ig_evaluation_free(&e);
    discard(&c);
}

static void check_undefined(const cloud *c, const uint32_t *id, const char *reason)
{
    ig_evaluation e = measure(c, id, pool);

    assert_string_equal(e.probe.reason, reason);
    assert_true(isnan(ig_figures_value(&e.figures, "probe")) &&
                isnan(ig_figures_value(&e.figures, "probe_shuffled")));
    assert_true(isnan(whole(&e)->chance) == (e.probe.tested == 0));
    assert_int_equal(e.probe.answers, 0);
    ig_evaluation_free(&e);
}

static void test_undefined(void **state)
{
    cloud c = make(40, 3, 3, 1, 0);
    uint32_t id[40];

    for (uint32_t i = 0; i < 40; i++)
        id[i] = 2 * i;
    check_undefined(&c, id, "no row has an odd-numbered id to test the probe on");
    for (uint32_t i = 0; i < 40; i++)
        id[i] = 2 * i + 1;
    check_undefined(&c, id, "no row has an even-numbered id to fit the probe on");
    for (size_t i = 0; i < 40; i += 2)
        c.lang[i] = 1;
    check_undefined(&c, c.id, "the rows with even-numbered ids have only one language");
    for (size_t i = 0; i < 40; i++)
        c.lang[i] = 1;
    check_undefined(&c, NULL, "only one language");
    for (uint16_t i = 0; i < 40; i++)
        c.lang[i] = i % 3;
    for (size_t i = 0; i < 40; i++)
        for (size_t j = 0; j < 3; j++)
            c.a[3 * i + j] = (float)((i + 1) * (j + 1));
    check_undefined(&c, NULL, "the rows do not differ");
    memset(c.a, 0, 120 * sizeof *c.a);
    check_undefined(&c, NULL, "the rows do not differ");
    c.rows.rows = 0;
    check_undefined(&c, NULL, "no rows");
    discard(&c);
}

static void test_refused(void **state)
{
    cloud c = make(3000, 5, 3, 1, 0);
    ig_evaluation e;

    for (size_t row = 100; row < 102; row++) {
        c.a[row * 5] = row % 2 ? INFINITY : NAN;
        assert_int_equal(take(&e, &c, NULL, pool), IG_VALUE);
        assert_null(e.probe.row);
        c.a[row * 5] = 1;
    }
    discard(&c);
}

SUITE(probe, pool_start, pool_end, TEST(test_by_hand), TEST(test_apart),
      TEST(test_plain), TEST(test_ids), TEST(test_undefined), TEST(test_refused))
