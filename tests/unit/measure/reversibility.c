/* Reversibility: two rows a language and two languages, so that what is exchanged is
 * known; and what cannot be had. */
#include <math.h>
#include <string.h>

#include "suite.h"

#include "core/memory.h"
#include "core/random.h"
#include "measured.h"
#include "pooled.h"

enum { N = 4, D = 7 };

static float e[N][D], m[N][D], l[N][D];
static const uint16_t lang[N] = {0, 0, 1, 1};
static const uint32_t same[N] = {5, 6, 6, 5};
static const size_t other[N] = {1, 0, 3, 2}, translation[N] = {3, 2, 1, 0};

static ig_rows rows_of(float (*a)[D])
{
    return ig_rows_of_matrix(ig_matrix_of(&a[0][0], N, D));
}

static int plant(void **state)
{
    ig_random random;

    ig_random_init(&random, 9, 0);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < D; j++) {
            e[i][j] = (float)ig_random_normal(&random);
            m[i][j] = (float)ig_random_normal(&random);
            l[i][j] = e[i][j] - m[i][j] + (float)(0.1 * ig_random_normal(&random));
        }
    return pool_start(state);
}

static ig_status measure(ig_evaluation *r, const uint32_t *row, size_t n,
                         const uint16_t *of, const uint32_t *id)
{
    static const uint32_t all[N] = {0, 1, 2, 3};
    ig_rows part[3] = {rows_of(e), rows_of(m), rows_of(l)};
    const ig_rows *const parts[3] = {&part[0], &part[1], &part[2]};

    return measure_group(r, IG_MEASURE_REVERSIBILITY, &part[1],
                         (ig_evaluation_spec){.row = row ? row : all,
                                              .rows = n,
                                              .pairs = {.lang = of, .languages = 2},
                                              .id = id,
                                              .part = parts,
                                              .seed = 1},
                         pool, NULL);
}

static double value(const ig_evaluation *r, const char *measure)
{
    return ig_figures_value(&r->figures, measure);
}

static void plainly(size_t i, size_t of_m, size_t of_l, double *cosine, double *error)
{
    double ee = 0, ss = 0, es = 0, apart = 0;

    for (size_t j = 0; j < D; j++) {
        double s = (double)m[of_m][j] + (double)l[of_l][j], x = (double)e[i][j];

        ee += x * x;
        ss += s * s;
        es += x * s;
        apart += (x - s) * (x - s);
    }
    *cosine += es / sqrt(ee * ss) / N;
    *error += sqrt(apart / ee) / N;
}

static void test_plain(void **state)
{
    double cosine[3] = {0}, error[3] = {0}, overlap = 0;
    ig_evaluation r;

    assert_int_equal(measure(&r, NULL, N, lang, same), IG_OK);
    for (size_t i = 0; i < N; i++) {
        double mm = 0, ll = 0, ml = 0;

        plainly(i, i, i, &cosine[0], &error[0]);
        plainly(i, i, other[i], &cosine[1], &error[1]);
        plainly(i, translation[i], i, &cosine[2], &error[2]);
        for (size_t j = 0; j < D; j++) {
            mm += (double)m[i][j] * (double)m[i][j];
            ll += (double)l[i][j] * (double)l[i][j];
            ml += (double)m[i][j] * (double)l[i][j];
        }
        overlap += fabs(ml) / sqrt(mm * ll) / N;
    }
    assert_near_to(value(&r, "reversible"), cosine[0], 1e-6);
    assert_near_to(value(&r, "reversible_error"), error[0], 1e-6);
    assert_near_to(value(&r, "exchanged_language"), cosine[1], 1e-6);
    assert_near_to(value(&r, "exchanged_language_error"), error[1], 1e-6);
    assert_near_to(value(&r, "exchanged_meaning"), cosine[2], 1e-6);
    assert_near_to(value(&r, "exchanged_meaning_error"), error[2], 1e-6);
    assert_near_to(value(&r, "parts_cosine"), overlap, 1e-6);
    assert_true(value(&r, "reversible") > 0.9 &&
                value(&r, "exchanged_language") < value(&r, "reversible"));
    ig_evaluation_free(&r);
}

/* One row a language: nothing to exchange within it; rows of other meanings have no
 * translation; a row of length 0 does not count. */
static void test_missing(void **state)
{
    const uint32_t row[2] = {1, 3}, none[N] = {9, IG_NO_ID, 9, 4};
    const uint16_t two[N] = {1, 0, 0, 1};
    double before;
    float kept[D];
    ig_evaluation r;

    assert_int_equal(measure(&r, row, 2, two, none), IG_OK);
    assert_true(ig_figures_whole(&r.figures, "reversible")->n == 2 &&
                !isnan(value(&r, "reversible")));
    assert_true(isnan(value(&r, "exchanged_language")) &&
                isnan(value(&r, "exchanged_meaning_error")));
    ig_evaluation_free(&r);
    assert_int_equal(measure(&r, NULL, N, lang, same), IG_OK);
    before = value(&r, "reversible");
    ig_evaluation_free(&r);
    memcpy(kept, e[2], sizeof kept);
    memset(e[2], 0, sizeof kept);
    assert_int_equal(measure(&r, NULL, N, lang, same), IG_OK);
    assert_true(!isnan(value(&r, "reversible")) && value(&r, "reversible") != before);
    ig_evaluation_free(&r);
    memcpy(e[2], kept, sizeof kept);
    assert_int_equal(measure(&r, NULL, 0, lang, same), IG_OK);
    assert_string_equal(ig_figures_whole(&r.figures, "reversible")->reason,
                        "no row has a length");
    ig_evaluation_free(&r);
}

static void test_failing(void **state)
{
    ig_evaluation r = {0};
    ig_status status = IG_NOMEM;

    for (long n = 1; status != IG_OK; n++) {
        assert_int_equal(r.figures.count, 0);
        assert_true(n < 60);
        ig_alloc_fail_at(n);
        status = measure(&r, NULL, N, lang, same);
        ig_alloc_fail_at(0);
        assert_true(status == IG_OK || status == IG_NOMEM);
    }
    ig_evaluation_free(&r);
}

SUITE(reversibility, plant, pool_end, TEST(test_plain), TEST(test_missing),
      TEST(test_failing))
