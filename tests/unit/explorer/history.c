/* The weights of past epochs, thinned to the memory that they may take. */
#include "train/run.h"

#include "core/memory.h"
#include "suite.h"

static void test_past_epochs_are_thinned_evenly(void **state)
{
    ig_history past;
    float weights[4];
    size_t epoch;

    past = ig_history_of(999, 4, 10 * sizeof weights + 10);
    for (size_t e = 0; e < 1000; e++) {
        for (int k = 0; k < 4; k++)
            weights[k] = (float)e;
        ig_history_add(&past, e, weights);
        assert_int_equal(past.kept[0].epoch, 0);
        assert_int_equal(past.kept[past.count - 1].epoch, e);
        for (size_t i = 0; i + 1 < past.count; i++)
            assert_int_equal(past.kept[i].epoch, i * past.every);
    }
    assert_in_range(past.count, 6, 10);
    epoch = 700;
    assert_true(ig_history_find(&past, &epoch)[2] == (float)epoch && epoch <= 700);
    ig_history_free(&past);

    /* Less than one: the first and the newest all the same. */
    past = ig_history_of(99, 4, 1);
    for (size_t e = 0; e < 100; e++)
        ig_history_add(&past, e, weights);
    assert_int_equal(past.count, 2);
    assert_int_equal(past.kept[1].epoch, 99);
    ig_history_free(&past);
}

SUITE(history, NULL, NULL, TEST(test_past_epochs_are_thinned_evenly))
