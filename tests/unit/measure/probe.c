/* The language probe: what halves and other rows teach.
 * tests/oracle compares it with its definition. */
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

/* Rows close together, more rows than are learned from, and fewer than dimensions: the
 * directions of languages are found. */
static void test_sizes(void **state)
{
    static const struct {
        size_t n, d;
        float apart, off;
        double least;
    } cases[] = {
        {140001, 3, 2, 1, 0.7}, {1500, 20, 8, 300, 0.95}, {60, 80, 60, 0, 0.9}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cloud c = make(cases[i].n, cases[i].d, 3, cases[i].apart, cases[i].off);
        ig_evaluation e = measure(&c, NULL, pool);

        assert_true(whole(&e)->value > cases[i].least);
        assert_true(whole(&e)->value < 1 || !whole(&e)->marked);
        ig_evaluation_free(&e);
        discard(&c);
    }
}

static ig_evaluation measure_first(const cloud *c, uint32_t *row, size_t n)
{
    ig_evaluation e;

    for (uint32_t i = 0; i < n; i++)
        row[i] = i;
    assert_int_equal(
        measure_group(
            &e, IG_MEASURE_PROBE, &c->rows,
            (ig_evaluation_spec){.row = row,
                                 .rows = n,
                                 .rest = true,
                                 .id = c->id,
                                 .pairs = {.lang = c->lang, .languages = c->languages},
                                 .seed = 1},
            pool, NULL),
        IG_OK);
    return e;
}

/* Of a hundred rows half of them teach little of sixty dimensions: what the other rows
 * teach is that the language is there. */
static void test_fitted(void **state)
{
    enum { TESTED = 100 };
    cloud c = make(4000, 60, 4, 3, 0);
    uint32_t row[TESTED];
    ig_evaluation e = measure_first(&c, row, TESTED);

    assert_true(whole(&e)->value < 0.75 && whole(&e)->marked);
    assert_true(ig_figures_value(&e.figures, "probe_fitted") > 0.85);
    assert_true(ig_figures_value(&e.figures, "probe_raw_fitted") > 0.85);
    assert_int_equal(ig_figures_whole(&e.figures, "probe_fitted")->n, TESTED);
    ig_evaluation_free(&e);
    discard(&c);
}

/* An eraser that overfits: languages are centred by the means of other rows. A probe of
 * those finds nothing; that of the measured rows finds the language. */
static void test_eraser(void **state)
{
    enum { TESTED = 8000, ALL = 12000, D = 100 };
    static uint32_t row[TESTED];
    static double mean[4][D];
    cloud c = make(ALL, D, 4, 3, 0);
    double n[4] = {0};
    ig_evaluation e;

    for (size_t i = TESTED; i < ALL; i++)
        for (size_t j = 0; j < D; j++)
            mean[c.lang[i]][j] += (double)c.a[i * D + j];
    for (size_t i = TESTED; i < ALL; i++)
        n[c.lang[i]]++;
    for (size_t i = 0; i < ALL * D; i++)
        c.a[i] -= (float)(mean[c.lang[i / D]][i % D] / n[c.lang[i / D]]);
    e = measure_first(&c, row, TESTED);
    assert_true(ig_figures_value(&e.figures, "probe_raw_fitted") < 0.28);
    assert_true(ig_figures_value(&e.figures, "probe_raw") > 0.3);
    ig_evaluation_free(&e);
    discard(&c);
}

/* Dimension 1 always has the language, by a little; dimension 0 by much, of three rows in
 * four and of all that choose λ: every λ reads those. The smallest reads dimension 1 of the
 * measured rows, the greatest dimension 0, which has the other language. */
static void test_equal_ridges(void **state)
{
    enum { TESTED = 40, ALL = 840 };
    uint32_t row[TESTED];
    cloud c = make(ALL, 2, 2, 0, 0);
    ig_evaluation e;

    for (size_t i = 0; i < ALL; i++) {
        float side = (c.lang[i] = i / 2 % 2) ? 1 : -1;

        c.a[2 * i] = i >= TESTED && (i % 10 == 9 || i % 4) ? side : -side;
        c.a[2 * i + 1] = 0.01F * side;
    }
    e = measure_first(&c, row, TESTED);
    assert_true(ig_figures_value(&e.figures, "probe_raw_fitted") == 1);
    ig_evaluation_free(&e);
    discard(&c);
}

SUITE(probe, pool_start, pool_end, TEST(test_sizes), TEST(test_fitted),
      TEST(test_eraser), TEST(test_equal_ridges))
