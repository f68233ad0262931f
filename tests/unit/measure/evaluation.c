/* Every measure by one call: against the measures by themselves, and what is missing. */
#include "measure/evaluation.h"

#include <math.h>
#include <string.h>

#include "suite.h"

#include "core/memory.h"
#include "core/random.h"
#include "measure/judged.h"
#include "measured.h"
#include "pooled.h"

enum { MEANINGS = 60, K = 3, N = MEANINGS * K + 7, D = 12, PAIRS = 2 * MEANINGS };

/* Row 3·i + k + 7 is meaning i in language k; the first seven rows have no id. */
static float a[N * D];
static uint16_t lang[N];
static uint32_t id[N], left[PAIRS], right[PAIRS];
static uint32_t scored[2][20];
static double score[20];
static ig_rows rows;
static ig_scores scores = {
    .count = 20, .left = scored[0], .right = scored[1], .score = score};
static const char *topics[] = {"a", "b", "c"};
static uint32_t topic[N];
static ig_label label = {
    .name = "topic", .categories = 3, .category = topics, .value = topic};
static struct ig_judgement answer[20]; /* meaning 2 · i answers meaning i */
static const char *codes[] = {"a", "b", "c"};
static const ig_dataset asked = {.rows = N,
                                 .languages = K,
                                 .language = codes,
                                 .lang = lang,
                                 .ids = MEANINGS,
                                 .id = id};
static const ig_dataset answers = {
    .rows = N, .languages = K, .language = codes, .ids = MEANINGS, .id = id};
static const ig_judged judged = {
    .set = {&asked, &answers}, .count = 20, .judgement = answer};
static ig_evaluation_spec whole;

/* Stand for all spaces. */
static const ig_rows *const parts[] = {&rows, &rows, &rows};

static int plant(void **state)
{
    ig_random random;
    size_t p = 0;

    ig_random_init(&random, 5, 0);
    for (size_t i = 0; i < N * D; i++)
        a[i] = (float)ig_random_normal(&random);
    for (uint32_t i = 0; i < N; i++) {
        lang[i] = i < 7 ? 0 : (i - 7) % K;
        topic[i] = i % 3;
        id[i] = i < 7 ? IG_NO_ID : (i - 7) / K;
        a[i * D + lang[i]] += 1;
        for (size_t j = 0; i >= 7 && j < D; j++)
            a[i * D + j] += 2 * a[(7 + id[i] * K) * D + j] * (lang[i] > 0);
        for (uint32_t k = 1; i >= 7 && lang[i] == 0 && k < K; k++) {
            left[p] = i;
            right[p++] = i + k;
        }
    }
    for (uint32_t i = 0; i < 20; i++) {
        scored[0][i] = 3 * i;
        scored[1][i] = 3 * i + 40;
        score[i] = ig_random_unit(&random);
        answer[i] = (struct ig_judgement){.id = {i, 2 * i}, .gain = 1};
    }
    memset(a + 9 * D, 0, D * sizeof *a);
    rows = ig_rows_of_matrix(ig_matrix_of(a, N, D));
    whole = (ig_evaluation_spec){.measures = IG_MEASURE_ALL,
                                 .part = parts,
                                 .id = id,
                                 .pairs = {.lang = lang,
                                           .languages = K,
                                           .left = left,
                                           .right = right,
                                           .pairs = PAIRS},
                                 .label = &label,
                                 .scores = &scores,
                                 .judged = &judged,
                                 .queries = &rows,
                                 .seed = 1};
    return pool_start(state);
}

/* Whether x has the figures of y. */
static void assert_same(const ig_evaluation *x, const ig_evaluation *y, double eps)
{
    for (size_t i = 0; i < y->figures.count; i++) {
        const ig_figure *f = y->figures.row[i], *same = NULL;

        for (size_t k = 0; k < x->figures.count && !same; k++) {
            same = x->figures.row[k];
            if (same->measure != f->measure || same->lang[0] != f->lang[0] ||
                same->lang[1] != f->lang[1])
                same = NULL;
        }
        if (f->lang[0] == UINT16_MAX)
            continue;
        assert_non_null(same);
        assert_int_equal(same->n, f->n);
        assert_int_equal(isnan(same->value), isnan(f->value));
        if (!isnan(f->value))
            assert_near_to(same->value, f->value, eps * fmax(1, fabs(f->value)));
    }
}

