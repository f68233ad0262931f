/* Correlation of cosines with human scores [seed §3, oracle §5.4]. Cosines are computed
 * in double throughout: n pairs cost little, and equal rows then tie exactly. Legend: n
 * pairs, d dims. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "measure/items.h"
#include "measure/results.h"
#include "measure/statistics.h"
#include "measure/units.h"

/* Cosines within this difference are equal: the resolution of floats. */
static const double EQUAL = 0x1p-22;

/* Whether the range of all values is at most `by`; false with NaN. */
static bool is_constant(const double *a, size_t n, double by)
{
    double least = INFINITY, most = -INFINITY;

    for (size_t i = 0; i < n; i++) {
        if (isnan(a[i]))
            return false;
        least = a[i] < least ? a[i] : least;
        most = a[i] > most ? a[i] : most;
    }
    return most - least <= by;
}

static double mean(const double *a, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += a[i];
    return sum / (double)n;
}

double ig_pearson(const double *a, const double *b, size_t n)
{
    double mean_a, mean_b, aa = 0, bb = 0, ab = 0, r;

    /* Rounding the mean of equal values leaves them a spread of their own. */
    if (n < 2 || is_constant(a, n, 0) || is_constant(b, n, 0))
        return (double)NAN;
    mean_a = mean(a, n);
    mean_b = mean(b, n);
    for (size_t i = 0; i < n; i++) {
        aa += (a[i] - mean_a) * (a[i] - mean_a);
        bb += (b[i] - mean_b) * (b[i] - mean_b);
        ab += (a[i] - mean_a) * (b[i] - mean_b);
    }
    r = ab / (sqrt(aa) * sqrt(bb));
    return r > 1 ? 1 : r < -1 ? -1 : r;
}

struct placed {
    double value;
    size_t at;
};

static int by_value(const void *a, const void *b)
{
    double x = ((const struct placed *)a)->value, y = ((const struct placed *)b)->value;

    return (x > y) - (x < y);
}

/* Ranks from 1; equal values share the mean of theirs. */
static void rank_values(const double *a, size_t n, struct placed *order, double *rank)
{
    for (size_t i = 0; i < n; i++)
        order[i] = (struct placed){a[i], i};
    qsort(order, n, sizeof *order, by_value);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && order[end].value <= order[i].value;)
            end++;
        for (size_t j = i; j < end; j++)
            rank[order[j].at] = 0.5 * (double)(i + 1 + end);
    }
}

/* Room for the ranks of two lists. */
struct ranks {
    struct placed *order; /* (n) */
    struct placed *room;  /* (n) */
    double *a, *b;        /* (n) */
};

static bool ranks_init(struct ranks *ranks, ig_arena *arena, size_t n)
{
    ranks->order = ig_arena_array(arena, n, sizeof *ranks->order);
    ranks->room = ig_arena_array(arena, n, sizeof *ranks->room);
    ranks->a = ig_arena_array(arena, n, sizeof *ranks->a);
    ranks->b = ig_arena_array(arena, n, sizeof *ranks->b);
    return !arena->failed;
}

/* False: a value is not a number. */
static bool rank_both(struct ranks *ranks, const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isnan(a[i]) || isnan(b[i]))
            return false;
    rank_values(a, n, ranks->order, ranks->a);
    rank_values(b, n, ranks->order, ranks->b);
    return true;
}

double ig_spearman(const double *a, const double *b, size_t n)
{
    struct ranks ranks = {0};
    ig_arena arena = {0};
    double r = (double)NAN;

    if (ranks_init(&ranks, &arena, n) && rank_both(&ranks, a, b, n))
        r = ig_pearson(ranks.a, ranks.b, n);
    ig_arena_free(&arena);
    return r;
}

/* --- Kendall's tau ---------------------------------------------------------------- */

