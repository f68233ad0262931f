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

struct place {
    double x;
    uint32_t at;
};

struct similarity {
    const ig_scores *scores;
    const uint16_t *lang;
    double *cosine;         /* (pairs) */
    size_t n;               /* pairs of the set at hand, of which (n) … */
    uint32_t *item;         /* resampling unit (measure/embeddings.h) */
    double *x[2], *u[2];    /* cosine and score; these about their mean, or ranks */
    struct place *order[2]; /* by x */
    double *sum[2];         /* scratch */
};

/* cos(a, b) to 2^-23, so that equal ones tie; 0 where one is 0. Squares are doubles. */
static double cosine_of(const float *a, const float *b, size_t d)
{
    double aa = 0, bb = 0, ab = 0;

    for (size_t j = 0; j < d; j++) {
        aa += (double)a[j] * (double)a[j];
        bb += (double)b[j] * (double)b[j];
        ab += (double)a[j] * (double)b[j];
    }
    return aa == 0 || bb == 0 ? 0 : rint(0x1p23 * ab / (sqrt(aa) * sqrt(bb))) * 0x1p-23;
}

static void compare_rows(struct similarity *s, const ig_embeddings *e, ig_arena *a)
{
    const ig_scores *scores = s->scores;
    size_t n = scores->count;
    ig_chunk left = ig_chunk_of(e, &e->units, scores->left, n, a);
    ig_chunk right = ig_chunk_of(e, &e->units, scores->right, n, a);
    double **array[] = {&s->cosine, &s->x[0],   &s->x[1],  &s->u[0],
                        &s->u[1],   &s->sum[0], &s->sum[1]};

    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        *array[i] = ig_arena_array(a, n, sizeof(double));
    for (int k = 0; k < 2; k++)
        s->order[k] = ig_arena_array(a, n, sizeof *s->order[k]);
    s->item = ig_arena_array(a, n, sizeof *s->item);
    while (!a->failed && ig_chunk_next(&left) && ig_chunk_next(&right))
        for (size_t i = 0; i < left.count; i++)
            s->cosine[left.first + i] =
                cosine_of(left.row + i * left.d, right.row + i * left.d, left.d);
}

/* --- statistics ------------------------------------------------------------------- */

static int by_x(const void *a, const void *b)
{
    double x = ((const struct place *)a)->x, y = ((const struct place *)b)->x;

    return (x > y) - (x < y);
}

/* Sum a weight (NULL: 1) over the pairs whose cosine (k = 0) or score exceeds that of
 * each pair, and half of those that are equal, itself included. */
static void sum_above(const struct similarity *s, int k, const double *weight,
                      double *out)
{
    const struct place *order = s->order[k];
    double above = 0, here;

    for (size_t end = s->n, first; end > 0; end = first, above += here) {
        here = 0;
        for (first = end; first && order[first - 1].x >= order[end - 1].x; first--)
            here += weight ? weight[order[first - 1].at] : 1;
        for (size_t i = first; i < end; i++)
            out[order[i].at] = above + 0.5 * here;
    }
}

/* τ-b, by comparing all pairs of pairs. */
static double kendall(const struct similarity *s)
{
    const double *u = s->x[0], *v = s->x[1];
    double sum = 0, x = 0, y = 0;

    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j < i; j++) {
            int a = (u[i] > u[j]) - (u[i] < u[j]), b = (v[i] > v[j]) - (v[i] < v[j]);

            sum += a * b;
            x += a * a;
            y += b * b;
        }
    return sum / (sqrt(x) * sqrt(y));
}

/* AUC and average precision of finding positive pairs by their cosine; NaN unless some
 * are positive and some are not. */
static void judge_positive(const struct similarity *s, double statistic[STATISTICS])
{
    double behind = 0, precision = 0, all = 0, n = (double)s->n, here;
    const struct place *order = s->order[0];

    for (size_t end = s->n, first; end > 0; end = first) { /* of equal cosines */
        here = 0;
        for (first = end; first && order[first - 1].x >= order[end - 1].x; first--)
            here += s->x[1][order[first - 1].at] >= s->scores->positive;
        behind += ((double)(end - first) - here) * (all + 0.5 * here);
        all += here;
        precision += here * all / (double)(s->n - first);
    }
    statistic[AUC] = behind / (all * (n - all)); /* 0/0 is NaN */
    statistic[PRECISION] = all < n ? precision / all : (double)NAN;
}

/* --- figures ---------------------------------------------------------------------- */

