/* Rows of figures: appended in order, found, joined; the table of measures; choosing. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"

#include "measure/evaluation.h"

static const char *const names[] = {"en", "de", "fr"};

/* Each measure has a name of its own, and all that outputs say of it. */
static void test_table(void **state)
{
    const ig_measure *m;
    size_t count = 0;

    for (; (m = ig_measure_at(count)) != NULL; count++) {
        assert_ptr_equal(ig_measure_named(m->name), m);
        assert_true(*m->label && *m->brief && *m->about);
        assert_true(m->family < IG_GROUP_COUNT);
        assert_true(count == 0 || m->family >= m[-1].family);
    }
    assert_true(count > 40);
    assert_null(ig_measure_named("top"));
}

/* Directions with their means, and what guessing gives: one candidate alone is nothing
 * to guess, and no part of the chance of the whole. */
static void test_retrieval(void **state)
{
    ig_retrieval_score of[] = {
        {.from = 0, .to = 1, .candidates = 4, .targets = 1, .pairs = 3, .top1 = 0.25},
        {.from = 0, .to = 2, .candidates = 10, .targets = 1, .pairs = 5, .top1 = 0.5},
        {.from = 1, .to = 0, .candidates = 1, .targets = 1, .pairs = 1, .top1 = NAN},
        {.from = 2, .to = 0, .candidates = 10, .targets = 1, .pairs = 5, .top1 = 1}};
    const uint8_t unseen[] = {0, 0, 1};
    const ig_measure *top1 = ig_measure_named("top1");
    ig_evaluation e = {.taken = IG_MEASURE_RETRIEVAL,
                       .retrieval = {.count = 4,
                                     .score = of,
                                     .mean = {.top1 = 0.5, .margin = NAN},
                                     .least = {.top1 = 0.25, .chance = 0.1}}};
    const ig_figure *row;

    assert_int_equal(ig_evaluation_append(&e, names, unseen, NULL), IG_OK);
    row = ig_figures_whole(&e.figures, "top1");
    assert_true(row->value == 0.5 && row->n == 14 && !row->from && !row->to);
    assert_true(fabs(row->chance - 0.15) < 1e-12); /* of 4, 10 and 10 candidates */
    row = ig_figures_find(&e.figures, top1, 0, IG_ALL_LANGUAGES);
    assert_true(row->value == 0.375 && row->n == 8 && !row->to);
    assert_string_equal(row->from, "en");
    row = ig_figures_find(&e.figures, top1, IG_ALL_LANGUAGES, 0);
    assert_true(row->value == 1);
    row = ig_figures_find(&e.figures, top1, 1, IG_ALL_LANGUAGES);
    assert_true(isnan(row->value) && row->reason != NULL);
    row = ig_figures_find(&e.figures, top1, 1, 0);
    assert_true(isnan(row->value) && isnan(row->chance));
    assert_string_equal(row->reason, "only one candidate");
    row = ig_figures_find(&e.figures, top1, 2, 0);
    assert_true(row->value == 1 && row->chance == 0.1 && row->n == 5);
    assert_null(ig_figures_find(&e.figures, top1, 2, 1));
    assert_string_equal(ig_figures_whole(&e.figures, "similarity_gap")->reason,
                        "no language has a second candidate");
    assert_true(ig_figures_value(&e.figures, "top1_worst") == 0.25);
    assert_true(isnan(ig_figures_value(&e.figures, "alignment")));
    for (size_t i = 0, parts = 0; i < e.figures.count; i++)
        if (e.figures.row[i]->measure == top1 && e.figures.row[i]->from &&
            strcmp(e.figures.row[i]->from, parts ? "unseen" : "seen") == 0) {
            assert_true(e.figures.row[i]->value == (parts ? 0.75 : 0.25));
            parts++;
        }
    ig_figures_free(&e.figures);
}

SUITE(figure, NULL, NULL, TEST(test_table), TEST(test_retrieval))
