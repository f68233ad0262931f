/* Differences of methods. Draw b of evaluations of one spec drew the same meanings, so
 * the difference of their means over seeds is a draw of the difference. S seeds, D the
 * difference, V its variance. */
#include "measure/differences.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "measure/measure_choice.h"
#include "measure/statistics.h"

static const double LEVEL = 0.05;

enum { EXACT = 25 }; /* units that differ: with fewer the test is exact */

static int by_p(const void *a, const void *b)
{
    double x = **(double *const *)a, y = **(double *const *)b;

    return (x > y) - (x < y);
}

void ig_holm(double **p, size_t n)
{
    double most = 0;

    if (n)
        qsort(p, n, sizeof(*p), by_p);
    for (size_t i = 0; i < n; i++)
        *p[i] = most = fmax(most, fmin(1, *p[i] * (double)(n - i)));
}

/* --- parts ------------------------------------------------------------------------ */

/* What the items of a part that a unit has differ by, and how many they are. */
struct unit {
    double difference, items;
};

/* Two-sided p of the difference of two shares over the same units, of which there are
 * more or fewer: t with the variance over units, the exact binomial test where few of
 * them differ. NaN: they are not of the same items.
 *   unit  in/out  zeros
 *   more  out     units where the second is greater, less those where it is smaller */
static double test_share(const ig_figure *a, const ig_figure *b, struct unit *unit,
                         double *more)
{
    double sum = 0, n = 0, units = 0, variance = 0;
    size_t way[2] = {0, 0};
    bool same = a->items == b->items && !isnan(a->value) && !isnan(b->value);

    for (size_t i = 0; i < a->items && same; i++)
        same = a->unit[i] == b->unit[i];
    for (size_t i = 0; i < a->items && same; i++) {
        double by = (double)b->item[0][i] - (double)a->item[0][i];

        if (isnan(by))
            continue;
        unit[a->unit[i]].difference += by;
        unit[a->unit[i]].items++;
        sum += by;
        n++;
    }
    for (size_t i = 0; i < a->items && same; i++) {
        struct unit *u = &unit[a->unit[i]];

        way[0] += u->difference < 0;
        way[1] += u->difference > 0;
        units += u->items > 0;
        variance += pow(u->difference - u->items * sum / n, 2);
        *u = (struct unit){0, 0}; /* counted once */
    }
    *more = (double)way[1] - (double)way[0];
    if (!same || n == 0)
        return (double)NAN;
    if (way[0] + way[1] < EXACT)
        return ig_binomial_p(way[0], way[1]);
    return ig_t_p(sum / sqrt(variance * units / (units - 1)), units - 1);
}

/* Test the directions of a mean over directions. */
static ig_status test_parts(ig_difference *d, const ig_evaluation *first,
                            const ig_evaluation *second, ig_error *error)
{
    const ig_figure *a = ig_figures_whole(&first->figures, d->measure->name);
    const ig_figure *b = ig_figures_whole(&second->figures, d->measure->name);
    size_t n = a->how == IG_MEAN_OF && a->items == b->items ? a->items : 0;
    ig_arena arena = {0};
    double *p = ig_arena_array(&arena, n, sizeof *p);
    double *more = ig_arena_array(&arena, n, sizeof *more);
    double **known = ig_arena_array(&arena, n, sizeof(*known));
    struct unit *unit = ig_arena_array(&arena, first->figures.seen_units, sizeof *unit);
    ig_status status = arena.failed ? ig_fail_memory(error, "the differences") : IG_OK;

    for (size_t i = 0; i < n && status == IG_OK; i++) {
        const ig_figure *x = a->part[i], *y = b->part[i];
        bool same = x->lang[0] == y->lang[0] && x->lang[1] == y->lang[1];

        p[i] = same && d->measure->share ? test_share(x, y, unit, &more[i])
                                         : (double)NAN;
        if (!isnan(p[i]))
            known[d->parts++] = &p[i];
    }
    if (status == IG_OK)
        ig_holm(known, d->parts);
    for (size_t i = 0; i < n && d->parts; i++) {
        d->more += p[i] < LEVEL && more[i] > 0;
        d->less += p[i] < LEVEL && more[i] < 0;
    }
    ig_arena_free(&arena);
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
    return test_parts(out, first.run[0], second.run[0], error);
}

ig_status ig_differences_take(ig_difference *out, size_t *count, ig_seeds first,
                              ig_seeds second, ig_error *error)
{
    const ig_measure *measure;
    double *p[IG_CHOICE_MAX];
    size_t known = 0;
    ig_status status = IG_OK;

    *count = 0;
    for (size_t i = 0; status == IG_OK && (measure = ig_measure_at(i)) != NULL; i++) {
        status = ig_difference_take(&out[*count], measure, first, second, error);
        if (status != IG_OK || !ig_interval_is(out[*count].interval))
            continue;
        p[known++] = &out[(*count)++].holm;
    }
    ig_holm(p, known);
    for (size_t i = 0; i < *count; i++)
        judge(&out[i]);
    return status;
}
