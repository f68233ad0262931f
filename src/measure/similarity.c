/* Correlation of cosines with human scores [seed §3, oracle §5.4]. Cosines are computed
 * in double throughout: n pairs cost little, and equal rows then tie exactly. Legend: n
 * pairs, d dims. */
#include "measure/similarity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { BLOCK = 256 };

/* Cosines that lie within this are equal: floats cannot tell them apart. */
static const double EQUAL = 0x1p-22;

/* Whether all values lie within `by`. Never of values that are no numbers. */
static bool constant(const double *a, size_t n, double by)
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
    if (n < 2 || constant(a, n, 0) || constant(b, n, 0))
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
    double *a, *b;        /* (n) */
};

static bool ranks_init(struct ranks *ranks, size_t n)
{
    ranks->order = ig_alloc(n, sizeof *ranks->order);
    ranks->a = ig_alloc(n, sizeof *ranks->a);
    ranks->b = ig_alloc(n, sizeof *ranks->b);
    return ranks->order && ranks->a && ranks->b;
}

static void ranks_free(struct ranks *ranks)
{
    ig_free(ranks->order);
    ig_free(ranks->a);
    ig_free(ranks->b);
}

static double rank_correlation(struct ranks *ranks, const double *a, const double *b,
                               size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isnan(a[i]) || isnan(b[i]))
            return (double)NAN;
    rank_values(a, n, ranks->order, ranks->a);
    rank_values(b, n, ranks->order, ranks->b);
    return ig_pearson(ranks->a, ranks->b, n);
}

double ig_spearman(const double *a, const double *b, size_t n)
{
    struct ranks ranks = {0};
    double r = (double)NAN;

    if (ranks_init(&ranks, n))
        r = rank_correlation(&ranks, a, b, n);
    ranks_free(&ranks);
    return r;
}

static void correlate(ig_correlation *c, const double *cosine, const double *score,
                      size_t n, struct ranks *ranks)
{
    c->pairs = n;
    c->pearson = c->spearman = (double)NAN;
    if (n < 2)
        c->reason = n ? "only one pair" : "no pairs";
    else if (constant(score, n, 0))
        c->reason = "the scores are all equal";
    else if (constant(cosine, n, EQUAL))
        c->reason = "the cosines are all equal";
    if (c->reason)
        return;
    c->pearson = ig_pearson(cosine, score, n);
    c->spearman = rank_correlation(ranks, cosine, score, n);
    if (isnan(c->pearson) || isnan(c->spearman))
        c->reason = "a value is not finite";
}

struct work {
    const ig_rows *rows;
    const ig_scores *scores;
    const ig_watch *watch;
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
           !ig_watch_stopped(work->watch)) {
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
    size_t *end = ig_alloc(s->pairs, sizeof *end), at = 0;

    similarity->cosine = ig_alloc(s->count, sizeof *similarity->cosine);
    similarity->score = ig_alloc(s->count, sizeof *similarity->score);
    similarity->two = lang ? ig_alloc(s->count, 1) : NULL;
    similarity->by_pair = ig_alloc(s->pairs, sizeof *similarity->by_pair);
    if (!end || !similarity->cosine || !similarity->score || !similarity->by_pair ||
        (lang && !similarity->two)) {
        ig_free(end);
        return ig_fail_memory(error, "similarity");
    }
    similarity->kinds = s->pairs;
    for (size_t i = 0; s->pairs && i < s->count; i++)
        similarity->by_pair[s->pair[i]].pairs++;
    for (size_t k = 0; k < s->pairs; at += similarity->by_pair[k++].pairs)
        end[k] = at;
    for (size_t i = 0; i < s->count; i++) {
        at = s->pairs ? end[s->pair[i]]++ : i;
        similarity->cosine[at] = work->cosine[i];
        similarity->score[at] = s->score[i];
        if (lang)
            similarity->two[at] = lang[s->left[i]] != lang[s->right[i]];
    }
    ig_free(end);
    return IG_OK;
}

/* The correlations of each kind. */
static void take_kinds(ig_similarity *similarity, const ig_scores *s,
                       struct ranks *ranks)
{
    size_t at = 0, defined = 0;

