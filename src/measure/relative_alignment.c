/* Relative alignment. Legend: A and B, the distinct rows of two languages that occur in
 * their pairs; a, b such rows of length 1 (or 0); d dims. The mean over all of A × B
 * needs no products of rows: Σ ‖a − b‖² = |B| Σ‖a‖² + |A| Σ‖b‖² − 2 <Σa, Σb>. */
#include "measure/relative_alignment.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "measure/retrieval_plan.h"
#include "measure/units.h"

/* Mean squared distance of rows below which all of them are one point: what rounding
 * them to floats makes of equal ones. */
static const double LEAST = 1e-13;

struct work {
    const ig_retrieval_plan *plan;
    const ig_units *units;
    uint64_t *pair;  /* (pairs) both units of each pair of two languages */
    uint32_t *taken; /* (units) the languages' pair for which a row was counted + 1 */
    double *sum[2];  /* (d) Σa, Σb */
};

static double distance(const float *a, const float *b, size_t d)
{
    double sum = 0;

    for (size_t i = 0; i < d; i++) {
        double apart = (double)a[i] - (double)b[i];

        sum += apart * apart;
    }
    return sum;
}

/* Count a row of a side: its part of Σa, and ‖a‖². 0 when it was counted before. */
static size_t count_row(struct work *w, size_t job, int side, uint32_t unit,
                        double *squares)
{
    size_t d = w->units->dims;
    const float *row = w->units->unit + unit * d;

    if (w->taken[unit] == job + 1)
        return 0;
    w->taken[unit] = (uint32_t)job + 1;
    for (size_t i = 0; i < d; i++) {
        w->sum[side][i] += (double)row[i];
        *squares += (double)row[i] * (double)row[i];
    }
    return 1;
}

/* Σ ‖a − b‖² over the pairs of two languages, and the mean over A × B less its pairs;
 * NaN when there is nothing else in A × B. */
static double measure_job(struct work *w, size_t j, double *others)
{
    const ig_retrieval_job *job = &w->plan->job[j];
    size_t d = w->units->dims, distinct = 0, rows[2] = {0, 0};
    double near = 0, near_once = 0, squares[2] = {0, 0}, product = 0;

    for (int s = 0; s < 2; s++)
        memset(w->sum[s], 0, d * sizeof *w->sum[s]);
    for (size_t p = 0; p < job->pairs; p++) {
        uint32_t unit[2];

        for (int s = 0; s < 2; s++) {
            unit[s] = w->plan->side[s][job->first + p];
            rows[s] += count_row(w, j, s, unit[s], &squares[s]);
        }
        w->pair[p] = (uint64_t)unit[0] << 32 | unit[1];
    }
    ig_array_sort64(w->pair, job->pairs);
    for (size_t p = 0; p < job->pairs; p++) {
        double apart = distance(w->units->unit + (w->pair[p] >> 32) * d,
                                w->units->unit + (uint32_t)w->pair[p] * d, d);
        bool again = p && w->pair[p] == w->pair[p - 1];

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
    return near;
}

static ig_status measure(ig_relative_alignment *relative, struct work *w,
                         ig_watch *watch, ig_error *error)
{
    double near = 0, far = 0;

    for (size_t j = 0; j < w->plan->jobs; j++) {
        size_t pairs = w->plan->job[j].pairs;
        double others, apart = measure_job(w, j, &others);

        if (ig_watch_stopped(watch))
            return ig_fail(error, IG_INTERRUPTED, "interrupted");
        if (isnan(others))
            continue;
        near += apart;
        far += (double)pairs * others;
        relative->pairs += pairs;
    }
    if (relative->pairs == 0)
        relative->reason = "no rows of two languages that are no pair";
    else if (far < LEAST * (double)relative->pairs)
        relative->reason = "the rows do not differ";
    else
        relative->alignment = near / far;
    return IG_OK;
}

ig_status ig_relative_alignment_measure(ig_relative_alignment *relative,
                                        const ig_rows *rows,
                                        const ig_retrieval_pairs *pairs, ig_pool *pool,
                                        ig_watch *watch, ig_error *error)
{
    ig_retrieval_plan plan = {0};
    ig_units units = {0};
    struct work w = {.plan = &plan, .units = &units};
    double *sums = NULL;
    ig_status status;

    *relative = (ig_relative_alignment){.alignment = NAN, .chance = 1};
    status = ig_retrieval_plan_init(&plan, pairs, rows->rows, rows->dims, 0, error);
    if (status != IG_OK)
        return status;
    units.count = plan.units;
    units.row = plan.row;
    status = ig_units_gather(&units, rows, pool, watch, error);
    if (status != IG_OK)
        goto done;
    sums = ig_alloc(2 * rows->dims, sizeof *sums);
    w.sum[0] = sums;
    w.sum[1] = sums ? sums + rows->dims : NULL;
    w.pair = ig_alloc(plan.pairs, sizeof *w.pair);
    w.taken = ig_alloc(plan.units, sizeof *w.taken);
    if (!sums || !w.pair || !w.taken)
        status = ig_fail_memory(error, "relative alignment");
    else if (plan.jobs == 0)
        relative->reason = "no pairs of different languages";
    else if (units.odd_rows)
        relative->reason = "a value is not finite";
    else
        status = measure(relative, &w, watch, error);
done:
    ig_free(sums);
    ig_free(w.pair);
    ig_free(w.taken);
    plan.row = NULL; /* the units' */
    ig_units_free(&units);
    ig_retrieval_plan_free(&plan);
    return status;
}

/* --- the family ------------------------------------------------------------------ */

static const ig_measure_entry entries[] = {
    {.family = &ig_relative_alignment_family,
     .key = "alignment_relative",
     .name = "alignment, relative",
     .brief = "relat.",
     .about = "The same over the mean squared distance of rows that are no "
              "translations: 0 perfect, 1 chance, however small the space is.",
     .decimals = 3,
     .better = {-1, -1, 0},
     .at = offsetof(ig_relative_alignment, alignment),
     .chance_at = offsetof(ig_relative_alignment, chance)},
};

static double family_work(const ig_measure_input *in)
{
    return 6 * (double)in->pairs->pairs * (double)in->base->dims;
}

static ig_status family_take(const ig_measure_input *in, void *result, ig_error *error)
{
    return ig_relative_alignment_measure(result, in->base, in->pairs, in->pool,
                                         in->watch, error);
}

const ig_family ig_relative_alignment_family = {
    .name = "relative alignment",
    .needs = IG_NEEDS_PAIRS,
    .work = family_work,
    .take = family_take,
    .reason_at = offsetof(ig_relative_alignment, reason),
    .entry = entries,
    .entries = sizeof entries / sizeof *entries};
