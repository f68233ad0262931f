/* Differences of methods. Draw b of evaluations of one spec drew the same meanings, so
 * the difference of their means over seeds is a draw of the difference. S seeds, D the
 * difference, V its variance. */
#include "measure/differences.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "measure/statistics.h"

static const double LEVEL = 0.05;

/* --- distributions ---------------------------------------------------------------- */

/* log of C(n, k) / 2ⁿ. */
static double log_binomial(size_t n, size_t k)
{
    return lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1) -
           (double)n * log(2);
}

double ig_mcnemar(size_t only_one, size_t only_other)
{
    size_t n = only_one + only_other;
    size_t least = only_one < only_other ? only_one : only_other;
    double p = 0;

    for (size_t k = 0; k <= least; k++)
        p += exp(log_binomial(n, k));
    return fmin(2 * p, 1);
}

void ig_holm(double *p, size_t n)
{
    size_t left = 0;
    double most = 0;

    for (size_t i = 0; i < n; i++)
        left += !isnan(p[i]);
    /* The minimum of those that are left, again and again, equal ones together. What is
     * corrected is kept as a negative number until the end. */
    while (left) {
        double least = INFINITY;
        size_t equal = 0;

        for (size_t i = 0; i < n; i++)
            if (p[i] >= 0 && p[i] < least)
                least = p[i];
        most = fmax(most, fmin(1, least * (double)left));
        for (size_t i = 0; i < n; i++)
            if (p[i] == least) {
                p[i] = -1 - most;
                equal++;
            }
        left -= equal;
    }
    for (size_t i = 0; i < n; i++)
        if (p[i] < 0)
            p[i] = -1 - p[i];
}

/* One of the two evaluations: the parts of a figure, and what their items are of. */
struct side {
    const void *result;
    ig_figure *part; /* (parts) */
    size_t parts;
};

/* --- parts ------------------------------------------------------------------------ */

/* p of each part, and which way it goes: > 0 where the second is greater. */
struct parts {
    double *p, *sign; /* (count) */
    size_t count;
};

static ig_status parts_init(struct parts *parts, size_t count, ig_error *error)
{
    *parts = (struct parts){ig_alloc(count, sizeof(double)),
                            ig_alloc(count, sizeof(double)), count};
    return parts->p && parts->sign ? IG_OK : ig_fail_memory(error, "the differences");
}

static void count_significant(ig_difference *d, struct parts *parts)
{
    ig_holm(parts->p, parts->count);
    for (size_t i = 0; i < parts->count; i++) {
        d->parts += !isnan(parts->p[i]);
        d->more += parts->p[i] < LEVEL && parts->sign[i] > 0;
        d->less += parts->p[i] < LEVEL && parts->sign[i] < 0;
    }
    IG_FREE(parts->p, parts->sign);
}

static ig_status test_directions(ig_difference *d, const struct side sides[2],
                                 ig_error *error)
{
    struct parts parts;
    ig_status status = parts_init(&parts, sides[0].parts, error);

    for (size_t s = 0; s < sides[0].parts && status == IG_OK; s++) {
        const ig_figure *a = &sides[0].part[s], *b = &sides[1].part[s];
        double (*value)(const void *, size_t) = a->column->value[0];
        size_t only[2] = {0, 0};

        for (size_t i = a->first; i < a->first + a->items; i++) {
            only[0] += value(sides[0].result, i) > value(sides[1].result, i);
            only[1] += value(sides[0].result, i) < value(sides[1].result, i);
        }
        parts.p[s] = isnan(a->value) || isnan(b->value) ? (double)NAN
                                                        : ig_mcnemar(only[0], only[1]);
        parts.sign[s] = (double)only[1] - (double)only[0];
    }
    count_significant(d, &parts);
    return status;
}

/* --- all -------------------------------------------------------------------------- */

/* A figure with its parts: those of a measure, behind one another, that are made of
 * items, and not of the whole. */
static struct side side_of(const ig_evaluation *e, const ig_figure *whole)
{
    const ig_figures *f = &e->figures;
    const char *parts = whole->column ? whole->column->parts : NULL;
    const ig_measure *measure = parts ? ig_measure_named(parts) : whole->measure;
    struct side side = {.result = ig_evaluation_result(
                            e, ig_measure_group_at((size_t)measure->family))};

