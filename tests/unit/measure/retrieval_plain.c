/* Retrieval of random sets, with ids that repeat, parts of languages, identical rows and
 * rows of length 0, against the definitions in double. */
#include <math.h>
#include <string.h>

#include "suite.h"

#include "planted.h"
#include "pooled.h"

/* --- the definitions -------------------------------------------------------------- */

struct list {
    uint32_t row[MOST_ROWS];
    size_t count;
    /* Of each row of the set, the mean of its nearest in the list: of IG_MARGIN_K, of
     * IG_CSLS_K. NaN: not computed yet. */
    double mean[2][MOST_ROWS];
};

struct near {
    double cosine;
    uint32_t row;
};

/* Nearly all of the time goes here: without the checks of AddressSanitizer. */
__attribute__((no_sanitize_address)) static double cosine(uint32_t a, uint32_t b)
{
    const float *x = set.unit[a], *y = set.unit[b];
    double sum = 0;

    for (size_t j = 0; j < D; j++)
        sum += (double)x[j] * (double)y[j];
    return sum;
}

/* The rows of a language that are paired with the other one. */
static void list_rows(struct list *list, uint16_t lang, uint16_t other)
{
    static bool in[MOST_ROWS];

    memset(in, 0, sizeof in);
    list->count = 0;
    for (size_t p = 0; p < set.pairs; p++) {
        uint32_t a = set.left[p], b = set.right[p];

        if (set.lang[a] == lang && set.lang[b] == other)
            in[a] = true;
        if (set.lang[b] == lang && set.lang[a] == other)
            in[b] = true;
    }
    for (uint32_t i = 0; i < set.rows; i++) {
        list->mean[0][i] = list->mean[1][i] = (double)NAN;
        if (in[i])
            list->row[list->count++] = i;
    }
}

/* The k nearest of a list but for the row itself. Returns how many there are. */
static size_t nearest(struct near *near, size_t k, uint32_t query,
                      const struct list *list)
{
    size_t n = 0;

    for (size_t i = 0; i < list->count; i++) {
        struct near item = {cosine(query, list->row[i]), list->row[i]};
        size_t at = n;

        if (item.row == query)
            continue;
        while (at > 0 && item.cosine > near[at - 1].cosine)
            at--;
        if (at >= k)
            continue;
        n += n < k;
        memmove(near + at + 1, near + at, (n - 1 - at) * sizeof *near);
        near[at] = item;
    }
    return n;
}

static double mean_of(uint32_t query, struct list *list, size_t k)
{
    struct near near[IG_CSLS_K];
    double *mean = &list->mean[k == IG_CSLS_K][query], sum = 0;

    if (isnan(*mean)) {
        size_t n = nearest(near, k, query, list);

        for (size_t i = 0; i < n; i++)
            sum += near[i].cosine;
        *mean = sum / (double)n;
    }
    return *mean;
}

static double mean_near(uint32_t query, struct list *list)
{
    return mean_of(query, list, IG_MARGIN_K);
}

static double ratio(double value, double a, double b)
{
    return value == 0 ? 0 : value / ((a + b) / 2);
}

/* Whether a row of the other language is paired with the query. */
static bool is_truth(uint32_t query, uint32_t row)
{
    return set.id[query] == set.id[row];
}

/* Whether the best translation comes first by CSLS, and by the margin ratio over all
 * candidates where the means of all of them with the query's are positive: halves of
 * CSLS, and what the ratio says of the cosine. */
