/* Correlation of cosines with human scores [seed §3, oracle §5.4]. Cosines are computed
 * in double throughout: n pairs cost little, and equal rows then tie exactly. Legend: n
 * pairs, d dims. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "measure/items.h"
#include "measure/results.h"
#include "measure/statistics.h"

enum { BLOCK = 256 };

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

static void correlate(ig_correlation *c, const double *cosine, const double *score,
                      size_t n, const ig_scores *s, struct ranks *ranks)
{
    const double none = (double)NAN;

    *c = (ig_correlation){c->pair, n, none, none, none, none, none, NULL};
    if (n < 2)
        c->reason = n ? "only one pair" : "no pairs";
    else if (is_constant(score, n, 0))
        c->reason = "the scores are all equal";
    else if (is_constant(cosine, n, EQUAL))
        c->reason = "the cosines are all equal";
    else if (!rank_both(ranks, cosine, score, n))
        c->reason = "a value is not finite";
    if (c->reason)
        return;
    c->pearson = ig_pearson(cosine, score, n);
    c->spearman = ig_pearson(ranks->a, ranks->b, n);
    c->kendall = kendall(ranks, n);
    if (s->labelled)
        judge_positive(c, score, n, s->positive, ranks);
}

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

struct work {
    const ig_rows *rows;
    const ig_scores *scores;
    const ig_progress *watch;
    float *buffer; /* (members, room): left rows, right rows, scratch */
    size_t room;
    double *cosine; /* (n) */
    uint8_t *zero;  /* (n) 1: the left row has length 0, 2: the right one, or both */
    atomic_size_t next;
};

/* cos(a, b), 0 where a or b has length 0. Squares of floats neither over- nor underflow
 * in double. */
static double cosine_of(const float *a, const float *b, size_t d, uint8_t *zero)
{
    double aa = 0, bb = 0, ab = 0;

    for (size_t j = 0; j < d; j++) {
        aa += (double)a[j] * (double)a[j];
        bb += (double)b[j] * (double)b[j];
        ab += (double)a[j] * (double)b[j];
    }
    *zero = (uint8_t)((aa == 0) | (bb == 0) << 1);
    return *zero ? 0 : ab / (sqrt(aa) * sqrt(bb));
}

static void compare_member(void *context, size_t member, size_t members)
{
    struct work *work = context;
    const ig_scores *s = work->scores;
    size_t d = work->rows->dims, first;
    float *left = work->buffer + member * work->room, *right = left + BLOCK * d;
    float *scratch = right + BLOCK * d;

    (void)members;
    while ((first = BLOCK * atomic_fetch_add(&work->next, 1)) < s->count &&
           !ig_progress_cancelled(work->watch)) {
        size_t n = s->count - first < BLOCK ? s->count - first : BLOCK;

        ig_rows_gather(work->rows, s->left + first, n, left, d, scratch);
        ig_rows_gather(work->rows, s->right + first, n, right, d, scratch);
        for (size_t i = 0; i < n; i++)
            work->cosine[first + i] =
                cosine_of(left + i * d, right + i * d, d, &work->zero[first + i]);
    }
}

/* Distinct rows of length 0. IG_OK or IG_NOMEM. */
static ig_status count_zeros(ig_similarity *similarity, const struct work *work,
                             ig_error *error)
{
    const ig_scores *s = work->scores;
    uint8_t *seen = ig_alloc(work->rows->rows, 1);

    if (!seen)
        return ig_fail_memory(error, "similarity");
    for (size_t i = 0; i < s->count; i++) {
        if (work->zero[i] & 1)
            seen[s->left[i]] = 1;
        if (work->zero[i] & 2)
            seen[s->right[i]] = 1;
    }
    for (size_t i = 0; i < work->rows->rows; i++)
        similarity->zero_rows += seen[i];
    ig_free(seen);
    return IG_OK;
}

