/* Moments of rows scaled to length 1, taken by the chunk, so that a long pass tells how
 * far it is, and whoever needs the same rows sees them without reading them again. */
#ifndef MEASURE_UNIT_MOMENTS_H
#define MEASURE_UNIT_MOMENTS_H

#include "base/watch.h"
#include "linear/moments.h"
#include "measure/units.h"

/* Mean squared distance from the mean below which rows of length 1 do not differ: what
 * rounding them to floats makes of equal ones. */
#define IG_SPREAD_LEAST 1e-13

/* A chunk: rows first … first + chunk->count − 1 of those that were asked for. */
typedef void ig_chunk_see(void *context, const ig_units *chunk, size_t first,
                          ig_pool *pool);

/* Add some rows of a source, scaled to length 1, to moments.
 *   list   in  (n) the rows, ascending; NULL: rows 0 … n−1
 *   see    in  or NULL; called on the caller's thread with each chunk in order
 *   watch  in  or NULL; it is told of n·d² flops
 * IG_OK, IG_NOMEM, IG_VALUE (not finite) or IG_INTERRUPTED. */
ig_status ig_unit_moments(ig_moments *moments, const ig_rows *rows,
                          const uint32_t *list, size_t n, ig_chunk_see *see,
                          void *context, ig_pool *pool, ig_watch *watch,
                          ig_error *error);

/* Σ λ and Σ λ² of the covariance, without its eigenvalues: trace and squared Frobenius
 * norm of scatter / rows. 0 of no rows. */
void ig_unit_spread(const ig_moments *moments, double *trace, double *squares);

#endif
