/* Bitext mining against its definition in double; what shuffled meanings give; what cannot be had. */
#include <math.h>
#include <string.h>

#include "suite.h"

#include "core/random.h"
#include "measure/evaluation.h"
#include "pooled.h"

enum { MOST = 700, D = 40, LANGUAGES = 3, K = 4, PAIRS = 1000 };

static float row[MOST][D];
static double unit[MOST][D];
static uint16_t lang[MOST];
static uint32_t id[MOST];
static size_t rows, pairs;
static uint32_t left[PAIRS], right[PAIRS];

/* Rows of some meanings in all languages; of others (`lone`) in the first or the second
 * alone. */
static void plant(size_t meanings, size_t lone, double noise, uint64_t seed)
{
    ig_random random;

    ig_random_init(&random, seed, 0);
    rows = pairs = 0;
    for (uint32_t m = 0; m < meanings + lone; m++) {
        double meaning[D];

        for (size_t j = 0; j < D; j++)
            meaning[j] = ig_random_normal(&random) + 0.5;
        for (uint16_t l = 0; l < LANGUAGES; l++) {
            double length = 0;

            if (m >= meanings && l != m % 2)
                continue;
            assert_true(rows < MOST);
            for (size_t j = 0; j < D; j++) {
                row[rows][j] = (float)(meaning[j] + noise * ig_random_normal(&random) +
                                       (j == l ? 3 : 0));
                length += (double)row[rows][j] * (double)row[rows][j];
            }
            for (size_t j = 0; j < D; j++)
                unit[rows][j] = (double)row[rows][j] / sqrt(length);
            lang[rows] = l;
            id[rows++] = m;
        }
    }
}

static void join(void)
{
    pairs = 0;
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < rows; j++)
            if (lang[i] < lang[j] && id[i] == id[j]) {
                assert_true(pairs < PAIRS);
                left[pairs] = i;
                right[pairs++] = j;
            }
}

static ig_evaluation measure(unsigned measures)
{
    ig_rows source = ig_rows_of_matrix(ig_matrix_of(&row[0][0], rows, D));
    ig_evaluation_spec subject = {.measures = measures,
                                  .id = id,
                                  .pairs = {.lang = lang,
                                            .languages = LANGUAGES,
                                            .left = left,
                                            .right = right,
                                            .pairs = pairs}};
    ig_evaluation e;

    assert_int_equal(ig_evaluation_take(&e, &source, &subject, pool, NULL, NULL),
                     IG_OK);
    return e;
}

/* --- the definition --------------------------------------------------------------- */

static double cosine(size_t a, size_t b)
{
    double sum = 0;

    for (size_t j = 0; j < D; j++)
        sum += unit[a][j] * unit[b][j];
    return sum;
}

/* The K nearest rows of another language, best first; their mean. */
static double nearest(size_t query, uint16_t of, size_t near[K])
{
    double best[K], sum = 0;
    size_t n = 0;

    for (size_t i = 0; i < rows; i++) {
        double value = cosine(query, i);
        size_t at = n;

        if (lang[i] != of)
            continue;
        while (at > 0 && value > best[at - 1])
            at--;
        if (at >= K)
            continue;
        n += n < K;
        for (size_t k = n - 1; k > at; k--) {
            best[k] = best[k - 1];
            near[k] = near[k - 1];
        }
        best[at] = value;
        near[at] = i;
    }
    assert_int_equal(n, K);
    for (size_t k = 0; k < K; k++)
        sum += best[k] / K;
    return sum;
}

struct mined {
    double ratio;
    size_t row[2]; /* of the lower language, of the other */
};

static int best_first(const void *a, const void *b)
{
    double x = ((const struct mined *)a)->ratio, y = ((const struct mined *)b)->ratio;

    return (x < y) - (x > y);
}

static size_t propose(struct mined *out, uint16_t from, uint16_t to)
{
    size_t n = 0, near[K], back[K];

    for (size_t i = 0; i < rows; i++) {
        struct mined one = {.ratio = -INFINITY};
        double mean;

        if (lang[i] != from)
            continue;
        mean = nearest(i, to, near);
        for (size_t k = 0; k < K; k++) {
            double ratio = cosine(i, near[k]) /
                           ((mean + nearest(near[k], from, back)) / 2);

            if (ratio > one.ratio) {
                one.ratio = ratio;
                one.row[from > to] = i;
                one.row[from < to] = near[k];
            }
        }
        out[n++] = one;
    }
    return n;
}

/* Whether a row is tested: its meaning is the second, fourth … that both languages have,
 * or it is the second, fourth … of those without a partner in the other. */
static bool is_tested(size_t of, uint16_t other)
{
    size_t before = 0;
    bool has = false;

    for (size_t i = 0; i < rows; i++)
        has |= lang[i] == other && id[i] == id[of];
    for (size_t i = 0; i < rows; i++) {
        bool common = false;

        if (lang[i] != lang[of] || id[i] >= id[of])
            continue;
        for (size_t k = 0; k < rows; k++)
            common |= lang[k] == other && id[k] == id[i];
        before += common == has;
    }
    return before % 2;
}

static const ig_figure *figure_of(const ig_evaluation *e, const char *measure,
                                  uint16_t a, uint16_t b)
{
    const ig_figure *f = ig_figures_find(&e->figures, ig_measure_named(measure), a, b);

    assert_non_null(f);
    return f;
}