/* Sort; returns how many exchanges of neighbours that takes. room (n) is scratch. */
static double sort_counting(struct placed *v, struct placed *room, size_t n)
{
    size_t half = n / 2, i = 0, j = half;
    double swaps;

    if (n < 2)
        return 0;
    swaps = sort_counting(v, room, half) + sort_counting(v + half, room, n - half);
    for (size_t k = 0; k < n; k++) {
        bool right = i == half || (j < n && v[j].value < v[i].value);

        swaps += right ? (double)(half - i) : 0;
        room[k] = right ? v[j++] : v[i++];
    }
    memcpy(v, room, n * sizeof *v);
    return swaps;
}

/* Pairs of equal values of a sorted list. */
static double count_ties(const struct placed *v, size_t n)
{
    double ties = 0, run = 0;

    for (size_t i = 1; i < n; i++) {
        run = v[i].value <= v[i - 1].value ? run + 1 : 0;
        ties += run;
    }
    return ties;
}

/* τ-b of ranked lists, in O(n log n) [Knight 1966]: pairs in another order are the
 * exchanges that sort b where a is sorted. */
static double kendall(struct ranks *ranks, size_t n)
{
    double all = 0.5 * (double)n * ((double)n - 1), both, of_a, of_b, swaps;
    struct placed *order = ranks->order;

    for (size_t i = 0; i < n; i++) /* ranks are multiples of ½ */
        order[i] = (struct placed){ranks->a[i] * 2 * ((double)n + 1) + ranks->b[i], i};
    qsort(order, n, sizeof *order, by_value);
    both = count_ties(order, n);
    for (size_t i = 0; i < n; i++)
        order[i].value = ranks->a[order[i].at];
    of_a = count_ties(order, n);
    for (size_t i = 0; i < n; i++)
        order[i].value = ranks->b[order[i].at];
    swaps = sort_counting(order, ranks->room, n);
    of_b = count_ties(order, n);
    return (all - of_a - of_b + both - 2 * swaps) /
           (sqrt(all - of_a) * sqrt(all - of_b));
}

/* --- positive pairs --------------------------------------------------------------- */

/* AUC and average precision of ranked cosines; NaN unless some pairs are positive and
 * some are not. */
static void judge_positive(ig_correlation *c, const double *score, size_t n,
                           double positive, struct ranks *ranks)
{
    double sum = 0, found = 0, precision = 0, count = 0;

    for (size_t i = 0; i < n; i++) {
        ranks->order[i] = (struct placed){-ranks->a[i], i};
        count += score[i] >= positive;
        sum += score[i] >= positive ? ranks->a[i] : 0;
    }
    if (!(count > 0 && count < (double)n))
        return;
    qsort(ranks->order, n, sizeof *ranks->order, by_value);
    for (size_t i = 0, end; i < n; i = end) {
        double more = 0;

        for (end = i; end < n && ranks->order[end].value <= ranks->order[i].value;
             end++)
            more += score[ranks->order[end].at] >= positive;
        found += more;
        precision += more * found / (double)end;
    }
    c->auc = (sum - count * (count + 1) / 2) / (count * ((double)n - count));
    c->average_precision = precision / count;
}

/* --- correlations ----------------------------------------------------------------- */

/* The figures of a correlation: names of that of all pairs, with those of the kinds,
 * and of their mean. */
static const struct statistic {
    size_t at;
    const char *all, *mean;
} statistics[] = {
    {offsetof(ig_correlation, pearson), "pearson", "mean_pearson"},
    {offsetof(ig_correlation, spearman), "spearman", "mean_spearman"},
    {offsetof(ig_correlation, kendall), "kendall", "mean_kendall"},
    {offsetof(ig_correlation, auc), "auc", "mean_auc"},
    {offsetof(ig_correlation, average_precision), "average_precision",
     "mean_average_precision"},
};

enum { STATISTICS = sizeof statistics / sizeof *statistics };

static double *value_at(ig_correlation *c, size_t statistic)
{
    return (double *)((char *)c + statistics[statistic].at);
}