    if (s->pairs == 0)
        return;
    similarity->mean_pearson = similarity->mean_spearman = 0;
    for (size_t k = 0; k < s->pairs; k++) {
        ig_correlation *c = &similarity->by_pair[k];

        c->pair = s->pair_name[k];
        correlate(c, similarity->cosine + at, similarity->score + at, c->pairs, ranks);
        at += c->pairs;
        if (c->reason)
            continue;
        defined++;
        similarity->mean_pearson += c->pearson;
        similarity->mean_spearman += c->spearman;
    }
    /* 0/0 is NaN: no kind has one. */
    similarity->mean_pearson /= (double)defined;
    similarity->mean_spearman /= (double)defined;
    similarity->undefined = s->pairs - defined;
}

/* Those of the pairs of one language, and of two: brought together in `some` (count,
 * twice). */
static void take_languages(ig_similarity *similarity, double *some, size_t count,
                           struct ranks *ranks)
{
    for (uint8_t two = 0; two < 2; two++) {
        ig_correlation *c = two ? &similarity->across : &similarity->within;
        size_t n = 0;

        for (size_t i = 0; similarity->two && i < count; i++)
            if (similarity->two[i] == two) {
                some[n] = similarity->cosine[i];
                some[count + n++] = similarity->score[i];
            }
        correlate(c, some, some + count, n, ranks);
    }
}

static ig_status check_scores(const ig_rows *rows, const ig_scores *s, ig_error *error)
{
    for (size_t i = 0; i < s->count; i++) {
        uint32_t row = s->left[i] >= rows->rows ? s->left[i] : s->right[i];

        if (row >= rows->rows)
            return ig_fail(error, IG_SHAPE, "row %u of a score, but there are %zu rows",
                           (unsigned)row, rows->rows);
        if (s->pairs && s->pair[i] >= s->pairs)
            return ig_fail(error, IG_SHAPE, "kind %u of a score, but there are %zu",
                           (unsigned)s->pair[i], s->pairs);
    }
    return IG_OK;
}

double ig_similarity_work(const ig_scores *scores, size_t dims)
{
    return 6 * (double)scores->count * (double)dims;
}

ig_status ig_similarity_measure(ig_similarity *similarity, const ig_rows *rows,
                                const uint16_t *lang, const ig_scores *scores,
                                ig_pool *pool, ig_watch *watch, ig_error *error)
{
    struct work work = {.rows = rows, .scores = scores, .watch = watch};
    struct ranks ranks = {0};
    ig_similarity taken = {.mean_pearson = (double)NAN, .mean_spearman = (double)NAN};
    double *some = NULL;
    ig_status status;

    *similarity = (ig_similarity){0};
    status = check_scores(rows, scores, error);
    if (status != IG_OK)
        return status;
    /* A whole number of cache lines for each member. */
    work.room = (2 * BLOCK * rows->dims + rows->scratch + 15) / 16 * 16;
    work.buffer = ig_alloc(ig_pool_threads(pool), work.room * sizeof *work.buffer);
    work.cosine = ig_alloc(scores->count, sizeof *work.cosine);
    work.zero = ig_alloc(scores->count, 1);
    if (!work.buffer || !work.cosine || !work.zero ||
        !ranks_init(&ranks, scores->count)) {
        status = ig_fail_memory(error, "similarity");
        goto done;
    }
    ig_pool_run(pool, compare_member, &work);
    if (ig_watch_stopped(watch)) {
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
        goto done;
    }
    ig_watch_add(watch, ig_similarity_work(scores, rows->dims), 0);
    status = count_zeros(&taken, &work, error);
    correlate(&taken.all, work.cosine, scores->score, scores->count, &ranks);
    if (status == IG_OK)
        status = order_pairs(&taken, &work, lang, error);
    some = ig_alloc(2 * scores->count, sizeof *some);
    if (status == IG_OK && !some)
        status = ig_fail_memory(error, "similarity");
    if (status == IG_OK) {
        take_kinds(&taken, scores, &ranks);
        take_languages(&taken, some, scores->count, &ranks);
    }
done:
    ig_free(some);
    ig_free(work.buffer);
    ig_free(work.cosine);
    ig_free(work.zero);
    ranks_free(&ranks);
    if (status == IG_OK)
        *similarity = taken;
    else
        ig_similarity_free(&taken);
    return status;
}

void ig_similarity_free(ig_similarity *similarity)
{
    if (!similarity)
        return;
    ig_free(similarity->by_pair);
    ig_free(similarity->cosine);
    ig_free(similarity->score);
    ig_free(similarity->two);
    *similarity = (ig_similarity){0};
}

