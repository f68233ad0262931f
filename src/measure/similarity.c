/* Correlation of cosines with human scores [seed §3, oracle §5.4]. Cosines are computed
 * in double, so that those of equal rows tie. Items are products about the means; of
 * ranks, which every other pair moves, with what a pair adds to the ranks of the others
 * (Hájek's projection). Legend: n pairs, d dims. */
#include <math.h>
#include <stdlib.h>

#include "measure/evaluation.h"

/* Cosines within this difference are equal: the resolution of floats. */
static const double EQUAL = 0x1p-22;

/* Sets of pairs: all, those of one language and of two, and then each kind. */
enum { ALL, WITHIN, ACROSS, KINDS };

/* Statistics, of which the first two have items. */
enum { PEARSON, SPEARMAN, KENDALL, AUC, PRECISION, STATISTICS };

static const char *const names[STATISTICS][KINDS + 1] = {
    {"pearson", "pearson_monolingual", "pearson_crosslingual", "mean_pearson"},
    {"spearman", "spearman_monolingual", "spearman_crosslingual", "mean_spearman"},
    {"kendall", NULL, NULL, "mean_kendall"},
    {"auc", NULL, NULL, "mean_auc"},
    {"average_precision", NULL, NULL, "mean_average_precision"},
};

/* A scored pair: x, cosine and score; u, these about their mean or as centred ranks;
 * what it adds to the products of u; its connected item (measure/embeddings.h). */
struct value {
    double x[2], u[2], uv, square[2], key; /* … to sort by */
    uint32_t item;
};

struct similarity {
    const ig_scores *scores;
    const uint16_t *lang;
    double *cosine;        /* (n) */
    struct value *value;   /* (n) those that are correlated */
    uint32_t *seen, stamp; /* (items of the scores) that were counted last */
};

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

static void compare_rows(struct similarity *s, const ig_embeddings *e, ig_arena *a)
{
    const ig_scores *scores = s->scores;
    size_t n = scores->count;
    ig_chunk left = ig_chunk_of(e, &e->units, scores->left, n, a);
    ig_chunk right = ig_chunk_of(e, &e->units, scores->right, n, a);

    s->cosine = ig_arena_array(a, n, sizeof *s->cosine);
    s->value = ig_arena_array(a, n, sizeof *s->value);
    s->seen = ig_arena_array(a, scores->items, sizeof *s->seen);
    while (!a->failed && ig_chunk_next(&left) && ig_chunk_next(&right))
        for (size_t i = 0; i < left.count; i++)
            s->cosine[left.first + i] =
                cosine_of(left.row + i * left.d, right.row + i * left.d, left.d);
}

/* --- statistics ------------------------------------------------------------------- */

static int compare_doubles(double x, double y)
{
    return (x > y) - (x < y);
}

static int by_key(const void *a, const void *b)
{
    return compare_doubles(((const struct value *)a)->key,
                           ((const struct value *)b)->key);
}

/* Sort by the cosine (k = 0) or the score. */
static void sort_values(struct value *value, size_t n, int k)
{
    for (size_t i = 0; i < n; i++)
        value[i].key = value[i].x[k];
    qsort(value, n, sizeof *value, by_key);
}

/* In the order of x set u to the rank, as a share of n less ½, equal ones sharing their
 * mean; or, once both are known, add to the products what a pair adds to the ranks of
 * the others: the means of both u over those that are greater, and half of the equal
 * ones. */
static void rank_pairs(struct value *value, size_t n, int k, bool project)
{
    double above[2] = {0, 0}, mean[2] = {0, 0};

    sort_values(value, n, k);
    for (size_t i = 0; i < n && project; i++)
        for (int j = 0; j < 2; j++)
            mean[j] += value[i].u[k] * value[i].u[j] / (double)n;
    for (size_t end = n, first; end > 0; end = first) {
        double here[2] = {0, 0};

        for (first = end; first && value[first - 1].x[k] >= value[end - 1].x[k];) {
            first--;
            here[0] += value[first].u[0];
            here[1] += value[first].u[1];
        }
        for (size_t i = first; i < end && !project; i++)
            value[i].u[k] = 0.5 * (double)(first + end) / (double)n - 0.5;
        for (size_t i = first; i < end && project; i++) {
            double more[2];

            for (int j = 0; j < 2; j++)
                more[j] = (above[j] + 0.5 * here[j]) / (double)n - mean[j];
            value[i].uv += more[!k];
            value[i].square[k] += 2 * more[k];
        }
        above[0] += here[0];
        above[1] += here[1];
    }
}

/* τ-b, by comparing all pairs of pairs. */
static double kendall(const struct value *value, size_t n)
{
    double sum = 0, x = 0, y = 0;

    for (size_t i = 0; i < n; i++) {
        int64_t more = 0, differ_x = 0, differ_y = 0;

        for (size_t j = 0; j < i; j++) {
            int a = compare_doubles(value[i].x[0], value[j].x[0]);
            int b = compare_doubles(value[i].x[1], value[j].x[1]);

            more += a * b;
            differ_x += a * a;
            differ_y += b * b;
        }
        sum += (double)more;
        x += (double)differ_x;
        y += (double)differ_y;
    }
    return sum / (sqrt(x) * sqrt(y));
}

/* AUC and average precision of finding positive pairs by their cosine; NaN unless some
 * are positive and some are not. */
