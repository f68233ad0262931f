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

/* Every figure a number of its own. */
static ig_evaluation filled(void)
{
    ig_evaluation e = {.taken = IG_MEASURE_ALL};

    e.geometry = (ig_geometry){.alignment = 1, .uniformity = 2};
    e.retrieval.count = 2;
    e.retrieval.score = scores;
    e.relative_alignment = (ig_relative_alignment){.alignment = 3, .chance = 1};
    e.mixed_pool = (ig_mixed_pool){.translation = 4,
                                   .own_language = 5,
                                   .mrr = 6,
                                   .purity = 7,
                                   .hubness = 8,
                                   .own_chance = 0.25};
    e.retrieval.mean = (ig_retrieval_score){.top1 = 9,
                                            .top5 = 10,
                                            .mean_rank = 11,
                                            .median_rank = 12,
                                            .xsim = 13,
                                            .margin = 14,
                                            .overlap5 = 15,
                                            .tied = 16};
    e.similarity.all = (ig_correlation){.pearson = 17, .spearman = 18};
    e.similarity.mean_pearson = 19;
    e.similarity.mean_spearman = 20;
    e.isotropy.isoscore = 21;
    e.probe = (ig_probe){.accuracy = 22, .majority = 0.5, .shuffled = 23};
    return e;
}

static void test_figures(void **state)
{
    static const char *const keys[] = {"alignment",
                                       "uniformity",
                                       "alignment_relative",
                                       "pool_translation",
                                       "pool_own_language",
                                       "pool_mrr",
                                       "purity10",
                                       "hubness10",
                                       "top1",
                                       "top5",
                                       "mean_rank",
                                       "median_rank",
                                       "xsim",
                                       "margin",
                                       "overlap5",
                                       "tied",
                                       "pearson",
                                       "spearman",
                                       "mean_pearson",
                                       "mean_spearman",
                                       "isoscore",
                                       "probe",
                                       "shuffled"};
    ig_evaluation e = filled();
    size_t count = sizeof keys / sizeof *keys;

    (void)state;
    assert_null(ig_measure_at(count));
    for (size_t i = 0; i < count; i++) {
        const ig_measure_entry *entry = ig_measure_named(keys[i]);

        assert_non_null(entry);
        assert_ptr_equal(ig_measure_at(i), entry);
        assert_true(ig_measure_read(entry, &e) == (double)i + 1);
        assert_null(ig_measure_reason(entry, &e));
    }
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
        cmocka_unit_test(test_figures), cmocka_unit_test(test_chance),
        cmocka_unit_test(test_tells),   cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_choice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
