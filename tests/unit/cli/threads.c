/* Threads that were granted: the least of what was found counts, and is named. */
#include "cli/machine.h"

#include <string.h>

#include "suite.h"

static void assert_choice(ig_machine machine, const char *slurm, const char *openmp,
                          size_t asked, size_t count, const char *from)
{
    ig_threads t = ig_threads_choose(machine, slurm, openmp, asked);

    assert_int_equal(t.count, count);
    assert_string_equal(t.from, from);
}

static void test_least_counts(void **state)
{
    ig_machine whole = {.processors = 16, .affinity = 16};
    ig_machine part = {.processors = 16, .affinity = 4, .quota = 2.5};

    assert_choice(whole, NULL, NULL, 0, 16, "processors");
    assert_choice((ig_machine){.processors = 8}, NULL, NULL, 0, 8, "processors");
    assert_choice((ig_machine){.processors = 8}, NULL, NULL, 1000000, 1024,
                  "--threads");
    assert_choice(whole, "4", NULL, 0, 4, "SLURM_CPUS_PER_TASK");
    assert_choice(part, NULL, NULL, 0, 3, "cgroup quota");
    assert_choice(part, "8", "2,1", 0, 2, "OMP_NUM_THREADS");
    part.share = 1;
    assert_choice(part, NULL, NULL, 0, 1, "share of the ranks here");
    /* Less than a processor is one thread. */
    assert_choice((ig_machine){.processors = 2, .quota = 0.25}, NULL, NULL, 0, 1,
                  "cgroup quota");
}

static void test_option_is_taken_at_its_word(void **state)
{
    ig_machine part = {.processors = 16, .affinity = 4};

    assert_choice(part, NULL, NULL, 3, 3, "--threads");
    assert_choice(part, NULL, "2", 32, 32, "--threads");
}

static void test_nonsense_says_nothing(void **state)
{
    static const char *const bad[] = {"",     "0",  "-3",
                                      "many", "4x", "99999999999999999999"};
    ig_machine whole = {.processors = 16, .affinity = 16};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_choice(whole, bad[i], NULL, 0, 16, "processors");
        assert_choice(whole, NULL, bad[i], 0, 16, "processors");
    }
}

SUITE(threads, NULL, NULL, TEST(test_least_counts),
      TEST(test_option_is_taken_at_its_word), TEST(test_nonsense_says_nothing))
