/* Moments: number, mean and scatter of rows, from which PCA, explained variance and
 * isotropy follow.
 *
 * Formed once over all rows by matrix products, merged, and carried through a linear
 * map without seeing a row again: the moments of W e + b and of e − (W e + b) follow
 * from those of e at O(d³) whatever N is. Legend: N rows, d dims. */
#ifndef LINEAR_MOMENTS_H
#define LINEAR_MOMENTS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/pool.h"
#include "base/watch.h"
#include "linear/rows.h"

/* A zeroed struct may be freed. */
typedef struct ig_moments {
    size_t dims;      /* d */
    size_t rows;      /* N: rows seen */
    size_t zero_rows; /* of them of length 0 */
    double *mean;     /* (d) */
    double *scatter;  /* (d, d) Σ (e − mean)(e − mean)ᵀ, both triangles */
    double *work;     /* private to ig_moments_image, or NULL */
} ig_moments;

/* Moments of no rows. IG_OK or IG_NOMEM. */
ig_status ig_moments_init(ig_moments *moments, size_t dims, ig_error *error);

void ig_moments_free(ig_moments *moments);

/* Back to no rows, keeping the storage. */
void ig_moments_clear(ig_moments *moments);

/* Add every row of a source.
 *   unit   in  scale each row to length 1 first (zero rows stay zero)
 *   pool   in  or NULL
 *   stop   in  or NULL; when it turns true the pass ends with IG_INTERRUPTED
 * IG_OK, IG_SHAPE, IG_NOMEM, IG_VALUE (a value is not finite) or IG_INTERRUPTED;
 * `moments` is untouched unless IG_OK. N·d² flops in float on centred rows, summed in
 * double. The same bytes however many members the pool has. Each rank of the pool's
 * team reads its share of the rows (all of them, where each has its own), and has the
 * moments of all. */
ig_status ig_moments_add(ig_moments *moments, const ig_rows *rows, bool unit,
                         ig_pool *pool, const atomic_bool *stop, ig_error *error);

/* The same, and count the rows summed in `watch` (or NULL), whose `stop` is not
 * used. */
ig_status ig_moments_add_watched(ig_moments *moments, const ig_rows *rows, bool unit,
                                 ig_pool *pool, const atomic_bool *stop,
                                 ig_watch *watch, ig_error *error);

/* into := moments of the rows of both. IG_OK, or IG_SHAPE. O(d²). */
ig_status ig_moments_merge(ig_moments *into, const ig_moments *from, ig_error *error);

/* Moments of an image of the rows of `in`: of A e + c, where A e + c is W e + b, or
 * e − (W e + b) when `residual` (then W is square).
 *   w     in  (m, d)      b  in  (m) or NULL for 0
 *   out   in/out  initialised with dims m, replaced; may not be `in`
 * IG_OK, IG_SHAPE or IG_NOMEM (only the first call on an `out` allocates). 4·d³ flops.
 * zero_rows is not known for an image and set to 0. */
ig_status ig_moments_image(ig_moments *out, const ig_moments *in, ig_matrix w,
                           const float *b, bool residual, ig_pool *pool,
                           ig_error *error);

#endif
