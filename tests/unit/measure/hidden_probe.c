/* The probe with a hidden layer: it reads what a linear one cannot, and nothing where
 * there is nothing. */
#include <math.h>

#include "core/random.h"
#include "suite.h"

#include "measure/evaluation.h"

enum { ROWS = 1200, DIMS = 12 };

static float x[ROWS][DIMS];
static uint16_t lang[ROWS];
static uint32_t row[ROWS];

/* Rows of two languages with one mean: those of language 1 are along axis 0, on both
 * sides, those of language 0 along axis 1; with `same`, all of them do. */
static void plant(bool same)
{
    ig_random random;

    ig_random_init(&random, 5, 0);
    for (size_t i = 0; i < ROWS; i++) {
        double sign = ig_random_unit(&random) < 0.5 ? -1 : 1;

        lang[i] = (uint16_t)(i / 2 % 2);
        row[i] = (uint32_t)i;
        for (size_t j = 0; j < DIMS; j++)
            x[i][j] = (float)(0.3 * ig_random_normal(&random));
        x[i][same ? 0 : 1 - lang[i]] += (float)(2 * sign);
    }
}

static ig_evaluation measured(void)
{
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(x[0], ROWS, DIMS));
    ig_evaluation_spec subject = {.measures = IG_MEASURE_PROBE |
                                              IG_MEASURE_HIDDEN_PROBE,
                                  .pairs = {.lang = lang, .languages = 2},
                                  .seed = 1};
    ig_evaluation e = {0};

    assert_int_equal(ig_evaluation_take(&e, &rows, &subject, NULL, NULL, NULL), IG_OK);
    return e;
}

static void test_reads_more(void **state)
{
    ig_evaluation e;

    plant(false);
    e = measured();
    assert_true(ig_figures_value(&e.figures, "probe") < 0.6);
    assert_true(ig_figures_value(&e.figures, "probe_hidden") > 0.97);
    assert_true(ig_figures_whole(&e.figures, "probe_hidden")->chance == 0.5);
    assert_int_equal(ig_figures_whole(&e.figures, "probe_hidden")->n, ROWS);
    ig_evaluation_free(&e);
}

static void test_reads_nothing(void **state)
{
    ig_evaluation e;

    plant(true);
    e = measured();
    assert_true(fabs(ig_figures_value(&e.figures, "probe_hidden") - 0.5) < 0.08);
    ig_evaluation_free(&e);
}

SUITE(hidden_probe, NULL, NULL, TEST(test_reads_more), TEST(test_reads_nothing))
