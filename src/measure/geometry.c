/* Alignment and uniformity [wang; bias eq.8-9]. Legend: R distinct rows u of length 1
 * (or 0) that occur in pairs, d dims.
 *
 * Faces of the scan come in any order, and what they add must not depend on it: it is
 * added as whole numbers of 2^-40. Uniformity is a mean over pairs of rows: a row adds
 * to it twice its own mean less that of all (Hájek's projection). */
#include <math.h>

#include "core/kernels.h"
#include "measure/chunk.h"
#include "measure/measure_group.h"

/* State during a scan. */
struct geometry {
    const ig_embeddings *e;
    const ig_scan *scan;
    float *left_out; /* (n) 0, or −∞: a row is in no pair */
    int64_t *sum;    /* (queries) Σ exp(4<u, v> − 4) over the other rows, as if none
                           had length 0 */
    size_t rows, zeros; /* R; those of length 0 */
    ig_arena arena;
};

/* --- alignment -------------------------------------------------------------------- */

/* ‖a − b‖² of the pairs. */
static ig_status measure_distances(const ig_embeddings *e, float *value, ig_arena *a,
                                   ig_error *error)
{
    static const float minus[2] = {1, -1};
    const ig_kernels *kernels = ig_kernels_best();
    float *difference = ig_arena_array(a, e->d, sizeof *difference);
    ig_chunk left = ig_chunk_of(&e->units, e->left, e->pairs, e->pool, e->progress, a);
    ig_chunk right =
        ig_chunk_of(&e->units, e->right, e->pairs, e->pool, e->progress, a);

    while (!a->failed && ig_chunk_next(&left) && ig_chunk_next(&right))
        for (size_t i = 0; i < left.count; i++) {
            const float *row[2] = {left.row + i * e->d, right.row + i * e->d};

            kernels->combine(row, minus, 2, e->d, 0, difference);
            value[left.first + i] = (float)kernels->dot(difference, difference, e->d);
        }
    return ig_chunk_status(a, e->progress, "alignment", error);
}

/* --- uniformity ------------------------------------------------------------------- */

static bool takes_part(const struct geometry *g, uint32_t place)
{
    return g->left_out[place] == 0;
}

static void see_face(void *state, const ig_face *face)
{
    const struct geometry *g = state;
    const ig_kernels *kernels = ig_kernels_best();
    float shift = (float)(4 - 4 * face->base), row[IG_SCAN_TILE];
    const float by[2] = {4, 1}, *v[2] = {NULL, g->left_out + face->first};

    for (size_t i = 0; i < face->queries; i++) {
        double sum = 0;

        v[0] = face->product + i * IG_SCAN_TILE;
        if (!takes_part(g, face->query[i]))
            continue;
        if (g->rows == g->scan->n) {
            sum = kernels->exp_sum(v[0], 4, shift, face->n, NULL);
        } else {
            kernels->combine(v, by, 2, face->n, 0, row);
            sum = kernels->exp_sum(row, 1, shift, face->n, NULL);
        }
        g->sum[face->at + i] += (int64_t)llround(sum * 0x1p40);
    }
}

static ig_status unite(void *state, ig_comm *comm, ig_error *error)
{
    const struct geometry *g = state;

    (void)error;
    ig_comm_sum64(comm, g->sum, g->scan->queries);
    return IG_OK;
}

/* The mean over the other rows of exp(−2‖u−v‖²). A row of length 0 is 1 from a unit row
 * and 0 from its like, not √2. */
static double mean_of_query(const struct geometry *g, size_t q)
{
    const double half = exp(-2) - exp(-4), whole = 1 - exp(-4);
    double sum = (double)g->sum[q] * 0x1p-40, zeros = (double)g->zeros;

    sum += g->scan->zero[g->scan->query[q]]
               ? ((double)g->rows - zeros) * half + (zeros - 1) * whole
               : zeros * half;
    return sum / ((double)g->rows - 1);
}

/* --- the group -------------------------------------------------------------------- */

static void free_state(void *state)
{
    struct geometry *g = state;

    if (g)
        ig_arena_free(&g->arena);
    ig_free(g);
}

static ig_status join(const ig_embeddings *e, const ig_scan *scan,
                      ig_consumer *consumer, void **state, ig_error *error)
{
    struct geometry *g = ig_alloc(1, sizeof *g);

    *state = g;
    if (g) {
        g->scan = scan;
        g->e = e;
        g->left_out = ig_arena_array(&g->arena, scan->n, sizeof *g->left_out);
        g->sum = ig_arena_array(&g->arena, scan->queries, sizeof *g->sum);
    }
    if (!g || g->arena.failed)
        return ig_fail_memory(error, "uniformity");
    for (size_t p = 0; p < scan->n; p++)
        g->left_out[p] = -INFINITY;
    for (size_t i = 0; i < e->pairs; i++)
        g->left_out[e->left[i]] = g->left_out[e->right[i]] = 0;
    for (uint32_t p = 0; p < scan->n; p++) {
        g->rows += takes_part(g, p);
        g->zeros += takes_part(g, p) && scan->zero[p];
    }
    *consumer = (ig_consumer){.state = g, .see = see_face, .unite = unite};
    return IG_OK;
}

static const char *find_reason(const struct geometry *g)
{
    return !g->e->pairs   ? "no pairs"
           : g->scan->odd ? "a value is not finite"
           : g->rows < 2  ? "only one row"
                          : "no row of the sample occurs in a pair";
}

static ig_status finish(void *state, ig_evaluation *out, ig_error *error)
{
    const struct geometry *g = state;
    const ig_embeddings *e = g->e;
    const ig_scan *s = g->scan;
    ig_figures *figures = &out->figures;
    size_t n = 0, all = IG_ALL_LANGUAGES;
    double sum = 0;
    ig_figure *a =
        ig_figures_add_items(figures, "alignment", all, all, IG_MEAN, e->pairs, NULL);
    ig_figure *u = ig_figures_add_items(figures, "uniformity", all, all, IG_LOG_MEAN,
                                        s->queries, NULL);
    ig_status status = a && u ? measure_distances(e, a->item[0], &figures->brief, error)
                              : ig_fail_memory(error, "alignment");

    if (status != IG_OK)
        return status;
    for (size_t i = 0; i < a->items; i++)
        a->unit[i] = e->meaning[e->left[i]];
    for (size_t q = 0; q < s->queries && !s->odd && g->rows > 1; q++) {
        uint32_t place = s->query[q];
        double own = mean_of_query(g, q);

        if (!takes_part(g, place) || !ig_scan_is_drawn(s, place))
            continue;
        u->unit[n] = e->meaning[place];
        u->item[0][n++] = (float)own;
        sum += own;
    }
    /* Those of a sample have their means over all rows: nothing counts twice. */
    for (size_t i = 0; i < n && !s->asks; i++)
        u->item[0][i] = (float)(2 * (double)u->item[0][i] - sum / (double)n);
    u->items = n;
    a->n = e->pairs;
    u->n = g->rows;
    ig_figures_close(figures, a, find_reason(g));
    ig_figures_close(figures, u, find_reason(g));
    return IG_OK;
}

const ig_measure_group ig_geometry_group = {.word = "geometry",
                                            .needs = IG_NEEDS_PAIRS,
                                            .join = join,
                                            .forget = free_state,
                                            .finish = finish};
