/* The multilingual pool: values worked out by hand, a plain computation, and what cannot be
 * had. */
#include <math.h>
#include <string.h>

#include "suite.h"

#include "core/memory.h"
#include "core/random.h"
#include "measured.h"
#include "pooled.h"

enum { MOST = 1300, D = 30, LANGUAGES = 3 };

static float row[MOST][D], unit[MOST][D];
static uint16_t lang[MOST];
static uint32_t meaning[MOST];

static const ig_figure *figure(const ig_evaluation *e, const char *measure)
{
    return ig_figures_whole(&e->figures, measure);
}

static ig_status measure(ig_evaluation *e, size_t n)
{
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(&row[0][0], n, D));

    return measure_group(
        e, IG_MEASURE_POOL, &rows,
        (ig_evaluation_spec){.pairs = {.lang = lang, .languages = LANGUAGES},
                             .id = meaning},
        pool, NULL);
}

/* Rows of K languages, so many each, about a centre of their language. */
static void plant(size_t n, double apart, uint64_t seed)
{
    float centre[LANGUAGES][D];
    ig_random random;

    ig_random_init(&random, seed, 0);
    for (size_t l = 0; l < LANGUAGES; l++)
        for (size_t j = 0; j < D; j++)
            centre[l][j] = (float)(apart * ig_random_normal(&random));
    for (size_t i = 0; i < n; i++) {
        meaning[i] = IG_NO_ID;
        lang[i] = (uint16_t)(ig_random_below(&random, 6) % LANGUAGES +
                             ig_random_below(&random, 2)) %
                  LANGUAGES;
        for (size_t j = 0; j < D; j++)
            row[i][j] = (float)((double)centre[lang[i]][j] + ig_random_normal(&random));
    }
}

/* Identical rows: the lower ones are nearer, from wherever they are looked at; and of
 * what ties decide no figure is made. */
static void test_identical(void **state)
{
    ig_evaluation p;

    for (uint32_t i = 0; i < 600; i++) {
        lang[i] = i >= 10;
        meaning[i] = i % 10;
        for (size_t j = 0; j < D; j++)
            row[i][j] = (float)sin((double)j + 1);
    }
    assert_int_equal(measure(&p, 600), IG_OK);
    /* Rows 0 … 9 see the nine others of their language and row 10 or 11, whichever has
     * another meaning; the others see nine of language 0 and a row of their own. */
    assert_near_to(ig_figures_value(&p.figures, "purity10"), (10 * 0.9 + 590 * 0.1) / 600, 1e-7);
    assert_true(isnan(ig_figures_value(&p.figures, "pool_translation")) && isnan(ig_figures_value(&p.figures, "pool_mrr")));
    assert_string_equal(figure(&p, "pool_mrr")->reason,
                        "all candidates tie: the space cannot distinguish them");
    assert_null(p.multilingual_pool.reason);
    ig_evaluation_free(&p);
}

/* Translations that are identical are no ties: all is found that can be. */
static void test_perfect(void **state)
{
    ig_evaluation p;

    plant(300, 0, 3);
    for (uint32_t i = 0; i < 300; i++) {
        lang[i] = i / 100;
        meaning[i] = i % 100;
        memcpy(row[i], row[i % 100], sizeof row[i]);
    }
    assert_int_equal(measure(&p, 300), IG_OK);
    assert_near_to(ig_figures_value(&p.figures, "pool_translation"), 1, 0);
    assert_near_to(ig_figures_value(&p.figures, "pool_mrr"), 1, 0);
    assert_near_to(ig_figures_value(&p.figures, "pool_same_language"), 0, 0);
    assert_near_to(figure(&p, "pool_translation")->chance, 2.0 / 299, 1e-12);
    assert_near_to(figure(&p, "pool_same_language")->chance, 99.0 / 299, 1e-12);
    assert_int_equal(figure(&p, "pool_mrr")->n, 300);
    ig_evaluation_free(&p);
}

