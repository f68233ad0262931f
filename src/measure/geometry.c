/* Alignment and uniformity [wang; bias eq.8-9]. Legend: R distinct rows u of length 1
 * (or 0), d dims.
 *
 * Faces of the scan come in any order, and what they add must not depend on it: it is
 * added as whole numbers of 2^-40. */
#include <math.h>
#include <string.h>

#include "core/kernels.h"
#include "core/memory.h"
#include "measure/results.h"

/* --- alignment -------------------------------------------------------------------- */

struct pairs {
    const ig_scan *scan;
    const uint32_t *left, *right; /* (pairs) */
    size_t pairs;
    float *buffer; /* (threads, d) */
    float *apart;  /* (pairs) ‖a − b‖² */
};

/* ‖a − b‖² of two places, from rows less the centres of their languages (but zero
 * rows). */
static double squared_distance(const ig_scan *s, uint32_t a, uint32_t b,
                               float *difference, size_t member)
{
    const ig_kernels *kernels = ig_kernels_best();
    const float *v[4] = {ig_scan_row(s, a, member, 0), ig_scan_row(s, b, member, 1),
                         s->centre + s->lang[a] * s->d, s->centre + s->lang[b] * s->d};
    const float by[4] = {1, -1, s->zero[a] ? 0 : 1, s->zero[b] ? 0 : -1};

    if (s->same && s->same[a] == s->same[b])
        return 0;
    kernels->combine(v, by, s->lang[a] == s->lang[b] && by[2] + by[3] == 0 ? 2 : 4,
                     s->d, 0, difference);
    return kernels->dot(difference, difference, s->d);
}

static void align_pairs(void *context, size_t member, size_t first, size_t last)
{
    const struct pairs *p = context;

    for (size_t i = first; i < last; i++)
        p->apart[i] =
            (float)squared_distance(p->scan, p->left[i], p->right[i],
                                    p->buffer + member * p->scan->d, member);
}

/* --- uniformity ------------------------------------------------------------------- */

/* Numbers of measured rows and of zero rows. */
struct counts {
    size_t rows, zeros, pairs;
};

/* State during a scan. Σ exp(−2‖u−v‖²) = Σ exp(4<u, v> − 4) of each query, as if no
 * row had length 0. */
struct search {
    const ig_scan *scan;
    float *left_out; /* (n) 0, or −∞: a row is in no pair */
    int64_t *once;   /* (queries) each pair for one of its rows alone, in 2^-40 … */
    int64_t *sum;    /* (queries) … and for both; NULL: no items are wanted */
    struct counts counts;
};

static bool takes_part(const struct search *s, uint32_t place)
{
    return s->left_out[place] == 0;
}

static void see_face(void *state, const ig_face *face)
{
    const struct search *s = state;
    const ig_kernels *kernels = ig_kernels_best();
    float shift = (float)(4 - 4 * face->base), row[IG_SCAN_TILE];
    const float by[2] = {4, 1}, *v[2] = {NULL, s->left_out + face->first};

    for (size_t i = 0; (s->sum || !face->again) && i < face->queries; i++) {
        double sum = 0;

        v[0] = face->product + i * IG_SCAN_TILE;
        if (!takes_part(s, face->query[i]))
            continue;
        if (s->counts.rows == s->scan->n) {
            sum = kernels->exp_sum(v[0], 4, shift, face->n);
        } else {
            kernels->combine(v, by, 2, face->n, 0, row);
            kernels->exp(row, &shift, 0, face->n, row, &sum);
        }
        if (s->sum)
            s->sum[face->at + i] += (int64_t)llround(sum * 0x1p40);
        if (face->from == face->to && face->query[0] == face->first)
            sum /= 2; /* each pair comes twice in a block with itself */
        if (!face->again)
            s->once[face->at + i] += (int64_t)llround(sum * 0x1p40);
    }
}

