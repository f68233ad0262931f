/* Labels learned in one language: read where another has them in the same directions,
 * not where they are turned; only rows of the pivot are learned from. */
#include <math.h>
#include <stdlib.h>

#include "core/random.h"
#include "measure/evaluation.h"
#include "suite.h"

enum { IDS = 200, LANGUAGES = 4, ROWS = IDS * LANGUAGES, DIMS = 8, LABELS = 4 };

static float x[ROWS][DIMS];
static uint16_t lang[ROWS];
static uint32_t id[ROWS], value[ROWS];
static const char *names[LABELS + 1] = {"a", "b", "c", "d", ""};

/* Languages 0, 1 and 3 have label v along axis v, language 2 along the next one; every
 * tenth row has no label, and language 3 has none at all. Labels have a period of ids: halves
 * by the parity of ids would teach two of the four. */
static ig_evaluation measured(size_t pivot)
{
    ig_label label = {
        .name = "topic", .categories = LABELS + 1, .category = names, .value = value};
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(x[0], ROWS, DIMS));
    ig_evaluation_spec subject = {.measures = IG_MEASURE_ZERO_SHOT_TRANSFER,
                                  .id = id,
                                  .label = &label,
                                  .pivot = pivot,
                                  .pairs = {.lang = lang, .languages = LANGUAGES},
                                  .seed = 1};
    ig_evaluation e = {0};
    ig_random random;

    ig_random_init(&random, 9, 0);
    for (size_t i = 0; i < ROWS; i++) {
        size_t v = i / LANGUAGES % LABELS;

        lang[i] = (uint16_t)(i % LANGUAGES);
        id[i] = (uint32_t)(i / LANGUAGES);
        value[i] = lang[i] == 3 || id[i] % 10 == 9 ? LABELS : (uint32_t)v;
        for (size_t j = 0; j < DIMS; j++)
            x[i][j] = (float)(0.1 * ig_random_normal(&random));
        x[i][lang[i] == 2 ? (v + 1) % LABELS : v] += 1;
    }
    assert_int_equal(ig_evaluation_take(&e, &rows, &subject, NULL, NULL, NULL), IG_OK);
    return e;
}

static void test_transfer(void **state)
{
    ig_evaluation e = measured(0);
    const ig_figures *f = &e.figures;
    const ig_measure *transfer = ig_measure_named("zero_shot_transfer");

    assert_true(ig_figures_value(f, "zero_shot_transfer_pivot") == 1);
    assert_true(ig_figures_value(f, "zero_shot_transfer_worst") == 0);
    assert_true(ig_figures_find(f, transfer, 2, IG_ALL_LANGUAGES)->value == 0);
    /* Of language 1 all, of language 2 none. */
    assert_true(ig_figures_value(f, "zero_shot_transfer") == 0.5);
    /* About half of the ids of three languages; every tenth has no label. */
    assert_true(abs((int)ig_figures_whole(f, "zero_shot_transfer")->n - 3 * 90) < 60);
    assert_true(fabs(ig_figures_whole(f, "zero_shot_transfer")->chance - 0.25) < 0.1);
    ig_evaluation_free(&e);
}

static void test_no_labels(void **state)
{
    ig_evaluation e = measured(3);

    assert_string_equal(ig_figures_whole(&e.figures, "zero_shot_transfer")->reason,
                        "no labelled row of the pivot language to train on");
    assert_true(isnan(ig_figures_value(&e.figures, "zero_shot_transfer")));
    ig_evaluation_free(&e);
}

static void test_column(void **state)
{
    ig_label label[3] = {{.name = "one", .categories = 1},
                         {.name = "every", .categories = 90},
                         {.name = "topic", .categories = 5}};
    ig_dataset set = {.rows = 100, .labels = 3, .label = label};

    assert_ptr_equal(ig_label_to_transfer(&set), &label[2]);
    set.labels = 2;
    assert_null(ig_label_to_transfer(&set));
}

SUITE(zero_shot_transfer, NULL, NULL, TEST(test_transfer), TEST(test_no_labels),
      TEST(test_column))
