/* Relative alignment. Legend: A and B, the distinct rows of two languages that occur in
 * their pairs; a, b such rows of length 1 (or 0); d dims. The mean over all of A × B
 * needs no products of rows: Σ ‖a − b‖² = |B| Σ‖a‖² + |A| Σ‖b‖² − 2 <Σa, Σb>.
 *
 * For intervals a pair keeps what it adds to that mean, which is one over pairs of
 * rows: to first order twice its own mean less the mean of all (Hájek's projection),
 * its own mean being that of its a with the others of B and of its b with the others of
 * A. */
#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/kernels.h"
#include "measure/results.h"
#include "measure/units.h"

enum { CHUNK = IG_ROWS_TILE };

/* Mean squared distance below which all rows are one point: rounding error of equal
 * rows. */
static const double LEAST = 1e-13;

/* The pairs of two languages. */
struct work {
    const ig_measure_input *in;
    uint32_t *row[2]; /* (pairs) rows of each side, ordered: equal pairs follow */
    size_t pairs, distinct, rows[2];
    uint32_t *seen; /* (base rows) the number of the languages + 1 */
    uint32_t number;
    double *sum[2];    /* (d) Σa, Σb */
    double squares[2]; /* Σ‖a‖², Σ‖b‖² */
    double near, near_once, others;
    float *difference; /* (d) */
    float *value;      /* (pairs, 2) or NULL */
    bool odd;          /* a value is not finite */
};

static double squared_distance(const struct work *w, const float *a, const float *b,
                               size_t d)
{
    static const float minus[2] = {1, -1};
    const float *v[2] = {a, b};

    ig_kernels_best()->combine(v, minus, 2, d, 0, w->difference);
    return ig_kernels_best()->dot(w->difference, w->difference, d);
}

/* Sum pair p: the distance, and its rows unless they were counted before. */
static void add_pair(struct work *w, size_t p, const float *const row[2], size_t d)
{
    double apart = squared_distance(w, row[0], row[1], d);
    bool again = p && w->row[0][p] == w->row[0][p - 1] &&
                 w->row[1][p] == w->row[1][p - 1];

    w->near += apart;
    w->near_once += again ? 0 : apart;
    w->distinct += !again;
    for (int s = 0; s < 2; s++) {
        uint32_t *seen = &w->seen[w->row[s][p]];

        if (*seen == w->number)
            continue;
        *seen = w->number;
        w->rows[s]++;
        w->squares[s] += ig_kernels_best()->dot(row[s], row[s], d);
        for (size_t i = 0; i < d; i++)
            w->sum[s][i] += (double)row[s][i];
    }
}

/* The values of pair p: near, and far. */
static void keep_pair(struct work *w, size_t p, const float *const row[2], size_t d)
{
    double near = squared_distance(w, row[0], row[1], d), far = 0;

    for (int s = 0; s < 2; s++) {
        double n = (double)w->rows[!s], own = 0;

        for (size_t i = 0; i < d; i++)
            own += (double)row[s][i] * w->sum[!s][i];
        far += ig_kernels_best()->dot(row[s], row[s], d) * n / (n - 1);
        far += (w->squares[!s] - 2 * own - near) / (n - 1);
    }
    w->value[2 * p] = (float)near;
    w->value[2 * p + 1] = (float)far;
}

/* See each pair of rows of length 1. */
static ig_status each_pair(struct work *w,
                           void (*see)(struct work *w, size_t p,
                                       const float *const row[2], size_t d),
                           ig_error *error)
{
    const ig_measure_input *in = w->in;
    size_t d = in->base->dims;
    ig_status status = IG_OK;

    for (size_t first = 0; first < w->pairs && status == IG_OK; first += CHUNK) {
        size_t n = w->pairs - first < CHUNK ? w->pairs - first : CHUNK;
        ig_units u[2] = {0};

        for (int s = 0; s < 2 && status == IG_OK; s++)
            status = ig_units_init(&u[s], in->base, w->row[s], first, n, in->pool,
                                   in->watch, error);
        w->odd |= u[0].odd_rows || u[1].odd_rows;
        for (size_t i = 0; i < n && status == IG_OK; i++) {
            const float *row[2] = {u[0].unit + i * d, u[1].unit + i * d};

            see(w, first + i, row, d);
        }
        ig_units_free(&u[0]);
        ig_units_free(&u[1]);
    }
    return status;
}

/* Σ ‖a − b‖² over the pairs of two languages, and the mean over A × B less its pairs;
 * NaN when there is nothing else in A × B. */
