/* The probe with a hidden layer: it reads what a linear one cannot, nothing where there
 * is nothing, and says why it cannot be had. */
#include <math.h>

#include "core/random.h"
#include "suite.h"

#include "measured.h"
#include "pooled.h"

enum { ROWS = 1200, DIMS = 12 };

static float x[ROWS][DIMS];
static uint16_t lang[ROWS];
static uint32_t row[ROWS];

/* Rows of two languages with one mean: those of language 1 lie along axis 0, on both
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
    assert_true(e.probe.accuracy < 0.6);
    assert_true(e.hidden_probe.accuracy > 0.97);
    assert_true(e.hidden_probe.majority == 0.5);
    assert_int_equal(e.hidden_probe.fitted, ROWS / 2);
    assert_int_equal(e.hidden_probe.tested, ROWS / 2);
    ig_evaluation_free(&e);
}

static void test_reads_nothing(void **state)
{
    ig_evaluation e;

    plant(true);
    e = measured();
    assert_true(fabs(e.hidden_probe.accuracy - 0.5) < 0.08);
    ig_evaluation_free(&e);
}

/* Rows 0 … 699 learned, the others tested. */
static ig_status measure(ig_hidden_probe *p, size_t rows, size_t tested, ig_pool *by)
{
    ig_rows all = ig_rows_of_matrix(ig_matrix_of(x[0], rows, DIMS));

    return measure_hidden_probe(
        p, &all,
        (ig_evaluation_spec){.row = row + rows - tested,
                             .rows = tested,
                             .rest = true,
                             .pairs = {.lang = lang, .languages = 2},
                             .seed = 3},
        by, NULL);
}

static void test_same_seed(void **state)
{
    ig_hidden_probe a, b;

    plant(true);
    assert_int_equal(measure(&a, ROWS, ROWS - 700, NULL), IG_OK);
    assert_int_equal(measure(&b, ROWS, ROWS - 700, NULL), IG_OK);
    assert_true(a.accuracy == b.accuracy);
    ig_hidden_probe_group.free(&b);
    /* Also with several threads, row by row. */
    assert_int_equal(measure(&b, ROWS, ROWS - 700, pool), IG_OK);
    assert_memory_equal(a.certainty, b.certainty, a.answers * sizeof *a.certainty);
    assert_int_equal(a.fitted, 700);
    assert_int_equal(a.tested, ROWS - 700);
    assert_int_equal(a.answers, ROWS - 700);
    assert_int_equal(a.row[0], 700);
    ig_hidden_probe_group.free(&a);
    ig_hidden_probe_group.free(&b);
}

static void test_reasons(void **state)
{
    ig_hidden_probe p;

    plant(false);
    assert_int_equal(measure(&p, 0, 0, NULL), IG_OK);
    assert_string_equal(p.reason, "no rows");
    assert_true(isnan(p.accuracy));
    ig_hidden_probe_group.free(&p);
    assert_int_equal(measure(&p, 3, 1, NULL), IG_OK);
    assert_string_equal(p.reason, "only one language to fit on");
    ig_hidden_probe_group.free(&p);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < DIMS; j++)
            x[i][j] = 1;
    assert_int_equal(measure(&p, 12, 4, NULL), IG_OK);
    assert_string_equal(p.reason, "the rows do not differ");
    ig_hidden_probe_group.free(&p);
    x[3][0] = (float)NAN;
    assert_int_equal(measure(&p, 12, 4, NULL), IG_VALUE);
    ig_hidden_probe_group.free(&p);
}

SUITE(hidden_probe, pool_start, pool_end, TEST(test_reads_more),
      TEST(test_reads_nothing), TEST(test_same_seed), TEST(test_reasons))
