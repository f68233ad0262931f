/* Relative alignment: the mean squared distance of pairs over that of rows of the two
 * languages which are no pair. Legend: A and B, the distinct rows of two languages that
 * occur in their pairs; a, b such rows of length 1 (or 0), less a row that all have in
 * common, so that close rows lose nothing; d dims. The mean over all of A × B needs no
 * products of rows: Σ ‖a − b‖² = |B| Σ‖a‖² + |A| Σ‖b‖² − 2 <Σa, Σb>.
 *
 * That mean is one over pairs of rows: a pair adds twice its own mean less the mean of
 * all (Hájek's projection), its own mean being that of its a with the others of B and
 * of its b with the others of A. */
#include <math.h>
#include <string.h>

#include "measure/evaluation.h"

struct work {
    const ig_embeddings *e;
    uint32_t *seen;    /* (all) the number of the last two languages, from 1 */
    float *common;     /* (d) the first row */
    float *read;       /* (d), and the scratch of the rows */
    double *row[2];    /* (d) of a pair, less `common` */
    double square[2];  /* ‖a‖², ‖b‖² … */
    double *sum[2];    /* (d) Σa, Σb */
    double squares[2]; /* Σ‖a‖², Σ‖b‖² */
    size_t rows[2];    /* |A|, |B| */
};

/* Read pair p. Returns ‖a − b‖². */
static double read_pair(struct work *w, size_t p)
{
    size_t d = w->e->d;
    double sum = 0;

    for (int s = 0; s < 2; s++) {
        ig_rows_read(&w->e->units, s ? &w->e->right[p] : &w->e->left[p], 0, 1, w->read,
                     d, w->read + d);
        w->square[s] = 0;
        for (size_t j = 0; j < d; j++) {
            w->row[s][j] = (double)w->read[j] - (double)w->common[j];
            w->square[s] += w->row[s][j] * w->row[s][j];
        }
    }
    for (size_t j = 0; j < d; j++)
        sum += (w->row[0][j] - w->row[1][j]) * (w->row[0][j] - w->row[1][j]);
    return sum;
}

/* What the rows of a pair that was read add to the mean over A × B, on either side. */
static double measure_far(const struct work *w, double near)
{
    double far = 0;

    for (int s = 0; s < 2; s++) {
        double n = (double)w->rows[!s], own = 0;

        for (size_t j = 0; j < w->e->d; j++)
            own += w->row[s][j] * w->sum[!s][j];
        far += (w->square[s] * n + w->squares[!s] - 2 * own - near) / (n - 1);
    }
    return far;
}

/* Fill in the items of the pairs of two languages. Returns how many: none where all of
 * A × B are pairs. */
static size_t measure_languages(struct work *w, size_t cell, ig_figure *f, size_t first)
{
    float *near = f->item[0] + first, *far = f->item[1] + first;
    size_t start = w->e->pair_start[cell], n = w->e->pair_start[cell + 1] - start,
           d = w->e->d;
    double others = 0, mean = 0;

    for (int s = 0; s < 2; s++) {
        w->rows[s] = 0;
        w->squares[s] = 0;
        memset(w->sum[s], 0, d * sizeof *w->sum[s]);
    }
    for (size_t p = 0; p < n; p++) {
        double distance = read_pair(w, start + p);

        near[p] = (float)distance;
        others -= distance;
        for (int s = 0; s < 2; s++) {
            uint32_t *seen = &w->seen[(s ? w->e->right : w->e->left)[start + p]];

            if (*seen == cell + 1)
                continue;
            *seen = (uint32_t)cell + 1;
            w->rows[s]++;
            w->squares[s] += w->square[s];
            for (size_t j = 0; j < d; j++)
                w->sum[s][j] += w->row[s][j];
        }
    }
    if (w->rows[0] * w->rows[1] <= n)
        return 0;
    others += (double)w->rows[1] * w->squares[0] + (double)w->rows[0] * w->squares[1];
    for (size_t j = 0; j < d; j++)
        others -= 2 * w->sum[0][j] * w->sum[1][j];
    others /= (double)(w->rows[0] * w->rows[1] - n);
    for (size_t p = 0; p < n; p++) {
        double own = w->e->intervals ? measure_far(w, read_pair(w, start + p)) : others;

        f->unit[first + p] = w->e->meaning[w->e->left[start + p]];
        far[p] = (float)own;
        mean += own / (double)n;
    }
    for (size_t p = 0; p < n; p++)
        far[p] += (float)(others - mean);
    return n;
}

static ig_status measure_pairs(const ig_embeddings *e, ig_evaluation *out)
{
    ig_figures *figures = &out->figures;
    ig_arena *a = &figures->brief;
    struct work w = {.e = e, .seen = ig_arena_array(a, e->all, sizeof *w.seen)};
    ig_figure *f = ig_figures_add_items(figures, "relative_alignment", IG_ALL_LANGUAGES,
                                        IG_ALL_LANGUAGES, IG_RATIO, e->pairs);
    size_t cells = e->languages * e->languages;
    const char *none = "all rows of two languages are pairs: no baseline";
    double far = 0;

    for (int s = 0; s < 2; s++) {
        w.sum[s] = ig_arena_array(a, e->d, sizeof(double));
        w.row[s] = ig_arena_array(a, e->d, sizeof(double));
    }
    w.common = ig_arena_array(a, e->d, sizeof *w.common);
    w.read = ig_arena_array(a, e->d + e->units.scratch, sizeof *w.read);
    if (figures->failed || a->failed)
        return IG_OK;
    if (e->n)
        ig_rows_read(&e->units, NULL, 0, 1, w.common, e->d, w.read + e->d);
    f->chance = 1;
    f->items = 0;
    for (size_t c = 0; c < cells && !ig_progress_cancelled(e->progress); c++)
        if (e->pair_start[c + 1] > e->pair_start[c])
            f->items += measure_languages(&w, c, f, f->items);
    for (size_t i = 0; i < f->items; i++)
        far += (double)f->item[1][i];
    if (!e->pair_start[cells])
        none = "no pairs of different languages";
    else if (!isfinite(far))
        none = "a value is not finite";
    else if (f->items)
        none = "the rows do not differ";
    if (!(far >= IG_SPREAD_MIN * (double)f->items))
        f->items = 0;
    ig_figures_close(figures, f, none);
    return IG_OK;
}

const ig_measure_group ig_relative_alignment_group = {
    .word = "relative_alignment", .needs = IG_NEEDS_PAIRS, .measure = measure_pairs};
