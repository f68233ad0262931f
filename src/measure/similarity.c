/* Correlation of cosines with human scores [seed §3, oracle §5.4]. Cosines are computed
 * in double: n pairs cost little, and equal rows then tie exactly. Items are products
 * about the means; of ranks, which every other pair moves, with what a pair adds to the
 * ranks of the others (Hájek's projection). Legend: n pairs, d dims. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/chunk.h"
#include "measure/measure_group.h"

/* Cosines within this difference are equal: the resolution of floats. */
static const double EQUAL = 0x1p-22;

/* Sets of pairs: all, those of one language and of two, and then each kind. */
enum { ALL, WITHIN, ACROSS, KINDS };

/* A scored pair: cosine and score, both about their mean or as centred ranks, what it
 * adds to the products of these, and its connected item (measure/items.h). */
struct value {
    double x, y, u, v, uv, uu, vv;
    uint32_t item;
};

struct similarity {
    const ig_scores *scores;
    double *cosine;        /* (n) */
    uint8_t *set;          /* (n) WITHIN, ACROSS; ALL: not known */
    struct value *value;   /* (n) those that are correlated … */
    struct value *sorted;  /* (n) … and room to sort them */
    uint32_t *seen, stamp; /* (items of the scores) that were counted last */
    ig_figures *figures;
};

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

static ig_status compare_rows(struct similarity *s, const ig_embeddings *e,
                              ig_error *error)
{
    const ig_scores *scores = s->scores;
    const uint16_t *lang = e->lang;
    size_t n = scores->count;
    ig_arena *a = &s->figures->brief;
    ig_chunk left = ig_chunk_of(&e->units, scores->left, n, e->pool, e->progress, a);
    ig_chunk right = ig_chunk_of(&e->units, scores->right, n, e->pool, e->progress, a);

    s->cosine = ig_arena_array(a, n, sizeof *s->cosine);
    s->set = ig_arena_array(a, n, 1);
    s->value = ig_arena_array(a, n, sizeof *s->value);
    s->sorted = ig_arena_array(a, n, sizeof *s->sorted);
    s->seen = ig_arena_array(a, scores->items, sizeof *s->seen);
    while (!a->failed && ig_chunk_next(&left) && ig_chunk_next(&right))
        for (size_t i = 0; i < left.count; i++)
            s->cosine[left.first + i] =
                cosine_of(left.row + i * left.d, right.row + i * left.d, left.d);
    for (size_t i = 0; i < n && !a->failed; i++)
        s->set[i] = lang[scores->left[i]] == lang[scores->right[i]] ? WITHIN : ACROSS;
    return ig_chunk_status(a, e->progress, "similarity", error);
}

/* --- ranks ------------------------------------------------------------------------ */

static int by_x(const void *a, const void *b)
{
    double x = ((const struct value *)a)->x, y = ((const struct value *)b)->x;

    return (x > y) - (x < y);
}

/* After the next value that is equal to value i, sorted by x. */
static size_t end_of_ties(const struct value *value, size_t n, size_t i)
{
    size_t end = i + 1;

    while (end < n && value[end].x <= value[i].x)
        end++;
    return end;
}

static void exchange(double *a, double *b)
{
    double swap = *a;

    *a = *b;
    *b = swap;
}

/* Exchange cosines and scores. */
static void turn(struct value *value, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        exchange(&value[i].x, &value[i].y);
        exchange(&value[i].u, &value[i].v);
        exchange(&value[i].uu, &value[i].vv);
    }
}

/* u becomes the rank of x, as a share of n less ½, equal ones sharing their mean. */
static void rank_values(struct value *value, size_t n)
{
    qsort(value, n, sizeof *value, by_x);
    for (size_t i = 0, end; i < n; i = end) {
        end = end_of_ties(value, n, i);
        for (size_t j = i; j < end; j++)
            value[j].u = 0.5 * (double)(i + end) / (double)n - 0.5;
    }
}

/* Add to uv and uu what a value of x adds to the ranks of the others: the means of v
 * and of u over those that are greater, and half of the equal ones. */
static void project_ranks(struct value *value, size_t n)
{
    double above[2] = {0, 0}, mean[2] = {0, 0};

    qsort(value, n, sizeof *value, by_x);
    for (size_t i = 0; i < n; i++) {
        above[0] += value[i].v;
        above[1] += value[i].u;
        mean[0] += value[i].u * value[i].v / (double)n;
        mean[1] += value[i].u * value[i].u / (double)n;
    }
    for (size_t i = 0, end; i < n; i = end) {
        double here[2] = {0, 0};

        end = end_of_ties(value, n, i);
        for (size_t j = i; j < end; j++) {
            here[0] += value[j].v;
            here[1] += value[j].u;
        }
        for (int k = 0; k < 2; k++)
            above[k] -= here[k];
        for (size_t j = i; j < end; j++) {
            value[j].uv += (above[0] + 0.5 * here[0]) / (double)n - mean[0];
            value[j].uu += 2 * ((above[1] + 0.5 * here[1]) / (double)n - mean[1]);
        }
    }
}

/* --- other statistics of ranks ---------------------------------------------------- */

