/* Advice: which conditions give which sentence, and that what it says can be typed. */
#include "explorer/narration.h"

#include <math.h>
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

static void expect(ig_advice_facts facts, bool run, size_t count, const char *text)
{
    char said[IG_ADVICE_MAX][IG_ADVICE_SIZE];
    bool found = count == 0;

    assert_int_equal(
        run ? ig_advice_for_run(&facts, said) : ig_advice_for_set(&facts, said), count);
    for (size_t i = 0; i < count; i++)
        found |= strstr(said[i], text) != NULL;
    if (!found)
        fail_msg("\"%s\" lacks \"%s\"", said[0], text);
}

static void test_of_a_set(void **state)
{
    ig_advice_facts f = good;

    expect(f, false, 0, NULL);
    f.pairs = 0;
    expect(f, false, 1, "--pairs FILE");
    f.languages = 1;
    expect(f, false, 1, "abtt (m) needs none");
    f.pairs = SIZE_MAX; /* not known */
    expect(f, false, 0, NULL);
    f = good;
    f.rows = 199;
    f.dims = 199;
    expect(f, false, 0, NULL);
    f.dims = 200;
    expect(f, false, 1, "200 dimensions for 199 rows");
    f.rows = 200;
    expect(f, false, 0, NULL);
}

static void test_of_a_run(void **state)
{
    ig_advice_facts f = good;

    expect(f, true, 0, NULL);
    f.least = 4.95;
    expect(f, true, 1, "The loss hardly changed (5 to 4.95): try :set lr 0.001.");
    f.first = -5; /* a loss may be below 0 */
    f.least = -5.05;
    expect(f, true, 1, "hardly changed");
    f.first = NAN;
    expect(f, true, 0, NULL);
    f = good;
    f.epochs = f.best = f.most = 150;
    expect(f, true, 1, ":set epochs 300.");
    f.epochs = f.best = f.most = 3;
    expect(f, true, 1, ":set epochs 100.");
    f.most = 100; /* it ended before: patience */
    expect(f, true, 0, NULL);
    f = good;
    f.failed = true;
    expect(f, true, 1, "lower the learning rate: :set lr 1e-05.");
    f.lr = -1; /* a run whose options are not known */
    expect(f, true, 0, NULL);
}

SUITE(advice, NULL, NULL, TEST(test_of_a_set), TEST(test_of_a_run))