/* Collect the pairs of a set. Returns why they do not correlate, or NULL. */
static const char *collect(struct similarity *s, size_t set)
{
    const ig_scores *scores = s->scores;
    struct place **by = s->order;
    size_t n = 0;
    double sum = 0;

    for (size_t i = 0; i < scores->count; i++) {
        bool within = s->lang[scores->left[i]] == s->lang[scores->right[i]];

        if (set >= KINDS ? scores->pair[i] != set - KINDS
                         : set != ALL && within != (set == WITHIN))
            continue;
        s->item[n] = scores->item[i];
        s->x[0][n] = s->cosine[i];
        s->x[1][n] = scores->score[i];
        for (int k = 0; k < 2; k++)
            s->order[k][n] = (struct place){s->x[k][n], (uint32_t)n};
        sum += s->x[0][n++];
    }
    s->n = n;
    for (int k = 0; k < 2 && n; k++)
        qsort(s->order[k], n, sizeof(struct place), by_x);
    return n == 0 && set != ALL
               ? "all scored pairs are monolingual, or all are cross-lingual"
           : n == 0                               ? "no pairs"
           : n == 1                               ? "only one pair"
           : !(by[1][n - 1].x > by[1][0].x)       ? "the scores are all equal"
           : !isfinite(sum)                       ? "a value is not finite"
           : by[0][n - 1].x - by[0][0].x <= EQUAL ? "the cosines are all equal"
                                                  : NULL;
}

/* Set u to x or to its rank, as a share of n, less the mean. */
static void centre(struct similarity *s, int k, bool ranks)
{
    double mean = 0, n = (double)s->n;

    if (ranks)
        sum_above(s, k, NULL, s->sum[0]);
    for (size_t i = 0; i < s->n; i++) {
        s->u[k][i] = ranks ? -s->sum[0][i] / n : s->x[k][i];
        mean += s->u[k][i] / n;
    }
    for (size_t i = 0; i < s->n; i++)
        s->u[k][i] -= mean;
}

/* Fill in the products of u; of ranks a pair adds to those of the others the means of u
 * over the pairs that are greater, and half of the equal ones. */
static void fill_items(struct similarity *s, ig_figure *f, bool ranks)
{
    static const int of[3][2] = {{0, 1}, {0, 0}, {1, 1}};

    for (int k = 0; k < 2; k++)
        centre(s, k, ranks);
    for (int c = 0; c < 3; c++) {
        const double *u = s->u[of[c][0]], *v = s->u[of[c][1]];
        double mean = 0, n = (double)s->n;

        for (int k = 0; k < 2 && ranks; k++)
            sum_above(s, of[c][k], k ? u : v, s->sum[k]);
        for (size_t i = 0; i < s->n && ranks; i++)
            mean += 2 * u[i] * v[i] / n;
        for (size_t i = 0; i < s->n; i++)
            f->item[c][i] =
                (float)(u[i] * v[i] +
                        (ranks ? (s->sum[0][i] + s->sum[1][i]) / n - mean : 0));
    }
    for (size_t i = 0; i < s->n; i++)
        f->unit[i] = s->item[i];
}

/* Append the statistics that a set has. */
static void add_set(struct similarity *s, size_t set, ig_figures *figures)
{
    const size_t all = IG_ALL_LANGUAGES;
    const char *reason = collect(s, set);
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
            value[KENDALL] = kendall(s);
        if (i == AUC && !reason && s->scores->labelled)
            judge_positive(s, value);
        f = i <= SPEARMAN
                ? ig_figures_add_items(figures, name, all, all, IG_CORRELATION,
                                       reason ? 0 : s->n)
                : ig_figures_add(figures, name, value[i], reason ? reason : unlabelled);
        if (set >= KINDS)
            ig_figures_name_part(figures, f, s->scores->kinds.name[set - KINDS]);
        f->n = s->n;
        if (f->items)
            fill_items(s, f, i == SPEARMAN);
        if (i <= SPEARMAN)
            ig_figures_close(figures, f, reason);
    }
}

static ig_status measure(const ig_embeddings *e, ig_evaluation *out)
{
    ig_figures *figures = &out->figures;
    struct similarity s = {.scores = &e->scores, .lang = e->lang};
    size_t sets = KINDS + s.scores->pairs;

    compare_rows(&s, e, &figures->brief);
    for (size_t set = ALL + 1; set <= sets && !figures->brief.failed; set++)
        add_set(&s, set % sets, figures); /* all pairs at last: they count */
    for (size_t i = 0; i < STATISTICS; i++)
        ig_figures_add_mean_of(figures, names[i][KINDS], names[i][ALL], false,
                               "the scores have no kinds of pairs")
            ->n = s.n;
    return IG_OK;
}

const ig_measure_group ig_similarity_group = {"similarity", IG_NEEDS_SCORES,
                                              .measure = measure};
