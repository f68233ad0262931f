/* Correlations: worked out by hand, by kind of pair, zero rows, and those that cannot be
 * computed. */
#include <math.h>
#include <string.h>

#include "suite.h"

#include "core/memory.h"
#include "measured.h"
#include "pooled.h"

/* Directions at 0, 30, 60, 90 and 120 degrees, of all lengths, and a zero row. */
static const float fan[6 * 2] = {5, 0,    0.866025404f, 0.5f,        1, 1.73205081f,
                                 0, 0.1f, -1.5f,        2.59807621f, 0, 0};

static ig_evaluation take(const ig_rows *rows, const uint16_t *lang,
                          const ig_scores *scores)
{
    ig_evaluation e;

    assert_int_equal(
        measure_group(&e, IG_MEASURE_SIMILARITY, rows,
                      (ig_evaluation_spec){.scores = scores,
                                           .pairs = {.lang = lang, .languages = 2}},
                      pool, NULL),
        IG_OK);
    return e;
}

static double value(const ig_evaluation *e, const char *measure)
{
    return ig_figures_value(&e->figures, measure);
}

static const char *reason(const ig_evaluation *e, const char *measure)
{
    return ig_figures_whole(&e->figures, measure)->reason;
}

/* The figure of a kind of pairs. */
static const ig_figure *of_kind(const ig_evaluation *e, const char *measure,
                                const char *kind)
{
    for (size_t i = 0; i < e->figures.count; i++) {
        const ig_figure *f = e->figures.row[i];

        if (f->measure == ig_measure_named(measure) && f->from &&
            strcmp(f->from, kind) == 0)
            return f;
    }
    return NULL;
}

static ig_evaluation measure(const ig_scores *scores)
{
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of((float *)fan, 6, 2));

    return take(&rows, NULL, scores);
}

static void test_measure(void **state)
{
    uint32_t left[4] = {0, 0, 0, 0}, right[4] = {1, 2, 3, 4};
    double score[4] = {0.866025404, 0.5, 0, -0.5}, order[4] = {9, 8, 1, 7};
    ig_scores scores = {.count = 4, .left = left, .right = right, .score = score};
    ig_evaluation s = measure(&scores);

    assert_near_to(value(&s, "pearson"), 1, 1e-7);
    assert_near_to(value(&s, "spearman"), 1, 1e-7);
    assert_int_equal(ig_figures_whole(&s.figures, "pearson")->n, 4);
    assert_null(reason(&s, "pearson"));
    assert_true(isnan(value(&s, "mean_pearson")));
    ig_evaluation_free(&s);

    scores.score = order;
    s = measure(&scores);
    assert_near_to(value(&s, "spearman"), 0.8, 1e-7);
    ig_evaluation_free(&s);

    /* A zero row has a cosine of 0 with anything: as 90 degrees has. */
    scores.score = score;
    right[2] = 5;
    s = measure(&scores);
    assert_near_to(value(&s, "pearson"), 1, 1e-7);
    ig_evaluation_free(&s);
}

static void test_kinds(void **state)
{
    static const char *name[5] = {"up", "down", "flat", "one", "same"};
    uint32_t left[] = {0, 0, 0, 0, 1, 0, 0, 3, 4, 0, 0};
    uint32_t right[] = {1, 2, 3, 1, 1, 2, 3, 0, 0, 0, 2};
    double score[] = {3, 9, 2, 4, 5, 4, 1, 5, 2, 8, 4};
    uint32_t kind[] = {0, 1, 0, 2, 4, 2, 0, 1, 3, 4, 2};
    ig_scores scores = {.count = 11,
                        .left = left,
                        .right = right,
                        .score = score,
                        .pairs = 5,
                        .pair_name = name,
                        .pair = kind};
    ig_evaluation s = measure(&scores);

    /* Scores 3, 2, 1 of cosines √¾, 0, 0. */
    assert_near_to(of_kind(&s, "pearson", "up")->value, sqrt(0.75), 1e-7);
    assert_near_to(of_kind(&s, "spearman", "up")->value, sqrt(0.75), 1e-7);
    /* Scores 9 and 5 of ½ and 0. */
    assert_near_to(of_kind(&s, "pearson", "down")->value, 1, 1e-7);
    assert_true(isnan(of_kind(&s, "pearson", "flat")->value) &&
                isnan(of_kind(&s, "spearman", "flat")->value));
    assert_string_equal(of_kind(&s, "pearson", "flat")->reason,
                        "the scores are all equal");
    assert_string_equal(of_kind(&s, "pearson", "one")->reason, "only one pair");
    assert_string_equal(of_kind(&s, "pearson", "same")->reason,
                        "the cosines are all equal");
    assert_near_to(value(&s, "mean_pearson"), (sqrt(0.75) + 1) / 2, 1e-7);
    assert_near_to(value(&s, "mean_spearman"), (sqrt(0.75) + 1) / 2, 1e-7);
    ig_evaluation_free(&s);
}

/* Values of scipy 1.17 (kendalltau) and scikit-learn (roc_auc_score,
 * average_precision_score), with ties in both lists. */
