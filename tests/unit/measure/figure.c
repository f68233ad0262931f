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
        assert_true(*m->label && *m->about);
        assert_true(m->group < IG_GROUP_COUNT);
        assert_true(count == 0 || m->group >= m[-1].group);
    }
    assert_true(count > 40);
    assert_null(ig_measure_named("top"));
}

/* A figure from items, of which one does not count, and how it combines. */
static ig_figure *add(ig_figures *f, const char *measure, size_t from, size_t to,
                      ig_combine how)
{
    static const float a[] = {1, 0, NAN, 1}, b[] = {2, 1, 9, 1}, c[] = {1, 2, 9, 2};
    ig_figure *row = ig_figures_add_items(f, measure, from, to, how, 4);

    for (uint32_t i = 0; i < 4; i++) {
        row->unit[i] = i / 2;
        row->item[0][i] = a[i];
        if (row->item[1])
            row->item[1][i] = b[i];
        if (row->item[2])
            row->item[2][i] = c[i];
    }
    ig_figures_close(f, row, "nothing counts");
    return row;
}

static void test_items(void **state)
{
    const size_t all = IG_ALL_LANGUAGES;
    ig_figures f = {.language = names, .intervals = true};
    ig_figure *part[3], *row;

    (void)state;
    assert_near_to(add(&f, "uniformity", all, all, IG_LOG_MEAN)->value, log(2.0 / 3),
                   1e-12);
    assert_near_to(add(&f, "relative_alignment", all, all, IG_RATIO)->value, 0.5,
                   1e-12);
    assert_near_to(add(&f, "cka_debiased", 0, 1, IG_CORRELATION)->value, 2 / sqrt(20),
                   1e-12);
    part[0] = add(&f, "top1", 0, 1, IG_MEAN);
    assert_near_to(part[0]->value, 2.0 / 3, 1e-12);
    assert_true(part[0]->n == 3 && !part[0]->reason);
    part[0]->chance = 0.25;
    part[1] = ig_figures_add_items(&f, "top1", 1, 0, IG_MEAN, 0);
    part[1]->n = 5;
    ig_figures_close(&f, part[1], "nothing counts");
    assert_true(isnan(part[1]->value));
    assert_string_equal(part[1]->reason, "nothing counts");
    part[2] = add(&f, "top1", 2, 0, IG_MEAN);
    part[2]->chance = 0.5;
    row = ig_figures_add_mean(&f, "top1", all, all, part, 3, false, NULL);
    assert_near_to(row->value, 2.0 / 3, 1e-12);
    assert_near_to(row->chance, 0.375, 1e-12);
    assert_true(row->n == 11 && !row->from && !row->to);
    ig_figures_name_part(
        &f, ig_figures_add_mean(&f, "top1", all, all, part + 1, 1, false, NULL),
        "part");
    ig_figures_sort(&f);
    assert_ptr_equal(ig_figures_whole(&f, "top1"), row);
    assert_ptr_equal(ig_figures_find(&f, row->measure, 2, 0), part[2]);
    assert_string_equal(part[2]->from, "fr");
    assert_null(ig_figures_find(&f, row->measure, 0, 2));
    assert_true(isnan(ig_figures_value(&f, "alignment")));
    assert_string_equal(f.row[6]->from, "part");
    ig_figures_free(&f);
}

SUITE(figure, NULL, NULL, TEST(test_table), TEST(test_items))
