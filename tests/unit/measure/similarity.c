/* Correlations: worked out by hand, by kind of pair, zero rows, and those that cannot be
 * computed. */
#include <math.h>
#include <string.h>

#include "suite.h"

#include "core/memory.h"
#include "core/random.h"
#include "measure/items.h"
#include "measured.h"
#include "pooled.h"

static void test_pearson(void **state)
{
    const double a[4] = {1, 2, 3, 4}, b[4] = {1, 3, 2, 4}, c[4] = {-2, -4, -6, -8};
    const double tenth[7] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, none[2] = {1, NAN};
    const double far[7] = {1e9, 1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9, 1e9, 1e9};

    assert_near_to(ig_pearson(a, b, 3), 0.5, 1e-15);
    assert_near_to(ig_pearson(a, b, 4), 0.8, 1e-15);
    assert_near_to(ig_pearson(a, a, 4), 1, 1e-15);
    assert_near_to(ig_pearson(a, c, 4), -1, 1e-15);
    assert_near_to(ig_pearson(far, a, 4), 1, 1e-12);
    /* The mean of tenths is not quite a tenth: still they do not vary. */
    assert_true(isnan(ig_pearson(tenth, far, 7)));
    assert_true(isnan(ig_pearson(far, tenth, 7)));
    assert_true(isnan(ig_pearson(a, b, 1)));
    assert_true(isnan(ig_pearson(a, b, 0)));
    assert_true(isnan(ig_pearson(a, none, 2)));
}

static void test_spearman(void **state)
{
    const double a[4] = {10, 20, 20, 1e9}, b[4] = {-3, -2, -1, 5}, c[4] = {4, 3, 2, 1};
    const double none[2] = {1, NAN}, flat[2] = {1, 1};

    /* Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4. */
    assert_near_to(ig_spearman(a, b, 4), 4.5 / sqrt(4.5 * 5), 1e-15);
    assert_near_to(ig_spearman(b, c, 4), -1, 1e-15);
    assert_true(isnan(ig_spearman(a, none, 2)));
    assert_true(isnan(ig_spearman(a, flat, 2)));
    assert_true(isnan(ig_spearman(a, b, 1)));
    ig_alloc_fail_at(1);
    assert_true(isnan(ig_spearman(a, b, 4)));
    ig_alloc_fail_at(0);
}

/* Directions at 0, 30, 60, 90 and 120 degrees, of all lengths, and a zero row. */
static const float fan[6 * 2] = {5, 0,    0.866025404f, 0.5f,        1, 1.73205081f,
                                 0, 0.1f, -1.5f,        2.59807621f, 0, 0};

static ig_similarity take(const ig_rows *rows, const uint16_t *lang,
                          const ig_scores *scores)
{
    ig_similarity s;

    assert_int_equal(measure_similarity(
                         &s, rows,
                         (ig_evaluation_spec){.scores = scores,
                                              .pairs = {.lang = lang, .languages = 2}},
                         pool, NULL),
                     IG_OK);
    return s;
}

static ig_similarity measure(const ig_scores *scores)
{
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of((float *)fan, 6, 2));

    return take(&rows, NULL, scores);
}

