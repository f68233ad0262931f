/* Differences of methods. Draw b of evaluations of one spec drew the same meanings, so
 * the difference of their means over seeds is a draw of the difference. S seeds, D the
 * difference, V its variance. */
#include "measure/differences.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/bootstrap.h"
#include "measure/evaluation.h"

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

/* Two-sided p of the difference of two shares of the same items: t with the variance
 * over units, the exact binomial test where few of them differ; NaN without items.
 *   unit  in/out  zeros
 *   more  out     units where the second is greater, less those where it is smaller */
static double test_share(const ig_figure *a, const ig_figure *b, struct unit *unit,
                         double *more)
{
    double sum = 0, n = 0, units = 0, variance = 0;
    size_t way[2] = {0, 0}, items = a->items == b->items ? a->items : 0;

    for (size_t i = 0; i < items; i++) {
        double by = (double)b->item[0][i] - (double)a->item[0][i];

        if (isnan(by))
            continue;
        unit[a->unit[i]].difference += by;
        unit[a->unit[i]].items++;
        sum += by;
        n++;
    }
    for (size_t i = 0; i < items; i++) {
        struct unit *u = &unit[a->unit[i]];

        way[0] += u->difference < 0;
        way[1] += u->difference > 0;
        units += u->items > 0;
        variance += pow(u->difference - u->items * sum / n, 2);
        *u = (struct unit){0, 0}; /* counted once */
    }
    *more = (double)way[1] - (double)way[0];
    return n == 0 ? (double)NAN
           : way[0] + way[1] < EXACT
               ? ig_binomial_p(way[0], way[1])
               : ig_t_p(sum / sqrt(variance * units / (units - 1)), units - 1);
}

/* Test the directions of a mean over directions. */
static ig_status test_parts(ig_difference *d, const ig_figure *a, const ig_figure *b,
                            ig_error *error)
{
    size_t n = a->items == b->items ? a->items : 0, units = 0;
    ig_arena arena = {0};
    double *p = ig_arena_array(&arena, n, sizeof *p);
    double *more = ig_arena_array(&arena, n, sizeof *more);
    double **known = ig_arena_array(&arena, n, sizeof(*known));
    struct unit *unit;
    ig_status status;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < a->part[i]->items; k++)
            units = a->part[i]->unit[k] < units ? units : a->part[i]->unit[k] + 1u;
    unit = ig_arena_array(&arena, units, sizeof *unit);
    status = arena.failed ? ig_fail_memory(error, "the differences") : IG_OK;
    for (size_t i = 0; i < n && status == IG_OK; i++) {
        p[i] = test_share(a->part[i], b->part[i], unit, &more[i]);
        if (!isnan(p[i]))
            known[d->parts++] = &p[i];
    }
    ig_holm(known, d->parts);
    for (size_t i = 0; i < n && d->parts; i++) {
        d->more += p[i] < LEVEL && more[i] > 0;
        d->less += p[i] < LEVEL && more[i] < 0;
    }
    ig_arena_free(&arena);
    return status;
}

/* --- seeds and ids ---------------------------------------------------------------- */

/* A mean over the seeds of a method, or the difference of two. */
struct estimate {
    double value;
    double variance, below; /* Σ s²/S over the methods, and Σ (s²/S)²/(S − 1) */
    float draw[IG_DRAWS];
};

static void add_method(struct estimate *e, double sign, const double *value,
                       const float *const *draw, size_t seeds)
{
    double mean = 0, variance = 0, n = (double)seeds;

    for (size_t i = 0; i < seeds; i++) {
        mean += value[i] / n;
        for (size_t b = 0; b < IG_DRAWS; b++)
            e->draw[b] += (float)(sign / n) * draw[i][b];
    }
    for (size_t i = 0; i < seeds && seeds > 1; i++)
        variance += (value[i] - mean) * (value[i] - mean) / (n - 1) / n;
    e->value += sign * mean;
    e->variance += variance;
    e->below += variance > 0 ? variance * variance / (n - 1) : 0;
}

/* t with the degrees of freedom of Welch and Satterthwaite. */
static ig_interval conclude(struct estimate *e, size_t units, double *p)
{
    double ids, u = (double)units - 1, all, below, freedom, half;

    ig_draws_keep(e->draw, IG_DRAWS, &ids);
    all = e->variance + ids;
    below = e->below + ids * ids / u;
    freedom = below > 0 ? all * all / below : u;
    *p = all > 0      ? ig_t_p(e->value / sqrt(all), freedom)
         : isnan(all) ? all
                      : !(fabs(e->value) > 0);
    if (isnan(e->value) || isnan(all) || !(freedom > 0))
        return IG_NO_INTERVAL;
    half = all > 0 ? ig_t_quantile(freedom) * sqrt(all) : 0;
    return (ig_interval){e->value - half, e->value + half};
}

ig_interval ig_interval_of_seeds(const double *value, const float *const *draw,
                                 size_t n, size_t units)
{
    struct estimate e = {0};
    double p;

    add_method(&e, 1, value, draw, n);
    return n ? conclude(&e, units, &p) : IG_NO_INTERVAL;
}

/* Add the runs of a method. Returns the figure of the last; NULL: one has no draws. */
static const ig_figure *add_runs(struct estimate *e, double sign, ig_seeds of,
                                 const ig_measure *measure)
{
    const ig_figure *f = NULL;
    double value[IG_SEEDS_MAX];
    const float *draw[IG_SEEDS_MAX];

    for (size_t i = 0; i < of.count; i++) {
        f = ig_figures_whole(&of.run[i]->figures, measure->name);
        if (i == IG_SEEDS_MAX || !f || !f->draw)
            return NULL;
        value[i] = f->value;
        draw[i] = f->draw;
    }
    add_method(e, sign, value, draw, of.count);
    return f;
}

/* A difference below half a unit of the last decimal is written as 0. */
static void judge(ig_difference *d)
{
    double least = 0.5 * pow(10, -d->measure->decimals);

    least /= d->measure->unit == IG_UNIT_SHARE ? 100 : 1;
    d->significant = d->holm < LEVEL && fabs(d->value) >= least;
}

ig_status ig_difference_take(ig_difference *out, const ig_measure *measure,
                             ig_seeds first, ig_seeds second, ig_error *error)
{
    struct estimate e = {0};
    const ig_figure *a = add_runs(&e, -1, first, measure);
    const ig_figure *b = a ? add_runs(&e, 1, second, measure) : NULL;

    *out = (ig_difference){.measure = measure,
                           .value = b ? e.value : (double)NAN,
                           .interval = IG_NO_INTERVAL,
                           .holm = (double)NAN};
    if (b)
        out->interval = conclude(&e, b->units, &out->holm);
    judge(out);
    if (!ig_interval_is(out->interval) || first.count + second.count > 2 ||
        a->how != IG_MEAN_OF || !measure->share)
        return IG_OK;
    return test_parts(out, a, b, error);
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
