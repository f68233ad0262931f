/* Alignment and uniformity [wang; bias eq.8-9]. Legend: R distinct rows u of length 1
 * (or 0) that occur in pairs, d dims.
 *
 * Faces of the scan come in any order, and what they add must not depend on it: it is
 * added as whole numbers of 2^-40. Uniformity is a mean over pairs of rows: a row adds
 * to it twice its own mean less that of all (Hájek's projection). */
#include <math.h>

#include "core/kernels.h"
#include "measure/evaluation.h"

struct geometry {
    const ig_embeddings *e;
    const ig_scan *scan;
    float *left_out; /* (n) 0, or −∞: a row is in no pair */
    int64_t *sum;    /* (queries) Σ exp(4<u, v> − 4) over the other rows, as if none
                           had length 0 */
    size_t rows, zeros; /* R; those of length 0 */
};

/* --- the scan --------------------------------------------------------------------- */

static void see_face(void *state, const ig_face *face)
{
    const struct geometry *g = state;
    float shift = (float)(4 - 4 * face->base), row[IG_SCAN_TILE];
    const float by[2] = {4, 1}, *v[2] = {NULL, g->left_out + face->first};

    for (size_t i = 0; i < face->queries; i++) {
        double sum = 0;

        v[0] = face->product + i * IG_SCAN_TILE;
        if (g->left_out[face->query[i]] < 0)
            continue;
        if (g->rows == g->scan->n) {
            sum = ig_exp_sum(v[0], 4, shift, face->n, NULL);
        } else {
            ig_row_combine(v, by, 2, face->n, 0, row);
            sum = ig_exp_sum(row, 1, shift, face->n, NULL);
        }
        g->sum[face->at + i] += (int64_t)llround(sum * 0x1p40);
    }
}

static ig_status unite(void *state, ig_comm *comm, ig_error *error)
{
    const struct geometry *g = state;

    (void)error;
    ig_comm_sum(comm, IG_COMM_INT64, g->sum, g->scan->queries);
    return IG_OK;
}

static ig_consumer join(const ig_embeddings *e, const ig_scan *scan, ig_evaluation *out)
{
    ig_arena *a = &out->figures.brief;
    float *left_out = ig_arena_array(a, scan->n, sizeof *left_out);
    int64_t *sum = ig_arena_array(a, scan->queries, sizeof *sum);
    struct geometry *g = ig_arena_array(a, 1, sizeof *g);

    if (a->failed)
        return (ig_consumer){0};
    *g = (struct geometry){.e = e, .scan = scan, .left_out = left_out, .sum = sum};
    for (size_t p = 0; p < scan->n; p++)
        g->left_out[p] = -INFINITY;
    for (size_t i = 0; i < e->pairs; i++)
        g->left_out[e->left[i]] = g->left_out[e->right[i]] = 0;
    for (uint32_t p = 0; p < scan->n; p++) {
        g->rows += g->left_out[p] == 0;
        g->zeros += g->left_out[p] == 0 && scan->zero[p];
    }
    return (ig_consumer){.state = g, .see = see_face, .unite = unite};
}

/* --- figures ---------------------------------------------------------------------- */

/* ‖a − b‖². A row of length 0 is 1 from a unit row and 0 from its like. */
static double measure_distance(const ig_scan *s, uint32_t l, uint32_t r)
{
    const float *a = ig_scan_row(s, l), *b = ig_scan_row(s, r);
    const float *of[2] = {s->centre + s->lang[l] * s->d, s->centre + s->lang[r] * s->d};
    double sum = s->zero[l] != s->zero[r];

    for (size_t j = 0; j < s->d && !s->zero[l] && !s->zero[r]; j++) {
        double by = (double)a[j] - (double)b[j] + (double)of[0][j] - (double)of[1][j];

        sum += by * by;
    }
    return sum;
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
    /* exp(−2‖u−v‖²) of a row of length 0 and one of 1, and of two, less as if √2
     * apart */
    const double half = exp(-2) - exp(-4), whole = 1 - exp(-4);
    double sum = 0, rows = (double)g->rows, zeros = (double)g->zeros;
    ig_figure *a =
        ig_figures_add_items(figures, "alignment", all, all, IG_MEAN, e->pairs);
    ig_figure *u =
        ig_figures_add_items(figures, "uniformity", all, all, IG_LOG_MEAN, s->queries);

    a->items = s->odd ? 0 : a->items;
    u->items = s->odd || g->rows < 2 ? 0 : u->items;
    for (size_t i = 0; i < a->items; i++) {
        a->unit[i] = e->meaning[e->left[i]];
        a->item[0][i] = (float)measure_distance(s, e->left[i], e->right[i]);
    }
    for (size_t q = 0; q < u->items; q++)
        if (g->left_out[s->query[q]] == 0) {
            double own = (double)g->sum[q] * 0x1p-40;

            own += s->zero[s->query[q]] ? (rows - zeros) * half + (zeros - 1) * whole
                                        : zeros * half;
            own /= rows - 1; /* the mean over the other rows */

            u->unit[n] = e->meaning[s->query[q]];
            u->item[0][n++] = (float)own;
            sum += own;
        }
    /* Those of a sample have their means over all rows: nothing counts twice. */
    for (size_t i = 0; i < n && !s->asks; i++)
        u->item[0][i] = (float)(2 * (double)u->item[0][i] - sum / (double)n);
    u->items = n;
    a->n = e->pairs;
    u->n = g->rows;
    ig_figures_close(figures, a, none);
    ig_figures_close(figures, u, none);
}

const ig_measure_group ig_geometry_group = {
    .word = "geometry", .needs = IG_NEEDS_PAIRS, .join = join, .finish = finish};