static void test_measure(void **state)
{
    uint32_t left[4] = {0, 0, 0, 0}, right[4] = {1, 2, 3, 4};
    double score[4] = {0.866025404, 0.5, 0, -0.5}, order[4] = {9, 8, 1, 7};
    ig_scores scores = {.count = 4, .left = left, .right = right, .score = score};
    ig_similarity s = measure(&scores);

    assert_near_to(s.all.pearson, 1, 1e-7);
    assert_near_to(s.all.spearman, 1, 1e-15);
    assert_int_equal(s.all.pairs, 4);
    assert_null(s.all.pair);
    assert_null(s.all.reason);
    assert_int_equal(s.kinds, 0);
    assert_true(isnan(s.mean.pearson));
    ig_similarity_group.free(&s);

    scores.score = order;
    s = measure(&scores);
    assert_near_to(s.all.spearman, 0.8, 1e-15);
    ig_similarity_group.free(&s);

    /* A zero row has a cosine of 0 with anything: as 90 degrees has. */
    scores.score = score;
    right[2] = 5;
    s = measure(&scores);
    assert_near_to(s.all.pearson, 1, 1e-7);
    ig_similarity_group.free(&s);
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
    ig_similarity s = measure(&scores);

    assert_int_equal(s.kinds, 5);
    assert_string_equal(s.by_pair[0].pair, "up");
    assert_int_equal(s.by_pair[0].pairs, 3);
    /* Scores 3, 2, 1 of cosines √¾, 0, 0. */
    assert_near_to(s.by_pair[0].pearson, sqrt(0.75), 1e-7);
    assert_near_to(s.by_pair[0].spearman, sqrt(0.75), 1e-12);
    /* Scores 9 and 5 of ½ and 0. */
    assert_near_to(s.by_pair[1].pearson, 1, 1e-12);
    assert_true(isnan(s.by_pair[2].pearson) && isnan(s.by_pair[2].spearman));
    assert_string_equal(s.by_pair[2].reason, "the scores are all equal");
    assert_string_equal(s.by_pair[3].reason, "only one pair");
    assert_string_equal(s.by_pair[4].reason, "the cosines are all equal");
    assert_int_equal(s.undefined, 3);
    assert_near_to(s.mean.pearson, (sqrt(0.75) + 1) / 2, 1e-7);
    assert_near_to(s.mean.spearman, (sqrt(0.75) + 1) / 2, 1e-12);
    assert_int_equal(s.all.pairs, 11);
    ig_similarity_group.free(&s);
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
    ig_similarity s;

    for (uint32_t i = 0; i < 10; i++) {
        right[i] = i + 1;
        row[2 * i + 2] = (float)cosine[i];
        row[2 * i + 3] = (float)sqrt(1 - cosine[i] * cosine[i]);
    }
    s = take(&rows, NULL, &scores);
    assert_near_to(s.all.kendall, 0.7654904374034319, 1e-12);
    assert_near_to(s.all.spearman, 0.8625168461966675, 1e-12);
    assert_true(isnan(s.all.auc) && isnan(s.all.average_precision));
    ig_similarity_group.free(&s);
    scores.labelled = true;
    scores.positive = 4;
    s = take(&rows, NULL, &scores);
    assert_near_to(s.all.auc, 0.9166666666666666, 1e-12);
    assert_near_to(s.all.average_precision, 0.9, 1e-12);
    ig_similarity_group.free(&s);
    scores.positive = 0;
    s = take(&rows, NULL, &scores);
    assert_true(isnan(s.all.auc));
    ig_similarity_group.free(&s);
}

static void test_undefined(void **state)
{
    uint32_t left[3] = {0, 1, 2}, right[3] = {0, 1, 2};
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
    ig_similarity s = measure(&scores);

    assert_true(isnan(s.all.pearson) && isnan(s.all.spearman));
    assert_string_equal(s.all.reason, "the cosines are all equal");
    assert_true(isnan(s.mean.pearson) && isnan(s.mean.spearman));
    assert_int_equal(s.undefined, 1);
    ig_similarity_group.free(&s);
    scores = (ig_scores){0};
    s = measure(&scores);
    assert_string_equal(s.all.reason, "no pairs");
    ig_similarity_group.free(&s);
}

enum { N = 500, D = 33, PAIRS = 3000 };

static float random_rows[N * D];
static uint32_t random_left[PAIRS], random_right[PAIRS], random_kind[PAIRS];
static double random_score[PAIRS];
static ig_scores random_scores = {
    .count = PAIRS, .left = random_left, .right = random_right, .score = random_score};

