/* The k best against a full sort, with ties, NaN and every way of offering. */
#include "core/topk.h"

#include <math.h>

#include "suite.h"

#include "core/random.h"

static int by_score(const void *a, const void *b)
{
    const ig_scored *x = a, *y = b;

    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return (x->row > y->row) - (x->row < y->row);
}

static void test_against_sort(void **state)
{
    static float score[1000];
    static ig_scored all[1000], kept[1000];
    ig_random random;

    ig_random_init(&random, 3, 0);
    for (size_t k = 0; k <= 200; k += k < 5 ? 1 : 65) {
        ig_topk top;

        for (uint32_t i = 0; i < 1000; i++) {
            score[i] = (float)ig_random_below(&random, 50); /* many ties */
            all[i] = (ig_scored){score[i], i};
        }
        qsort(all, 1000, sizeof *all, by_score);
        ig_topk_init(&top, kept, k);
        ig_topk_offer_run(&top, score, 333, 0);
        for (uint32_t i = 333; i < 400; i++)
            ig_topk_offer(&top, score[i], i);
        ig_topk_offer_run(&top, score + 400, 600, 400);
        ig_topk_sort(&top);
        assert_int_equal(top.count, k);
        for (size_t i = 0; i < k; i++) {
            assert_int_equal(kept[i].row, all[i].row);
            assert_true(kept[i].score == all[i].score);
        }
    }
}

/* The order in which rows come does not matter. */
static void test_order(void **state)
{
    ig_scored kept[2];
    ig_topk top;

    ig_topk_init(&top, kept, 2);
    for (uint32_t i = 10; i-- > 0;)
        ig_topk_offer(&top, 1, i);
    ig_topk_sort(&top);
    assert_int_equal(kept[0].row, 0);
    assert_int_equal(kept[1].row, 1);
}

static void test_few_and_nan(void **state)
{
    float score[4] = {NAN, 1, NAN, -INFINITY};
    ig_scored kept[8];
    ig_topk top;

    ig_topk_init(&top, kept, 8);
    ig_topk_offer_run(&top, score, 4, 7);
    ig_topk_sort(&top);
    assert_int_equal(top.count, 2);
    assert_int_equal(kept[0].row, 8);
    assert_int_equal(kept[1].row, 10);
}

SUITE(topk, NULL, NULL, TEST(test_against_sort), TEST(test_order),
      TEST(test_few_and_nan))
