/* Orders of the training pairs: every pair once, and in blocks those of a batch near one
 * another in the file. */
#include "train/trainer_state.h"

#include <string.h>

#include "core/memory.h"
#include "suite.h"

enum { PAIRS = 100000, ROWS = 2 * PAIRS, TRAIN = 90000, GROUP = 32768 };

static ig_dataset set = {.rows = ROWS};
static uint32_t left[PAIRS], right[PAIRS], train[TRAIN];
static ig_pairs pairs = {.count = PAIRS, .left = left, .right = right};
static ig_pair_order order;

/* Left rows in no order; every tenth pair is held out. */
static int set_up(void **state)
{
    ig_random random;

    for (uint32_t i = 0; i < PAIRS; i++) {
        left[i] = i;
        right[i] = PAIRS + i;
    }
    ig_random_init(&random, 1, 0);
    ig_random_shuffle(&random, left, PAIRS);
    for (uint32_t i = 0, n = 0; i < PAIRS; i++)
        if (i % 10)
            train[n++] = i;
    return ig_pair_order_init(&order, &set, &pairs, train, TRAIN, true, NULL) == IG_OK
               ? 0
               : -1;
}

static int tear_down(void **state)
{
    ig_pair_order_free(&order);
    return 0;
}

static void assert_every_pair_once(void)
{
    uint8_t *seen = ig_alloc(PAIRS, 1);

    for (size_t i = 0; i < TRAIN; i++)
        seen[order.pair[i]]++;
    for (size_t i = 0; i < PAIRS; i++)
        assert_int_equal(seen[i], i % 10 != 0);
    ig_free(seen);
}

static void test_every_pair_once(void **state)
{
    uint32_t *before = ig_alloc(TRAIN, sizeof *before);
    ig_random random;

    ig_pair_order_make(&order, IG_ORDER_SEQUENTIAL, TRAIN, NULL);
    assert_memory_equal(order.pair, train, sizeof train);
    ig_random_init(&random, 1, 1);
    ig_pair_order_make(&order, IG_ORDER_SHUFFLED, TRAIN, &random);
    assert_every_pair_once();
    ig_pair_order_make(&order, IG_ORDER_BLOCKS, TRAIN, &random);
    assert_every_pair_once();
    memcpy(before, order.pair, sizeof train);
    ig_pair_order_make(&order, IG_ORDER_BLOCKS, TRAIN, &random); /* another epoch */
    assert_memory_not_equal(before, order.pair, sizeof train);
    ig_random_init(&random, 1, 1);
    ig_pair_order_make(&order, IG_ORDER_SHUFFLED, TRAIN, &random);
    ig_pair_order_make(&order, IG_ORDER_BLOCKS, TRAIN,
                       &random); /* what went before does not matter */
    assert_memory_equal(before, order.pair, sizeof train);
    ig_free(before);
}

/* A group of blocks has IG_BLOCKS_AT_ONCE runs of rows and no more, all of it is read,
 * and its pairs are mixed. */
static void test_runs(void **state)
{
    uint8_t *place = ig_alloc(PAIRS, 1); /* by left row: 1 when the group has it */
    uint32_t *at = ig_alloc(PAIRS, sizeof *at);
    size_t runs = 0, forward = 0;
    ig_random random;

    ig_random_init(&random, 5, 0);
    ig_pair_order_make(&order, IG_ORDER_BLOCKS, TRAIN, &random);
    for (size_t i = 0; i < TRAIN; i++)
        at[order.by_row[i]] = (uint32_t)i;
    for (size_t i = 0; i < GROUP; i++) {
        place[at[order.pair[i]]] = 1;
        forward += i > 0 && at[order.pair[i]] == at[order.pair[i - 1]] + 1;
    }
    for (size_t i = 0; i < TRAIN; i++)
        runs += place[i] && (i == 0 || !place[i - 1]);
    assert_in_range(runs, IG_BLOCKS_AT_ONCE / 4, IG_BLOCKS_AT_ONCE);
    assert_in_range(forward, 0, 20);
    for (size_t i = 1; i < TRAIN; i++)
        assert_true(left[order.by_row[i]] > left[order.by_row[i - 1]]);
    ig_free(place);
    ig_free(at);
}

static void test_some(void **state)
{
    ig_pair_order_make(&order, IG_ORDER_SEQUENTIAL, 9, NULL);
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(order.pair[i], train[i * 10000]);
    ig_pair_order_make(&order, IG_ORDER_SEQUENTIAL, TRAIN, NULL);
    assert_memory_equal(order.pair, train, sizeof train);
}

SUITE(pair_order, set_up, tear_down, TEST(test_every_pair_once), TEST(test_runs),
      TEST(test_some))