    for (size_t i = 0; i < f->count; i++) {
        const ig_figure *row = f->row[i];

        if (row->measure != measure || ig_figure_is_whole(row) || !row->column ||
            row->column->how >= IG_OF_PARTS)
            continue;
        if (side.parts == 0 &&
            (side.part = ig_alloc(f->count - i, sizeof *row)) == NULL)
            return side;
        side.part[side.parts++] = *row;
    }
    return side;
}

static bool same_parts(const struct side sides[2])
{
    if (sides[0].parts != sides[1].parts || sides[0].parts == 0)
        return false;
    for (size_t s = 0; s < sides[0].parts; s++) {
        const ig_figure *a = &sides[0].part[s], *b = &sides[1].part[s];

        if (a->items != b->items || a->lang[0] != b->lang[0] ||
            a->lang[1] != b->lang[1])
            return false;
        for (size_t i = a->first; a->column->row && i < a->first + a->items; i++)
            if (a->column->row(sides[0].result, i) !=
                b->column->row(sides[1].result, i))
                return false;
    }
    return true;
}

/* McNemar's test of the directions of a mean over directions. */
static ig_status test_figure(ig_difference *d, const ig_evaluation *a,
                             const ig_evaluation *b, const ig_figure *x,
                             const ig_figure *y, ig_error *error)
{
    struct side sides[2] = {side_of(a, x), side_of(b, y)};
    ig_status status = IG_OK;

    if (x->column && x->column->how == IG_OF_PARTS && same_parts(sides) &&
        sides[0].part->column->binary)
        status = test_directions(d, sides, error);
    IG_FREE(sides[0].part, sides[1].part);
    return status;
}

/* --- seeds and ids ---------------------------------------------------------------- */

/* A figure over the seeds of a method. */
struct estimate {
    double mean;
    double variance; /* s²/S of the mean; 0 of one seed */
    size_t seeds;
};

static struct estimate estimate_of(const double *value, size_t n)
{
    struct estimate e = {.seeds = n};

    for (size_t i = 0; i < n; i++)
        e.mean += value[i] / (double)n;
    for (size_t i = 0; n > 1 && i < n; i++)
        e.variance += (value[i] - e.mean) * (value[i] - e.mean) / (double)(n - 1) /
                      (double)n;
    return e;
}

/* Variance of draws, ignoring NaN; NaN if half of them or more are. */
static double variance_of(const double *draw)
{
    double mean = 0, squares = 0, n = 0;

    for (size_t b = 0; b < IG_DRAWS; b++)
        if (!isnan(draw[b])) {
            mean += draw[b];
            n++;
        }
    mean /= n;
    for (size_t b = 0; b < IG_DRAWS; b++)
        squares += isnan(draw[b]) ? 0 : (draw[b] - mean) * (draw[b] - mean);
    return 2 * n > IG_DRAWS ? squares / (n - 1) : (double)NAN;
}

/* V and its degrees of freedom (Welch, Satterthwaite); fixed seeds have no part. */
static double add_variances(const struct estimate side[2], double ids, size_t units,
                            double *freedom)
{
    double all = ids, below = ids * ids / ((double)units - 1);

    for (int k = 0; k < 2; k++) {
        all += side[k].variance;
        if (side[k].seeds > 1)
            below += side[k].variance * side[k].variance / ((double)side[k].seeds - 1);
    }
    *freedom = below > 0 ? all * all / below : (double)units - 1;
    return all;
}

static ig_interval interval_about(double value, double variance, double freedom)
{
    double half = sqrt(variance);

    if (isnan(value) || isnan(variance) || !(freedom > 0))
        return IG_NO_INTERVAL;
    half *= variance > 0 ? ig_t_quantile(freedom) : 0;
    return (ig_interval){value - half, value + half};
}

ig_interval ig_interval_of_seeds(const double *value, const float *const *draw,
                                 size_t n, size_t units)
{
    struct estimate side[2] = {{.seeds = 0}, {.seeds = 0}};
    double mean[IG_DRAWS] = {0}, known[IG_SEEDS_MAX], freedom, variance;
    size_t count = 0;

    for (size_t i = 0; i < n && count < IG_SEEDS_MAX; i++)
        if (draw[i] && !isnan(value[i])) {
            known[count++] = value[i];
            for (size_t b = 0; b < IG_DRAWS; b++)
                mean[b] += (double)draw[i][b];
        }
    for (size_t b = 0; b < IG_DRAWS; b++)
        mean[b] /= (double)count; /* 0/0 is NaN */
    side[0] = estimate_of(known, count);
    variance = add_variances(side, variance_of(mean), units, &freedom);
    return count ? interval_about(side[0].mean, variance, freedom) : IG_NO_INTERVAL;
}

