/* Relative alignment. Legend: A and B, the distinct rows of two languages that occur in
 * their pairs; a, b such rows of length 1 (or 0); d dims. The mean over all of A × B
 * needs no products of rows: Σ ‖a − b‖² = |B| Σ‖a‖² + |A| Σ‖b‖² − 2 <Σa, Σb>.
 *
 * For intervals a pair keeps what it adds to that mean, which is one over pairs of
 * rows: to first order twice its own mean less the mean of all (Hájek's projection),
 * its own mean being that of its a with the others of B and of its b with the others of
 * A. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/kernels.h"
#include "core/memory.h"
#include "measure/results.h"

/* Mean squared distance below which all rows are one point: rounding error of equal
 * rows. */
static const double LEAST = 1e-13;

struct work {
    const ig_retrieval_pairs *pairs;
    uint32_t *start, *order; /* (L² + 2), (pairs) the pairs of each two languages */
    const ig_rows *rows;
    float *buffer; /* two rows, and what reading them takes */
    size_t dims;
    uint64_t *pair;    /* (pairs) both rows of each */
    uint32_t *taken;   /* (rows) the languages' pair for which a row was counted + 1 */
    double *sum[2];    /* (d) Σa, Σb */
    float *value;      /* (pairs of two languages, 2) or NULL */
    float *difference; /* (d) */
};

/* A row of length 1: a pointer to it, or a copy read into the buffer of its side. */
static const float *unit_at(const struct work *w, int side, uint32_t row)
{
    float *buffer = w->buffer + (side ? w->dims : 0);

    if (ig_rows_lie_as_units(w->rows))
        return w->rows->direct + row * w->dims;
    ig_rows_gather(w->rows, &row, 1, buffer, w->dims, w->buffer + 2 * w->dims);
    if (!w->rows->unit)
        ig_rows_unit(buffer, w->dims, buffer, w->dims, 1, w->dims);
    return buffer;
}

/* Row of a pair in its lower language (side 0), or in the other. */
static uint32_t side_of(const struct work *w, uint32_t pair, int side)
{
    const ig_retrieval_pairs *p = w->pairs;
    bool turn = p->lang[p->left[pair]] > p->lang[p->right[pair]];

    return (turn == (side == 1) ? p->left : p->right)[pair];
}

static bool any_odd(const struct work *w, size_t pairs)
{
    bool odd = false;

    for (size_t i = 0; !w->rows->unit && i < 2 * pairs && !odd; i++)
        odd = !isfinite(ig_kernels_best()->max_abs(
            unit_at(w, 0, side_of(w, w->order[i / 2], i % 2)), w->dims));
    return odd;
}

static double squared_distance(const struct work *w, uint32_t a, uint32_t b)
{
    static const float minus[2] = {1, -1};
    const ig_kernels *kernels = ig_kernels_best();
    const float *v[2] = {unit_at(w, 0, a), unit_at(w, 1, b)};

    kernels->combine(v, minus, 2, w->dims, 0, w->difference);
    return kernels->dot(w->difference, w->difference, w->dims);
}

/* Count a row of a side: its part of Σa, and ‖a‖². 0 when it was counted before. */
static size_t count_row(struct work *w, size_t job, int side, uint32_t at,
                        double *squares)
{
    size_t d = w->dims;
    const float *row;

    if (w->taken[at] == job + 1)
        return 0;
    row = unit_at(w, side, at);
    w->taken[at] = (uint32_t)job + 1;
    for (size_t i = 0; i < d; i++)
        w->sum[side][i] += (double)row[i];
    *squares += ig_kernels_best()->dot(row, row, d);
    return 1;
}

static double product(const float *a, const double *sum, size_t d)
{
    double out = 0;

    for (size_t i = 0; i < d; i++)
        out += (double)a[i] * sum[i];
    return out;
}

/* The values of the pairs first … last − 1: near, and far, whose mean is `others`. */
static void keep_values(struct work *w, size_t first, size_t last, const size_t rows[2],
                        const double squares[2], double others)
{
    size_t d = w->dims;
    double mean = 0;

    for (size_t p = first; p < last; p++) {
        const uint32_t at[2] = {side_of(w, w->order[p], 0), side_of(w, w->order[p], 1)};
        double near = squared_distance(w, at[0], at[1]), far = 0;
        const float *row[2];

        for (int s = 0; s < 2; s++)
            row[s] = unit_at(w, s, at[s]);
        for (int s = 0; s < 2; s++) {
            double n = (double)rows[!s], own = product(row[s], w->sum[!s], d);

            far += ig_kernels_best()->dot(row[s], row[s], d) * n / (n - 1);
            far += (squares[!s] - 2 * own - near) / (n - 1);
        }
        mean += far / (double)(last - first);
        w->value[2 * p] = (float)near;
        w->value[2 * p + 1] = (float)far;
    }
    for (size_t p = first; p < last; p++)
        w->value[2 * p + 1] += (float)(others - mean);
}

/* Σ ‖a − b‖² over the pairs of two languages, and the mean over A × B less its pairs;
 * NaN when there is nothing else in A × B. */
