/* Figures that cannot be computed have no value, and say why. */
#include <math.h>
#include <string.h>

#include "suite.h"

#include "core/random.h"
#include "measured.h"
#include "pooled.h"

enum { ROWS = 60, DIMS = 3 };

typedef enum kind { NORMAL, EQUAL, ZERO, ODD } kind;

#define TIE "all candidates tie: the space cannot distinguish them"

/* Row i is of language i % languages and meaning i / languages. */
static const struct {
    size_t rows, dims, languages, pairs; /* of the first two languages */
    kind kind;
    const char *measure, *reason;
} cases[] = {
    {0, 3, 2, 0, NORMAL, "purity10", "no rows"},
    {0, 3, 2, 0, NORMAL, "probe", "no rows"},
    {0, 3, 2, 0, NORMAL, "probe_hidden", "no rows"},
    {0, 3, 2, 0, NORMAL, "isoscore", "the rows do not differ"},
    {1, 3, 2, 0, NORMAL, "purity10", "only one row"},
    {2, 3, 2, 0, NORMAL, "probe", "only one meaning"},
    {12, 1, 2, 0, NORMAL, "isoscore", "only one dimension"},
    {12, 3, 1, 0, NORMAL, "language_share", "only one language"},
    {12, 3, 1, 0, NORMAL, "probe", "only one language to learn from"},
    {4, 3, 1, 0, NORMAL, "probe_hidden", "only one language to learn from"},
    {4, 3, 2, 0, NORMAL, "probe_hidden", "fewer rows to learn from than dimensions"},
    {12, 3, 2, 0, NORMAL, "preference", "no row has translations in two languages"},
    {12, 3, 1, 0, NORMAL, "pool_mrr", "no row has a translation"},
    {12, 3, 2, 0, NORMAL, "alignment", "no pairs"},
    {12, 3, 2, 0, NORMAL, "pearson", "no pairs"},
    {12, 3, 2, 0, NORMAL, "uniformity", "no pairs"},
    {12, 3, 2, 0, NORMAL, "relative_alignment", "no pairs of different languages"},
    {12, 3, 2, 0, NORMAL, "top1", "no pairs of different languages"},
    {12, 3, 2, 0, NORMAL, "mining_f1", "no pairs of different languages"},
    {12, 3, 2, 0, NORMAL, "cka", "no pairs of different languages"},
    {12, 3, 2, 1, NORMAL, "relative_alignment",
     "all rows of two languages are pairs: no baseline"},
    {12, 3, 2, 1, NORMAL, "top1", "only one candidate: no ranking is possible"},
    {12, 3, 2, 5, NORMAL, "overlap5", "fewer than 6 rows of a language"},
    {2, 3, 2, 1, NORMAL, "mining_f1", "fewer than two meanings in common"},
    {12, 3, 2, 6, NORMAL, "cka", "the languages share fewer than 20 ids"},
    {12, 3, 2, 6, EQUAL, "isoscore", "the rows do not differ"},
    {12, 3, 2, 6, EQUAL, "relative_alignment", "the rows do not differ"},
    {12, 3, 2, 6, EQUAL, "top1", TIE},
    {12, 3, 2, 6, EQUAL, "mining_f1", TIE},
    {12, 3, 2, 6, EQUAL, "pool_mrr", TIE},
    {40, 3, 2, 20, EQUAL, "cka", "the rows do not differ"},
    {12, 3, 2, 6, EQUAL, "probe", "the rows do not differ"},
    {12, 3, 2, 6, EQUAL, "probe_hidden", "the rows do not differ"},
    {12, 3, 2, 6, ZERO, "isoscore", "the rows do not differ"},
    {12, 3, 2, 6, ZERO, "mean_cosine", "fewer than two rows have a length"},
    {12, 3, 2, 6, ZERO, "probe_raw", "the rows do not differ"},
    {12, 3, 2, 6, ODD, "alignment", "a value is not finite"},
    {12, 3, 2, 6, ODD, "uniformity", "a value is not finite"},
    {12, 3, 2, 6, ODD, "relative_alignment", "a value is not finite"},
    {12, 3, 2, 6, ODD, "top1", "a value is not finite"},
    {12, 3, 2, 6, ODD, "mining_f1", "a value is not finite"},
    {12, 3, 2, 6, ODD, "purity10", "a value is not finite"},
    {12, 3, 2, 6, ODD, "pearson", "a value is not finite"},
};

static void test_reasons(void **state)
{
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        size_t n = cases[c].rows, d = cases[c].dims, l = cases[c].languages;
        const ig_measure *measure = ig_measure_named(cases[c].measure);
        float x[ROWS * DIMS];
        uint16_t lang[ROWS];
        uint32_t id[ROWS], left[ROWS], right[ROWS];
        double score[ROWS];
        ig_scores scores = {
            .count = cases[c].pairs, .left = left, .right = right, .score = score};
        ig_rows rows = ig_rows_of_matrix(ig_matrix_of(x, n, d));
        const ig_figure *f;
        ig_random random;
        ig_evaluation e;

        ig_random_init(&random, 1, 0);
        for (size_t i = 0; i < ROWS * DIMS; i++)
            x[i] = cases[c].kind == ZERO              ? 0
                   : cases[c].kind == EQUAL && i >= d ? x[i - d]
                   : cases[c].kind == ODD && i == 4 * d
                       ? NAN
                       : (float)ig_random_normal(&random);
        for (uint32_t i = 0; i < ROWS; i++) {
            lang[i] = (uint16_t)(i % l);
            id[i] = i / (uint32_t)l;
            left[i] = i * (uint32_t)l;
            right[i] = left[i] + 1;
            score[i] = i;
        }
        assert_int_equal(
            measure_group(&e, 1U << measure->group, &rows,
                          (ig_evaluation_spec){.id = id,
                                               .scores = &scores,
                                               .pairs = {.lang = lang,
                                                         .languages = l,
                                                         .left = left,
                                                         .right = right,
                                                         .pairs = cases[c].pairs}},
                          pool, NULL),
            IG_OK);
        f = ig_figures_whole(&e.figures, measure->name);
        if (!isnan(f->value) || strcmp(f->reason, cases[c].reason) != 0)
            fail_msg("%s, %zu: %g, %s", measure->name, c, f->value,
                     f->reason ? f->reason : "");
        ig_evaluation_free(&e);
    }
}

/* Probes refuse values that are not finite. */
static void test_not_finite(void **state)
{
    for (unsigned g = IG_GROUP_PROBE; g <= IG_GROUP_HIDDEN_PROBE; g++) {
        float x[40 * DIMS] = {[100] = INFINITY};
        uint16_t lang[40];
        ig_rows rows = ig_rows_of_matrix(ig_matrix_of(x, 40, DIMS));
        ig_evaluation e;

        for (uint16_t i = 0; i < 40; i++)
            lang[i] = i % 2;
        assert_int_equal(
            measure_group(&e, 1U << g, &rows,
                          (ig_evaluation_spec){.pairs = {.lang = lang, .languages = 2}},
                          pool, NULL),
            IG_VALUE);
    }
}

SUITE(undefined, pool_start, pool_end, TEST(test_reasons), TEST(test_not_finite))