static void check_first(const ig_query_result *f, struct list *from, struct list *to)
{
    double here = mean_of(f->query, to, IG_CSLS_K), least = INFINITY;
    double csls = -INFINITY, slope = -INFINITY;
    bool first = true, highest = true;

    for (size_t i = 0; i < to->count; i++) {
        double value = cosine(f->query, to->row[i]);
        double mean = mean_of(to->row[i], from, IG_CSLS_K);

        least = fmin(least, mean);
        if (!is_truth(f->query, to->row[i]))
            continue;
        csls = fmax(csls, value - mean / 2);
        slope = fmax(slope, value / (here + mean));
    }
    for (size_t i = 0; i < to->count; i++) {
        double value = cosine(f->query, to->row[i]);
        double mean = mean_of(to->row[i], from, IG_CSLS_K);

        if (is_truth(f->query, to->row[i]))
            continue;
        first &= value - mean / 2 - csls <= 0x1p-23;
        highest &= value - slope * (here + mean) <= 0x1p-23;
    }
    assert_int_equal(f->csls_first, first);
    assert_int_equal(f->ratio_first, here + least > 0 ? highest : -1);
}

static void check_found(const ig_query_result *f, struct list *from, struct list *to)
{
    struct near near[IG_MARGIN_K];
    size_t n = nearest(near, IG_MARGIN_K, f->query, to), rank = 1, targets = 0;
    double own = -INFINITY, here = mean_near(f->query, to), best = 0, next = -INFINITY;
    double score = -INFINITY;
    uint32_t pick = 0, other = f->query;
    bool tied = false, positive = true;

    for (size_t i = 0; i < to->count; i++) {
        double value = cosine(f->query, to->row[i]);

        if (!is_truth(f->query, to->row[i]))
            continue;
        targets++;
        own = fmax(own, value);
        score = fmax(score, ratio(value, here, mean_near(to->row[i], from)));
    }
    for (size_t i = 0; i < to->count; i++) {
        double value = cosine(f->query, to->row[i]);

        if (is_truth(f->query, to->row[i]))
            continue;
        rank += value > own + 0x1p-23;
        tied |= fabs(value - own) <= 0x1p-23;
        if (value > next) {
            next = value;
            other = to->row[i];
        }
    }
    for (size_t i = 0; i < n; i++) {
        double there = mean_near(near[i].row, from);
        double value = ratio(near[i].cosine, here, there);

        positive &= here + there > 0;
        if (i == 0 || value > best) {
            best = value;
            pick = near[i].row;
        }
    }
    assert_true(is_truth(f->query, f->truth));
    assert_near_to(cosine(f->query, f->truth), own, 1e-12);
    assert_int_equal(f->targets, targets);
    assert_int_equal(f->rank, rank);
    assert_int_equal(f->tied, tied);
    assert_int_equal(f->other, other);
    assert_int_equal(f->pick, pick);
    assert_int_equal(f->wrong_pick, !is_truth(f->query, pick));
    assert_int_equal(f->pick_counts, positive);
    assert_near_to(f->cosine, own, 1e-6);
    if (other == f->query)
        assert_true(isnan(f->margin));
    else
        assert_near_to(f->margin, own - next, 1e-6);
    assert_near_to(f->pick_ratio, best, 1e-4 * (1 + fabs(best)));
    assert_near_to(f->ratio, score, 1e-4 * (1 + fabs(score)));
    check_first(f, from, to);
}

/* Common ids of the five nearest of each, each row used once; NaN below six rows. */
static double overlap(const ig_query_result *f, const struct list *from,
                      const struct list *to)
{
    struct near a[IG_OVERLAP_K], b[IG_OVERLAP_K];
    bool used[IG_OVERLAP_K] = {0};
    double count = 0;

    if (from->count <= IG_OVERLAP_K || to->count <= IG_OVERLAP_K)
        return (double)NAN;
    nearest(a, IG_OVERLAP_K, f->query, from);
    nearest(b, IG_OVERLAP_K, f->truth, to);
    for (size_t i = 0; i < IG_OVERLAP_K; i++)
        for (size_t j = 0; j < IG_OVERLAP_K; j++)
            if (!used[j] && set.id[a[i].row] == set.id[b[j].row]) {
                used[j] = true;
                count++;
                break;
            }
    return count / IG_OVERLAP_K;
}

