/* Alignment and uniformity of parallel pairs [wang; bias eq.8-9] (METHODS.md).
 *
 * Rows are scaled to unit length first; a zero row is left zero and counted. Sums are
 * in double, products blocked: memory does not grow with the square of the rows. */
#ifndef MEASURE_GEOMETRY_H
#define MEASURE_GEOMETRY_H

#include "measure/measure_group.h"

typedef struct ig_geometry {
    double alignment; /* mean ‖a − b‖² over the pairs; NaN without pairs */
    double
        uniformity; /* log mean exp(−2‖u−v‖²) over the distinct unordered pairs of the
                          distinct rows that occur in the pairs; NaN below two rows */
    size_t pairs;
    size_t rows;        /* distinct rows that occur in the pairs */
    size_t zero_rows;   /* zero rows */
    const char *reason; /* why a figure is NaN ("no pairs"), or NULL; static */
    ig_item_values items; /* of an evaluation with intervals, else none: ‖a − b‖² of the
                             pairs, by their left rows; then of each row 2h less the
                             mean of all h, its h being the mean of exp(−2‖u−v‖²) over
                             the others (METHODS.md). Of a sample: the h of its rows */
} ig_geometry;

/* Measure the pairs (left[i], right[i]) of rows of a source.
 *   left, right  in   (pairs) rows of the source
 *   pool, watch  in   or NULL; the work of uniformity is counted, in flops
 * IG_OK (also when figures are NaN: see `reason`), IG_SHAPE (row out of range),
 * IG_NOMEM or IG_INTERRUPTED; *geometry is filled only with IG_OK. rows²·d flops; the
 * same value whatever the number of pool members. `items` are left out. */
ig_status ig_geometry_measure(ig_geometry *geometry, const ig_rows *rows,
                              const uint32_t *left, const uint32_t *right, size_t pairs,
                              ig_pool *pool, ig_progress *watch, ig_error *error);

/* Whether the rows are nearly one point: uniformity above −0.02, where the mean squared
 * distance of two rows is under 0.01 and any cosine near 1. */
bool ig_geometry_is_point(const ig_geometry *geometry);

extern const ig_measure_group ig_geometry_group;

#endif