static int by_x_and_y(const void *a, const void *b)
{
    double x = ((const struct value *)a)->y, y = ((const struct value *)b)->y;
    int order = by_x(a, b);

    return order ? order : (x > y) - (x < y);
}

/* Pairs of values that are equal in x or y, whichever are asked for, and follow each
 * other. */
static double count_ties(const struct value *v, size_t n, bool x, bool y)
{
    double ties = 0, run = 0;

    for (size_t i = 1; i < n; i++) {
        bool same = (!x || v[i].x <= v[i - 1].x) && (!y || v[i].y <= v[i - 1].y);

        run = same ? run + 1 : 0;
        ties += run;
    }
    return ties;
}

/* Sort by y; returns how many exchanges of neighbours that takes. room (n) is
 * scratch. */
static double sort_counting(struct value *v, struct value *room, size_t n)
{
    size_t half = n / 2, i = 0, j = half;
    double swaps;

    if (n < 2)
        return 0;
    swaps = sort_counting(v, room, half) + sort_counting(v + half, room, n - half);
    for (size_t k = 0; k < n; k++) {
        bool right = i == half || (j < n && v[j].y < v[i].y);

        swaps += right ? (double)(half - i) : 0;
        room[k] = right ? v[j++] : v[i++];
    }
    memcpy(v, room, n * sizeof *v);
    return swaps;
}

/* τ-b in O(n log n) [Knight 1966]: pairs in another order are the exchanges that sort y
 * where x is sorted. */
static double kendall(struct value *value, struct value *room, size_t n)
{
    double all = 0.5 * (double)n * ((double)n - 1), both, of_x, of_y, swaps;

    qsort(value, n, sizeof *value, by_x_and_y);
    both = count_ties(value, n, true, true);
    of_x = count_ties(value, n, true, false);
    swaps = sort_counting(value, room, n);
    of_y = count_ties(value, n, false, true);
    return (all - of_x - of_y + both - 2 * swaps) /
           (sqrt(all - of_x) * sqrt(all - of_y));
}

/* AUC and average precision of finding positive pairs by their cosine; NaN unless some
 * are positive and some are not. */
static void judge_positive(struct value *value, size_t n, double positive, double *auc,
                           double *average_precision)
{
    double behind = 0, found = 0, precision = 0, all = 0;

    qsort(value, n, sizeof *value, by_x);
    for (size_t i = 0; i < n; i++)
        all += value[i].y >= positive;
    *auc = *average_precision = (double)NAN;
    if (!(all > 0 && all < (double)n))
        return;
    for (size_t first = n, end; first > 0;) { /* from the greatest cosine on */
        double more = 0, others;

        for (end = first; first > 0 && value[first - 1].x >= value[end - 1].x; first--)
            more += value[first - 1].y >= positive;
        others = (double)(end - first) - more;
        behind += others * (found + 0.5 * more);
        found += more;
        precision += more * found / (double)(n - first);
    }
    *auc = behind / (all * ((double)n - all));
    *average_precision = precision / all;
}

/* --- figures ---------------------------------------------------------------------- */

/* Statistics, of which the first two have items. */
enum { PEARSON, SPEARMAN, KENDALL, AUC, PRECISION, STATISTICS };

static const char *const names[STATISTICS][KINDS + 1] = {
    {"pearson", "pearson_monolingual", "pearson_crosslingual", "mean_pearson"},
    {"spearman", "spearman_monolingual", "spearman_crosslingual", "mean_spearman"},
    {"kendall", NULL, NULL, "mean_kendall"},
    {"auc", NULL, NULL, "mean_auc"},
    {"average_precision", NULL, NULL, "mean_average_precision"},
};

/* Collect the values of a set, and count their connected items. Returns how many. */
static size_t collect(struct similarity *s, size_t set, size_t *items)
{
    const ig_scores *scores = s->scores;
    size_t n = 0;

    s->stamp++;
    *items = 0;
    for (size_t i = 0; i < scores->count; i++) {
        uint32_t *seen = &s->seen[scores->item[i]];
        struct value one = {
            .x = s->cosine[i], .y = scores->score[i], .item = scores->item[i]};

        if (set >= KINDS ? scores->pair[i] != set - KINDS : set && s->set[i] != set)
            continue;
        *items += *seen != s->stamp;
        *seen = s->stamp;
        s->value[n++] = one;
    }
    return n;
}

/* Set u and v to the values less their means. Returns why they have no correlation, or
 * NULL. */
static const char *centre_values(struct value *value, size_t n, size_t set)
{
    double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
    double mean[2] = {0, 0};

    for (size_t i = 0; i < n; i++) {
        const double xy[2] = {value[i].x, value[i].y};

        for (int k = 0; k < 2; k++) {
            least[k] = fmin(least[k], xy[k]);
            most[k] = fmax(most[k], xy[k]);
            mean[k] += xy[k] / (double)n;
        }
    }
    for (size_t i = 0; i < n; i++) {
        value[i].u = value[i].x - mean[0];
        value[i].v = value[i].y - mean[1];
    }
    return n == 0 && set != ALL
               ? "all scored pairs are monolingual, or all are cross-lingual"
           : n == 0                      ? "no pairs"
           : n == 1                      ? "only one pair"
           : !(most[1] > least[1])       ? "the scores are all equal"
           : !isfinite(mean[0])          ? "a value is not finite"
           : most[0] - least[0] <= EQUAL ? "the cosines are all equal"
                                         : NULL;
}

