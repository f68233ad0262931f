/* IsoScore and the spectrum: the definition, and scores that cannot be computed. */
#include <math.h>
#include <string.h>

#include "suite.h"

#include "core/memory.h"
#include "core/random.h"
#include "measured.h"
#include "pooled.h"

static ig_evaluation measure(const float *a, size_t n, size_t d, ig_pool *by)
{
    static const uint16_t lang[40000];
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of((float *)a, n, d));
    ig_evaluation_spec spec = {.pairs = {.lang = lang, .languages = 1}};
    ig_evaluation e;

    assert_int_equal(measure_group(&e, IG_MEASURE_ISOTROPY, &rows, spec, by, NULL),
                     IG_OK);
    return e;
}

static const ig_figure *isoscore(const ig_evaluation *e)
{
    return ig_figures_whole(&e->figures, "isoscore");
}

/* (n, d) normal rows, longer along the first directions and off the origin. */
static float *make_rows(size_t n, size_t d, float off)
{
    float *a = ig_alloc(n * d, sizeof *a);
    ig_random random;

    ig_random_init(&random, 3, 0);
    for (size_t i = 0; i < n * d; i++)
        a[i] = (float)ig_random_normal(&random) / (float)(1 + i % d) +
               (i % d == 1 ? off : 0);
    return a;
}

/* The definition, in double. */
static double plain(const float *a, size_t n, size_t d)
{
    double *u = ig_alloc(n * d, sizeof *u), *mean = ig_alloc(d, sizeof *mean);
    double trace = 0, squares = 0;

    for (size_t i = 0; i < n; i++) {
        double square = 0;

        for (size_t j = 0; j < d; j++)
            square += (double)a[i * d + j] * (double)a[i * d + j];
        for (size_t j = 0; j < d; j++) {
            u[i * d + j] = (double)a[i * d + j] / sqrt(square);
            mean[j] += u[i * d + j] / (double)n;
        }
    }
    for (size_t j = 0; j < d; j++)
        for (size_t k = 0; k < d; k++) {
            double c = 0;

            for (size_t i = 0; i < n; i++)
                c += (u[i * d + j] - mean[j]) * (u[i * d + k] - mean[k]) / (double)n;
            trace += j == k ? c : 0;
            squares += c * c;
        }
    IG_FREE(u, mean);
    return (trace * trace / squares - 1) / (double)(d - 1);
}

static void check_plain(size_t n, size_t d, float off, double eps)
{
    float *a = make_rows(n, d, off);
    ig_evaluation e = measure(a, n, d, pool);
    double sum = 0, last = 1;
    size_t values = 0;

    assert_near_to(isoscore(&e)->value, plain(a, n, d), eps);
    for (size_t i = 0; i < e.figures.count; i++) {
        const ig_figure *f = e.figures.row[i];

        if (f->measure != ig_measure_named("eigenvalue"))
            continue;
        assert_true(f->value <= last && f->value >= 0);
        last = f->value;
        sum += last;
        values++;
    }
    assert_int_equal(values, d);
    assert_near_to(sum, 1, 1e-12);
    ig_evaluation_free(&e);
    ig_free(a);
}

static void test_plain(void **state)
{
    check_plain(1300, 20, 1, 1e-6);
    /* All rows close together. */
    check_plain(1300, 20, 1000, 1e-4);
    /* More than a chunk. */
    check_plain(40000, 3, 1, 1e-6);
    /* Fewer rows than dimensions. */
    check_plain(5, 20, 0, 1e-6);
}

static void check_undefined(const float *a, size_t n, size_t d, const char *reason)
{
    ig_evaluation e = measure(a, n, d, pool);

    assert_true(isnan(isoscore(&e)->value));
    assert_int_equal(e.figures.count, 3);
    assert_string_equal(isoscore(&e)->reason, reason);
    ig_evaluation_free(&e);
}

static void test_undefined(void **state)
{
    /* Copies of one direction: of length 1 they differ by rounding alone. */
    float a[5 * 3] = {1, 3, 7, 3, 9, 21, 0.7f, 2.1f, 4.9f, 11, 33, 77, 1e-20f};

    a[13] = 3e-20f;
    a[14] = 7e-20f;
    check_undefined(a, 0, 3, "the rows do not differ");
    check_undefined(a, 1, 3, "the rows do not differ");
    check_undefined(a, 15, 1, "only one dimension");
    check_undefined(a, 5, 3, "the rows do not differ");
    memset(a, 0, sizeof a);
    check_undefined(a, 5, 3, "the rows do not differ");
}

SUITE(isotropy, pool_start, pool_end, TEST(test_plain), TEST(test_undefined))
