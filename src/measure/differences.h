/* Differences of two evaluations of one spec, and whether they are significant:
 * intervals of draws that are paired (measure/bootstrap.h), and tests of parts
 * (METHODS.md). */
#ifndef MEASURE_DIFFERENCES_H
#define MEASURE_DIFFERENCES_H

#include "measure/bootstrap.h"

typedef struct ig_difference {
    const ig_measure *measure;
    double value;         /* the second figure less the first */
    ig_interval interval; /* 95%, of the paired draws */
    bool significant;     /* it does not hold 0 */
    double p;     /* of Williams' test over all scored pairs; NaN: it is not of them */
    size_t parts; /* directions (McNemar's test) or kinds of scored pairs (Williams')
                     that were tested … */
    size_t more, less; /* … those where the second is greater, smaller, and p is below
                          0.05 after Holm */
} ig_difference;

/* The differences of all figures that have draws in both.
 *   out    out  (measures of the table)
 *   count  out  how many there are
 * IG_OK or IG_NOMEM. O(figures · draws + items). */
ig_status ig_differences_take(ig_difference *out, size_t *count,
                              const ig_evaluation *first, const ig_evaluation *second,
                              ig_error *error);

/* The difference of one figure; its interval is none where either has no draws. IG_OK
 * or IG_NOMEM. */
ig_status ig_difference_take(ig_difference *out, const ig_measure *measure,
                             const ig_evaluation *first, const ig_evaluation *second,
                             ig_error *error);

/* --- tests; each gives a two-sided p --- */

/* McNemar's exact test: `only_one` items that the first alone got right, `only_other`
 * that the second alone did. 1 when there are none. */
double ig_mcnemar(size_t only_one, size_t only_other);

/* Williams' test of two correlations r12, r13 of n items with one column, r23 that of
 * the other two (Steiger 1980, eq. 7): t with n − 3 degrees of freedom. NaN below 4
 * items, or where the three leave nothing. */
double ig_williams(double r12, double r13, double r23, size_t n);

/* Holm's correction of n p-values, in place; those that are NaN are not counted. O(n²)
 * at most. */
void ig_holm(double *p, size_t n);

#endif