static int by_rank(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double value_of(const ig_evaluation *e, const ig_retrieval_score *s,
                       const char *name)
{
    return ig_figures_find(&e->figures, ig_measure_named(name), s->from, s->to)->value;
}

/* The figures of a score from its queries, which have been checked. */
static void check_figures(const ig_evaluation *e, const ig_retrieval_score *s,
                          const ig_query_result *f, const struct list *from,
                          const struct list *to)
{
    static double rank[MOST_PAIRS];
    double n = (double)s->pairs, ranks = 0, top1 = 0, top5 = 0, tied = 0, margin = 0;
    double wrong = 0, picks = 0, common = 0, csls = 0, first = 0, counted = 0, targets = 0;

    for (size_t p = 0; p < s->pairs; p++) {
        rank[p] = f[p].rank;
        ranks += rank[p] / n;
        targets += f[p].targets / n;
        top1 += (f[p].rank == 1) / n;
        top5 += (f[p].rank <= 5) / n;
        tied += f[p].tied / n;
        margin += (double)f[p].margin / n;
        wrong += f[p].pick_counts && set.id[f[p].pick] != set.id[f[p].query];
        picks += f[p].pick_counts;
        common += overlap(&f[p], from, to) / n;
        csls += f[p].csls_first / n;
        first += f[p].ratio_first > 0;
        counted += f[p].ratio_first >= 0;
    }
    if ((double)s->candidates <= fmax(targets, 1) || ig_retrieval_degenerate(s)) {
        assert_true(isnan(value_of(e, s, "median_rank")) &&
                    isnan(value_of(e, s, "top1")) && isnan(value_of(e, s, "xsim")));
        return;
    }
    qsort(rank, s->pairs, sizeof *rank, by_rank);
    assert_near_to(value_of(e, s, "median_rank"),
                   (rank[s->pairs / 2] + rank[(s->pairs - 1) / 2]) / 2, 0);
    assert_near_to(value_of(e, s, "mean_rank"), ranks, 1e-8);
    assert_near_to(s->targets, targets, 1e-8);
    assert_near_to(value_of(e, s, "top1"), top1, 1e-8);
    assert_near_to(value_of(e, s, "top5"), top5, 1e-8);
    assert_near_to(s->tied, tied, 1e-8);
    if (picks > 0)
        assert_near_to(value_of(e, s, "xsim"), wrong / picks, 1e-8);
    assert_near_to(value_of(e, s, "csls_top1"), csls, 1e-8);
    if (counted > 0)
        assert_near_to(value_of(e, s, "ratio_margin_top1"), first / counted, 1e-8);
    else
        assert_true(isnan(value_of(e, s, "ratio_margin_top1")));
    if (isnan(margin))
        assert_true(isnan(value_of(e, s, "similarity_gap")));
    else
        assert_near_to(value_of(e, s, "similarity_gap"), margin, 1e-6);
    if (isnan(common))
        assert_true(isnan(value_of(e, s, "overlap5")));
    else
        assert_near_to(value_of(e, s, "overlap5"), common, 1e-6);
}

static void check_set(void)
{
    static struct list from, to;
    ig_retrieval_pairs pairs = pairs_of_set();
    ig_retrieval r;
    ig_evaluation e;
    size_t at = 0;

    assert_int_equal(measure(&e, &pairs, pool, NULL), IG_OK);
    r = e.retrieval;
    assert_true(r.count > 0);
    for (size_t s = 0; s < r.count; s++) {
        const ig_retrieval_score *score = &r.score[s];
        size_t p = 0;

        list_rows(&from, score->from, score->to);
        list_rows(&to, score->to, score->from);
        assert_int_equal(score->candidates, to.count);
        assert_int_equal(score->first, at);
        for (size_t i = 0; i < from.count; i++) {
            assert_int_equal(r.found[at + p].query, from.row[i]);
            check_found(&r.found[at + p++], &from, &to);
        }
        assert_int_equal(score->pairs, p);
        check_figures(&e, score, r.found + at, &from, &to);
        at += p;
    }
    assert_int_equal(r.queries, at);
    ig_evaluation_free(&e);
}

/* --- tests ------------------------------------------------------------------------ */

static void test_kinds(void **state)
{
    for (unsigned i = 0; i < 32; i++) {
        struct kind kind = {.meanings = thorough() ? 60 : 20,
                            .missing = i & 1,
                            .repeated = i & 2,
                            .same = i & 4,
                            .zero = i & 8,
                            .pivot = i & 16};

        plant(&kind, i);
        check_set();
    }
}

static void test_sizes(void **state)
{
    /* Around the 5 of overlap, vectors, and tiles of 256 and 512. */
    static const size_t meanings[] = {1, 2, 5, 6, 7, 16, 33, 255, 256, 257, 513};

    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
        if (!thorough() && meanings[i] > 200 && meanings[i] != 257)
            continue;
        plant(&(struct kind){.meanings = meanings[i], .pivot = meanings[i] > 300}, i);
        check_set();
    }
    plant(&(struct kind){thorough() ? 400 : 100, true, true, true, true, true}, 5);
    check_set();
}

