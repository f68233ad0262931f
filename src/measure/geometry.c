/* Alignment and uniformity [wang; bias eq.8-9]. Legend: R distinct rows u of length 1
 * (or 0) that occur in pairs, d dims.
 *
 * Faces of the scan come in any order, and what they add must not depend on it: it is
 * added as whole numbers of 2^-40. Uniformity is a mean over pairs of rows: a row adds
 * to it twice its own mean less that of all (Hájek's projection). */
#include <math.h>

#include "core/kernels.h"
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

struct distances {
    const struct geometry *g;
    float *buffer; /* (threads, d) */
    float *value;  /* (pairs) ‖a − b‖² */
};

/* From rows less the centres of their languages (but zero rows), so that close rows
 * keep the digits of their small distance. */
static void measure_pairs(void *context, size_t member, size_t first, size_t last)
{
    const struct distances *of = context;
    const ig_kernels *kernels = ig_kernels_best();
    const ig_scan *s = of->g->scan;
    float *difference = of->buffer + member * s->d;

    for (size_t i = first; i < last; i++) {
        uint32_t a = of->g->e->left[i], b = of->g->e->right[i];
        const float *v[4] = {ig_scan_row(s, a, member, 0), ig_scan_row(s, b, member, 1),
                             s->centre + s->lang[a] * s->d,
                             s->centre + s->lang[b] * s->d};
        const float by[4] = {1, -1, s->zero[a] ? 0 : 1, s->zero[b] ? 0 : -1};
        bool cancel = s->lang[a] == s->lang[b] && by[2] + by[3] == 0;

        kernels->combine(v, by, cancel ? 2 : 4, s->d, 0, difference);
        of->value[i] = s->same && s->same[a] == s->same[b]
                           ? 0
                           : (float)kernels->dot(difference, difference, s->d);
    }
}

/* The squared distances of the pairs. */
static ig_status measure_distances(const struct geometry *g, float *value,
                                   ig_error *error)
{
    struct distances of = {
        g, ig_alloc(ig_pool_threads(g->e->pool), g->scan->d * sizeof *of.buffer),
        value};

    if (!of.buffer)
        return ig_fail_memory(error, "alignment");
    if (g->scan->odd)
        for (size_t i = 0; i < g->e->pairs; i++)
            value[i] = NAN;
    else
        ig_parallel_for(g->e->pool, g->e->pairs, 256, measure_pairs, &of);
    ig_free(of.buffer);
    return IG_OK;
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

/* Whether query q counts. */
static bool is_asked(const struct geometry *g, size_t q)
{
    uint32_t place = g->scan->query[q];

    return takes_part(g, place) && ig_scan_is_drawn(g->scan, place);
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

/* The mean of these, of n queries that count. */
static double mean_of_all(const struct geometry *g, size_t *n)
{
    double sum = 0;

    *n = 0;
    for (size_t q = 0; q < g->scan->queries; q++)
        if (is_asked(g, q)) {
            sum += mean_of_query(g, q);
            ++*n;
        }
    return g->scan->odd || g->rows < 2 ? (double)NAN : sum / (double)*n;
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
    ig_figures *figures = &out->figures;
    size_t n, at = 0, all = IG_ALL_LANGUAGES;
    double mean = mean_of_all(g, &n);
    ig_figure *a =
        ig_figures_add_items(figures, "alignment", all, all, IG_MEAN, e->pairs, NULL);
    ig_figure *u =
        ig_figures_add_items(figures, "uniformity", all, all, IG_LOG_MEAN, n, NULL);
    ig_status status = a && u ? measure_distances(g, a->item[0], error)
                              : ig_fail_memory(error, "alignment");

    if (status != IG_OK)
        return status;
    for (size_t i = 0; i < a->items; i++)
        a->unit[i] = e->meaning[e->left[i]];
    for (size_t q = 0; q < g->scan->queries && !isnan(mean); q++) {
        double own = mean_of_query(g, q);

        if (!is_asked(g, q))
            continue;
        u->unit[at] = e->meaning[g->scan->query[q]];
        /* Those of a sample have their means over all rows: nothing counts twice. */
        u->item[0][at++] = (float)(g->scan->asks ? own : 2 * own - mean);
    }
    u->items = at;
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
