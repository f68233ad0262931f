/* Relative alignment. Legend: A and B, the distinct rows of two languages that occur in
 * their pairs; a, b such rows of length 1 (or 0); d dims. The mean over all of A × B
 * needs no products of rows: Σ ‖a − b‖² = |B| Σ‖a‖² + |A| Σ‖b‖² − 2 <Σa, Σb>.
 *
 * For intervals a pair keeps what it adds to that mean, which is one over pairs of
 * rows: to first order twice its own mean less the mean of all (Hájek's projection),
 * its own mean being that of its a with the others of B and of its b with the others of
 * A. */
#include "measure/relative_alignment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "linear/kernels.h"
#include "measure/retrieval_plan.h"
#include "measure/units.h"

/* Mean squared distance of rows below which all of them are one point: what rounding
 * them to floats makes of equal ones. */
static const double LEAST = 1e-13;

struct work {
    const ig_retrieval_plan *plan;
    const float *row;     /* the units: where they are gathered … */
    const uint32_t *list; /* … or these of rows that lie as units already, or NULL */
    size_t dims;
    uint64_t *pair;    /* (pairs) both units of each pair of two languages */
    uint32_t *taken;   /* (units) the languages' pair for which a row was counted + 1 */
    double *sum[2];    /* (d) Σa, Σb */
    double *value;     /* (plan's pairs, 2) or NULL */
    float *difference; /* (d) */
};

static const float *unit_at(const struct work *w, uint32_t unit)
{
    return w->row + (w->list ? w->list[unit] : unit) * w->dims;
}

/* ‖a − b‖² of two units. */
static double distance(const struct work *w, uint32_t a, uint32_t b)
{
    static const float minus[2] = {1, -1};
    const ig_kernels *kernels = ig_kernels_best();
    const float *v[2] = {unit_at(w, a), unit_at(w, b)};

    kernels->combine(v, minus, 2, w->dims, 0, w->difference);
    return kernels->dot(w->difference, w->difference, w->dims);
}

