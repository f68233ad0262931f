/* Figures that ties decide: taken back direction by direction. */
#include "measure/results.h"

#include <math.h>
#include <string.h>

#include "suite.h"

static const ig_retrieval_score seen = {.candidates = 9,
                                        .top1 = 0.5,
                                        .top5 = 1,
                                        .mean_rank = 2,
                                        .median_rank = 1,
                                        .xsim = 0.25,
                                        .margin = 0.1,
                                        .overlap5 = 0.4};
static const ig_retrieval_score blind = {.candidates = 9,
                                         .top1 = 1,
                                         .top5 = 1,
                                         .mean_rank = 1,
                                         .median_rank = 1,
                                         .tied = 1,
                                         .overlap5 = 1};

static void test_none(void **state)
{
    ig_retrieval_score score[2] = {seen, seen};
    ig_retrieval r = {.count = 2, .score = score, .mean = seen};

    score[0].tied = 0.9;
    ig_retrieval_invalidate(&r);
    assert_int_equal(r.blind, 0);
    assert_true(r.mean.top1 == 0.5 && score[0].top1 == 0.5);
    assert_null(r.reason);
}

static void test_some(void **state)
{
    ig_retrieval_score score[3] = {seen, blind, seen};
    ig_retrieval r = {
        .count = 3, .score = score, .mean = {.top1 = 0.7, .margin = 0.05}};

    score[2].top1 = 0.7;
    score[2].overlap5 = NAN;
    ig_retrieval_invalidate(&r);
    assert_int_equal(r.blind, 1);
    assert_true(isnan(score[1].top1) && isnan(score[1].xsim));
    assert_true(isnan(score[1].mean_rank) && isnan(score[1].median_rank));
    assert_true(score[1].tied == 1);
    assert_true(fabs(r.mean.top1 - 0.6) < 1e-12);
    assert_true(r.mean.overlap5 == 0.4 && r.mean.mean_rank == 2);
    assert_true(r.mean.margin == 0.05);
    assert_null(r.reason);
}

static void test_all(void **state)
{
    ig_retrieval_score score[1] = {blind};
    ig_retrieval r = {.count = 1, .score = score, .mean = blind};

    ig_retrieval_invalidate(&r);
    assert_int_equal(r.blind, 1);
    assert_true(isnan(r.mean.top1) && isnan(r.mean.top5) && isnan(r.mean.overlap5));
    assert_true(r.mean.margin == 0 && r.mean.tied == 1);
    assert_non_null(strstr(r.reason, "tie"));
}

static void test_one_candidate(void **state)
{
    ig_retrieval_score score[3] = {seen, seen, blind};
    ig_retrieval r = {.count = 2, .score = score, .mean = seen};

    score[1].candidates = 1;
    score[1].top1 = 1;
    r.mean.top1 = 0.75;
    ig_retrieval_invalidate(&r);
    assert_int_equal(r.alone, 1);
    assert_int_equal(r.blind, 0);
    assert_true(isnan(score[1].top1) && r.mean.top1 == 0.5);
    assert_null(r.reason);
    score[0].candidates = 1;
    ig_retrieval_invalidate(&r);
    assert_int_equal(r.alone, 2);
    assert_non_null(strstr(r.reason, "one candidate"));
}

SUITE(ties, NULL, NULL, TEST(test_none), TEST(test_some), TEST(test_all),
      TEST(test_one_candidate))