/* The pairs that are correlated. */
struct some {
    double *cosine, *score; /* (count) */
    uint32_t *item;         /* (count) */
    struct ranks ranks;
};

/* Correlate pairs first … last − 1: all, or those of one language or of two. */
enum { WITHIN, ACROSS, ALL };

static void correlate(ig_correlation *c, const ig_similarity *s,
                      const ig_scores *scores, size_t first, size_t last, int which,
                      struct some *some)
{
    const double none = (double)NAN;
    double *x = some->cosine, *y = some->score;
    size_t n = 0;

    for (size_t i = first; i < last; i++)
        if (which == ALL || (s->two && s->two[i] == (which == ACROSS))) {
            x[n] = s->cosine[i];
            y[n] = s->score[i];
            some->item[n++] = s->item[i];
        }
    *c = (ig_correlation){.pair = c->pair,
                          .pairs = n,
                          .units = ig_items_count(some->item, n, s->items),
                          .pearson = none,
                          .spearman = none,
                          .kendall = none,
                          .auc = none,
                          .average_precision = none};
    if (n < 2)
        c->reason = n ? "only one pair" : "no pairs";
    else if (is_constant(y, n, 0))
        c->reason = "the scores are all equal";
    else if (is_constant(x, n, EQUAL))
        c->reason = "the cosines are all equal";
    else if (!rank_both(&some->ranks, x, y, n))
        c->reason = "a value is not finite";
    if (c->reason)
        return;
    c->pearson = ig_pearson(x, y, n);
    c->spearman = ig_pearson(some->ranks.a, some->ranks.b, n);
    c->kendall = kendall(&some->ranks, n);
    if (scores->labelled)
        judge_positive(c, y, n, scores->positive, &some->ranks);
}

static void correlate_all(ig_similarity *s, const ig_scores *scores,
                          const uint32_t *start, struct some *some)
{
    size_t n = scores->count;

    correlate(&s->all, s, scores, 0, n, ALL, some);
    correlate(&s->within, s, scores, 0, n, WITHIN, some);
    correlate(&s->across, s, scores, 0, n, ACROSS, some);
    s->mean = (ig_correlation){.pairs = n, .units = s->all.units};
    for (size_t k = 0; k < s->kinds; k++) {
        ig_correlation *c = &s->by_pair[k];

        c->pair = scores->pair_name[k];
        correlate(c, s, scores, start[k], start[k + 1], ALL, some);
        s->undefined += c->reason != NULL;
    }
    for (size_t i = 0; i < STATISTICS; i++) {
        double sum = 0, have = 0;

        for (size_t k = 0; k < s->kinds; k++) {
            double value = *value_at(&s->by_pair[k], i);

            sum += isnan(value) ? 0 : value;
            have += !isnan(value);
        }
        *value_at(&s->mean, i) = sum / have; /* 0/0 is NaN */
    }
}

/* --- cosines ---------------------------------------------------------------------- */

/* cos(a, b), 0 where a or b has length 0. Squares of floats neither over- nor underflow
 * in double. */
static double cosine_of(const float *a, const float *b, size_t d)
{
    double aa = 0, bb = 0, ab = 0;

    for (size_t j = 0; j < d; j++) {
        aa += (double)a[j] * (double)a[j];
        bb += (double)b[j] * (double)b[j];
        ab += (double)a[j] * (double)b[j];
    }
    return aa == 0 || bb == 0 ? 0 : ab / (sqrt(aa) * sqrt(bb));
}

/* A chunk of pairs. */
struct chunk {
    ig_units left, right;
    double *cosine;
};

static void compare_rows(void *context, size_t member, size_t first, size_t last)
{
    const struct chunk *c = context;
    size_t d = c->left.dims;

    (void)member;
    for (size_t i = first; i < last; i++)
        c->cosine[i] = cosine_of(c->left.unit + i * d, c->right.unit + i * d, d);
}

