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

#include "measure/chunk.h"
#include "measure/measure_group.h"

struct work {
    const ig_embeddings *e;
    ig_language_pairs by;
    ig_chunk side[2];  /* the rows of the pairs of two languages */
    uint32_t *seen;    /* (all) the number of the last two languages, from 1 */
    double *common;    /* (d) the first row */
    double *row[2];    /* (d) of a pair, less `common` */
    double *sum[2];    /* (d) Σa, Σb */
    double squares[2]; /* Σ‖a‖², Σ‖b‖² */
    size_t rows[2];    /* |A|, |B| */
};

/* Read the next pair of two languages, and begin again after the last: its number from
 * 1, or 0. */
static size_t next_pair(struct work *w, size_t *i, double square[2], double *near)
{
    size_t d = w->e->d;
    bool more = *i < w->side->count;

    if (!more) {
        *i = 0;
        more = ig_chunk_next(&w->side[0]);
        ig_chunk_next(&w->side[1]);
    }
    if (!more)
        return 0;
    *near = square[0] = square[1] = 0;
    for (size_t j = 0; j < d; j++) {
        double a = (double)w->side[0].row[*i * d + j] - w->common[j];
        double b = (double)w->side[1].row[*i * d + j] - w->common[j];

        w->row[0][j] = a;
        w->row[1][j] = b;
        square[0] += a * a;
        square[1] += b * b;
        *near += (a - b) * (a - b);
    }
    *i += 1;
    return w->side->first + *i;
}

/* Fill in the items of the pairs of two languages. Returns how many: none where all of
 * A × B are pairs. */
static size_t measure_languages(struct work *w, size_t cell, ig_figure *f, size_t first)
{
    float *near = f->item[0] + first, *far = f->item[1] + first;
    size_t d = w->e->d, n = w->by.start[cell + 1] - w->by.start[cell], p, i = 0;
    double others = 0, mean = 0, square[2], distance;

    for (int s = 0; s < 2; s++) {
        w->side[s].list = w->by.row[s] + w->by.start[cell];
        w->side[s].n = n;
        w->rows[s] = 0;
        w->squares[s] = 0;
        memset(w->sum[s], 0, d * sizeof *w->sum[s]);
    }
    while ((p = next_pair(w, &i, square, &distance)) > 0) {
        near[p - 1] = (float)distance;
        others -= distance;
        for (int s = 0; s < 2; s++) {
            uint32_t *seen = &w->seen[w->side[s].list[p - 1]];

            if (*seen == cell + 1)
                continue;
            *seen = (uint32_t)cell + 1;
            w->rows[s]++;
            w->squares[s] += square[s];
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
    for (p = 0; p < n; p++) {
        f->unit[first + p] = w->e->meaning[w->side->list[p]];
        far[p] = (float)others;
    }
    /* What the row of a pair adds to the mean over A × B, on either side. */
    while (w->e->intervals && (p = next_pair(w, &i, square, &distance)) > 0) {
        double sum = 0;

        for (int s = 0; s < 2; s++) {
            double m = (double)w->rows[!s], own = 0;

            for (size_t j = 0; j < d; j++)
                own += w->row[s][j] * w->sum[!s][j];
            sum += (square[s] * m + w->squares[!s] - 2 * own - distance) / (m - 1);
        }
        far[p - 1] = (float)sum;
        mean += sum / (double)n;
    }
    for (p = 0; p < n && w->e->intervals; p++)
        far[p] += (float)(others - mean);
    return n;
}

static ig_status measure_pairs(const ig_embeddings *e, ig_evaluation *out,
                               ig_error *error)
{
    ig_figures *figures = &out->figures;
    ig_arena *a = &figures->brief;
    struct work w = {.e = e, .seen = ig_arena_array(a, e->all, sizeof *w.seen)};
    ig_figure *f = ig_figures_add_items(figures, "relative_alignment", IG_ALL_LANGUAGES,
                                        IG_ALL_LANGUAGES, IG_RATIO, e->pairs, NULL);
    ig_status status = ig_language_pairs_init(&w.by, e, a, error);
    const char *none = "all rows of two languages are pairs: no baseline";
    double far = 0;

    for (int s = 0; s < 2; s++) {
        w.side[s] = ig_chunk_of(&e->units, NULL, e->pairs, e->pool, e->progress, a);
        w.sum[s] = ig_arena_array(a, e->d, sizeof(double));
        w.row[s] = ig_arena_array(a, e->d, sizeof(double));
    }
    w.common = ig_arena_array(a, e->d, sizeof *w.common);
    if (status != IG_OK || !f || a->failed)
        return ig_fail_memory(error, "relative alignment");
    if (e->pairs)
        ig_chunk_read(&w.side[0], 0, 1, w.side[0].row);
    for (size_t j = 0; j < e->d && e->pairs; j++)
        w.common[j] = (double)w.side[0].row[j];
    f->chance = 1;
    f->items = 0;
    for (size_t c = 0; c < w.by.cells; c++)
        if (w.by.start[c + 1] > w.by.start[c])
            f->items += measure_languages(&w, c, f, f->items);
    for (size_t i = 0; i < f->items; i++)
        far += (double)f->item[1][i];
    if (!w.by.start[w.by.cells])
        none = "no pairs of different languages";
    else if (!isfinite(far))
        none = "a value is not finite";
    else if (f->items)
        none = "the rows do not differ";
    if (!(far >= IG_SPREAD_MIN * (double)f->items))
        f->items = 0;
    ig_figures_close(figures, f, none);
    return ig_chunk_status(a, e->progress, "relative alignment", error);
}

const ig_measure_group ig_relative_alignment_group = {
    .word = "relative_alignment", .needs = IG_NEEDS_PAIRS, .measure = measure_pairs};