static double measure_languages(struct work *w, size_t j, double *others)
{
    size_t first = w->start[j], pairs = w->start[j + 1] - first;
    size_t d = w->dims, distinct = 0, rows[2] = {0, 0};
    double near = 0, near_once = 0, squares[2] = {0, 0}, product = 0;

    for (int s = 0; s < 2; s++)
        memset(w->sum[s], 0, d * sizeof *w->sum[s]);
    for (size_t p = 0; p < pairs; p++)
        w->pair[p] = (uint64_t)side_of(w, w->order[first + p], 0) << 32 |
                     side_of(w, w->order[first + p], 1);
    ig_array_sort64(w->pair, pairs);
    for (size_t p = 0; p < pairs; p++) {
        const uint32_t unit[2] = {(uint32_t)(w->pair[p] >> 32), (uint32_t)w->pair[p]};
        double apart = squared_distance(w, unit[0], unit[1]);
        bool again = p && w->pair[p] == w->pair[p - 1];

        for (int s = 0; s < 2; s++)
            rows[s] += count_row(w, j, s, unit[s], &squares[s]);
        near += apart;
        near_once += again ? 0 : apart;
        distinct += !again;
    }
    for (size_t i = 0; i < d; i++)
        product += w->sum[0][i] * w->sum[1][i];
    *others = ((double)rows[1] * squares[0] + (double)rows[0] * squares[1] -
               2 * product - near_once) /
              ((double)rows[0] * (double)rows[1] - (double)distinct);
    if (rows[0] * rows[1] == distinct)
        *others = NAN;
    else if (w->value)
        keep_values(w, first, first + pairs, rows, squares, *others);
    return near;
}

static ig_status measure_all(ig_relative_alignment *relative, struct work *w,
                             ig_progress *watch, ig_error *error)
{
    double near = 0, far = 0;

    for (size_t j = 0; j < w->pairs->languages * w->pairs->languages; j++) {
        size_t pairs = w->start[j + 1] - w->start[j];
        double others, own = pairs ? measure_languages(w, j, &others) : 0;

        if (!pairs)
            continue;

        if (ig_progress_cancelled(watch))
            return ig_fail(error, IG_INTERRUPTED, "interrupted");
        if (isnan(others)) {
            for (size_t p = 0; w->value && p < pairs; p++)
                w->value[2 * (w->start[j] + p)] = NAN;
            continue;
        }
        near += own;
        far += (double)pairs * others;
        relative->pairs += pairs;
    }
    if (relative->pairs == 0)
        relative->reason = "all rows of two languages are pairs: no baseline";
    else if (far < LEAST * (double)relative->pairs)
        relative->reason = "the rows do not differ";
    else
        relative->alignment = near / far;
    return IG_OK;
}

static void group_free(void *result)
{
    ig_relative_alignment *relative = result;

    ig_item_values_free(&relative->items);
    *relative = (ig_relative_alignment){0};
}

/* The lower and the higher of two languages as one number; SIZE_MAX: they are one. */
static size_t languages_of(const void *context, size_t i)
{
    const ig_retrieval_pairs *p = context;
    size_t a = p->lang[p->left[i]], b = p->lang[p->right[i]];

    return a == b ? SIZE_MAX : a < b ? a * p->languages + b : b * p->languages + a;
}

static ig_status measure_pairs(ig_relative_alignment *relative,
                               const ig_measure_input *in, ig_arena *arena,
                               ig_error *error)
{
    const ig_retrieval_pairs *p = in->pairs;
    size_t d = in->base->dims, cells = p->languages * p->languages, pairs;
    struct work w = {.pairs = p, .rows = in->base, .dims = d};
    ig_status status = IG_OK;

    w.start = ig_arena_array(arena, cells + 2, sizeof *w.start);
    w.order = ig_arena_array(arena, p->pairs, sizeof *w.order);
    for (int s = 0; s < 2; s++)
        w.sum[s] = ig_arena_array(arena, d, sizeof(double));
    w.pair = ig_arena_array(arena, p->pairs, sizeof *w.pair);
    w.taken = ig_arena_array(arena, in->base->rows, sizeof *w.taken);
    w.difference = ig_arena_array(arena, d, sizeof *w.difference);
    w.buffer = ig_arena_array(arena, 2 * d + in->base->scratch, sizeof *w.buffer);
    if (arena->failed)
        return ig_fail_memory(error, "relative alignment");
    ig_array_order(p->pairs, cells, languages_of, p, w.start, w.order);
    pairs = w.start[cells];
    if (in->intervals)
        status = ig_item_values_init(&relative->items, pairs, 2, error);
    w.value = relative->items.value;
    for (size_t i = 0; w.value && i < pairs; i++)
        relative->items.row[i] = side_of(&w, w.order[i], 0);
    if (status != IG_OK)
        return status;
    if (pairs == 0)
        relative->reason = "no pairs of different languages";
    else if (any_odd(&w, pairs))
        relative->reason = "a value is not finite";
    else
        status = measure_all(relative, &w, in->watch, error);
    ig_item_values_rename(&relative->items, in->row);
    if (relative->reason)
        ig_item_values_free(&relative->items);
    return status;
}

static ig_status group_take(const ig_measure_input *in, void *result, ig_error *error)
{
    ig_relative_alignment *relative = result;
    ig_arena arena = {0};
    ig_status status;

    *relative = (ig_relative_alignment){.alignment = NAN, .chance = 1};
    status = measure_pairs(relative, in, &arena, error);
    ig_arena_free(&arena);
    if (status != IG_OK)
        group_free(relative);
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