/* Count a row of a side: its part of Σa, and ‖a‖². 0 when it was counted before. */
static size_t count_row(struct work *w, size_t job, int side, uint32_t unit,
                        double *squares)
{
    size_t d = w->dims;
    const float *row = unit_at(w, unit);

    if (w->taken[unit] == job + 1)
        return 0;
    w->taken[unit] = (uint32_t)job + 1;
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

/* The values of the pairs of a job: near, and far, whose mean is `others`. */
static void keep_values(struct work *w, const ig_retrieval_job *job,
                        const size_t rows[2], const double squares[2], double others)
{
    size_t d = w->dims;
    double mean = 0;

    for (size_t p = job->first; p < job->first + job->pairs; p++) {
        double *value = w->value + 2 * p;
        const float *row[2];

        for (int s = 0; s < 2; s++)
            row[s] = unit_at(w, w->plan->side[s][p]);
        value[0] = distance(w, w->plan->side[0][p], w->plan->side[1][p]);
        value[1] = 0;
        for (int s = 0; s < 2; s++) {
            double n = (double)rows[!s], own = product(row[s], w->sum[!s], d);

            value[1] += ig_kernels_best()->dot(row[s], row[s], d) * n / (n - 1);
            value[1] += (squares[!s] - 2 * own - value[0]) / (n - 1);
        }
        mean += value[1] / (double)job->pairs;
    }
    for (size_t p = job->first; p < job->first + job->pairs; p++)
        w->value[2 * p + 1] += others - mean;
}

/* Σ ‖a − b‖² over the pairs of two languages, and the mean over A × B less its pairs;
 * NaN when there is nothing else in A × B. */
static double measure_job(struct work *w, size_t j, double *others)
{
    const ig_retrieval_job *job = &w->plan->job[j];
    size_t d = w->dims, distinct = 0, rows[2] = {0, 0};
    double near = 0, near_once = 0, squares[2] = {0, 0}, product = 0;

    for (int s = 0; s < 2; s++)
        memset(w->sum[s], 0, d * sizeof *w->sum[s]);
    for (size_t p = 0; p < job->pairs; p++)
        w->pair[p] = (uint64_t)w->plan->side[0][job->first + p] << 32 |
                     w->plan->side[1][job->first + p];
    ig_array_sort64(w->pair, job->pairs);
    for (size_t p = 0; p < job->pairs; p++) {
        const uint32_t unit[2] = {(uint32_t)(w->pair[p] >> 32), (uint32_t)w->pair[p]};
        double apart = distance(w, unit[0], unit[1]);
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
        keep_values(w, job, rows, squares, *others);
    return near;
}

/* What was found of a job. */
struct answer {
    size_t job, group[2]; /* of its languages (ig_units_group) */
    double near, others;
};

/* By groups of languages, so that rows are used again before others. */
static int by_group(const void *a, const void *b)
{
    const struct answer *x = a, *y = b;

    for (int s = 0; s < 2; s++)
        if (x->group[s] != y->group[s])
            return x->group[s] < y->group[s] ? -1 : 1;
    return (x->job > y->job) - (x->job < y->job);
}

static int by_job(const void *a, const void *b)
{
    const struct answer *x = a, *y = b;

    return (x->job > y->job) - (x->job < y->job);
}

static ig_status answer_jobs(struct work *w, struct answer *answer, ig_watch *watch,
                             ig_error *error)
{
    const ig_retrieval_plan *plan = w->plan;
    size_t *group = ig_alloc(plan->languages, sizeof *group);

    if (!group)
        return ig_fail_memory(error, "relative alignment");
    ig_units_group(plan->first, plan->languages, w->dims, group);
    for (size_t j = 0; j < plan->jobs; j++)
        answer[j] = (struct answer){
            .job = j,
            .group = {group[plan->job[j].lang[0]], group[plan->job[j].lang[1]]}};
    ig_free(group);
    qsort(answer, plan->jobs, sizeof *answer, by_group);
    for (size_t i = 0; i < plan->jobs; i++) {
        answer[i].near = measure_job(w, answer[i].job, &answer[i].others);
        if (ig_watch_stopped(watch))
            return ig_fail(error, IG_INTERRUPTED, "interrupted");
    }
    qsort(answer, plan->jobs, sizeof *answer, by_job);
    return IG_OK;
}

static ig_status measure_jobs(ig_relative_alignment *relative, struct work *w,
                              ig_watch *watch, ig_error *error)
{
    struct answer *answer = ig_alloc(w->plan->jobs, sizeof *answer);
    double near = 0, far = 0;
    ig_status status = answer ? answer_jobs(w, answer, watch, error)
                              : ig_fail_memory(error, "relative alignment");

    for (size_t j = 0; status == IG_OK && j < w->plan->jobs; j++) {
        size_t pairs = w->plan->job[j].pairs;

        if (isnan(answer[j].others)) {
            for (size_t p = 0; w->value && p < pairs; p++)
                w->value[2 * (w->plan->job[j].first + p)] = NAN;
            continue;
        }
        near += answer[j].near;
        far += (double)pairs * answer[j].others;
        relative->pairs += pairs;
    }
    ig_free(answer);
    if (relative->pairs == 0)
        relative->reason = "no rows of two languages that are no pair";
    else if (far < LEAST * (double)relative->pairs)
        relative->reason = "the rows do not differ";
    else
        relative->alignment = near / far;
    return status;
}

/* The units where they lie, or gathered. */
static ig_status find_units(struct work *w, ig_units *units, const ig_rows *rows,
                            ig_pool *pool, ig_watch *watch, ig_error *error)
{
    ig_status status;

    if (ig_rows_lie_as_units(rows)) {
        w->row = rows->direct;
        w->list = w->plan->row;
        return IG_OK;
    }
    units->count = w->plan->units;
    units->row = w->plan->row;
    status = ig_units_gather(units, rows, pool, watch, error);
    w->row = units->unit;
    return status;
}

/* `keep`: the values of items, too. */
static ig_status measure_pairs(ig_relative_alignment *relative, const ig_rows *rows,
                               const ig_retrieval_pairs *pairs, bool keep,
                               ig_pool *pool, ig_watch *watch, ig_error *error)
{
    ig_retrieval_plan plan = {0};
    ig_units units = {0};
    struct work w = {.plan = &plan, .dims = rows->dims};
    double *sums = NULL;
    ig_status status;

    *relative = (ig_relative_alignment){0};
    status = ig_retrieval_plan_init(&plan, pairs, rows->rows, rows->dims, 0, error);
    if (status != IG_OK)
        return status;
    *relative = (ig_relative_alignment){.alignment = NAN, .chance = 1};
    status = find_units(&w, &units, rows, pool, watch, error);
    if (status != IG_OK)
        goto done;
    sums = ig_alloc(2 * rows->dims, sizeof *sums);
    w.sum[0] = sums;
    w.sum[1] = sums ? sums + rows->dims : NULL;
    w.pair = ig_alloc(plan.pairs, sizeof *w.pair);
    w.taken = ig_alloc(plan.units, sizeof *w.taken);
    w.difference = ig_alloc(rows->dims, sizeof *w.difference);
    if (keep)
        status = ig_item_values_init(&relative->items, plan.pairs, 2, error);
    w.value = relative->items.value;
    for (size_t p = 0; keep && status == IG_OK && p < plan.pairs; p++)
        relative->items.row[p] = plan.row[plan.side[0][p]];
    if (status != IG_OK)
        goto done;
    if (!sums || !w.pair || !w.taken || !w.difference)
        status = ig_fail_memory(error, "relative alignment");
    else if (plan.jobs == 0)
        relative->reason = "no pairs of different languages";
    else if (units.odd_rows)
        relative->reason = "a value is not finite";
    else
        status = measure_jobs(relative, &w, watch, error);
done:
    ig_free(sums);
    ig_free(w.pair);
    ig_free(w.taken);
    ig_free(w.difference);
    plan.row = w.list ? plan.row : NULL; /* they are the units' */
    ig_units_free(&units);
    ig_retrieval_plan_free(&plan);
    if (status != IG_OK || relative->reason)
        ig_item_values_free(&relative->items);
    if (status != IG_OK)
        *relative = (ig_relative_alignment){0};
    return status;
}

ig_status ig_relative_alignment_measure(ig_relative_alignment *relative,
                                        const ig_rows *rows,
                                        const ig_retrieval_pairs *pairs, ig_pool *pool,
                                        ig_watch *watch, ig_error *error)
{
    return measure_pairs(relative, rows, pairs, true, pool, watch, error);
}

void ig_relative_alignment_free(ig_relative_alignment *relative)
{
    ig_item_values_free(&relative->items);
    *relative = (ig_relative_alignment){0};
}

/* --- what it is made of ----------------------------------------------------------- */

static double near_of(const void *result, size_t item)
{
    return ((const ig_relative_alignment *)result)->items.value[2 * item];
}

static double far_of(const void *result, size_t item)
{
    return ((const ig_relative_alignment *)result)->items.value[2 * item + 1];
}

static double near_to_far(const void *result, const double *mean)
{
    (void)result;
    return mean[1] > 0 ? mean[0] / mean[1] : (double)NAN;
}

static uint32_t row_of(const void *result, size_t item)
{
    return ((const ig_relative_alignment *)result)->items.row[item];
}

/* --- the family ------------------------------------------------------------------- */

static const ig_figure_line line = {
    "relative_alignment", .at = offsetof(ig_relative_alignment, alignment),
    .chance_at = offsetof(ig_relative_alignment, chance),
    .column = {.value = {near_of, far_of}, .row = row_of, .follows = near_to_far}};

static void family_append(const void *result, ig_figures *figures)
{
    const ig_relative_alignment *r = result;

    ig_figures_add_lines(figures, &line, 1, r, r->pairs, r->items.count, r->reason);
}

static double family_work(const ig_measure_input *in)
{
    return 12 * (double)in->pairs->pairs * (double)in->base->dims;
}

static ig_status family_take(const ig_measure_input *in, void *result, ig_error *error)
{
    ig_relative_alignment *relative = result;
    ig_status status = measure_pairs(relative, in->base, in->pairs, in->intervals,
                                     in->pool, in->watch, error);

    ig_item_values_rename(&relative->items, in->row);
    return status;
}

static void family_free(void *result)
{
    ig_relative_alignment_free(result);
}

const ig_family ig_relative_alignment_family = {.name = "relative alignment",
                                                .needs = IG_NEEDS_PAIRS,
                                                .work = family_work,
                                                .take = family_take,
                                                .free = family_free,
                                                .append = family_append};