static ig_status compare_pairs(double *cosine, const ig_measure_input *in,
                               const uint32_t *left, const uint32_t *right, size_t n,
                               ig_error *error)
{
    enum { CHUNK = 4 * IG_ROWS_TILE };
    ig_rows rows = ig_units_raw(in->base);
    ig_status status = IG_OK;

    for (size_t first = 0; first < n && status == IG_OK; first += CHUNK) {
        size_t count = n - first < CHUNK ? n - first : CHUNK;
        struct chunk c = {.cosine = cosine + first};

        status = ig_units_init(&c.left, &rows, left, first, count, in->pool, in->watch,
                               error);
        if (status == IG_OK)
            status = ig_units_init(&c.right, &rows, right, first, count, in->pool,
                                   in->watch, error);
        if (status == IG_OK)
            ig_parallel_for(in->pool, count, 16, compare_rows, &c);
        ig_units_free(&c.left);
        ig_units_free(&c.right);
    }
    return status;
}

static size_t kind_of(const void *context, size_t i)
{
    const ig_scores *s = context;

    return s->pairs ? s->pair[i] : 0;
}

/* Order the pairs by kind: scores, items and rows of each. */
static ig_status order_pairs(ig_similarity *s, const ig_measure_input *in,
                             uint32_t *start, uint32_t *row[3], ig_error *error)
{
    const ig_scores *scores = in->scores;
    const uint16_t *lang = in->pairs->lang;
    size_t n = scores->count;
    ig_arena *a = &s->arena;

    s->kinds = scores->pairs;
    s->labelled = scores->labelled;
    s->items = scores->items;
    s->by_pair = ig_arena_array(a, s->kinds, sizeof *s->by_pair);
    s->cosine = ig_arena_array(a, n, sizeof *s->cosine);
    s->score = ig_arena_array(a, n, sizeof *s->score);
    s->item = ig_arena_array(a, n, sizeof *s->item);
    s->two = lang ? ig_arena_array(a, n, 1) : NULL;
    if (a->failed)
        return ig_fail_memory(error, "similarity");
    ig_array_order(n, s->kinds ? s->kinds : 1, kind_of, scores, start, row[2]);
    for (size_t i = 0; i < n; i++) {
        uint32_t pair = row[2][i];

        s->score[i] = scores->score[pair];
        s->item[i] = scores->item[pair];
        row[0][i] = scores->left[pair];
        row[1][i] = scores->right[pair];
        if (lang)
            s->two[i] = lang[row[0][i]] != lang[row[1][i]];
    }
    return IG_OK;
}

/* --- the group -------------------------------------------------------------------- */

static double group_work(const ig_measure_input *in)
{
    return 6 * (double)in->scores->count * (double)in->base->dims;
}

static ig_status group_take(const ig_measure_input *in, void *result, ig_error *error)
{
    size_t n = in->scores->count;
    ig_similarity *s = result;
    ig_arena a = {0};
    uint32_t *row[3], *start = ig_arena_array(&a, in->scores->pairs + 3, sizeof *start);
    struct some some = {.cosine = ig_arena_array(&a, n, sizeof *some.cosine),
                        .score = ig_arena_array(&a, n, sizeof *some.score),
                        .item = ig_arena_array(&a, n, sizeof *some.item)};
    ig_status status;

    for (int i = 0; i < 3; i++)
        row[i] = ig_arena_array(&a, n, sizeof *row[i]);
    status = ranks_init(&some.ranks, &a, n) ? order_pairs(s, in, start, row, error)
                                            : ig_fail_memory(error, "similarity");
    if (status == IG_OK)
        status = compare_pairs(s->cosine, in, row[0], row[1], n, error);
    if (status == IG_OK)
        correlate_all(s, in->scores, start, &some);
    ig_arena_free(&a);
    return status;
}