static ig_status unite(void *state, ig_comm *comm, ig_error *error)
{
    const struct search *s = state;

    (void)error;
    ig_comm_sum64(comm, s->once, s->scan->queries);
    if (s->sum)
        ig_comm_sum64(comm, s->sum, s->scan->queries);
    return IG_OK;
}

/* --- both ------------------------------------------------------------------------- */

static void fill_figures(ig_geometry *geometry, struct counts counts, double apart,
                         double spread)
{
    double rows = (double)counts.rows, zeros = (double)counts.zeros;
    double half = zeros * (rows - zeros);

    /* A row of length 0 is 1 from a unit row and 0 from its like, not √2. */
    spread += half * (exp(-2) - exp(-4)) + zeros * (zeros - 1) / 2 * (1 - exp(-4));
    *geometry = (ig_geometry){.alignment = apart / (double)counts.pairs,
                              .uniformity = log(spread / (rows * (rows - 1) / 2)),
                              .pairs = counts.pairs,
                              .rows = counts.rows,
                              .zero_rows = counts.zeros};
    if (counts.pairs == 0) {
        geometry->alignment = (double)NAN;
        geometry->uniformity = (double)NAN;
        geometry->reason = "no pairs";
    } else if (counts.rows < 2) {
        geometry->uniformity = (double)NAN;
        geometry->reason = "only one row";
    } else if (!isfinite(apart) || !isfinite(spread)) {
        geometry->alignment = geometry->uniformity = (double)NAN;
        geometry->reason = "a value is not finite";
    }
}

/* The mean over the others of exp(−2‖u−v‖²) of a row, from its sum. */
static double mean_of_row(struct counts counts, double sum, bool zero)
{
    double n = (double)counts.rows - 1, zeros = (double)counts.zeros;
    double half = exp(-2) - exp(-4), whole = 1 - exp(-4);

    sum += zero ? (n + 1 - zeros) * half + (zeros - 1) * whole : zeros * half;
    return sum / n;
}

static ig_status measure_alignment(struct pairs *work, double *apart, ig_pool *pool,
                                   ig_error *error)
{
    work->buffer =
        ig_alloc(ig_pool_threads(pool), work->scan->d * sizeof *work->buffer);
    if (!work->buffer)
        return ig_fail_memory(error, "alignment");
    ig_parallel_for(pool, work->pairs, 256, align_pairs, work);
    *apart = 0;
    for (size_t i = 0; i < work->pairs; i++)
        *apart += (double)work->apart[i];
    ig_free(work->buffer);
    return IG_OK;
}

/* --- in a scan -------------------------------------------------------------------- */

static void free_state(void *state)
{
    struct search *s = state;

    if (s)
        IG_FREE(s->left_out, s->once, s->sum);
    ig_free(s);
}

/* Whether a place counts for uniformity as a query. */
static bool is_asked(const struct search *s, uint32_t place)
{
    return takes_part(s, place) && ig_scan_is_drawn(s->scan, place);
}

/* Find the rows of the pairs. */
static void find_rows(struct search *s, const ig_retrieval_pairs *pairs)
{
    for (size_t p = 0; p < s->scan->n; p++)
        s->left_out[p] = -INFINITY;
    for (size_t i = 0; i < pairs->pairs; i++)
        s->left_out[pairs->left[i]] = s->left_out[pairs->right[i]] = 0;
    s->counts.pairs = pairs->pairs;
    for (uint32_t p = 0; p < s->scan->n; p++) {
        s->counts.rows += takes_part(s, p);
        s->counts.zeros += takes_part(s, p) && s->scan->zero[p];
    }
}

