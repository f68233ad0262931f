/* Differences of methods. Draw b of evaluations of one spec drew the same meanings, so
 * the difference of their means over seeds is a draw of the difference. S seeds, D the
 * difference, V its variance. */
#include "measure/differences.h"

#include <math.h>
#include <stdlib.h>

#include "measure/bootstrap.h"

static const double LEVEL = 0.05;

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

ig_difference ig_difference_take(const ig_measure *measure, ig_seeds first,
                                 ig_seeds second)
{
    struct estimate e = {0};
    const ig_figure *a = add_runs(&e, -1, first, measure);
    const ig_figure *b = a ? add_runs(&e, 1, second, measure) : NULL;
    ig_difference out = {.measure = measure,
                         .value = b ? e.value : (double)NAN,
                         .interval = IG_NO_INTERVAL,
                         .holm = (double)NAN};

    if (b)
        out.interval = conclude(&e, b->units, &out.holm);
    judge(&out);
    return out;
}

size_t ig_differences_take(ig_difference *out, ig_seeds first, ig_seeds second)
{
    const ig_measure *measure;
    double *p[IG_CHOICE_MAX];
    size_t count = 0;

    for (size_t i = 0; (measure = ig_measure_at(i)) != NULL; i++) {
        out[count] = ig_difference_take(measure, first, second);
        p[count] = &out[count].holm;
        count += ig_interval_is(out[count].interval);
    }
    ig_holm(p, count);
    for (size_t i = 0; i < count; i++)
        judge(&out[i]);
    return count;
}