/* Cosines, scores, and whether pairs are of two languages, in the order of kinds. */
static ig_status order_pairs(ig_similarity *similarity, const struct work *work,
                             const uint16_t *lang, ig_error *error)
{
    const ig_scores *s = work->scores;
    ig_arena *a = &similarity->arena;
    size_t *end = ig_arena_array(a, s->pairs, sizeof *end), at = 0;

    similarity->cosine = ig_arena_array(a, s->count, sizeof *similarity->cosine);
    similarity->score = ig_arena_array(a, s->count, sizeof *similarity->score);
    similarity->item = s->item ? ig_arena_array(a, s->count, sizeof *similarity->item)
                               : NULL;
    similarity->items = s->items;
    similarity->two = lang ? ig_arena_array(a, s->count, 1) : NULL;
    similarity->by_pair = ig_arena_array(a, s->pairs, sizeof *similarity->by_pair);
    if (a->failed)
        return ig_fail_memory(error, "similarity");
    similarity->kinds = s->pairs;
    for (size_t i = 0; s->pairs && i < s->count; i++)
        similarity->by_pair[s->pair[i]].pairs++;
    for (size_t k = 0; k < s->pairs; at += similarity->by_pair[k++].pairs)
        end[k] = at;
    for (size_t i = 0; i < s->count; i++) {
        at = s->pairs ? end[s->pair[i]]++ : i;
        similarity->cosine[at] = work->cosine[i];
        similarity->score[at] = s->score[i];
        if (s->item)
            similarity->item[at] = s->item[i];
        if (lang)
            similarity->two[at] = lang[s->left[i]] != lang[s->right[i]];
    }
    return IG_OK;
}

static void take_kinds(ig_similarity *similarity, const ig_scores *s,
                       struct ranks *ranks)
{
    ig_correlation *mean = &similarity->mean;
    size_t at = 0;

    *mean = (ig_correlation){.pairs = s->count};
    for (size_t k = 0; k < s->pairs; k++) {
        ig_correlation *c = &similarity->by_pair[k];

        c->pair = s->pair_name[k];
        correlate(c, similarity->cosine + at, similarity->score + at, c->pairs, s,
                  ranks);
        at += c->pairs;
        similarity->undefined += c->reason != NULL;
    }
    for (size_t i = 0; i < STATISTICS; i++) {
        double sum = 0, n = 0;

        for (size_t k = 0; k < s->pairs; k++) {
            double value = *value_at(&similarity->by_pair[k], i);

            sum += isnan(value) ? 0 : value;
            n += !isnan(value);
        }
        *value_at(mean, i) = sum / n; /* 0/0 is NaN */
    }
}

/* Those of the pairs of one language, and of two: brought together in `some` (count,
 * twice). */
static void take_languages(ig_similarity *similarity, const ig_scores *s, double *some,
                           struct ranks *ranks)
{
    size_t count = s->count;

    for (uint8_t two = 0; two < 2; two++) {
        ig_correlation *c = two ? &similarity->across : &similarity->within;
        size_t n = 0;

        for (size_t i = 0; similarity->two && i < count; i++)
            if (similarity->two[i] == two) {
                some[n] = similarity->cosine[i];
                some[count + n++] = similarity->score[i];
            }
        correlate(c, some, some + count, n, s, ranks);
    }
}

static double group_work(const ig_measure_input *in)
{
    return 6 * (double)in->scores->count * (double)in->base->dims;
}