/* The estimate of a figure, and its mean draws added with a sign; false: a run has no
 * draws. */
static bool add_side(ig_seeds of, const ig_measure *measure, double sign,
                     struct estimate *out, double *draw, size_t *units)
{
    double value[IG_SEEDS_MAX];

    for (size_t i = 0; i < of.count; i++) {
        const ig_figure *f = ig_figures_whole(&of.run[i]->figures, measure->name);

        if (i == IG_SEEDS_MAX || !f || !f->draw)
            return false;
        value[i] = f->value;
        *units = f->units;
        for (size_t b = 0; b < IG_DRAWS; b++)
            draw[b] += sign * (double)f->draw[b] / (double)of.count;
    }
    *out = estimate_of(value, of.count);
    return of.count > 0;
}

/* Half a unit of the last decimal that is written. */
static double least_of(const ig_measure *measure)
{
    return 0.5 * pow(10, -measure->decimals) /
           (measure->unit == IG_UNIT_SHARE ? 100 : 1);
}

static void judge(ig_difference *d)
{
    d->significant = d->holm < LEVEL && fabs(d->value) >= least_of(d->measure);
}

/* How far a method lies from chance, if the measure ends there; else NaN. */
static double past_chance(ig_seeds of, const ig_measure *measure)
{
    const ig_figure *f = of.count ? ig_figures_whole(&of.run[0]->figures, measure->name)
                                  : NULL;

    return f && measure->ends_at_chance ? f->value - f->chance : (double)NAN;
}

ig_status ig_difference_take(ig_difference *out, const ig_measure *measure,
                             ig_seeds first, ig_seeds second, ig_error *error)
{
    double draw[IG_DRAWS] = {0}, variance, freedom;
    struct estimate side[2];
    size_t units = 0;

    *out = (ig_difference){.measure = measure,
                           .value = (double)NAN,
                           .interval = IG_NO_INTERVAL,
                           .holm = (double)NAN,
                           .past_chance = past_chance(second, measure)};
    if (measure->no_interval || !add_side(first, measure, -1, &side[0], draw, &units) ||
        !add_side(second, measure, 1, &side[1], draw, &units))
        return IG_OK;
    out->value = side[1].mean - side[0].mean;
    variance = add_variances(side, variance_of(draw), units, &freedom);
    out->interval = interval_about(out->value, variance, freedom);
    out->holm = variance > 0      ? ig_t_p(out->value / sqrt(variance), freedom)
                : isnan(variance) ? (double)NAN
                                  : !(fabs(out->value) > 0);
    judge(out);
    if (!ig_interval_is(out->interval) || first.count > 1 || second.count > 1)
        return IG_OK;
    return test_figure(out, first.run[0], second.run[0],
                       ig_figures_whole(&first.run[0]->figures, measure->name),
                       ig_figures_whole(&second.run[0]->figures, measure->name), error);
}

ig_status ig_differences_take(ig_difference *out, size_t *count, ig_seeds first,
                              ig_seeds second, ig_error *error)
{
    const ig_measure *measure;
    double *p = NULL;
    ig_status status = IG_OK;

    *count = 0;
    for (size_t i = 0; status == IG_OK && (measure = ig_measure_at(i)) != NULL; i++) {
        status = ig_difference_take(&out[*count], measure, first, second, error);
        if (status == IG_OK)
            *count += ig_interval_is(out[*count].interval);
    }
    p = ig_alloc(*count, sizeof *p);
    if (status == IG_OK && !p)
        status = ig_fail_memory(error, "the differences");
    for (size_t i = 0; p && i < *count; i++)
        p[i] = out[i].holm;
    ig_holm(p, p ? *count : 0);
    for (size_t i = 0; p && i < *count; i++) {
        out[i].holm = p[i];
        judge(&out[i]);
    }
    ig_free(p);
    return status;
}