IG_ITEM(cosine_at, double, ig_similarity, r->cosine[i])
IG_ITEM(score_at, double, ig_similarity, r->score[i])
IG_ITEM(item_at, uint32_t, ig_similarity, r->item ? r->item[i] : (uint32_t)i)
IG_ITEM(cosine_within, double, ig_similarity,
        r->two && !r->two[i] ? r->cosine[i] : (double)NAN)
IG_ITEM(cosine_across, double, ig_similarity,
        r->two && r->two[i] ? r->cosine[i] : (double)NAN)

#define COLUMNS(of)                                                                    \
    {                                                                                  \
        {.weighted = ig_weighted_pearson, .value = {of, score_at}, .item = item_at},   \
        {                                                                              \
            .weighted = ig_weighted_spearman, .value = {of, score_at}, .item = item_at \
        }                                                                              \
    }
static const ig_items pooled[] = COLUMNS(cosine_at), within[] = COLUMNS(cosine_within),
                      across[] = COLUMNS(cosine_across),
                      kinds[] = {{.how = IG_OF_PARTS, .parts = "pearson"},
                                 {.how = IG_OF_PARTS, .parts = "spearman"}};

static const char *reason_of(const ig_similarity *s, const ig_correlation *c, size_t i)
{
    return c->reason                                          ? c->reason
           : statistics[i].at < offsetof(ig_correlation, auc) ? NULL
           : s->labelled ? "all pairs are positive, or none is"
                         : "no score is called positive (--positive)";
}

/* A statistic of some pairs, under a name of its own, or of a kind, whose pairs begin
 * at `first`. */
static void append_one(const ig_similarity *s, const char *measure,
                       const ig_correlation *c, size_t i, size_t first,
                       const char *reason, const ig_items *column, ig_figures *figures)
{
    double value = *value_at((ig_correlation *)c, i);
    ig_figure *row;

    reason = reason ? reason : reason_of(s, c, i);
    row = c->pair ? ig_figures_add_part(figures, measure, c->pair, value, reason)
                  : ig_figures_add(figures, measure, value, reason);
    row->first = first;
    row->items = c->pair ? c->pairs : s->all.pairs;
    row->column = i < 2 ? &column[i] : NULL;
    row->n = c->units;
}

static void append_kinds(const ig_similarity *s, size_t i, ig_figures *figures)
{
    size_t first = 0;

    append_one(s, statistics[i].all, &s->all, i, 0, NULL, pooled, figures);
    for (size_t k = 0; k < s->kinds; first += s->by_pair[k++].pairs)
        append_one(s, statistics[i].all, &s->by_pair[k], i, first, NULL, pooled,
                   figures);
}

static void append_mean(const ig_similarity *s, size_t i, ig_figures *figures)
{
    const char *reason = !s->kinds ? "the scores have no kinds of pairs"
                         : s->undefined == s->kinds
                             ? "no kind of pair has a correlation"
                             : NULL;

    append_one(s, statistics[i].mean, &s->mean, i, 0, reason, kinds, figures);
}

/* In the order of the table of measures. */
static void group_append(const void *result, ig_figures *figures)
{
    const ig_similarity *s = result;
    const char *alike =
        s->within.pairs && s->across.pairs
            ? NULL
            : "all scored pairs are monolingual, or all are cross-lingual";

    append_kinds(s, 0, figures);
    append_kinds(s, 1, figures);
    append_one(s, "pearson_monolingual", &s->within, 0, 0, alike, within, figures);
    append_one(s, "spearman_monolingual", &s->within, 1, 0, alike, within, figures);
    append_one(s, "pearson_crosslingual", &s->across, 0, 0, alike, across, figures);
    append_one(s, "spearman_crosslingual", &s->across, 1, 0, alike, across, figures);
    append_mean(s, 0, figures);
    append_mean(s, 1, figures);
    for (size_t i = 2; i < STATISTICS; i++) {
        append_kinds(s, i, figures);
        append_mean(s, i, figures);
    }
}

IG_GROUP(similarity, "similarity", IG_NEEDS_SCORES, .free = ig_result_free);
