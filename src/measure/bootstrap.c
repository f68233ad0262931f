/* The bootstrap. A figure is a function of sums of its items (measure/figure.h), and so
 * is a draw, in which each item counts as often as its unit was drawn. How often is
 * Poisson with mean 1: to first order the multinomial weights of the bootstrap, but
 * independent: a weight follows from the seed, the draw and the number of the unit. */
#include "measure/bootstrap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/kernels.h"
#include "core/random.h"

enum {
    STEP = 64,     /* draws at once */
    ITEMS = 64,    /* items at once */
    UNITS_MIN = 10 /* of a correlation that has an interval */
};

struct job {
    ig_figures *figures;
    uint64_t seed;
    size_t units, first; /* the first of the draws at hand */
    float *weight;       /* (units, STEP) times that each draw has a unit */
};

/* --- distributions ---------------------------------------------------------------- */

/* By its continued fraction (Lentz; DLMF 8.17.22). */
static double incomplete_beta(double a, double b, double x)
{
    double front =
        exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    double c = 1, d, h;

    if (x <= 0 || x >= 1)
        return x >= 1;
    if (x > (a + 1) / (a + b + 2) + 1e-9) /* never of both x and 1 − x */
        return 1 - incomplete_beta(b, a, 1 - x);
    h = d = 1 / (1 - (a + b) * x / (a + 1));
    for (int k = 2; k < 1000 && fabs(c * d - 1) > 1e-15; k++) {
        int m = k / 2;
        double step = k % 2 ? -(a + m) * (a + b + m) * x / ((a + k - 1) * (a + k))
                            : m * (b - m) * x / ((a + k - 1) * (a + k));

        d = 1 / (1 + step * d);
        c = 1 + step / c;
        h *= c * d;
    }
    return front * h / a;
}

static double beta_quantile(double p, double a, double b)
{
    double low = 0, high = 1, x = 0.5;

    for (; low < x && x < high; x = 0.5 * (low + high)) /* until they are neighbours */
        *(incomplete_beta(a, b, x) < p ? &low : &high) = x;
    return x;
}