static ig_rows make_random(void)
{
    static const char *name[3] = {"a", "b", "c"};
    ig_random random;

    ig_random_init(&random, 2, 0);
    for (size_t i = 0; i < N * D; i++)
        random_rows[i] = (float)ig_random_normal(&random);
    for (size_t i = 0; i < PAIRS; i++) {
        random_left[i] = (uint32_t)ig_random_below(&random, N);
        random_right[i] = (uint32_t)ig_random_below(&random, N);
        random_kind[i] = (uint32_t)ig_random_below(&random, 3);
        random_score[i] = ig_random_unit(&random);
    }
    random_scores.pairs = 3;
    random_scores.pair_name = name;
    random_scores.pair = random_kind;
    return ig_rows_of_matrix(ig_matrix_of(random_rows, N, D));
}

/* Pairs of one language and of two, apart: as if each were all there is. */
static void test_languages(void **state)
{
    ig_rows rows = make_random();
    uint16_t lang[N];
    ig_similarity all, some;
    ig_scores part = random_scores;
    static uint32_t left[PAIRS], right[PAIRS];
    static double score[PAIRS];

    for (size_t i = 0; i < N; i++)
        lang[i] = i % 2;
    all = take(&rows, lang, &random_scores);
    part.left = left;
    part.right = right;
    part.score = score;
    part.pairs = 0;
    for (int two = 0; two < 2; two++) {
        const ig_correlation *c = two ? &all.across : &all.within;

        part.count = 0;
        for (size_t i = 0; i < PAIRS; i++)
            if ((random_left[i] + random_right[i]) % 2 == (uint32_t)two) {
                left[part.count] = random_left[i];
                right[part.count] = random_right[i];
                score[part.count++] = random_score[i];
            }
        some = take(&rows, lang, &part);
        assert_int_equal(c->pairs, part.count);
        assert_true(part.count > 100 && part.count < PAIRS - 100);
        assert_near_to(c->pearson, some.all.pearson, 1e-12);
        assert_near_to(c->spearman, some.all.spearman, 1e-12);
        assert_near_to(two ? some.across.pearson : some.within.pearson,
                       some.all.pearson, 1e-12);
        assert_string_equal(two ? some.within.reason : some.across.reason, "no pairs");
        ig_similarity_group.free(&some);
    }
    ig_similarity_group.free(&all);
}

static void test_refused(void **state)
{
    ig_rows rows = make_random();
    ig_evaluation_spec e = {.measures = IG_MEASURE_SIMILARITY};
    ig_evaluation taken;
    ig_similarity s;
    ig_error error;

    random_rows[random_left[9] * D] = NAN;
    s = take(&rows, NULL, &random_scores);
    assert_true(isnan(s.all.pearson) && isnan(s.all.spearman));
    assert_string_equal(s.all.reason, "a value is not finite");
    ig_similarity_group.free(&s);
    random_right[8] = N;
    e.scores = &random_scores;
    assert_int_equal(ig_evaluation_take(&taken, &rows, &e, pool, NULL, &error),
                     IG_SHAPE);
    assert_string_equal(error.message, "row 500 of a score, but there are 500 rows");
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
        uint32_t item[6];
        size_t items, most = 0;

        assert_int_equal(ig_items_connect(&scores, cases[c].ids ? cases[c].id : NULL,
                                          12, item, &items, NULL),
                         IG_OK);
        for (size_t i = 0; i < scores.count; i++) {
            assert_int_equal(item[i], cases[c].item[i]);
            most = item[i] >= most ? item[i] + (size_t)1 : most;
        }
        assert_int_equal(items, most);
        assert_int_equal(ig_items_count(item, scores.count, items), items);
        assert_int_equal(ig_items_count(item, 1, items), 1);
    }
}

SUITE(similarity, pool_start, pool_end, TEST(test_pearson), TEST(test_spearman),
      TEST(test_languages), TEST(test_measure), TEST(test_kinds), TEST(test_positive),
      TEST(test_undefined), TEST(test_refused), TEST(test_items))
