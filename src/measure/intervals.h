/* Intervals of the figures of an evaluation: the percentile bootstrap over meanings, of
 * correlations over scored pairs (METHODS.md). Draws are weights of the meanings, so
 * that the figures of all draws are one matrix product; two evaluations of one subject
 * are drawn alike, and so their differences have intervals too. */
#ifndef MEASURE_INTERVALS_H
#define MEASURE_INTERVALS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IG_DRAWS = 1000 };

/* 95% of the draws lie between; NaN: there is none. */
typedef struct ig_interval {
    double low, high;
} ig_interval;

#define IG_NO_INTERVAL ((ig_interval){(double)NAN, (double)NAN})

static inline bool ig_interval_is(ig_interval interval)
{
    return !isnan(interval.low) && !isnan(interval.high);
}

/* A zeroed struct has none, and may be freed. Entries are those of the catalogue, of
 * which some have no intervals. */
typedef struct ig_intervals {
    size_t draws, entries;
    ig_interval *figure; /* (entries) */
    float *draw;         /* (entries, draws) the figure of each draw; NaN */
    size_t directions;   /* ordered language pairs of the retrieval */
    ig_interval *pair;   /* (entries, directions) */
    size_t languages;    /* … of these */
    ig_interval
        *language[2];  /* (entries, languages) of the mean over the directions out
                                 of a language, and into it */
    size_t kinds;      /* of scored pairs */
    ig_interval *kind; /* (entries, kinds) */
    size_t mined;      /* two languages each of mining */
    ig_interval *two;  /* (entries, mined) */
} ig_intervals;

void ig_intervals_free(ig_intervals *intervals);

/* The 2.5 and 97.5 percentiles of n values, between neighbours in proportion; those
 * that are NaN are passed over, and where they are more than half there is none. The
 * values are put in another order. O(n). */
ig_interval ig_interval_of(double *value, size_t n);

#endif