static void test_whole(void **state)
{
    ig_evaluation e, alone;

    assert_int_equal(ig_evaluation_take(&e, &rows, &whole, pool, NULL, NULL), IG_OK);
    assert_int_equal(e.taken, IG_MEASURE_ALL);
    assert_int_equal(e.zero_rows, 1);
    for (unsigned g = 0; g < IG_GROUP_COUNT; g++) {
        assert_int_equal(measure_group(&alone, 1u << g, &rows, whole, pool, NULL),
                         IG_OK);
        assert_true(alone.figures.count > 0);
        assert_same(&e, &alone, 1e-6);
        ig_evaluation_free(&alone);
    }
    ig_evaluation_free(&e);
}

/* Rows of one meaning have one id or, without ids, the group of their first pair. */
static void test_meanings(void **state)
{
    const uint32_t one[] = {0, 4, 2, 5}, other[] = {1, 3, 4, 6}, group[] = {8, 7, 7, 9};
    const uint32_t ids[] = {1, 1, IG_NO_ID, 3, 3, 3, 0, 0};
    const uint32_t by_id[] = {0, 0, 1, 2, 2, 2, 3, 3};
    const uint32_t by_group[] = {0, 0, 1, 1, 1, 2, 2, 3};
    ig_rows eight = {.rows = 8, .dims = D, .direct = rows.direct, .direct_stride = D};
    ig_evaluation_spec subject = {
        .id = ids, .pairs = {.left = one, .right = other, .group = group, .pairs = 4}};

    for (int i = 0; i < 2; i++) {
        ig_embeddings e;

        assert_int_equal(ig_embeddings_init(&e, &eight, &subject,
                                            IG_NEEDS_ROWS | IG_NEEDS_PAIRS, NULL, NULL,
                                            NULL),
                         IG_OK);
        assert_memory_equal(e.meaning, i ? by_group : by_id, sizeof by_id);
        ig_embeddings_free(&e);
        subject.id = NULL;
    }
}

/* Only what is asked for is taken, and only its rows are read: of no family, one, two
 * and all. */
static void test_some(void **state)
{
    for (unsigned m = 0; m <= IG_MEASURE_ALL; m++) {
        unsigned but_one = m & (m - 1), of = 0;
        ig_evaluation_spec subject = whole;
        ig_evaluation e;

        if (m && but_one & (but_one - 1) && m != IG_MEASURE_ALL)
            continue;
        subject.measures = m;
        assert_int_equal(ig_evaluation_take(&e, &rows, &subject, pool, NULL, NULL),
                         IG_OK);
        assert_int_equal(e.taken, m);
        for (size_t i = 0; i < e.figures.count; i++)
            of |= 1u << e.figures.row[i]->measure->group;
        assert_int_equal(of, m);
        ig_evaluation_free(&e);
    }
}