/* Fill in the products of u and v, after they have become ranks for Spearman's. */
static void fill_items(ig_figure *f, struct value *value, size_t n, bool ranks)
{
    for (int k = 0; k < 2 && ranks; k++) {
        rank_values(value, n);
        turn(value, n);
    }
    for (size_t i = 0; i < n; i++) {
        value[i].uv = value[i].u * value[i].v;
        value[i].uu = value[i].u * value[i].u;
        value[i].vv = value[i].v * value[i].v;
    }
    for (int k = 0; k < 2 && ranks; k++) {
        project_ranks(value, n);
        turn(value, n);
    }
    for (size_t i = 0; i < n; i++) {
        f->unit[i] = value[i].item;
        f->item[0][i] = (float)value[i].uv;
        f->item[1][i] = (float)value[i].uu;
        f->item[2][i] = (float)value[i].vv;
    }
}

/* Why a statistic has no value, where its pairs have a correlation. */
static const char *find_reason(const struct similarity *s, size_t statistic)
{
    return statistic < AUC       ? NULL
           : s->scores->labelled ? "all pairs are positive, or none is"
                                 : "no score is called positive (--positive)";
}

/* Append a statistic of a set. NULL: out of memory. */
static ig_figure *add_statistic(struct similarity *s, size_t statistic, size_t set,
                                size_t n, size_t items, double value,
                                const char *reason)
{
    const char *name = names[statistic][set < KINDS ? set : ALL];
    bool correlation = statistic <= SPEARMAN;
    ig_figure *f = correlation
                       ? ig_figures_add_items(s->figures, name, IG_ALL_LANGUAGES,
                                              IG_ALL_LANGUAGES, IG_CORRELATION,
                                              reason ? 0 : n, NULL)
                       : ig_figures_add(s->figures, name, value,
                                        reason ? reason : find_reason(s, statistic));

    if (!f)
        return NULL;
    if (set >= KINDS)
        ig_figures_name_part(s->figures, f, s->scores->pair_name[set - KINDS]);
    f->n = items;
    if (correlation) {
        fill_items(f, s->value, f->items, statistic == SPEARMAN);
        ig_figures_close(s->figures, f, reason);
    }
    return f;
}

/* Append the statistics of a set. Returns whether it has a correlation. */
static bool add_set(struct similarity *s, size_t set, ig_figure *f[STATISTICS])
{
    size_t items, n = collect(s, set, &items);
    const char *reason = centre_values(s->value, n, set);
    double value[STATISTICS] = {NAN, NAN, NAN, NAN, NAN};

    for (size_t i = 0; i < STATISTICS; i++) {
        if (i == KENDALL && !reason)
            value[i] = kendall(s->value, s->sorted, n);
        if (i == AUC && !reason && s->scores->labelled)
            judge_positive(s->value, n, s->scores->positive, &value[AUC],
                           &value[PRECISION]);
        if (set >= KINDS || names[i][set])
            f[i] = add_statistic(s, i, set, n, items, value[i], reason);
    }
    return !reason;
}

static ig_status measure_scores(const ig_embeddings *e, ig_evaluation *out,
                                ig_error *error)
{
    ig_figures *figures = &out->figures;
    struct similarity s = {.scores = &e->scores, .figures = figures};
    size_t kinds = e->scores.pairs, have = 0, items = 0;
    ig_figure *f[STATISTICS], *mean, **part;
    ig_status status = compare_rows(&s, e, error);

    part = ig_arena_array(&figures->brief, STATISTICS * kinds, sizeof(*part));
    if (status == IG_OK && !part)
        status = ig_fail_memory(error, "similarity");
    if (status != IG_OK)
        return status;
    for (size_t set = 0; set < KINDS + kinds; set++) {
        bool has = add_set(&s, set, f);

        if (figures->failed)
            return ig_fail_memory(error, "similarity");
        items = set == ALL ? f[0]->n : items;
        have += set >= KINDS && has;
        for (size_t i = 0; i < STATISTICS && set >= KINDS; i++)
            part[i * kinds + set - KINDS] = f[i];
    }
    for (size_t i = 0; i < STATISTICS; i++) {
        mean = ig_figures_add_mean(figures, names[i][KINDS], IG_ALL_LANGUAGES,
                                   IG_ALL_LANGUAGES, part + i * kinds, kinds, false,
                                   !kinds  ? "the scores have no kinds of pairs"
                                   : !have ? "no kind of pair has a correlation"
                                           : find_reason(&s, i));
        if (!mean)
            return ig_fail_memory(error, "similarity");
        mean->n = items;
    }
    return IG_OK;
}

const ig_measure_group ig_similarity_group = {
    .word = "similarity", .needs = IG_NEEDS_SCORES, .measure = measure_scores};
