/* Figures against the values of an independent double implementation
 * (tests/golden/science.csv), on the vectors of tests/golden/mixed.npy as they are and
 * less the mean of their language. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"

#include "core/memory.h"
#include "data/dataset.h"
#include "measured.h"
#include "pooled.h"

enum { N = 4800, D = 256, K = 8, IDS = 600 };

static const char *const spaces[] = {"original", "centre"};

static double golden(const char *space, const char *figure)
{
    FILE *file = fopen("tests/golden/science.csv", "r");
    char line[128], name[64];
    double value = (double)NAN;

    assert_non_null(file);
    snprintf(name, sizeof name, "%s,%s,", space, figure);
    while (fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0)
            value = atof(line + strlen(name));
    fclose(file);
    assert_false(isnan(value));
    return value;
}

static void subtract_means(float *x, const uint16_t *lang)
{
    static double mean[K][D];

    memset(mean, 0, sizeof mean);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < D; j++)
            mean[lang[i]][j] += (double)x[i * D + j] / IDS;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < D; j++)
            x[i * D + j] = (float)((double)x[i * D + j] - mean[lang[i]][j]);
}

/* The vectors of a space, which the caller frees. */
static float *read_vectors(const ig_dataset *set, const char *space)
{
    float *x = ig_alloc(N, D * sizeof *x);

    assert_non_null(x);
    ig_dataset_rows(set, NULL, 0, N, x, D);
    if (strcmp(space, "centre") == 0)
        subtract_means(x, set->lang);
    return x;
}

static ig_dataset *open_set(void)
{
    const char *const data[] = {"tests/golden/mixed.npy"};
    ig_dataset *set;

    assert_int_equal(ig_dataset_open(&set, data, 1, NULL, NULL), IG_OK);
    assert_int_equal(set->languages, K);
    return set;
}

static void figures_have_the_golden_values(void **state)
{
    static const char *const figure[][2] = {{"cka", "cka"},
                                            {"debiased_cka", "cka_debiased"},
                                            {"mean_cosine", "mean_cosine"},
                                            {"language_share", "language_share"},
                                            {"pool_ndcg10", "pool_ndcg10"}};
    ig_dataset *set = open_set();
    ig_pairs pairs = {0};
    ig_subset subset = {0};
    size_t en = (size_t)ig_dataset_language(set, "en");
    size_t ja = (size_t)ig_dataset_language(set, "ja");

    assert_int_equal(ig_pairs_derive(&pairs, set, "all", NULL), IG_OK);
    assert_int_equal(ig_subset_take(&subset, set, &pairs, NULL, NULL,
                                    (ig_subset_limits){0}, 1, NULL),
                     IG_OK);
    for (size_t s = 0; s < 2; s++) {
        float *x = read_vectors(set, spaces[s]);
        ig_rows rows = ig_rows_of_matrix(ig_matrix_of(x, N, D));
        ig_evaluation_spec spec = ig_evaluation_spec_of(set, &subset, 1);
        ig_evaluation e;

        spec.measures = IG_MEASURE_CKA | IG_MEASURE_ISOTROPY | IG_MEASURE_POOL |
                        IG_MEASURE_PROBE;
        assert_int_equal(ig_evaluation_take(&e, &rows, &spec, pool, NULL, NULL), IG_OK);
        for (size_t f = 0; f < sizeof figure / sizeof *figure; f++)
            assert_true(fabs(ig_figures_value(&e.figures, figure[f][1]) -
                             golden(spaces[s], figure[f][0])) < 1e-6);
        for (size_t f = 0; f < 2; f++) {
            char name[32];
            const ig_figure *row =
                ig_figures_find(&e.figures, ig_measure_named(figure[f][1]),
                                en < ja ? en : ja, en < ja ? ja : en);

            snprintf(name, sizeof name, "%s_en_ja", figure[f][0]);
            assert_true(fabs(row->value - golden(spaces[s], name)) < 1e-6);
        }
        ig_evaluation_free(&e);
        ig_free(x);
    }
    ig_subset_free(&subset);
    ig_pairs_free(&pairs);
    ig_dataset_free(set);
}

static double compare(const ig_rows *rows, const ig_rows *other)
{
    ig_evaluation e;
    double cka;

    assert_int_equal(
        ig_evaluation_take(
            &e, rows,
            &(ig_evaluation_spec){.measures = IG_MEASURE_SPACE_CKA, .other = other},
            pool, NULL, NULL),
        IG_OK);
    cka = ig_figures_value(&e.figures, "cka_run");
    ig_evaluation_free(&e);
    return cka;
}

static void cka_of_a_rotated_copy_is_one(void **state)
{
    enum { ROWS = 5, DIMS = 2 };
    static const float a[ROWS * DIMS] = {1, 0, 3, 1, -2, 4, 0, 0, 5, -1};
    float b[ROWS * DIMS], one[3 * DIMS] = {1, 2, 1, 2, 1, 2};
    ig_rows left = ig_rows_of_matrix(ig_matrix_of((float *)a, ROWS, DIMS)), right;
    ig_rows constant = ig_rows_of_matrix(ig_matrix_of(one, 3, DIMS));

    for (size_t i = 0; i < ROWS; i++) {
        b[2 * i] = 7 - 2 * a[2 * i + 1];
        b[2 * i + 1] = 2 * a[2 * i] - 1;
    }
    right = ig_rows_of_matrix(ig_matrix_of(b, ROWS, DIMS));
    assert_true(fabs(compare(&left, &right) - 1) < 1e-6);
    assert_true(isnan(compare(&constant, &constant)));
}

SUITE(science, pool_start, pool_end, TEST(figures_have_the_golden_values),
      TEST(cka_of_a_rotated_copy_is_one))