static ig_status group_join(const ig_measure_input *in, const ig_scan *scan,
                            ig_consumer *consumer, void **state, ig_error *error)
{
    struct search *s = ig_alloc(1, sizeof *s);
    bool each = in->intervals || scan->asks;

    if (s) {
        s->scan = scan;
        s->left_out = ig_alloc(scan->n, sizeof *s->left_out);
        s->once = ig_alloc(scan->queries, sizeof *s->once);
        s->sum = each ? ig_alloc(scan->queries, sizeof *s->sum) : NULL;
    }
    if (!s || !s->left_out || !s->once || (each && !s->sum)) {
        free_state(s);
        return ig_fail_memory(error, "uniformity");
    }
    find_rows(s, in->pairs);
    *consumer = (ig_consumer){.state = s, .see = see_face, .unite = unite};
    *state = s;
    return IG_OK;
}

static double mean_of_query(const struct search *s, size_t query)
{
    return mean_of_row(s->counts, (double)s->sum[query] * 0x1p-40,
                       s->scan->zero[s->scan->query[query]]);
}

/* Estimate uniformity from sampled rows against all others; NaN if no sampled row
 * occurs in a pair. */
static void estimate_uniformity(ig_geometry *geometry, const struct search *s)
{
    double sum = 0;
    size_t n = 0;

    for (size_t q = 0; q < s->scan->queries; q++)
        if (is_asked(s, s->scan->query[q])) {
            sum += mean_of_query(s, q);
            n++;
        }
    if (!geometry->reason)
        geometry->uniformity = log(sum / (double)n); /* 0/0 is NaN */
    if (!geometry->reason && n == 0)
        geometry->reason = "no row of the sample occurs in a pair";
}

/* Measure both.
 *   apart  out  (pairs) ‖a − b‖² */
static ig_status measure_both(ig_geometry *geometry, const struct search *s,
                              const ig_measure_input *in, float *apart, ig_error *error)
{
    struct pairs work = {.scan = s->scan,
                         .left = in->pairs->left,
                         .right = in->pairs->right,
                         .pairs = in->pairs->pairs,
                         .apart = apart};
    double by = (double)NAN, sum = 0;
    ig_status status = s->scan->odd ? IG_OK
                                    : measure_alignment(&work, &by, in->pool, error);

    for (size_t q = 0; q < s->scan->queries; q++)
        sum += (double)s->once[q] * 0x1p-40;
    if (status == IG_OK)
        fill_figures(geometry, s->counts, by, sum);
    if (status == IG_OK && s->scan->asks)
        estimate_uniformity(geometry, s);
    return status;
}

/* Number the rows of the pairs.
 *   at    out  (rows) numbers
 *   list  out  (n) the rows, ascending
 *   side  out  (2, pairs) left and right rows by number */
static ig_status number_rows(size_t rows, const uint32_t *left, const uint32_t *right,
                             size_t pairs, uint32_t *at, uint32_t *list, size_t *n,
                             uint32_t *side, ig_error *error)
{
    for (size_t i = 0; i < 2 * pairs; i++) {
        uint32_t row = side[i] = i < pairs ? left[i] : right[i - pairs];

        if (row >= rows)
            return ig_fail(error, IG_SHAPE, "row %u of a pair, but there are %zu rows",
                           (unsigned)row, rows);
        at[row] = 1;
    }
    *n = 0;
    for (uint32_t i = 0; i < rows; i++)
        if (at[i]) {
            at[i] = (uint32_t)*n;
            list[(*n)++] = i;
        }
    for (size_t i = 0; i < 2 * pairs; i++)
        side[i] = at[side[i]];
    return IG_OK;
}