static void test_positive(void **state)
{
    static const double cosine[10] = {.9, .9, .5, .1, .1, .1, -.3, .7, .2, .5};
    double gold[10] = {5, 4, 4, 1, 2, 2, 0, 3, 3, 5};
    uint32_t left[10] = {0}, right[10];
    float row[11 * 2] = {1, 0};
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(row, 11, 2));
    ig_scores scores = {.count = 10, .left = left, .right = right, .score = gold};
    ig_evaluation s;

    for (uint32_t i = 0; i < 10; i++) {
        right[i] = i + 1;
        row[2 * i + 2] = (float)cosine[i];
        row[2 * i + 3] = (float)sqrt(1 - cosine[i] * cosine[i]);
    }
    s = take(&rows, NULL, &scores);
    assert_near_to(value(&s, "kendall"), 0.7654904374034319, 1e-7);
    assert_near_to(value(&s, "spearman"), 0.8625168461966675, 1e-7);
    assert_true(isnan(value(&s, "auc")) && isnan(value(&s, "average_precision")));
    ig_evaluation_free(&s);
    scores.labelled = true;
    scores.positive = 4;
    s = take(&rows, NULL, &scores);
    assert_near_to(value(&s, "auc"), 0.9166666666666666, 1e-7);
    assert_near_to(value(&s, "average_precision"), 0.9, 1e-7);
    ig_evaluation_free(&s);
    scores.positive = 0;
    s = take(&rows, NULL, &scores);
    assert_true(isnan(value(&s, "auc")));
    ig_evaluation_free(&s);
}

static void test_undefined(void **state)
{
    uint32_t left[3] = {0, 1, 2}, right[3] = {0, 1, 2};
    float odd[6 * 2];
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(odd, 6, 2));
    static const char *name[1] = {"only"};
    double score[3] = {1, 2, 3};
    uint32_t kind[3] = {0};
    ig_scores scores = {.count = 3,
                        .left = left,
                        .right = right,
                        .score = score,
                        .pairs = 1,
                        .pair_name = name,
                        .pair = kind};
    ig_evaluation s = measure(&scores);

    assert_true(isnan(value(&s, "pearson")) && isnan(value(&s, "spearman")));
    assert_string_equal(reason(&s, "pearson"), "the cosines are all equal");
    assert_true(isnan(value(&s, "mean_pearson")) && isnan(value(&s, "mean_spearman")));
    ig_evaluation_free(&s);
    memcpy(odd, fan, sizeof odd);
    odd[2] = NAN;
    right[0] = 1;
    s = take(&rows, NULL, &scores);
    assert_string_equal(reason(&s, "pearson"), "a value is not finite");
    ig_evaluation_free(&s);
    scores = (ig_scores){0};
    s = measure(&scores);
    assert_string_equal(reason(&s, "pearson"), "no pairs");
    ig_evaluation_free(&s);
}

/* Pairs that share a row, or rows of one id, directly or through others, are one item,
 * numbered by first appearance. */
static void test_items(void **state)
{
    static const struct {
        uint32_t left[6], right[6], id[12], item[6];
        bool ids;
        size_t count;
    } cases[] = {
        {.left = {0, 2, 4}, .right = {1, 3, 5}, .item = {0, 1, 2}, .count = 3},
        {.left = {0, 2, 1}, .right = {1, 3, 5}, .item = {0, 1, 0}, .count = 3},
        {.left = {4, 2, 1, 3}, .right = {5, 3, 0, 1}, .item = {0, 1, 1, 1}, .count = 4},
        /* rows 1 and 4 are translations; row 9 is, too, but it is not scored */
        {.left = {0, 2, 4, 6},
         .right = {1, 3, 5, 7},
         .id = {0, 7, 1, 2, 7, 3, 4, IG_NO_ID, IG_NO_ID, 7},
         .item = {0, 1, 0, 2},
         .ids = true,
         .count = 4},
        {.left = {7, 8}, .right = {8, 7}, .item = {0, 0}, .count = 2},
    };

    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const ig_scores scores = {.count = cases[c].count,
                                  .left = (uint32_t *)cases[c].left,
                                  .right = (uint32_t *)cases[c].right};
        const ig_evaluation_spec spec = {.id = cases[c].ids ? cases[c].id : NULL,
                                         .scores = &scores};
        float value[12] = {0};
        ig_rows rows = ig_rows_of_matrix(ig_matrix_of(value, 12, 1));
        ig_embeddings e;
        size_t most = 0;

        assert_int_equal(
            ig_embeddings_init(&e, &rows, &spec, IG_NEEDS_SCORES, NULL, NULL, NULL),
            IG_OK);
        for (size_t i = 0; i < scores.count; i++) {
            const uint32_t *item = &e.scores.item[i];

            assert_int_equal(*item, cases[c].item[i]);
            most = *item >= most ? *item + (size_t)1 : most;
        }
        assert_int_equal(e.scores.items, most);
        ig_embeddings_free(&e);
    }
}

SUITE(similarity, pool_start, pool_end, TEST(test_measure), TEST(test_kinds),
      TEST(test_positive), TEST(test_undefined), TEST(test_items))
