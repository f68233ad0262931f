/* Alignment and uniformity [wang; bias eq.8-9], and alignment relative to rows that are
 * no pair. Legend: R distinct rows u of length 1 (or 0) that occur in pairs, d dims.
 *
 * Faces of the scan come in any order, so that they add whole numbers of 2^-40. A row
 * adds to uniformity, a mean over pairs, twice its own mean less that of all. */
#include <math.h>
#include <string.h>

#include "core/kernels.h"
#include "measure/evaluation.h"

struct geometry {
    const ig_embeddings *e;
    const ig_scan *scan;
    float *add;   /* (n) 2 − 2‖u‖², or −∞: a row is in no pair */
    int64_t *sum; /* (queries) Σ exp(−2‖u − v‖²) over the other rows */
    size_t rows;  /* R */
};

/* --- the scan --------------------------------------------------------------------- */

static void see_face(void *state, const ig_face *face)
{
    const struct geometry *g = state;
    float shift = (float)(4 - 4 * face->base), row[IG_SCAN_TILE];
    const float by[2] = {4, 1}, *v[2] = {NULL, g->add + face->first};

    for (size_t i = 0; i < face->queries; i++) {
        float add = g->add[face->query[i]];

        v[0] = face->product + i * IG_SCAN_TILE;
        if (add < 0)
            continue;
        ig_row_combine(v, by, 2, face->n, 0, row);
        g->sum[face->at + i] +=
            llround(ig_exp_sum(row, 1, shift - add, face->n, NULL) * 0x1p40);
    }
}

static void unite(void *state, ig_comm *comm)
{
    const struct geometry *g = state;

    ig_comm_sum(comm, IG_COMM_INT64, g->sum, g->scan->queries);
}

static ig_consumer join(const ig_embeddings *e, const ig_scan *scan, ig_evaluation *out)
{
    ig_arena *a = &out->figures.brief;
    float *add = ig_arena_array(a, scan->n, sizeof *add);
    int64_t *sum = ig_arena_array(a, scan->queries, sizeof *sum);
    struct geometry *g = ig_arena_array(a, 1, sizeof *g);

    if (a->failed)
        return (ig_consumer){0};
    *g = (struct geometry){.e = e, .scan = scan, .add = add, .sum = sum};
    for (size_t p = 0; p < scan->n; p++)
        add[p] = -INFINITY;
    for (size_t i = 0; i < e->pairs; i++) {
        add[e->left[i]] = scan->zero[e->left[i]] ? 2 : 0;
        add[e->right[i]] = scan->zero[e->right[i]] ? 2 : 0;
    }
    for (uint32_t p = 0; p < scan->n; p++)
        g->rows += add[p] >= 0;
    return (ig_consumer){.state = g, .see = see_face, .unite = unite};
}

/* --- figures ---------------------------------------------------------------------- */

/* ‖u‖² of a row less a row that all have in common, so that close rows lose nothing. */
static double read_row(const ig_scan *s, uint32_t p, double *out)
{
    const float *row = ig_scan_row(s, p), *centre = s->centre + s->lang[p] * s->d;
    double square = 0;

    for (size_t j = 0; j < s->d; j++) {
        out[j] = s->zero[p] ? 0 : (double)row[j] + (double)centre[j];
        out[j] -= (double)s->centre[j];
        square += out[j] * out[j];
    }
    return square;
}

/* Fill in the items of the pairs of two languages: ‖a − b‖², and its mean over A × B,
 * the rows that occur in their pairs, but for the pairs. That mean needs no products:
 * Σ ‖a − b‖² = |B| Σ‖a‖² + |A| Σ‖b‖² − 2 <Σa, Σb>. A pair adds to it twice its own
 * mean less that of all (Hájek's projection), its own being that of its a with the
 * others of B and of its b with the others of A.
 *   near  in       (pairs) ‖a − b‖²
 *   seen  in/out   (n) numbers of the last two languages, from 1
 *   sum   scratch  (3, d)
 * Returns how many: none where all of A × B are pairs. */
