/* The catalogue: each figure is read from where it stands, and what is missing has a
 * reason. */
#include "measure/catalogue.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"

static ig_retrieval_score scores[2] = {{.candidates = 4, .top1 = 0.25},
                                       {.candidates = 10, .top1 = 0.75}};

/* Every figure its number in the table, from 1. */
static ig_evaluation filled(void)
{
    ig_evaluation e = {.taken = IG_MEASURE_ALL};
    const ig_measure_entry *entry;

    for (size_t i = 0; (entry = ig_measure_at(i)) != NULL; i++) {
        const char *result = ig_evaluation_result(&e, entry->family);
        size_t at = (size_t)(result - (const char *)&e) + entry->at;

        *(double *)((char *)&e + at) = (double)i + 1;
    }
    e.retrieval.count = 2;
    e.retrieval.score = scores;
    e.relative_alignment.chance = 1;
    e.probe.majority = 0.5;
    e.hidden_probe.majority = 0.5;
    e.mixed_pool.own_chance = 0.25;
    return e;
}

/* Each has a place and a key of its own. */
static void test_figures(void **state)
{
    ig_evaluation e = filled();
    const ig_measure_entry *entry;
    size_t count = 0;

    (void)state;
    for (; (entry = ig_measure_at(count)) != NULL; count++) {
        assert_ptr_equal(ig_measure_named(entry->key), entry);
        assert_true(ig_measure_read(entry, &e) == (double)count + 1);
        assert_null(ig_measure_reason(entry, &e));
    }
    assert_true(count > 0);
    assert_ptr_equal(ig_measure_named("top1")->family, &ig_retrieval_family);
    assert_true(ig_measure_read(ig_measure_named("top1"), &e) == e.retrieval.mean.top1);
    assert_true(ig_measure_read(ig_measure_named("probe"), &e) == e.probe.accuracy);
    assert_null(ig_measure_named("top"));
}

static void test_chance(void **state)
{
    ig_evaluation e = filled();

    (void)state;
    assert_true(fabs(ig_measure_chance(ig_measure_named("top1"), &e) - 0.175) < 1e-12);
    assert_true(fabs(ig_measure_chance(ig_measure_named("top5"), &e) - 0.75) < 1e-12);
    assert_true(fabs(ig_measure_chance(ig_measure_named("mean_rank"), &e) - 4) < 1e-12);
    assert_true(fabs(ig_measure_chance(ig_measure_named("xsim"), &e) - 0.825) < 1e-12);
    assert_true(ig_measure_chance(ig_measure_named("probe"), &e) == 0.5);
    assert_true(ig_measure_chance(ig_measure_named("purity10"), &e) == 0.25);
    assert_true(ig_measure_of_pair(ig_measure_named("top1"), &scores[1]) == 0.75);
    e.retrieval.count = 0;
    assert_true(isnan(ig_measure_chance(ig_measure_named("top1"), &e)));
}

/* Means over the directions into a language, and out of it. */
static void test_languages(void **state)
{
    const ig_measure_entry *top1 = ig_measure_named("top1");
    ig_retrieval_score of[] = {{.from = 0, .to = 1, .top1 = 0.25},
                               {.from = 0, .to = 2, .top1 = 0.5},
                               {.from = 1, .to = 0, .top1 = NAN},
                               {.from = 2, .to = 0, .top1 = 1}};
    ig_evaluation e = {.taken = IG_MEASURE_ALL, .retrieval = {.count = 4, .score = of}};

    (void)state;
    assert_true(ig_measure_of_language(top1, &e, 0, false) == 0.375);
    assert_true(ig_measure_of_language(top1, &e, 0, true) == 1);
    assert_true(ig_measure_of_language(top1, &e, 2, true) == 0.5);
    assert_true(isnan(ig_measure_of_language(top1, &e, 1, false)));
    assert_true(isnan(ig_measure_of_language(top1, &e, 3, true)));
}

/* Means need kinds of pairs, ties are told where there are some. */
static void test_tells(void **state)
{
    ig_evaluation e = filled();

    (void)state;
    assert_true(ig_measure_tells(ig_measure_named("pearson"), &e));
    assert_false(ig_measure_tells(ig_measure_named("mean_pearson"), &e));
    assert_false(ig_measure_tells(ig_measure_named("mean_spearman"), &e));
    e.similarity.kinds = 2;
    assert_true(ig_measure_tells(ig_measure_named("mean_pearson"), &e));
    assert_true(ig_measure_tells(ig_measure_named("tied"), &e));
    e.retrieval.mean.tied = 0;
    assert_false(ig_measure_tells(ig_measure_named("tied"), &e));
    e.retrieval.mean.top1 = NAN; /* not had, and that is said */
    assert_true(ig_measure_tells(ig_measure_named("top1"), &e));
    e.taken = 0;
    assert_false(ig_measure_tells(ig_measure_named("top1"), &e));
    assert_false(ig_measure_tells(ig_measure_named("top1"), NULL));
}

static void test_reasons(void **state)
{
    const ig_measure_entry *entry;
    ig_evaluation e = filled();

    (void)state;
    e.probe.accuracy = e.retrieval.mean.margin = e.similarity.mean_pearson = NAN;
    e.probe.reason = "one language";
    assert_string_equal(ig_measure_reason(ig_measure_named("probe"), &e),
                        "one language");
    assert_string_equal(ig_measure_reason(ig_measure_named("margin"), &e),
                        "no language has a second candidate");
    assert_string_equal(ig_measure_reason(ig_measure_named("mean_pearson"), &e),
                        "the scores name no kinds of pairs");
    e.taken = 0;
    for (size_t i = 0; (entry = ig_measure_at(i)) != NULL; i++) {
        assert_true(isnan(ig_measure_read(entry, &e)));
        assert_string_equal(ig_measure_reason(entry, &e), "not measured");
    }
}

static void test_choice(void **state)
{
    ig_measure_choice choice;
    ig_error error;

    (void)state;
    assert_int_equal(
        ig_measures_choose(&choice, "--x", "top1,geometry,alignment", NULL), IG_OK);
    assert_int_equal(choice.entries, 3);
    assert_string_equal(choice.entry[0]->key, "top1");
    assert_string_equal(choice.entry[1]->key, "alignment");
    assert_string_equal(choice.entry[2]->key, "uniformity");
    assert_int_equal(choice.measures, IG_MEASURE_GEOMETRY | IG_MEASURE_RETRIEVAL);
    assert_false(ig_choice_needs_scores(&choice));
    assert_int_equal(ig_measures_choose(&choice, "--x", "mean_pearson", NULL), IG_OK);
    assert_true(ig_choice_needs_scores(&choice));
    assert_int_equal(ig_measures_choose(&choice, "--x", "top1,,top5", &error),
                     IG_USAGE);
    assert_int_equal(ig_measures_choose(&choice, "--x", "top", &error), IG_USAGE);
    assert_non_null(strstr(error.message, "--x: there is no measure 'top'; "));
    assert_non_null(strstr(error.message, "relative_alignment, pool, retrieval, "));
}

SUITE(catalogue)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures),   cmocka_unit_test(test_chance),
        cmocka_unit_test(test_languages), cmocka_unit_test(test_tells),
        cmocka_unit_test(test_reasons),   cmocka_unit_test(test_choice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