/* Rows so close together that floats cannot rank them: doubles do. Sums of doubles in
 * another order may differ by SLACK. */
static void test_collapsed(void **state)
{
    const double SLACK = 1e-9;
    static const double spread[] = {0, 2e-4, 1e-3, 4e-3};
    static struct list from, to;

    for (size_t i = 0; i < sizeof spread / sizeof *spread; i++) {
        float centre[D];
        ig_retrieval_pairs pairs;
        ig_evaluation e;
        ig_retrieval r;
        ig_random random;
        double tied;

        plant(&(struct kind){.meanings = 530}, 3);
        ig_random_init(&random, i, 0);
        for (size_t j = 0; j < D; j++)
            centre[j] = (float)ig_random_normal(&random);
        for (size_t row = 0; row < set.rows; row++) {
            for (size_t j = 0; j < D; j++)
                set.row[row][j] =
                    (float)((double)centre[j] + spread[i] * ig_random_normal(&random));
        }
        ig_rows_unit(&set.row[0][0], D, &set.unit[0][0], D, set.rows, D);
        pairs = pairs_of_set();
        for (size_t p = pairs.pairs = 0; p < set.pairs; p++)
            if (set.lang[set.left[p]] + set.lang[set.right[p]] == 1) {
                set.left[pairs.pairs] = set.left[p];
                set.right[pairs.pairs++] = set.right[p];
            }
        set.pairs = pairs.pairs;
        assert_int_equal(measure(&e, &pairs, pool, NULL), IG_OK);
        r = e.retrieval;
        tied = ig_figures_value(&e.figures, "tied");
        assert_int_equal(r.count, 2);
        assert_true(spread[i] > 0 || tied == 1);
        assert_true(spread[i] < 4e-3 || tied < 1);
        for (size_t q = 0; q < r.queries; q++) {
            const ig_query_result *f = &r.found[q];
            double own = cosine(f->query, f->truth), best = -1;
            size_t least = 1, most = 1;

            if (q % 530 == 0) {
                list_rows(&from, set.lang[f->query], set.lang[f->truth]);
                list_rows(&to, set.lang[f->truth], set.lang[f->query]);
            }
            for (size_t c = 0; c < to.count; c++) {
                double value = cosine(f->query, to.row[c]);

                least += value > own + 0x1p-23 + SLACK;
                most += value > own + 0x1p-23 - SLACK;
                if (to.row[c] != f->truth && value > best)
                    best = value;
            }
            assert_in_range(f->rank, least, most);
            assert_near_to(cosine(f->query, f->other), best, SLACK);
        }
        ig_evaluation_free(&e);
    }
}

SUITE(retrieval_plain, pool_start, pool_end, TEST(test_kinds), TEST(test_sizes),
      TEST(test_collapsed))
