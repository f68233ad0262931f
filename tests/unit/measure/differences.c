/* Tests of differences beside values of SciPy 1.17, and differences of evaluations that
 * are known. */
#include "measure/differences.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "suite.h"

#include "base/memory.h"
#include "measure/bootstrap.h"

#define assert_near_to(a, b, eps) assert_true(fabs((double)(a) - (double)(b)) <= (eps))

/* scipy.stats.binomtest(one, one + other, 0.5).pvalue */
static void test_mcnemar(void **state)
{
    (void)state;
    assert_near_to(ig_mcnemar(0, 0), 1, 0);
    assert_near_to(ig_mcnemar(5, 1), 0.21875, 1e-12);
    assert_near_to(ig_mcnemar(1, 12), 0.00341796875, 1e-12);
    assert_near_to(ig_mcnemar(40, 62), 0.037066767438560584, 1e-11);
    assert_near_to(ig_mcnemar(300, 420), 8.807756168615114e-06, 1e-14);
    assert_near_to(ig_mcnemar(7, 7), 1, 0);
}

/* t as Steiger (1980) has it, 2 · scipy.stats.t.sf(|t|, n − 3). */
static void test_williams(void **state)
{
    (void)state;
    assert_near_to(ig_williams(.4, .35, .7, 50), 0.6302214798415475, 1e-10);
    assert_near_to(ig_williams(.6, .58, .95, 1000), 0.012656362359707456, 1e-11);
    assert_near_to(ig_williams(.1, -.2, .3, 20), 0.2940623036663979, 1e-10);
    assert_near_to(ig_williams(.5, .49, .2, 5), 0.9899943552240704, 1e-10);
    assert_near_to(ig_williams(.7, .3, .1, 400), 1.1696260304953915e-14, 1e-18);
    assert_near_to(ig_williams(.5, .5, 1, 400), 1, 0);
    assert_true(isnan(ig_williams(.5, .4, .2, 3)));
    assert_true(isnan(ig_williams((double)NAN, .4, .2, 30)));
}

static void test_holm(void **state)
{
    double p[] = {.01, .04, (double)NAN, .03, .005, .5};
    double equal[] = {.02, .02, .02, .9};

    (void)state;
    ig_holm(p, 6);
    assert_near_to(p[0], .04, 1e-12);
    assert_near_to(p[1], .09, 1e-12);
    assert_true(isnan(p[2]));
    assert_near_to(p[3], .09, 1e-12);
    assert_near_to(p[4], .025, 1e-12);
    assert_near_to(p[5], .5, 1e-12);
    ig_holm(equal, 4);
    assert_near_to(equal[0], .08, 1e-12);
    assert_near_to(equal[2], .08, 1e-12);
    assert_near_to(equal[3], .9, 1e-12);
    ig_holm(NULL, 0);
}

/* --- evaluations made by hand ------------------------------------------------------ */

enum { QUERIES = 40, PAIRS = 30 };

static ig_found found[2][2 * QUERIES];
static ig_retrieval_score score[2] = {
    {.from = 0, .to = 1, .pairs = QUERIES, .candidates = QUERIES, .top1 = 0.5},
    {.from = 1,
     .to = 0,
     .pairs = QUERIES,
     .candidates = QUERIES,
     .first = QUERIES,
     .top1 = 0.5}};
static double gold[PAIRS], cosine[2][PAIRS];
static uint16_t lang[2 * QUERIES];
static uint32_t id[2 * QUERIES];

/* The first finds the even ids, the second all but every eighth from language 0, and as
 * the first from language 1. */