double ig_t_quantile(double p, double freedom)
{
    double x = beta_quantile(1 - p, 0.5, freedom / 2);

    return sqrt(freedom * x / (1 - x));
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

double ig_quantile(float *value, size_t n, double share)
{
    double at = share * (double)(n - 1);
    size_t k = (size_t)at, next = k + 1 < n ? k + 1 : k;

    qsort(value, n, sizeof *value, by_value);
    return (double)value[k] + (at - (double)k) * (double)(value[next] - value[k]);
}

/* --- units ------------------------------------------------------------------------ */

/* Whether a figure and its parts with values have intervals, once units are counted. */
static bool is_drawn(const ig_figure *f)
{
    for (size_t i = 0; f->how == IG_MEAN_OF && i < f->items; i++)
        if (!isnan(f->part[i]->value) && !is_drawn(f->part[i]))
            return false;
    return f->how != IG_NO_ITEMS && f->items && !isnan(f->value) &&
           !(f->measure->is & IG_POINT_ONLY) &&
           !(f->how == IG_CORRELATION && f->units < UNITS_MIN);
}

/* Count the distinct units of a figure. seen: by unit, the last figure that had it. */
static size_t count_units(const ig_figure *f, uint32_t *seen, uint32_t stamp)
{
    size_t count = 0;

    for (size_t i = 0; i < f->items; i++)
        if (f->how == IG_MEAN_OF) {
            count += count_units(f->part[i], seen, stamp);
        } else if (!isnan(f->item[0][i])) {
            count += seen[f->unit[i]] != stamp;
            seen[f->unit[i]] = stamp;
        }
    return count;
}

/* --- intervals -------------------------------------------------------------------- */

/* Move the draws that are not NaN to the front. Returns how many, 0 if half or more
 * are NaN; *variance  out  theirs, NaN without any. */
static size_t keep_draws(float draw[IG_DRAWS], double *variance)
{
    double mean = 0, squares = 0;
    size_t n = 0;

    for (size_t b = 0; b < IG_DRAWS; b++)
        if (!isnan(draw[b])) {
            mean += (double)draw[b];
            draw[n++] = draw[b];
        }
    mean /= (double)n;
    for (size_t b = 0; b < n; b++)
        squares += ((double)draw[b] - mean) * ((double)draw[b] - mean);
    n = 2 * n > IG_DRAWS ? n : 0;
    *variance = n ? squares / ((double)n - 1) : (double)NAN;
    return n;
}

/* Clopper and Pearson's interval of a share, for the number of units that would give it
 * its variance [Korn, Graubard 1998]. */
static void bound_share(double value, double variance, double t, double units,
                        double *low, double *high)
{
    double p = fmin(fmax(value, 0), 1);

    if (variance > 1e-9 * p * (1 - p) && p > 0 && p < 1) /* beyond rounding */
        units = p * (1 - p) / variance * (1.96 / t) * (1.96 / t);
    *low = p > 0 ? beta_quantile(0.025, p * units, units - p * units + 1) : 0;
    *high = p < 1 ? beta_quantile(0.975, p * units + 1, units - p * units) : 1;
}

/* Of a correlation t standard errors on Fisher's scale, unless they are mostly
 * rounding. Of others percentiles, expanded for few units as a mean's interval would be
 * (Hesterberg 2015): beyond each Φ(−t √(u / (u − 1))). */
static void set_interval(ig_figure *f)
{
    const ig_figure *one = f->how == IG_MEAN_OF ? f->part[0] : f;
    float kept[IG_DRAWS];
    double variance, u = (double)f->units, tail = 0.025;
    double t = u > 1 ? ig_t_quantile(0.05, u - 1) : 1.96;
    double rest = 1 - f->value * f->value;
    size_t n;

    memcpy(kept, f->draw, sizeof kept);
    n = keep_draws(kept, &variance);
    if (n && f->measure->share && f->how != IG_RATIO) {
        bound_share(f->value, variance, t, u, &f->low, &f->high);
    } else if (n && one->how == IG_CORRELATION && 4 * variance < rest * rest) {
        f->low = tanh(atanh(f->value) - t * sqrt(variance) / rest);
        f->high = tanh(atanh(f->value) + t * sqrt(variance) / rest);
    } else if (n) {
        tail = u > 1 ? 0.5 * erfc(t * sqrt(u / (u - 1) / 2)) : tail;
        f->low = ig_quantile(kept, n, tail);
        f->high = ig_quantile(kept, n, 1 - tail);
    }
}

/* --- draws ------------------------------------------------------------------------ */

/* Weights of units first … last − 1: how many of the cumulative probabilities of
 * Poisson's distribution a hash exceeds. */
static void draw_weights(void *context, size_t member, size_t first, size_t last)
{
    enum { MOST = 12 };
    const struct job *job = context;
    uint32_t limit[MOST];
    double p = exp(-1), sum = p;

    (void)member;
    for (int k = 0; k < MOST; sum += p /= ++k)
        limit[k] = (uint32_t)fmin(sum * 0x1p32, 0xffffffff);
    for (size_t b = 0; b < STEP; b++) {
        uint64_t seed = job->seed, draw = ig_splitmix(&seed) ^ (job->first + b);
        uint64_t key = ig_splitmix(&draw);

        for (size_t u = first; u < last; u++) {
            uint64_t unit = key + u * 0xd1342543de82ef95u, x = ig_splitmix(&unit) >> 32;
            uint32_t times = 0;

            for (int k = 0; k < MOST; k++)
                times += x >= limit[k];
            job->weight[u * STEP + b] = (float)times;
        }
    }
}

/* The sums of the columns of a figure in each of the draws at hand. */
static void sum_items(const struct job *job, const ig_figure *f,
                      double sum[STEP][IG_COLUMNS])
{
    const float *weight[ITEMS];
    float by[IG_COLUMNS][ITEMS], some[STEP];
    size_t columns = f->item[2] ? IG_COLUMNS : IG_COLUMNS - 1;
    double column[IG_COLUMNS];

    for (size_t i = 0, n = 0; i < f->items; n = 0) {
        for (; i < f->items && n < ITEMS; i++)
            if (ig_figure_item(f, i, column)) {
                weight[n] = job->weight + f->unit[i] * (size_t)STEP;
                for (size_t c = 0; c < columns; c++)
                    by[c][n] = (float)column[c];
                n++;
            }
        for (size_t c = 0; c < columns; c++) {
            ig_row_combine(weight, by[c], n, STEP, false, some);
            for (size_t b = 0; b < STEP; b++)
                sum[b][c] += (double)some[b];
        }
    }
}

/* Figures first … last − 1 in the draws at hand. */
static void draw_figures(void *context, size_t member, size_t first, size_t last)
{
    const struct job *job = context;

    (void)member;
    for (size_t k = first; k < last; k++) {
        ig_figure *f = job->figures->row[k];
        double sum[STEP][IG_COLUMNS] = {{0}};

        if (!f->draw || f->how == IG_MEAN_OF)
            continue;
        sum_items(job, f, sum);
        for (size_t b = 0; b < STEP && job->first + b < IG_DRAWS; b++)
            f->draw[job->first + b] = (float)ig_figure_combine(f, sum[b]);
    }
}

/* Intervals of figures first … last − 1, and the draws of means. */
static void end_figures(void *context, size_t member, size_t first, size_t last)
{
    const struct job *job = context;

    (void)member;
    for (size_t k = first; k < last; k++) {
        ig_figure *f = job->figures->row[k];

        for (size_t b = 0; b < IG_DRAWS && f->draw && f->how == IG_MEAN_OF; b++) {
            double sum = 0, weights = 0;

            for (size_t i = 0; i < f->items; i++) {
                const ig_figure *part = f->part[i];
                double weight = f->by_n ? (double)part->n : 1;

                if (!part->draw || isnan(part->draw[b]))
                    continue;
                sum += weight * (double)part->draw[b];
                weights += weight;
            }
            f->draw[b] = (float)(sum / weights); /* 0/0 is NaN */
        }
        if (f->draw)
            set_interval(f);
    }
}

ig_status ig_bootstrap(ig_figures *f, uint64_t seed, ig_pool *pool,
                       const ig_progress *watch, ig_error *error)
{
    struct job job = {.figures = f, .seed = seed};
    ig_arena brief = {0};
    uint32_t *seen;
    ig_status status = IG_OK;

    for (size_t i = 0; i < f->count; i++)
        for (size_t k = 0; k < f->row[i]->items && f->row[i]->how != IG_MEAN_OF; k++)
            if (f->row[i]->unit[k] >= job.units)
                job.units = f->row[i]->unit[k] + (size_t)1;
    seen = ig_arena_array(&brief, job.units, sizeof *seen);
    job.weight = ig_arena_array(&brief, job.units, STEP * sizeof *job.weight);
    for (size_t i = 0; i < f->count && !brief.failed; i++)
        f->row[i]->units = count_units(f->row[i], seen, (uint32_t)i + 1);
    for (size_t i = 0; i < f->count && !brief.failed; i++)
        if (is_drawn(f->row[i])) /* those of parts go with the intervals */
            f->row[i]->draw =
                ig_arena_array(ig_figure_is_whole(f->row[i]) ? &f->arena : &brief,
                               IG_DRAWS, sizeof(float));
    if (brief.failed || f->arena.failed)
        status = ig_fail_memory(error, "the intervals");
    for (; job.first < IG_DRAWS && status == IG_OK; job.first += STEP) {
        ig_parallel_for(pool, job.units, 64, draw_weights, &job);
        ig_parallel_for(pool, f->count, 1, draw_figures, &job);
        if (ig_progress_cancelled(watch))
            status = ig_fail(error, IG_INTERRUPTED, "the intervals were cancelled");
    }
    if (status == IG_OK)
        ig_parallel_for(pool, f->count, 1, end_figures, &job);
    for (size_t i = 0; i < f->count; i++)
        if (!ig_figure_is_whole(f->row[i]))
            f->row[i]->draw = NULL;
    ig_arena_free(&brief);
    return status;
}

/* --- differences ------------------------------------------------------------------ *
 * Draw b of evaluations of one spec drew the same meanings, so the difference of their
 * means over seeds is a draw of the difference. S seeds. */

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

/* Its interval, within ± most, by t with Welch and Satterthwaite's freedom; p. */
static ig_difference conclude(struct estimate *e, size_t units, bool share, double most)
{
    ig_difference out = {.value = e->value, .low = NAN, .high = NAN, .holm = NAN};
    double ids, u = (double)units - 1, all, below, freedom, half, squares;

    keep_draws(e->draw, &ids);
    all = e->variance + ids;
    below = e->below + ids * ids / u;
    freedom = below > 0 ? all * all / below : u;
    if (isnan(e->value) || isnan(all) || !(freedom > 0))
        return out;
    squares = e->value * e->value / all; /* NaN: no difference in any draw */
    out.holm = all > 0
                   ? incomplete_beta(freedom / 2, 0.5, freedom / (freedom + squares))
               : squares > 0 ? pow(2, -u) /* by the sign test */
                             : 1;
    half = all > 0 ? ig_t_quantile(0.05, freedom) * sqrt(all) : 0;
    out.low = fmax(e->value - half, -most);
    out.high = fmin(e->value + half, most);
    if (share)
        bound_share(e->value, all, ig_t_quantile(0.05, freedom), u + 1, &out.low,
                    &out.high);
    return out;
}

ig_difference ig_mean_of_seeds(const double *value, const float *const *draw, size_t n,
                               size_t units, bool share)
{
    struct estimate e = {.value = n ? 0 : (double)NAN};

    add_method(&e, 1, value, draw, n);
    return conclude(&e, units, share, INFINITY);
}

/* Add the runs of a method. Returns the figure of the last; NULL: one has no draws. */
static const ig_figure *add_runs(struct estimate *e, double sign, ig_seeds of,
                                 const ig_measure *measure)
{
    const ig_figure *f = NULL;
    double value[IG_SEEDS_MAX];
    const float *draw[IG_SEEDS_MAX];

    for (size_t i = 0; i < of.count; i++) {
        f = ig_figures_whole(of.run[i], measure->name);
        if (i == IG_SEEDS_MAX || !f || !f->draw)
            return NULL;
        value[i] = f->value;
        draw[i] = f->draw;
    }
    add_method(e, sign, value, draw, of.count);
    return f;
}

ig_difference ig_difference_take(const ig_measure *measure, ig_seeds first,
                                 ig_seeds second)
{
    struct estimate e = {0};
    const ig_figure *a = add_runs(&e, -1, first, measure);
    const ig_figure *b = a ? add_runs(&e, 1, second, measure) : NULL;
    bool share = measure->unit == IG_UNIT_SHARE;
    int digits = measure->decimals + 2 * share;
    ig_difference out;

    e.value = b ? e.value : (double)NAN;
    out = conclude(&e, b ? b->units : 0, false, share ? 1 : (double)INFINITY);
    out.measure = measure;
    /* Where it is the same in every draw: Newcombe 1998, method 10. */
    if (share && fabs(out.value) > 0 && out.low == out.high) {
        out.low = out.value - hypot(b->value - b->low, a->high - a->value);
        out.high = out.value + hypot(b->high - b->value, a->value - a->low);
    }
    out.significant = out.holm < 0.05 && out.low * out.high > 0 &&
                      fabs(out.value) >= 0.5 * pow(10, -digits);
    return out;
}

size_t ig_differences_take(ig_difference *out, ig_seeds first, ig_seeds second)
{
    const ig_measure *measure;
    double p[IG_CHOICE_MAX];
    size_t count = 0;

    for (size_t i = 0; (measure = ig_measure_at(i)) != NULL; i++) {
        out[count] = ig_difference_take(measure, first, second);
        p[count] = out[count].holm;
        count += !isnan(out[count].low);
    }
    for (size_t i = 0; i < count; i++) { /* Holm: p times the tests left at its turn */
        double own = 0;

        for (size_t k = 0; k < count; k++)
            own += p[k] >= p[i];
        own = fmin(1, own * p[i]);
        for (size_t k = 0; k < count; k++)
            if (p[k] >= p[i])
                out[k].holm = fmax(out[k].holm, own);
    }
    for (size_t i = 0; i < count; i++)
        out[i].significant &= out[i].holm < 0.05;
    return count;
}