static ig_status measure_languages(struct work *w, ig_error *error)
{
    size_t d = w->in->base->dims;
    double product = 0, mean = 0;
    ig_status status;

    w->number++;
    w->distinct = w->rows[0] = w->rows[1] = 0;
    w->near = w->near_once = w->squares[0] = w->squares[1] = 0;
    memset(w->sum[0], 0, d * sizeof *w->sum[0]);
    memset(w->sum[1], 0, d * sizeof *w->sum[1]);
    status = each_pair(w, add_pair, error);
    for (size_t i = 0; i < d; i++)
        product += w->sum[0][i] * w->sum[1][i];
    w->others = ((double)w->rows[1] * w->squares[0] +
                 (double)w->rows[0] * w->squares[1] - 2 * product - w->near_once) /
                ((double)w->rows[0] * (double)w->rows[1] - (double)w->distinct);
    if (w->rows[0] * w->rows[1] == w->distinct)
        w->others = (double)NAN;
    if (status != IG_OK || !w->value)
        return status;
    status = each_pair(w, keep_pair, error);
    for (size_t p = 0; p < w->pairs; p++)
        mean += (double)w->value[2 * p + 1] / (double)w->pairs;
    for (size_t p = 0; p < w->pairs; p++) {
        w->value[2 * p + 1] += (float)(w->others - mean);
        if (isnan(w->others))
            w->value[2 * p] = NAN;
    }
    return status;
}

static ig_status measure_all(ig_relative_alignment *relative, struct work *w,
                             const ig_language_pairs *by, uint64_t *order,
                             ig_error *error)
{
    double near = 0, far = 0;
    ig_status status = IG_OK;

    for (size_t c = 0; c < by->cells && status == IG_OK; c++) {
        size_t first = by->start[c], n = by->start[c + 1] - first;

        if (!n)
            continue;
        for (int s = 0; s < 2; s++)
            w->row[s] = by->row[s] + first;
        for (size_t p = 0; p < n; p++)
            order[p] = (uint64_t)w->row[0][p] << 32 | w->row[1][p];
        ig_array_sort64(order, n);
        for (size_t p = 0; p < n; p++) {
            w->row[0][p] = (uint32_t)(order[p] >> 32);
            w->row[1][p] = (uint32_t)order[p];
        }
        w->pairs = n;
        w->value = relative->items.value ? relative->items.value + 2 * first : NULL;
        status = measure_languages(w, error);
        if (isnan(w->others))
            continue;
        near += w->near;
        far += (double)n * w->others;
        relative->pairs += n;
    }
    if (!by->start[by->cells])
        relative->reason = "no pairs of different languages";
    else if (w->odd)
        relative->reason = "a value is not finite";
    else if (relative->pairs == 0)
        relative->reason = "all rows of two languages are pairs: no baseline";
    else if (far < LEAST * (double)relative->pairs)
        relative->reason = "the rows do not differ";
    else
        relative->alignment = near / far;
    return status;
}

static void group_free(void *result)
{
    ig_relative_alignment *relative = result;

    ig_item_values_free(&relative->items);
    *relative = (ig_relative_alignment){0};
}

static ig_status group_take(const ig_measure_input *in, void *result, ig_error *error)
{
    size_t d = in->base->dims, pairs = in->pairs->pairs;
    ig_relative_alignment *relative = result;
    ig_arena a = {0};
    struct work w = {.in = in,
                     .seen = ig_arena_array(&a, in->base->rows, sizeof *w.seen),
                     .sum = {ig_arena_array(&a, d, sizeof(double)),
                             ig_arena_array(&a, d, sizeof(double))},
                     .difference = ig_arena_array(&a, d, sizeof *w.difference)};
    uint64_t *order = ig_arena_array(&a, pairs, sizeof *order);
    ig_language_pairs by;
    ig_status status = ig_language_pairs_init(&by, in->pairs, &a, error);

    *relative = (ig_relative_alignment){.alignment = (double)NAN, .chance = 1};
    if (status == IG_OK && in->intervals)
        status = ig_item_values_init(&relative->items, by.start[by.cells], 2, error);
    if (status == IG_OK)
        status = measure_all(relative, &w, &by, order, error);
    for (size_t i = 0; i < relative->items.count && status == IG_OK; i++)
        relative->items.row[i] = by.row[0][i];
    ig_item_values_rename(&relative->items, in->row);
    if (relative->reason)
        ig_item_values_free(&relative->items);
    if (status != IG_OK)
        group_free(relative);
    ig_arena_free(&a);
    return status;
}

IG_ITEM(near_of, double, ig_relative_alignment, r->items.value[2 * i])
IG_ITEM(far_of, double, ig_relative_alignment, r->items.value[2 * i + 1])
IG_ITEM(row_of, uint32_t, ig_relative_alignment, r->items.row[i])

static double near_to_far(const void *result, const double *mean)
{
    (void)result;
    return mean[1] > 0 ? mean[0] / mean[1] : (double)NAN;
}

static const ig_figure_line line = {
    "relative_alignment", .at = offsetof(ig_relative_alignment, alignment),
    .chance_at = offsetof(ig_relative_alignment, chance),
    .column = {.value = {near_of, far_of}, .row = row_of, .follows = near_to_far}};

static void group_append(const void *result, ig_figures *figures)
{
    const ig_relative_alignment *r = result;

    ig_figures_add_lines(figures, &line, 1, r, r->pairs, r->items.count, r->reason);
}

static double group_work(const ig_measure_input *in)
{
    return 12 * (double)in->pairs->pairs * (double)in->base->dims;
}

IG_GROUP(relative_alignment, "relative alignment", IG_NEEDS_PAIRS, .free = group_free);
