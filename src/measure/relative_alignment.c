/* Relative alignment: the mean squared distance of pairs over that of rows of the two
 * languages which are no pair. Legend: A and B, the distinct rows of two languages that
 * occur in their pairs; a, b such rows of length 1 (or 0); d dims. The mean over all of
 * A × B needs no products of rows: Σ ‖a − b‖² = |B| Σ‖a‖² + |A| Σ‖b‖² − 2 <Σa, Σb>.
 *
 * That mean is one over pairs of rows: a pair adds twice its own mean less the mean of
 * all (Hájek's projection), its own mean being that of its a with the others of B and
 * of its b with the others of A. */
#include <math.h>
#include <string.h>

#include "core/kernels.h"
#include "measure/chunk.h"
#include "measure/measure_group.h"

struct work {
    const ig_embeddings *e;
    ig_language_pairs by;
    ig_chunk side[2];  /* the rows of the pairs of two languages */
    uint32_t *seen;    /* (base rows) the number of the last two languages, from 1 */
    double *sum[2];    /* (d) Σa, Σb */
    double squares[2]; /* Σ‖a‖², Σ‖b‖² */
    size_t rows[2];    /* |A|, |B| */
    float *difference; /* (d) */
};

static bool next_pairs(struct work *w)
{
    bool more = ig_chunk_next(&w->side[0]);

    return ig_chunk_next(&w->side[1]) && more;
}

/* Begin with the pairs of two languages. */
static void open_languages(struct work *w, size_t cell)
{
    for (int s = 0; s < 2; s++) {
        w->side[s].list = w->by.row[s] + w->by.start[cell];
        w->side[s].n = w->by.start[cell + 1] - w->by.start[cell];
        w->rows[s] = 0;
        w->squares[s] = 0;
        memset(w->sum[s], 0, w->side[s].d * sizeof *w->sum[s]);
    }
}

static void add_row(struct work *w, int s, size_t cell, size_t p, const float *row)
{
    uint32_t *seen = &w->seen[w->side[s].list[p]];
    size_t d = w->side[s].d;

    if (*seen == cell + 1)
        return;
    *seen = (uint32_t)cell + 1;
    w->rows[s]++;
    w->squares[s] += ig_kernels_best()->dot(row, row, d);
    for (size_t j = 0; j < d; j++)
        w->sum[s][j] += (double)row[j];
}

/* ‖a − b‖² of the pairs of two languages, and sums of their rows. Returns its sum. */
static double measure_near(struct work *w, size_t cell, float *near)
{
    static const float minus[2] = {1, -1};
    const ig_kernels *kernels = ig_kernels_best();
    size_t d = w->side->d;
    double sum = 0;

    while (next_pairs(w))
        for (size_t i = 0; i < w->side->count; i++) {
            const float *row[2] = {w->side[0].row + i * d, w->side[1].row + i * d};
            size_t p = w->side->first + i;

            kernels->combine(row, minus, 2, d, 0, w->difference);
            near[p] = (float)kernels->dot(w->difference, w->difference, d);
            sum += (double)near[p];
            add_row(w, 0, cell, p, row[0]);
            add_row(w, 1, cell, p, row[1]);
        }
    return sum;
}

/* What a pair adds to the mean over A × B: what its a adds, and its b. */
static double measure_far(const struct work *w, const float *const row[2], double near)
{
    size_t d = w->side->d;
    double far = 0;

    for (int s = 0; s < 2; s++) {
        double n = (double)w->rows[!s], own = 0;

        for (size_t j = 0; j < d; j++)
            own += (double)row[s][j] * w->sum[!s][j];
        far += ig_kernels_best()->dot(row[s], row[s], d) * n / (n - 1);
        far += (w->squares[!s] - 2 * own - near) / (n - 1);
    }
    return far;
}

/* Fill in the items of the pairs of two languages. Returns how many: none where all of
 * A × B are pairs. */
static size_t measure_languages(struct work *w, size_t cell, ig_figure *f, size_t first)
{
    float *near = f->item[0] + first, *far = f->item[1] + first;
    size_t n, d = w->side->d;
    double others, product = 0, mean = 0;

    open_languages(w, cell);
    n = w->side->n;
    others = -measure_near(w, cell, near);
    for (size_t j = 0; j < d; j++)
        product += w->sum[0][j] * w->sum[1][j];
    if (w->rows[0] * w->rows[1] <= n)
        return 0;
    others += (double)w->rows[1] * w->squares[0] + (double)w->rows[0] * w->squares[1] -
              2 * product;
    others /= (double)(w->rows[0] * w->rows[1] - n);
    for (size_t p = 0; p < n; p++) {
        f->unit[first + p] = w->e->meaning[w->side->list[p]];
        far[p] = (float)others;
    }
    while (w->e->intervals && next_pairs(w))
        for (size_t i = 0; i < w->side->count; i++) {
            const float *row[2] = {w->side[0].row + i * d, w->side[1].row + i * d};
            size_t p = w->side->first + i;

            far[p] = (float)measure_far(w, row, (double)near[p]);
            mean += (double)far[p] / (double)n;
        }
    for (size_t p = 0; p < n && w->e->intervals; p++)
        far[p] += (float)(others - mean);
    return n;
}

static ig_status measure_pairs(const ig_embeddings *e, ig_evaluation *out,
                               ig_error *error)
{
    ig_figures *figures = &out->figures;
    size_t d = e->d, n = e->pairs;
    ig_arena *a = &figures->brief;
    struct work w = {.e = e, .seen = ig_arena_array(a, e->all, sizeof *w.seen)};
    ig_figure *f = ig_figures_add_items(figures, "relative_alignment", IG_ALL_LANGUAGES,
                                        IG_ALL_LANGUAGES, IG_RATIO, n, NULL);
    ig_status status = ig_language_pairs_init(&w.by, e, a, error);
    const char *none = "all rows of two languages are pairs: no baseline";
    double far = 0;

    for (int s = 0; s < 2; s++) {
        w.side[s] = ig_chunk_of(&e->units, NULL, n, e->pool, e->progress, a);
        w.sum[s] = ig_arena_array(a, d, sizeof *w.sum[s]);
    }
    w.difference = ig_arena_array(a, d, sizeof *w.difference);
    if (status != IG_OK || !f || a->failed)
        return ig_fail_memory(error, "relative alignment");
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