/* Without pairs, ids and scores there are reasons, and what is left is measured. */
static void test_bare(void **state)
{
    static const char *const without[] = {"alignment", "uniformity", "top1", "cka"};
    static const char *const with[] = {"isoscore", "purity10", "probe"};
    ig_evaluation_spec bare = {
        .measures = IG_MEASURE_ALL, .pairs = {.lang = lang, .languages = K}, .seed = 1};
    ig_rows none = {.dims = D};
    ig_evaluation e;

    assert_int_equal(ig_evaluation_take(&e, &rows, &bare, pool, NULL, NULL), IG_OK);
    assert_int_equal(e.taken, IG_MEASURE_ALL &
                                  ~(IG_MEASURE_SIMILARITY | IG_MEASURE_JUDGED |
                                    IG_MEASURE_REVERSIBILITY | IG_MEASURE_SPACE_CKA |
                                    IG_MEASURE_ZERO_SHOT_TRANSFER));
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        const ig_figure *f = ig_figures_whole(&e.figures, without[i]);

        assert_true(isnan(f->value));
        assert_non_null(f->reason);
    }
    for (size_t i = 0; i < sizeof with / sizeof *with; i++)
        assert_false(isnan(ig_figures_value(&e.figures, with[i])));
    ig_evaluation_free(&e);

    assert_int_equal(ig_evaluation_take(&e, &none, &bare, pool, NULL, NULL), IG_OK);
    for (size_t i = 0; i < sizeof with / sizeof *with; i++)
        assert_non_null(ig_figures_whole(&e.figures, with[i])->reason);
    ig_evaluation_free(&e);
    ig_evaluation_free(NULL);
}

/* Findings of figures without intervals say nothing that intervals may contradict. */
static void test_findings(void **state)
{
    const ig_evaluation *space[IG_MEASURE_SPACES] = {0}, *with[IG_MEASURE_SPACES] = {0};
    ig_evaluation e[4];
    ig_finding finding[IG_FINDINGS_MAX];
    size_t n;

    for (int i = 0; i < 4; i++) {
        whole.intervals = i > 1;
        assert_int_equal(ig_evaluation_take(&e[i], &rows, &whole, pool, NULL, NULL),
                         IG_OK);
        *(i > 1 ? &with[i - 2] : &space[i]) = &e[i];
    }
    n = ig_findings_make(finding, space, NULL, "", false);
    assert_true(n > 2);
    assert_non_null(strstr(finding[0].text, "% (chance "));
    assert_non_null(strstr(finding[0].text, ", the original "));
    for (size_t i = 0; i < n; i++) {
        assert_null(strstr(finding[i].text, "no interval"));
        assert_null(strstr(finding[i].text, "points"));
    }
    n = ig_findings_make(finding, space, space, "run 2", true);
    assert_true(n > 2);
    n = ig_findings_make(finding, with, space, "run 2", false); /* which has none yet */
    assert_non_null(strstr(finding[0].text, ", run 2 "));
    for (size_t i = 0; i < n; i++)
        assert_null(strstr(finding[i].text, "points"));
    for (int i = 0; i < 4; i++)
        ig_evaluation_free(&e[i]);
}

/* The language preferred is chosen among all: its interval must leave chance at 1 − .05
 * divided by their number. */
static void test_preferred(void **state)
{
    enum { MOST = 10 };
    ig_figure f[MOST], *row[MOST];
    ig_evaluation e = {.figures = {.row = row, .intervals = true}};
    const ig_evaluation *space[IG_MEASURE_SPACES] = {&e};
    ig_finding finding[IG_FINDINGS_MAX];

    for (int i = 0; i < MOST; i++) {
        row[i] = &f[i];
        f[i] = (ig_figure){.measure = ig_measure_named("first_translation"),
                           .to = i ? "other" : "most",
                           .lang = {0, (uint16_t)(i + 1)},
                           .units = 100,
                           .value = i ? 0.4 : 0.6,
                           .chance = 0.5,
                           .low = i ? 0.3 : 0.51,
                           .high = i ? 0.5 : 0.69};
    }
    e.figures.count = 1;
    assert_int_equal(ig_findings_make(finding, space, NULL, "", false), 1);
    assert_ptr_equal(strstr(finding[0].text,
                            "The nearest translation is in most for 60.0% (95%: "
                            "51.0–69.0%, chance 50.0%) of the sentences that"),
                     finding[0].text);
    e.figures.count = MOST;
    assert_int_equal(ig_findings_make(finding, space, NULL, "", false), 0);
}

SUITE(evaluation, plant, pool_end, TEST(test_preferred), TEST(test_whole),
      TEST(test_some), TEST(test_meanings), TEST(test_bare), TEST(test_findings))