static void check_pair(const ig_evaluation *e, uint16_t a, uint16_t b)
{
    static struct mined list[2 * MOST];
    size_t n = propose(list, a, b), gold[2] = {0, 0}, mined = 0, found = 0;
    bool used[MOST] = {false}, tested[2 * MOST];
    double best = 0, threshold = INFINITY;

    n += propose(list + n, b, a);
    qsort(list, n, sizeof *list, best_first);
    for (size_t i = 0; i < n; i++)
        if (used[list[i].row[0]] || used[list[i].row[1]])
            list[i].ratio = NAN;
        else
            used[list[i].row[0]] = used[list[i].row[1]] = true;
    for (size_t i = 0; i < n; i++)
        tested[i] = is_tested(list[i].row[0], b);
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < rows && lang[i] == a; k++)
            if (lang[k] == b && id[i] == id[k])
                gold[is_tested(i, b)]++;
    /* The threshold: of each that is possible, half way to the next below. */
    for (size_t i = 0; i < n; i++) {
        double next = NAN, f1;

        if (isnan(list[i].ratio) || tested[i])
            continue;
        mined++;
        found += id[list[i].row[0]] == id[list[i].row[1]];
        for (size_t k = i + 1; k < n && isnan(next); k++)
            next = tested[k] ? NAN : list[k].ratio;
        f1 = 2 * (double)found / (double)(mined + gold[0]);
        if (f1 > best) {
            best = f1;
            threshold = isnan(next) ? list[i].ratio : (list[i].ratio + next) / 2;
        }
    }
    mined = found = 0;
    for (size_t i = 0; i < n; i++)
        if (tested[i] && list[i].ratio >= threshold) {
            mined++;
            found += id[list[i].row[0]] == id[list[i].row[1]];
        }
    assert_near_to(figure_of(e, "mining_threshold", a, b)->value, threshold, 1e-6);
    assert_int_equal(figure_of(e, "mining_threshold", a, b)->n, mined);
    assert_int_equal(figure_of(e, "mining_f1", a, b)->n, gold[1]);
    assert_near_to(figure_of(e, "mining_f1", a, b)->value,
                   2 * (double)found / (double)(mined + gold[1]), 1e-12);
    assert_near_to(figure_of(e, "mining_precision", a, b)->value,
                   (double)found / (double)mined, 1e-12);
    assert_near_to(figure_of(e, "mining_recall", a, b)->value,
                   (double)found / (double)gold[1], 1e-12);
}

static double whole(const ig_evaluation *e, const char *measure)
{
    return ig_figures_value(&e->figures, measure);
}

/* --- tests ------------------------------------------------------------------------ */

/* Half of the rows have no partner. */
static void test_plain(void **state)
{
    ig_evaluation e;
    double f1 = 0;

    plant(70, 90, 0.9, 1);
    join();
    e = measure(IG_MEASURE_MINING);
    for (uint16_t x = 0; x < LANGUAGES; x++)
        for (uint16_t y = x + 1; y < LANGUAGES; y++) {
            check_pair(&e, x, y);
            f1 += figure_of(&e, "mining_f1", x, y)->value / 3;
        }
    assert_near_to(whole(&e, "mining_f1"), f1, 1e-12);
    assert_true(f1 > 0.5 && f1 < 0.98);
    ig_evaluation_free(&e);
}

/* Meanings that are dealt out at random. */
static void test_chance(void **state)
{
    ig_random random;
    ig_evaluation e;

    plant(100, 0, 0.5, 4);
    ig_random_init(&random, 5, 0);
    for (size_t i = rows; i > 0; i--) {
        size_t k = ig_random_below(&random, i);
        uint32_t other = id[i - 1];

        while (lang[k] != lang[i - 1])
            k = ig_random_below(&random, i);
        id[i - 1] = id[k];
        id[k] = other;
    }
    join();
    e = measure(IG_MEASURE_MINING);
    assert_near_to(ig_figures_whole(&e.figures, "mining_f1")->chance, 0.01, 1e-12);
    assert_near_to(ig_figures_whole(&e.figures, "mining_precision")->chance, 0.01,
                   1e-12);
    assert_near_to(ig_figures_whole(&e.figures, "mining_recall")->chance, 0.01, 1e-12);
    assert_true(whole(&e, "mining_f1") < 0.1);
    ig_evaluation_free(&e);
    /* And translations that are one. */
    plant(100, 0, 0, 4);
    join();
    e = measure(IG_MEASURE_MINING);
    assert_near_to(whole(&e, "mining_f1"), 1, 0);
    assert_near_to(whole(&e, "mining_recall"), 1, 0);
    ig_evaluation_free(&e);
}

static void test_not_computable(void **state)
{
    ig_evaluation e;

    plant(1, 40, 1, 6);
    join();
    e = measure(IG_MEASURE_MINING);
    assert_true(isnan(whole(&e, "mining_f1")) &&
                isnan(ig_figures_whole(&e.figures, "mining_f1")->chance));
    assert_string_equal(ig_figures_whole(&e.figures, "mining_f1")->reason,
                        "fewer than two meanings in common");
    ig_evaluation_free(&e);
    pairs = 0;
    e = measure(IG_MEASURE_MINING);
    assert_string_equal(ig_figures_whole(&e.figures, "mining_f1")->reason,
                        "no pairs of different languages");
    ig_evaluation_free(&e);
    plant(30, 10, 1, 7);
    join();
    for (size_t i = 0; i < rows; i++)
        memcpy(row[i], row[0], sizeof row[i]);
    e = measure(IG_MEASURE_MINING);
    assert_true(isnan(whole(&e, "mining_f1")));
    assert_non_null(strstr(ig_figures_whole(&e.figures, "mining_f1")->reason,
                           "all candidates tie"));
    ig_evaluation_free(&e);
}

SUITE(mining, pool_start, pool_end, TEST(test_plain), TEST(test_chance),
      TEST(test_not_computable))