static size_t fill_relative(const struct geometry *g, size_t cell, const float *near,
                            uint32_t *seen, double *sum, ig_figure *f)
{
    const ig_embeddings *e = g->e;
    size_t start = e->pair_start[cell], n = e->pair_start[cell + 1] - start;
    size_t d = g->scan->d, rows[2] = {0};
    const uint32_t *pair[2] = {e->left + start, e->right + start};
    float *item[2] = {f->item[0] + f->items, f->item[1] + f->items};
    double squares[2] = {0}, *row = sum + 2 * d, others = 0, mean = 0;

    memset(sum, 0, 2 * d * sizeof *sum);
    for (size_t p = 0; p < n; p++)
        for (int s = 0; s < 2; s++) {
            if (seen[pair[s][p]] == cell + 1)
                continue;
            seen[pair[s][p]] = (uint32_t)cell + 1;
            rows[s]++;
            squares[s] += read_row(g->scan, pair[s][p], row);
            for (size_t j = 0; j < d; j++)
                sum[s * d + j] += row[j];
        }
    if (rows[0] * rows[1] <= n)
        return 0;
    others = (double)rows[1] * squares[0] + (double)rows[0] * squares[1];
    for (size_t j = 0; j < d; j++)
        others -= 2 * sum[j] * sum[d + j];
    for (size_t p = 0; p < n; p++)
        others -= (double)near[start + p];
    others /= (double)(rows[0] * rows[1] - n);
    for (size_t p = 0; p < n; p++) {
        double far = 0;

        for (int s = 0; s < 2; s++) {
            double own = read_row(g->scan, pair[s][p], row) * (double)rows[!s];

            for (size_t j = 0; j < d; j++)
                own -= 2 * row[j] * sum[!s * d + j];
            far += (own + squares[!s] - (double)near[start + p]) /
                   ((double)rows[!s] - 1);
        }
        f->unit[f->items + p] = e->meaning[pair[0][p]];
        item[0][p] = near[start + p];
        item[1][p] = (float)far;
        mean += far / (double)n;
    }
    for (size_t p = 0; p < n; p++)
        item[1][p] += (float)(others - mean);
    return n;
}

/*   near  in  (pairs) ‖a − b‖² */
static void add_relative(const struct geometry *g, const float *near,
                         ig_figures *figures)
{
    const ig_embeddings *e = g->e;
    size_t all = IG_ALL_LANGUAGES, cells = e->languages * e->languages;
    uint32_t *seen = ig_arena_array(&figures->brief, e->n, sizeof *seen);
    double *sum = ig_arena_array(&figures->brief, 3, e->d * sizeof *sum), far = 0;
    ig_figure *f = ig_figures_add_items(figures, "relative_alignment", all, all,
                                        IG_RATIO, e->pairs);
    const char *none;

    f->chance = 1;
    f->items = 0;
    for (size_t c = 0; c < cells && !figures->failed && !g->scan->odd; c++)
        if (e->pair_start[c] < e->pair_start[c + 1])
            f->items += fill_relative(g, c, near, seen, sum, f);
    for (size_t i = 0; i < f->items; i++)
        far += (double)f->item[1][i];
    none = !e->pair_start[cells] ? "no pairs of different languages"
           : g->scan->odd        ? "a value is not finite"
           : f->items            ? "the rows do not differ"
                                 : "all rows of two languages are pairs: no baseline";
    if (far < IG_SPREAD_MIN * (double)f->items)
        f->items = 0;
    ig_figures_close(figures, f, none);
}

static void finish(void *state, ig_evaluation *out)
{
    struct geometry *g = state;
    const ig_embeddings *e = g->e;
    const ig_scan *s = g->scan;
    ig_figures *figures = &out->figures;
    size_t n = 0, all = IG_ALL_LANGUAGES;
    const char *none = !e->pairs     ? "no pairs"
                       : s->odd      ? "a value is not finite"
                       : g->rows < 2 ? "only one row"
                                     : "no row of the sample occurs in a pair";
    double sum = 0, *row = ig_arena_array(&figures->brief, 2, s->d * sizeof *row);
    ig_figure *a =
        ig_figures_add_items(figures, "alignment", all, all, IG_MEAN, e->pairs);
    ig_figure *u =
        ig_figures_add_items(figures, "uniformity", all, all, IG_LOG_MEAN, s->queries);

    a->items = s->odd ? 0 : a->items;
    u->items = s->odd || g->rows < 2 ? 0 : u->items;
    for (size_t i = 0; i < a->items; i++) {
        double distance = 0;

        read_row(s, e->left[i], row);
        read_row(s, e->right[i], row + s->d);
        for (size_t j = 0; j < s->d; j++)
            distance += (row[j] - row[s->d + j]) * (row[j] - row[s->d + j]);
        a->unit[i] = e->meaning[e->left[i]];
        a->item[0][i] = (float)distance;
    }
    for (size_t q = 0; q < u->items; q++)
        if (g->add[s->query[q]] >= 0) {
            double own = (double)g->sum[q] * 0x1p-40 / ((double)g->rows - 1);

            u->unit[n] = e->meaning[s->query[q]];
            u->item[0][n++] = (float)own;
            sum += own;
        }
    /* Those of a sample have their means over all rows: nothing counts twice. */
    for (size_t i = 0; i < n && !s->asks; i++)
        u->item[0][i] = (float)(2 * (double)u->item[0][i] - sum / (double)n);
    u->items = n;
    u->n = g->rows;
    add_relative(g, a->item[0], figures);
    ig_figures_close(figures, a, none);
    ig_figures_close(figures, u, none);
    if (u->value > IG_UNIFORMITY_POINT)
        u->reason = "nearly one point: that translations are near says little";
}

const ig_measure_group ig_geometry_group = {"geometry", IG_NEEDS_PAIRS, .join = join,
                                            .finish = finish};