static ig_evaluation made(int which)
{
    ig_evaluation e = {.taken = IG_MEASURE_RETRIEVAL | IG_MEASURE_SIMILARITY};
    double hits = 0;

    for (uint32_t i = 0; i < 2 * QUERIES; i++) {
        uint32_t of = i % QUERIES;
        bool hit = which && i < QUERIES ? of % 8 != 0 : of % 2 == 0;

        lang[i] = i >= QUERIES;
        id[i] = of;
        found[which][i] = (ig_found){
            .query = i, .truth = (i + QUERIES) % (2 * QUERIES), .rank = hit ? 1 : 9};
        hits += hit;
    }
    e.retrieval = (ig_retrieval){.count = 2,
                                 .score = score,
                                 .queries = 2 * QUERIES,
                                 .found = found[which],
                                 .mean = {.top1 = hits / (2 * QUERIES)}};
    for (size_t i = 0; i < PAIRS; i++) {
        gold[i] = (double)(i % 6);
        cosine[which][i] = gold[i] + (which ? 1 : 3) * sin((double)(i * i + 1));
    }
    e.similarity = (ig_similarity){.all = {.pairs = PAIRS},
                                   .cosine = cosine[which],
                                   .score = gold,
                                   .mean_pearson = NAN,
                                   .mean_spearman = NAN};
    e.similarity.all.pearson = ig_pearson(gold, cosine[which], PAIRS);
    e.similarity.all.spearman = ig_spearman(gold, cosine[which], PAIRS);
    ig_retrieval_family.append(&e.retrieval, &e.figures);
    ig_similarity_family.append(&e.similarity, &e.figures);
    return e;
}

static const ig_difference *named(const ig_difference *of, size_t count,
                                  const char *key)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(of[i].measure->name, key) == 0)
            return &of[i];
    fail_msg("no difference of %s", key);
    return NULL;
}

static void test_evaluations(void **state)
{
    ig_subject subject = {
        .measures = IG_MEASURE_ALL, .id = id, .pairs = {.lang = lang, .languages = 2}};
    ig_evaluation e[2] = {made(0), made(1)};
    const ig_difference *top1, *pearson;
    ig_difference of[128];
    ig_resampling resampling;
    size_t count;
    double r[3];

    (void)state;
    assert_int_equal(ig_differences_take(of, &count, &e[0], &e[1], NULL), IG_OK);
    assert_int_equal(count, 0); /* without draws */
    assert_int_equal(
        ig_resampling_init(&resampling, 2 * QUERIES, &subject, 1, NULL, NULL), IG_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(ig_bootstrap_take(&e[i], &resampling, NULL, NULL), IG_OK);
    assert_int_equal(ig_differences_take(of, &count, &e[0], &e[1], NULL), IG_OK);
    top1 = named(of, count, "top1");
    assert_near_to(top1->value, e[1].retrieval.mean.top1 - 0.5, 1e-12);
    assert_true(top1->significant && top1->interval.low > 0);
    /* 20 and 5 items differ one way and the other from language 0, none from 1. */
    assert_true(ig_mcnemar(5, 20) * 2 < 0.05);
    assert_int_equal(top1->parts, 2);
    assert_int_equal(top1->more, 1);
    assert_int_equal(top1->less, 0);
    pearson = named(of, count, "pearson");
    r[0] = ig_pearson(gold, cosine[0], PAIRS);
    r[1] = ig_pearson(gold, cosine[1], PAIRS);
    r[2] = ig_pearson(cosine[0], cosine[1], PAIRS);
    assert_near_to(pearson->p, ig_williams(r[0], r[1], r[2], PAIRS), 1e-12);
    assert_near_to(pearson->value, r[1] - r[0], 1e-12);
    /* Of a space with itself nothing is significant. */
    assert_int_equal(ig_differences_take(of, &count, &e[1], &e[1], NULL), IG_OK);
    for (size_t i = 0; i < count; i++) {
        assert_false(of[i].significant);
        assert_true(of[i].value == 0 && of[i].more + of[i].less == 0);
    }
    for (int i = 0; i < 2; i++)
        ig_figures_free(&e[i].figures);
    ig_resampling_free(&resampling);
}

SUITE(differences)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mcnemar),
        cmocka_unit_test(test_williams),
        cmocka_unit_test(test_holm),
        cmocka_unit_test(test_evaluations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