/* What guessing gives by hand: of three candidates one is a translation, so 1/rank is
 * the mean of 1, 1/2 and 1/3; of four where two are, ranks 1, 2 and 3 have chances 3/6,
 * 2/6 and 1/6. */
static void test_guess(void **state)
{
    ig_evaluation p;

    plant(5, 0, 3);
    for (uint32_t i = 0; i < 5; i++) {
        lang[i] = (uint16_t)(i % 3);
        meaning[i] = i < 2 ? 0 : 1 + i;
    }
    assert_int_equal(measure(&p, 4), IG_OK);
    assert_int_equal(figure(&p, "pool_mrr")->n, 2);
    assert_near_to(figure(&p, "pool_mrr")->chance, (1 + 1 / 2.0 + 1 / 3.0) / 3, 1e-12);
    assert_near_to(figure(&p, "pool_translation")->chance, 1 / 3.0, 1e-12);
    ig_evaluation_free(&p);
    meaning[2] = 0;
    assert_int_equal(measure(&p, 5), IG_OK);
    assert_int_equal(figure(&p, "pool_mrr")->n, 3);
    assert_near_to(figure(&p, "pool_mrr")->chance, 3.0 / 6 + 2.0 / 6 / 2 + 1.0 / 6 / 3,
                   1e-12);
    ig_evaluation_free(&p);
}

static double cosine(size_t a, size_t b)
{
    double sum = 0;

    for (size_t j = 0; j < D; j++)
        sum += (double)unit[a][j] * (double)unit[b][j];
    return sum;
}

/* Whether b is a translation of a. */
static bool translates(size_t a, size_t b)
{
    return lang[a] != lang[b] && meaning[a] != IG_NO_ID && meaning[a] == meaning[b];
}

struct plain {
    double purity, own, translation, mrr, hubness;
    double density; /* mean */
    size_t queries;
};

/* The nearest of row i but those that are used: the lowest of equals. */
static size_t nearest_unused(size_t i, size_t n, const bool *used)
{
    size_t best = n;
    double most = -2;

    for (size_t j = 0; j < n; j++) {
        double value = used[j] ? -3 : cosine(i, j);

        if (value > most) {
            most = value;
            best = j;
        }
    }
    return best;
}

static double plain_rank(size_t i, size_t n)
{
    double best = -2, rank = 1;

    for (size_t j = 0; j < n; j++)
        if (translates(i, j) && cosine(i, j) > best)
            best = cosine(i, j);
    for (size_t j = 0; j < n; j++)
        rank += j != i && cosine(i, j) > best + 1e-7;
    return best < -1.5 ? 0 : rank;
}

static struct plain plainly(size_t n)
{
    static double hub[MOST];
    size_t pure = 0;
    size_t k = n - 1 < IG_POOL_NEAR ? n - 1 : IG_POOL_NEAR;
    double squares = 0, cubes = 0;
    struct plain out = {0};

    ig_rows_unit(&row[0][0], D, &unit[0][0], D, n, D);
    memset(hub, 0, sizeof hub);
    for (size_t i = 0; i < n; i++) {
        static bool used[MOST];
        double rank = plain_rank(i, n), same = 0;
        size_t others = 0;

        memset(used, 0, sizeof used);
        used[i] = true;
        for (size_t r = 0; r < k; r++) {
            size_t best = nearest_unused(i, n, used);

            used[best] = true;
            hub[best]++;
            out.density += cosine(i, best) / (double)(n * k);
            out.own += r == 0 && lang[best] == lang[i];
            out.translation += r == 0 && translates(i, best);
        }
        out.queries += rank > 0;
        out.mrr += rank > 0 ? 1 / rank : 0;
        for (size_t j = 0; j < n; j++)
            used[j] = j == i || (meaning[i] != IG_NO_ID && meaning[i] == meaning[j]);
        for (; others < IG_POOL_NEAR && nearest_unused(i, n, used) < n; others++) {
            size_t best = nearest_unused(i, n, used);

            used[best] = true;
            same += lang[best] == lang[i];
        }
        out.purity += others ? same / (double)others : 0;
        pure += others > 0;
    }
    for (size_t i = 0; i < n; i++) {
        squares += pow(hub[i] - (double)k, 2) / (double)n;
        cubes += pow(hub[i] - (double)k, 3) / (double)n;
    }
    out.hubness = squares > 0 ? cubes / pow(squares, 1.5) : (double)NAN;
    out.purity /= (double)pure;
    out.own /= (double)n;
    out.translation /= (double)out.queries;
    out.mrr /= (double)out.queries;
    return out;
}

