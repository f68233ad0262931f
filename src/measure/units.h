/* Some rows of a source, scaled to length 1 and held together: a chunk, or all if they
 * are few; and the moments of rows taken by the chunk, so that a long pass reports
 * progress and other users see the same rows without a second read. */
#ifndef MEASURE_UNITS_H
#define MEASURE_UNITS_H

#include "core/error.h"
#include "core/moments.h"
#include "core/pool.h"
#include "core/progress.h"
#include "core/rows.h"

/* A zeroed struct may be freed. */
typedef struct ig_units {
    size_t count;     /* R rows */
    size_t dims;      /* d */
    size_t zero_rows; /* of length 0, left zero */
    size_t odd_rows;  /* that are not finite, left as they are */
    float *unit;      /* (R, d) */
    float *length;    /* (R) of the rows as they were */
    uint8_t *zero;    /* (R) 1: of length 0 */
} ig_units;

/* Gather rows list[first … first + n) of the source in their order; list NULL: rows
 * first … first + n − 1. IG_OK, IG_NOMEM or IG_INTERRUPTED. It counts no work, but
 * whoever watches is called. */
ig_status ig_units_init(ig_units *u, const ig_rows *rows, const uint32_t *list,
                        size_t first, size_t n, ig_pool *pool, ig_progress *watch,
                        ig_error *error);

/* The same, less a mean (d). Also IG_VALUE: not finite. */
ig_status ig_units_centre(ig_units *u, const ig_rows *rows, const uint32_t *list,
                          size_t first, size_t n, const double *mean, ig_pool *pool,
                          ig_progress *watch, ig_error *error);

/* The same source, whose rows are taken as they are: they are not scaled. */
static inline ig_rows ig_units_raw(const ig_rows *rows)
{
    ig_rows raw = *rows;

    raw.unit = true;
    return raw;
}

void ig_units_free(ig_units *u);

/* --- chunk by chunk --------------------------------------------------------------- */

/* A chunk: rows first … first + chunk->count − 1 of those that were asked for. */
typedef ig_status ig_chunk_see(void *context, const ig_units *chunk, size_t first,
                               ig_pool *pool);

/* Call `see` on the caller's thread with each chunk of rows list[0 … n) in order; list
 * NULL: rows 0 … n−1. IG_OK, IG_NOMEM, IG_INTERRUPTED or what `see` returned. */
ig_status ig_units_each(const ig_rows *rows, const uint32_t *list, size_t n,
                        ig_chunk_see *see, void *context, ig_pool *pool,
                        ig_progress *watch, ig_error *error);

/* Mean squared distance from the mean below which rows of length 1 do not differ: what
 * rounding them to floats makes of equal ones. */
#define IG_SPREAD_MIN 1e-13

/* Add some rows of a source, scaled to length 1, to moments.
 *   list   in  (n) the rows, ascending; NULL: rows 0 … n−1
 *   see    in  or NULL; as above
 *   watch  in  or NULL; counts n·d² flops
 * IG_OK, IG_NOMEM, IG_VALUE (not finite) or IG_INTERRUPTED. */
ig_status ig_unit_moments(ig_moments *moments, const ig_rows *rows,
                          const uint32_t *list, size_t n, ig_chunk_see *see,
                          void *context, ig_pool *pool, ig_progress *watch,
                          ig_error *error);

/* Σ λ and Σ λ² of the covariance, without its eigenvalues: trace and squared Frobenius
 * norm of scatter / rows. 0 of no rows. */
void ig_unit_spread(const ig_moments *moments, double *trace, double *squares);

#endif