static ig_status group_take(const ig_measure_input *in, void *result, ig_error *error)
{
    const ig_scores *scores = in->scores;
    size_t n = scores->count;
    struct work work = {.rows = in->base, .scores = scores, .watch = in->watch};
    struct ranks ranks = {0};
    ig_similarity *taken = result;
    ig_arena arena = {0};
    double *some = ig_arena_array(&arena, 2 * n, sizeof *some);
    ig_status status = IG_OK;

    taken->labelled = scores->labelled;
    /* A whole number of cache lines for each member. */
    work.room = (2 * BLOCK * in->base->dims + in->base->scratch + 15) / 16 * 16;
    work.buffer = ig_arena_array(&arena, ig_pool_threads(in->pool),
                                 work.room * sizeof *work.buffer);
    work.cosine = ig_arena_array(&arena, n, sizeof *work.cosine);
    work.zero = ig_arena_array(&arena, n, 1);
    if (!ranks_init(&ranks, &arena, n))
        status = ig_fail_memory(error, "similarity");
    if (status == IG_OK)
        ig_pool_run(in->pool, compare_member, &work);
    if (status == IG_OK && ig_progress_cancelled(in->watch))
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    if (status == IG_OK)
        status = count_zeros(taken, &work, error);
    if (status == IG_OK)
        status = order_pairs(taken, &work, in->pairs->lang, error);
    if (status == IG_OK) {
        correlate(&taken->all, work.cosine, scores->score, n, scores, &ranks);
        take_kinds(taken, scores, &ranks);
        take_languages(taken, scores, some, &ranks);
    }
    ig_arena_free(&arena);
    return status;
}

/* --- the group -------------------------------------------------------------------- */

static bool is_of(const ig_similarity *s, size_t i, bool two)
{
    return s->two && s->two[i] == two;
}

IG_ITEM(cosine_at, double, ig_similarity, r->cosine[i])
IG_ITEM(score_at, double, ig_similarity, r->score[i])
IG_ITEM(item_at, uint32_t, ig_similarity, r->item ? r->item[i] : (uint32_t)i)
IG_ITEM(cosine_within, double, ig_similarity,
        is_of(r, i, false) ? r->cosine[i] : (double)NAN)
IG_ITEM(cosine_across, double, ig_similarity,
        is_of(r, i, true) ? r->cosine[i] : (double)NAN)

/* The connected items of a figure's pairs; all pairs if out of memory. */
static size_t count_items(const ig_similarity *s, const ig_figure *row,
                          double (*cosine)(const void *result, size_t item))
{
    uint32_t *item = ig_alloc(row->items, sizeof *item);
    size_t n = 0, count;

    for (size_t i = row->first; item && i < row->first + row->items; i++)
        if (!cosine || !isnan(cosine(s, i)))
            item[n++] = item_at(s, i);
    count = item ? ig_items_count(item, n, s->item ? s->items : s->all.pairs) : 0;
    ig_free(item);
    return count ? count : row->items;
}

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
    row->n = !c->pairs ? 0
             : column == within || column == across
                 ? count_items(s, row, column[i].value[0])
                 : count_items(s, row, NULL);
}

static void append_kinds(const ig_similarity *s, size_t i, ig_figures *figures)
{
    const char *measure = statistics[i].all;
    size_t first = 0;

    append_one(s, measure, &s->all, i, 0, NULL, pooled, figures);
    for (size_t k = 0; k < s->kinds; first += s->by_pair[k++].pairs)
        append_one(s, measure, &s->by_pair[k], i, first, NULL, pooled, figures);
}

static void append_mean(const ig_similarity *s, size_t i, ig_figures *figures)
{
    const char *reason = s->kinds ? NULL : "the scores have no kinds of pairs";

    if (s->kinds && s->undefined == s->kinds)
        reason = "no kind of pair has a correlation";
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

    for (size_t i = 0; i < 2; i++)
        append_kinds(s, i, figures);
    append_one(s, "pearson_monolingual", &s->within, 0, 0, alike, within, figures);
    append_one(s, "spearman_monolingual", &s->within, 1, 0, alike, within, figures);
    append_one(s, "pearson_crosslingual", &s->across, 0, 0, alike, across, figures);
    append_one(s, "spearman_crosslingual", &s->across, 1, 0, alike, across, figures);
    for (size_t i = 0; i < 2; i++)
        append_mean(s, i, figures);
    for (size_t i = 2; i < STATISTICS; i++) {
        append_kinds(s, i, figures);
        append_mean(s, i, figures);
    }
}

IG_GROUP(similarity, "similarity", IG_NEEDS_SCORES, .free = ig_result_free);
