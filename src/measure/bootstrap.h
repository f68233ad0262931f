/* Intervals of figures: the percentile bootstrap over meanings, of correlations over
 * connected items (METHODS.md). Draws are weights of the meanings, so that many figures
 * of all draws are one matrix product; evaluations of one spec are drawn alike, and so
 * their differences have intervals, too. */
#ifndef MEASURE_BOOTSTRAP_H
#define MEASURE_BOOTSTRAP_H

#include <math.h>
#include <stdatomic.h>

#include "measure/evaluation.h"

/* 95% of the draws are between; NaN: there is none. */
typedef struct ig_interval {
    double low, high;
} ig_interval;

#define IG_NO_INTERVAL ((ig_interval){(double)NAN, (double)NAN})

static inline bool ig_interval_is(ig_interval interval)
{
    return !isnan(interval.low) && !isnan(interval.high);
}

/* The 2.5 and 97.5 percentiles of n values, expanded for so many resampled units,
 * between neighbours in proportion; ignoring NaN; no interval if more than half are
 * NaN. Reorders the values. O(n). */
ig_interval ig_interval_of(double *value, size_t n, size_t units);

/* The units of resampling: a meaning with all of its rows, or a row without a meaning.
 * A zeroed struct may be freed. */
typedef struct ig_resampling {
    size_t rows;
    uint32_t *unit; /* (rows of the source) IG_NO_ID: the row is not measured */
    size_t units;
    uint64_t seed;
    float *weight; /* (IG_DRAWS, units) multiplicities, or NULL: recomputed in chunks */
    const atomic_bool *stop; /* or NULL; set by the caller; if true,
                                ig_bootstrap_take returns IG_INTERRUPTED */
} ig_resampling;

/* IG_OK or IG_NOMEM. O(rows + pairs) and the draws. */
ig_status ig_resampling_init(ig_resampling *resampling, size_t rows,
                             const ig_evaluation_spec *subject, uint64_t seed,
                             ig_pool *pool, ig_error *error);

void ig_resampling_free(ig_resampling *resampling);

/* Fill in the intervals of an evaluation's figures (low, high, draw). IG_OK, or
 * IG_NOMEM or IG_INTERRUPTED with none. O(draws · meanings · figures). */
ig_status ig_bootstrap_take(ig_evaluation *evaluation, const ig_resampling *resampling,
                            ig_pool *pool, ig_error *error);

#endif