static void judge_positive(struct value *value, size_t n, double positive,
                           double statistic[STATISTICS])
{
    double behind = 0, found = 0, precision = 0, all = 0;

    sort_values(value, n, 0);
    for (size_t i = 0; i < n; i++)
        all += value[i].x[1] >= positive;
    for (size_t first = n, end; first > 0;) { /* from the greatest cosine on */
        double more = 0;

        for (end = first; first && value[first - 1].x[0] >= value[end - 1].x[0];)
            more += value[--first].x[1] >= positive;
        behind += ((double)(end - first) - more) * (found + 0.5 * more);
        found += more;
        precision += more * found / (double)(n - first);
    }
    if (!(all > 0 && all < (double)n))
        return;
    statistic[AUC] = behind / (all * ((double)n - all));
    statistic[PRECISION] = precision / all;
}

/* --- figures ---------------------------------------------------------------------- */

/* Collect the values of a set, u less their mean, and count their connected items.
 * Returns why they do not correlate, or NULL. */
static const char *collect(struct similarity *s, size_t set, size_t *count,
                           size_t *items)
{
    const ig_scores *scores = s->scores;
    double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
    double mean[2] = {0, 0};
    size_t n = 0;

    s->stamp++;
    *items = 0;
    for (size_t i = 0; i < scores->count; i++) {
        uint32_t *seen = &s->seen[scores->item[i]];
        bool within = s->lang[scores->left[i]] == s->lang[scores->right[i]];

        if (set >= KINDS ? scores->pair[i] != set - KINDS
                         : set != ALL && within != (set == WITHIN))
            continue;
        *items += *seen != s->stamp;
        *seen = s->stamp;
        s->value[n++] = (struct value){.x = {s->cosine[i], scores->score[i]},
                                       .item = scores->item[i]};
    }
    for (size_t i = 0; i < 2 * n; i++) {
        double x = s->value[i / 2].x[i % 2];

        least[i % 2] = fmin(least[i % 2], x);
        most[i % 2] = fmax(most[i % 2], x);
        mean[i % 2] += x / (double)n;
    }
    for (size_t i = 0; i < 2 * n; i++)
        s->value[i / 2].u[i % 2] = s->value[i / 2].x[i % 2] - mean[i % 2];
    *count = n;
    return n == 0 && set != ALL
               ? "all scored pairs are monolingual, or all are cross-lingual"
           : n == 0                      ? "no pairs"
           : n == 1                      ? "only one pair"
           : !(most[1] > least[1])       ? "the scores are all equal"
           : !isfinite(mean[0])          ? "a value is not finite"
           : most[0] - least[0] <= EQUAL ? "the cosines are all equal"
                                         : NULL;
}

/* Fill in the products of u, after they have become ranks for Spearman's. */
static void fill_items(ig_figure *f, struct value *value, bool ranks)
{
    size_t n = f->items;

    for (int k = 0; k < 2 && ranks; k++)
        rank_pairs(value, n, k, false);
    for (size_t i = 0; i < n; i++) {
        value[i].uv = value[i].u[0] * value[i].u[1];
        value[i].square[0] = value[i].u[0] * value[i].u[0];
        value[i].square[1] = value[i].u[1] * value[i].u[1];
    }
    for (int k = 0; k < 2 && ranks; k++)
        rank_pairs(value, n, k, true);
    for (size_t i = 0; i < n; i++) {
        f->unit[i] = value[i].item;
        f->item[0][i] = (float)value[i].uv;
        f->item[1][i] = (float)value[i].square[0];
        f->item[2][i] = (float)value[i].square[1];
    }
}

/* Append the statistics that a set has. Returns its items. */
static size_t add_set(struct similarity *s, size_t set, ig_figures *figures)
{
    const size_t all = IG_ALL_LANGUAGES;
    size_t items, n;
    const char *reason = collect(s, set, &n, &items);
    const char *unlabelled = s->scores->labelled
                                 ? "all pairs are positive, or none is"
                                 : "no score is called positive (--positive)";
    double value[STATISTICS] = {NAN, NAN, NAN, NAN, NAN};

    for (size_t i = 0; i < STATISTICS; i++) {
        const char *name = names[i][set < KINDS ? set : ALL];
        ig_figure *f;

        if (!name)
            continue;
        if (i == KENDALL && !reason)
            value[KENDALL] = kendall(s->value, n);
        if (i == AUC && !reason && s->scores->labelled)
            judge_positive(s->value, n, s->scores->positive, value);
        f = i <= SPEARMAN
                ? ig_figures_add_items(figures, name, all, all, IG_CORRELATION,
                                       reason ? 0 : n)
                : ig_figures_add(figures, name, value[i], reason ? reason : unlabelled);
        if (set >= KINDS)
            ig_figures_name_part(figures, f, s->scores->pair_name[set - KINDS]);
        f->n = items;
        if (i > SPEARMAN)
            continue;
        fill_items(f, s->value, i == SPEARMAN);
        ig_figures_close(figures, f, reason);
    }
    return items;
}

static ig_status measure(const ig_embeddings *e, ig_evaluation *out)
{
    ig_figures *figures = &out->figures;
    struct similarity s = {.scores = &e->scores, .lang = e->lang};
    size_t items = 0;

    compare_rows(&s, e, &figures->brief);
    for (size_t set = 0; set < KINDS + s.scores->pairs && !figures->brief.failed;
         set++) {
        size_t n = add_set(&s, set, figures);

        items = set == ALL ? n : items;
    }
    for (size_t i = 0; i < STATISTICS; i++)
        ig_figures_add_mean_of(figures, names[i][KINDS], names[i][ALL], false,
                               "the scores have no kinds of pairs")
            ->n = items;
    return IG_OK;
}

const ig_measure_group ig_similarity_group = {
    .word = "similarity", .needs = IG_NEEDS_SCORES, .measure = measure};
