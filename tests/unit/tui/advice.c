/* Advice: which conditions give which sentence, and that what it says can be typed. */
#include "tui/narration.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "suite.h"

static const ig_advice_facts good = {.rows = 4800,
                                     .dims = 256,
                                     .languages = 8,
                                     .pairs = 4200,
                                     .epochs = 60,
                                     .most = 100,
                                     .best = 55,
                                     .lr = 1e-4,
                                     .first = 5,
                                     .least = 2};

static char said[IG_ADVICE_MOST][IG_ADVICE_SIZE];

static void expect_set(ig_advice_facts facts, size_t count, const char *text)
{
    assert_int_equal(ig_advice_for_set(&facts, said), count);
    for (size_t i = 0; i < count; i++)
        if (strstr(said[i], text))
            return;
    if (count > 0)
        fail_msg("\"%s\" lacks \"%s\"", said[0], text);
}

static void expect_run(ig_advice_facts facts, size_t count, const char *text)
{
    assert_int_equal(ig_advice_for_run(&facts, said), count);
    for (size_t i = 0; i < count; i++)
        if (strstr(said[i], text))
            return;
    if (count > 0)
        fail_msg("\"%s\" lacks \"%s\"", said[0], text);
}

static void test_of_a_set(void **state)
{
    ig_advice_facts f = good;

    (void)state;
    expect_set(f, 0, NULL);
    f.pairs = 0;
    expect_set(f, 1, "--pairs FILE");
    f.languages = 1;
    expect_set(f, 1, "abtt needs none");
    f.pairs = SIZE_MAX; /* not known */
    expect_set(f, 0, NULL);
    f = good;
    f.rows = 199;
    f.dims = 199;
    expect_set(f, 1, "199 rows are few: try :set lr 1e-2");
    f.dims = 200;
    expect_set(f, 2, "200 dimensions, 199 rows");
    f.rows = 200;
    expect_set(f, 0, NULL);
}

static void test_of_a_run(void **state)
{
    ig_advice_facts f = good;

    (void)state;
    expect_run(f, 0, NULL);
    f.least = 4.95;
    expect_run(f, 1, "The loss hardly moved (5 to 4.95): try :set lr 0.001.");
    f.first = -5; /* a loss may be below 0 */
    f.least = -5.05;
    expect_run(f, 1, "hardly moved");
    f.first = NAN;
    expect_run(f, 0, NULL);
    f = good;
    f.epochs = f.best = f.most = 150;
    expect_run(f, 1, ":set epochs 300.");
    f.epochs = f.best = f.most = 3;
    expect_run(f, 1, ":set epochs 100.");
    f.most = 100; /* it ended before: patience */
    expect_run(f, 0, NULL);
    f = good;
    f.failed = true;
    expect_run(f, 1, "smaller steps, :set lr 1e-05.");
    f.lr = -1; /* a run whose options are not known */
    expect_run(f, 0, NULL);
}

SUITE(advice)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_of_a_set),
        cmocka_unit_test(test_of_a_run),
    };

    return cmocka_run_group_tests_name("advice", tests, NULL, NULL);
}
