/* Intervals of figures that carry their items (measure/figure.h): one Poisson bootstrap
 * over their units. And differences of two methods of one seed or several: whether they
 * are significant, by the variance over seeds and over draws (METHODS.md). */
#pragma once

#include "core/error.h"
#include "core/pool.h"
#include "core/progress.h"
#include "measure/figure.h"

/* Fill in the 95% intervals: of shares Korn and Graubard's, of others percentiles of
 * the draws; and the draws of figures of the whole. All figures, spaces and runs with
 * the same units are drawn alike.
 *   watch  in  cancels; or NULL
 * IG_OK, IG_NOMEM or IG_INTERRUPTED. O(draws · units · columns). */
ig_status ig_bootstrap(ig_figures *figures, uint64_t seed, ig_pool *pool,
                       const ig_progress *watch, ig_error *error);

/* --- differences ------------------------------------------------------------------ */

enum { IG_SEEDS_MAX = 1000 }; /* runs of a method that are compared */

/* Figures, of one spec, of the runs of a method that differ by the seed alone. */
typedef struct ig_seeds {
    const ig_figures *const *run; /* (count) */
    size_t count;
} ig_seeds;

typedef struct ig_difference {
    const ig_measure *measure;
    double value;     /* mean of the second less that of the first */
    double low, high; /* 95%: t with Welch's degrees of freedom; NaN: there is none */
    double holm;      /* p of the same t, corrected over the figures compared */
    bool significant; /* holm is below 0.05, and the difference is not rounded to 0 */
} ig_difference;

/* The difference of one figure; it has no interval where a run has no draws. */
ig_difference ig_difference_take(const ig_measure *measure, ig_seeds first,
                                 ig_seeds second);

/* The differences of all figures that have draws in all runs: out (measures of the
 * table). Returns how many. O(figures · runs · draws). */
size_t ig_differences_take(ig_difference *out, ig_seeds first, ig_seeds second);

/* The mean of a figure over n seeds ± t √(s²/n + V), s² the variance over the seeds, V
 * that of the mean over draws of so many units; of a share Korn and Graubard's for it.
 *   value, draw  in  (n); no value is NaN */
ig_difference ig_mean_of_seeds(const double *value, const float *const *draw, size_t n,
                               size_t units, bool share);

/* --- distributions ---------------------------------------------------------------- */

/* What |t| exceeds with probability p. freedom > 0, not necessarily whole. */
double ig_t_quantile(double p, double freedom);

/* The quantile of n > 0 values by linear interpolation; sorts them. */
double ig_quantile(float *value, size_t n, double share);