/* Rows without meaning, without translation and with several, identical and of length
 * 0. */
static void test_plain(void **state)
{
    static const size_t sizes[] = {2, 3, 10, 11, 12, 100, 255, 257, 512, 513, 700};

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        size_t n = sizes[s];
        ig_evaluation p;
        struct plain q;

        if (!thorough() && n > 257)
            break;
        plant(n, 0.3, s);
        for (uint32_t i = 0; i < n; i++) {
            meaning[i] = i % 7 == 6 ? IG_NO_ID : i % (1 + (uint32_t)n / 3);
            if (i >= n / 2 && meaning[i] != IG_NO_ID)
                for (size_t j = 0; j < D / 2; j++)
                    row[i][j] = row[meaning[i]][j];
        }
        for (size_t i = 0; i < n; i += 9) {
            memcpy(row[i], row[n - 1], sizeof row[i]);
            memset(row[i / 2], 0, i % 4 ? 0 : sizeof row[i / 2]);
        }
        assert_int_equal(measure(&p, n), IG_OK);
        q = plainly(n);
        for (size_t i = 0; i < n; i++)
            q.density -= (double)p.multilingual_pool.found[i].density / (double)n;
        assert_near_to(q.density, 0, 1e-6);
        assert_true(isnan(q.purity) ? isnan(ig_figures_value(&p.figures, "purity10"))
                                    : fabs(ig_figures_value(&p.figures, "purity10") - q.purity) < 1e-6);
        assert_near_to(ig_figures_value(&p.figures, "pool_same_language"), q.own, 1e-6);
        assert_int_equal(figure(&p, "pool_mrr")->n, q.queries);
        assert_true(isnan(ig_figures_value(&p.figures, "hubness10"))
                        ? isnan(q.hubness)
                        : fabs(ig_figures_value(&p.figures, "hubness10") - q.hubness) < 1e-9);
        if (n > 12) {
            assert_near_to(ig_figures_value(&p.figures, "pool_translation"), q.translation, 1e-12);
            assert_near_to(ig_figures_value(&p.figures, "pool_mrr"), q.mrr, 1e-7);
        }
        ig_evaluation_free(&p);
    }
}

static void test_not_computable(void **state)
{
    ig_evaluation p;

    plant(40, 0.2, 4);
    for (size_t n = 0; n < 2; n++) {
        assert_int_equal(measure(&p, n), IG_OK);
        assert_true(isnan(ig_figures_value(&p.figures, "purity10")) &&
                    isnan(figure(&p, "pool_same_language")->chance) &&
                    p.multilingual_pool.rows == n);
        assert_string_equal(p.multilingual_pool.reason, n ? "only one row" : "no rows");
        ig_evaluation_free(&p);
    }
    row[7][3] = NAN;
    assert_int_equal(measure(&p, 40), IG_OK);
    assert_true(isnan(ig_figures_value(&p.figures, "purity10")));
    assert_string_equal(p.multilingual_pool.reason, "a value is not finite");
    ig_evaluation_free(&p);
}

SUITE(multilingual_pool, pool_start, pool_end, TEST(test_identical), TEST(test_perfect),
      TEST(test_guess), TEST(test_plain), TEST(test_not_computable))
