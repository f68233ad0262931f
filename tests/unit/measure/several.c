/* Any right translation counts: retrieval and the multilingual pool of a set whose ids
 * have up to 14 rows in a language, against the values of an independent double
 * implementation (tests/golden/several-values.csv), and a perfect encoder. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "measured.h"
#include "suite.h"

#include "core/random.h"
#include "data/pairs.h"
#include "measure/evaluation.h"
#include "pooled.h"

enum { MEANINGS = 30, DIMS = 8, EACH = 3 };

static void take(ig_evaluation *e, const ig_rows *rows, const ig_pairs *pairs,
                 const uint16_t *lang, size_t languages, const uint32_t *id)
{
    const ig_evaluation_spec spec = {.measures = IG_MEASURE_POOL | IG_MEASURE_RETRIEVAL,
                                     .id = id,
                                     .pairs = {.lang = lang,
                                               .languages = languages,
                                               .left = pairs->left,
                                               .right = pairs->right,
                                               .group = pairs->group,
                                               .pairs = pairs->count}};

    assert_int_equal(ig_evaluation_take(e, rows, &spec, pool, NULL, NULL), IG_OK);
}

/* A figure of a direction by its name. */
static double value_of(const ig_evaluation *e, const char *name, size_t from, size_t to)
{
    const ig_measure *measure = ig_measure_named(name);
    const ig_retrieval_score *score = ig_retrieval_find(&e->retrieval, from, to);

    if (strcmp(name, "targets") == 0)
        return score->targets;
    if (strcmp(name, "queries") == 0)
        return (double)score->pairs;
    assert_non_null(measure);
    return ig_figures_find(&e->figures, measure, from, to)->value;
}

static void figures_have_the_golden_values(void **state)
{
    const char *const data[] = {"tests/golden/several.npy"};
    FILE *file = fopen("tests/golden/several-values.csv", "r");
    char line[128];
    size_t lines = 0;
    ig_dataset *set;
    ig_pairs pairs;
    ig_rows rows;
    ig_evaluation e;

    assert_non_null(file);
    assert_int_equal(ig_dataset_open(&set, data, 1, NULL, NULL), IG_OK);
    assert_int_equal(ig_pairs_derive(&pairs, set, "all", NULL), IG_OK);
    rows = ig_rows_of_dataset(set);
    take(&e, &rows, &pairs, set->lang, set->languages, set->id);
    while (fgets(line, sizeof line, file)) {
        char from[8] = "", to[8] = "", name[32];
        size_t lang[2] = {IG_ALL_LANGUAGES, IG_ALL_LANGUAGES};
        double is, want;

        if (sscanf(line, "%7[a-z],%7[a-z],%31[a-z0-9_],%lf", from, to, name, &want) < 4)
            assert_int_equal(sscanf(line, ",,%31[a-z_],%lf", name, &want), 2);
        for (size_t l = 0; l < set->languages; l++) {
            if (strcmp(set->language[l], from) == 0)
                lang[0] = l;
            if (strcmp(set->language[l], to) == 0)
                lang[1] = l;
        }
        is = value_of(&e, name, lang[0], lang[1]);
        if (!(fabs(is - want) < 1e-6))
            fail_msg("%s is %.9g", line, is);
        lines++;
    }
    assert_int_equal(lines, 68);
    fclose(file);
    ig_evaluation_free(&e);
    ig_pairs_free(&pairs);
    ig_dataset_free(set);
}

/* Rows of a language: one of each meaning in language 0, EACH in language 1, all the
 * same. Its pairs may be given twice. */
static void perfect_encoder_finds_all(void **state)
{
    enum { N = MEANINGS * (1 + EACH), PAIRS = 2 * MEANINGS * EACH };
    static const char *const best[] = {"top1", "csls_top1", "ratio_margin_top1"};
    static float x[N * DIMS];
    static uint16_t lang[N];
    static uint32_t id[N], side[2][PAIRS], group[PAIRS];
    ig_pairs pairs = {.left = side[0], .right = side[1], .group = group};
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(x, N, DIMS));
    const ig_retrieval_score *score;
    ig_random random;
    ig_evaluation e;

    ig_random_init(&random, 1, 0);
    for (uint32_t m = 0; m < MEANINGS; m++)
        for (uint32_t k = 0; k <= EACH; k++) {
            uint32_t row = m * (1 + EACH) + k;

            for (size_t j = 0; j < DIMS; j++)
                x[row * DIMS + j] = k ? x[(row - k) * DIMS + j]
                                      : (float)ig_random_normal(&random);
            lang[row] = k > 0;
            id[row] = m;
            for (int twice = 0; k && twice < 2; twice++) {
                side[0][pairs.count] = row - k;
                side[1][pairs.count] = row;
                group[pairs.count++] = m;
            }
        }
    take(&e, &rows, &pairs, lang, 2, id);
    for (size_t i = 0; i < sizeof best / sizeof *best; i++)
        assert_true(ig_figures_value(&e.figures, best[i]) == 1);
    assert_true(ig_figures_value(&e.figures, "mean_rank") == 1);
    assert_true(ig_figures_value(&e.figures, "tied") == 0);
    assert_true(ig_figures_value(&e.figures, "xsim") == 0);
    assert_true(ig_figures_value(&e.figures, "similarity_gap") > 0);
    score = ig_retrieval_find(&e.retrieval, 0, 1);
    assert_int_equal(score->pairs, MEANINGS);
    assert_true(score->targets == EACH);
    assert_true(
        fabs(ig_figures_find(&e.figures, ig_measure_named("top1"), 0, 1)->chance -
             1.0 / MEANINGS) < 1e-12);
    score = ig_retrieval_find(&e.retrieval, 1, 0);
    assert_int_equal(score->pairs, MEANINGS * EACH);
    assert_true(score->targets == 1);
    ig_evaluation_free(&e);
}

/* CKA of fewer rows than dimensions, the last of which are copies: those of an id are
 * one. */
static double measure_cka(size_t n)
{
    enum { D = 64 };
    float x[50 * D];
    uint16_t lang[50];
    uint32_t id[50], left[30], right[30];
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(x, n, D));
    ig_random random;
    ig_evaluation e;
    double cka;

    ig_random_init(&random, 3, 0);
    for (size_t i = 0; i < 50 * D; i++)
        x[i] = i < 40 * D ? (float)ig_random_normal(&random) : x[i - 40 * D];
    for (uint32_t i = 0; i < 50; i++) {
        lang[i] = i % 40 >= 20;
        id[i] = i % 20;
    }
    for (uint32_t i = 0; i < n - 20; i++) {
        left[i] = i < 20 ? i : 20 + i;
        right[i] = 20 + i % 20;
    }
    assert_int_equal(measure_group(&e, IG_MEASURE_CKA, &rows,
                                   (ig_evaluation_spec){.id = id,
                                                        .pairs = {.lang = lang,
                                                                  .languages = 2,
                                                                  .left = left,
                                                                  .right = right,
                                                                  .pairs = n - 20},
                                                        .seed = 1},
                                   pool, NULL),
                     IG_OK);
    cka = ig_figures_value(&e.figures, "cka");
    ig_evaluation_free(&e);
    return cka;
}

static void rows_of_an_id_are_one_in_cka(void **state)
{
    double once = measure_cka(40);

    assert_true(once > 0.1 && fabs(measure_cka(50) - once) < 1e-6);
}

SUITE(several, pool_start, pool_end, TEST(figures_have_the_golden_values),
      TEST(perfect_encoder_finds_all), TEST(rows_of_an_id_are_one_in_cka))