ig_status ig_geometry_measure(ig_geometry *geometry, const ig_rows *rows,
                              const uint32_t *left, const uint32_t *right, size_t pairs,
                              ig_pool *pool, ig_progress *watch, ig_error *error)
{
    uint32_t *at = ig_alloc(rows->rows, sizeof *at);
    uint32_t *list = ig_alloc(rows->rows, sizeof *list);
    uint32_t *side = ig_alloc(2 * pairs, sizeof *side), first[2] = {0, 0};
    const ig_retrieval_pairs of = {.left = side, .right = side + pairs, .pairs = pairs};
    ig_measure_input in = {.pairs = &of, .pool = pool, .watch = watch};
    ig_rows_pick pick = {rows, list, 0};
    ig_rows some;
    float *apart = ig_alloc(pairs, sizeof *apart);
    ig_scan scan = {0};
    ig_consumer consumer;
    ig_status status = IG_OK;

    if (at && list && side && apart)
        status = number_rows(rows->rows, left, right, pairs, at, list, &pick.count,
                             side, error);
    else
        status = ig_fail_memory(error, "uniformity");
    first[1] = (uint32_t)pick.count;
    some = ig_rows_of_pick(&pick);
    if (status == IG_OK)
        status = ig_scan_init(&scan, &some, first, 1, NULL, NULL, IG_HELD_BYTES, pool,
                              watch, error);
    if (status == IG_OK)
        status = group_join(&in, &scan, &consumer, &in.state, error);
    if (status == IG_OK)
        status = ig_scan_run(&scan, &consumer, 1, pool, watch, error);
    if (status == IG_OK)
        status = measure_both(geometry, in.state, &in, apart, error);
    free_state(in.state);
    ig_scan_free(&scan);
    IG_FREE(at, list, side, apart);
    return status;
}

/* --- the group -------------------------------------------------------------------- */

/* The mean of each row that asks, in the order of the base. What a row adds to the mean
 * over all pairs of rows is twice its own mean, less that of all; of a sample, whose rows
 * have theirs over all rows, its own mean. */
static ig_status add_uniformity(const ig_geometry *geometry, const struct search *s,
                                const ig_measure_input *in, ig_figures *figures,
                                ig_error *error)
{
    const size_t all = IG_ALL_LANGUAGES, queries = s->scan->queries;
    ig_figure *f = ig_figures_add_items(figures, "uniformity", all, all, IG_LOG_MEAN,
                                        queries, NULL);

    if (!f)
        return ig_fail_memory(error, "uniformity");
    f->items = 0;
    for (size_t q = 0; q < queries && !isnan(geometry->uniformity); q++) {
        uint32_t place = s->scan->query[q];

        if (!is_asked(s, place))
            continue;
        f->unit[f->items] = in->unit[place];
        f->item[0][f->items++] = (float)mean_of_query(s, q);
    }
    f->n = geometry->rows;
    ig_figures_close(figures, f, geometry->reason);
    f->value = geometry->uniformity; /* the same with and without items */
    for (size_t i = 0; i < f->items && !s->scan->asks; i++)
        f->item[0][i] += f->item[0][i] - (float)f->centre;
    return IG_OK;
}

static ig_status group_measure(const ig_measure_input *in, ig_figures *figures,
                               ig_error *error)
{
    const size_t all = IG_ALL_LANGUAGES, pairs = in->pairs->pairs;
    const struct search *s = in->state;
    ig_geometry geometry;
    ig_figure *f =
        ig_figures_add_items(figures, "alignment", all, all, IG_MEAN, pairs, NULL);
    ig_status status = f ? measure_both(&geometry, s, in, f->item[0], error)
                         : ig_fail_memory(error, "alignment");

    if (status != IG_OK)
        return status;
    for (size_t i = 0; i < pairs; i++)
        f->unit[i] = in->unit[in->pairs->left[i]];
    f->n = pairs;
    f->items = isnan(geometry.alignment) ? 0 : pairs;
    ig_figures_close(figures, f, geometry.reason);
    if (s->sum)
        return add_uniformity(&geometry, s, in, figures, error);
    ig_figures_add(figures, "uniformity", geometry.uniformity, geometry.reason)->n =
        geometry.rows;
    return IG_OK;
}

const ig_measure_group ig_geometry_group = {.name = "alignment and uniformity",
                                            .needs = IG_NEEDS_PAIRS,
                                            .join = group_join,
                                            .forget = free_state,
                                            .measure = group_measure};