/* --- the family ------------------------------------------------------------------ */

/* --- the family ------------------------------------------------------------------- */

static double cosine_at(const void *result, size_t item)
{
    return ((const ig_similarity *)result)->cosine[item];
}

static double score_at(const void *result, size_t item)
{
    return ((const ig_similarity *)result)->score[item];
}

/* Of the pairs of one language (two false) or of two. */
static double cosine_where(const void *result, size_t item, bool two)
{
    const uint8_t *of = ((const ig_similarity *)result)->two;

    return of && of[item] == two ? cosine_at(result, item) : (double)NAN;
}

static double cosine_within(const void *result, size_t item)
{
    return cosine_where(result, item, false);
}

static double cosine_across(const void *result, size_t item)
{
    return cosine_where(result, item, true);
}

/* Pearson's and Spearman's correlation of some of the pairs. */
static void append_two(const ig_similarity *s, const ig_correlation *c,
                       const char *const measure[2], const ig_items column[2],
                       const char *reason, ig_figures *figures)
{
    for (int k = 0; k < 2; k++) {
        ig_figure *row = ig_figures_add(figures, measure[k],
                                        k ? c->spearman : c->pearson,
                                        reason ? reason : c->reason);

        row->n = c->pairs;
        row->column = &column[k];
        row->items = s->all.pairs;
    }
}

/* Of all pairs together, then of each kind. */
static void append_kinds(const ig_similarity *s, const char *const measure[2],
                         const ig_items column[2], ig_figures *figures)
{
    for (int k = 0; k < 2; k++) {
        size_t first = 0;
        ig_figure *row = ig_figures_add(
            figures, measure[k], k ? s->all.spearman : s->all.pearson, s->all.reason);

        row->n = row->items = s->all.pairs;
        row->column = &column[k];
        for (size_t i = 0; i < s->kinds; i++) {
            const ig_correlation *c = &s->by_pair[i];

            row = ig_figures_add_part(figures, measure[k], c->pair,
                                      k ? c->spearman : c->pearson, c->reason);
            row->n = row->items = c->pairs;
            row->column = &column[k];
            row->first = first;
            first += c->pairs;
        }
    }
}

static void family_append(const void *result, ig_figures *figures)
{
#define COLUMNS(of)                                                                    \
    {                                                                                  \
        {.how = IG_OF_PEARSON, .value = {of, score_at}},                               \
        {                                                                              \
            .how = IG_OF_SPEARMAN, .value = { of, score_at }                           \
        }                                                                              \
    }
    static const ig_items all[] = COLUMNS(cosine_at), within[] = COLUMNS(cosine_within),
                          across[] = COLUMNS(cosine_across),
                          kinds[] = {{.how = IG_OF_PARTS, .parts = "pearson"},
                                     {.how = IG_OF_PARTS, .parts = "spearman"}};
    static const char *const names[][2] = {
        {"pearson", "spearman"},
        {"pearson_monolingual", "spearman_monolingual"},
        {"pearson_crosslingual", "spearman_crosslingual"},
        {"mean_pearson", "mean_spearman"}};
    const ig_similarity *s = result;
    const char *alike = s->within.pairs && s->across.pairs
                            ? NULL
                            : "the scored pairs are all of one language, or all of two";
    const ig_correlation mean = {.pairs = s->all.pairs,
                                 .pearson = s->mean_pearson,
                                 .spearman = s->mean_spearman,
                                 .reason = s->kinds
                                               ? "no kind of pair has a correlation"
                                               : "the scores name no kinds of pairs"};

    append_kinds(s, names[0], all, figures);
    append_two(s, &s->within, names[1], within, alike, figures);
    append_two(s, &s->across, names[2], across, alike, figures);
    append_two(s, &mean, names[3], kinds, NULL, figures);
}

static double family_work(const ig_measure_input *in)
{
    return ig_similarity_work(in->scores, in->base->dims);
}

static ig_status family_take(const ig_measure_input *in, void *result, ig_error *error)
{
    return ig_similarity_measure(result, in->base, in->pairs->lang, in->scores,
                                 in->pool, in->watch, error);
}

static void family_free(void *result)
{
    ig_similarity_free(result);
}

const ig_family ig_similarity_family = {.name = "similarity",
                                        .needs = IG_NEEDS_SCORES,
                                        .work = family_work,
                                        .take = family_take,
                                        .free = family_free,
                                        .append = family_append};
