/* Moments: number, mean and scatter of rows, the basis of PCA, explained variance and
 * isotropy. Those of W e + b and of e − (W e + b) follow from those of e in O(d³),
 * independent of N. Legend: N rows, d dims. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "core/error.h"
#include "core/pool.h"
#include "core/progress.h"
#include "core/rows.h"

/* A zeroed struct has no rows, and takes the dims of the first. */
typedef struct ig_moments {
    size_t dims;      /* d; 0: no storage */
    size_t rows;      /* N */
    size_t zero_rows; /* rows of length 0 */
    double *mean;     /* (d) */
    double *scatter;  /* (d, d) Σ (e − mean)(e − mean)ᵀ, both triangles */
} ig_moments;

void ig_moments_free(ig_moments *moments);

/* Add every row of a source, with the dims of those before.
 *   unit   in  normalise each row first (zero rows stay zero)
 *   stop   in  or NULL; cancels with IG_INTERRUPTED when it becomes true
 *   watch  in  or NULL; gets the rows summed; its `stop` is not used
 * IG_OK, or with `moments` freed IG_NOMEM, IG_VALUE (a value is not finite) or
 * IG_INTERRUPTED. N·d² flops, the same bytes for any number of threads. */
ig_status ig_moments_add(ig_moments *moments, const ig_rows *rows, bool unit,
                         ig_pool *pool, const atomic_bool *stop, ig_progress *watch,
                         ig_error *error);

/* Add a linear image of the rows `of`: W e + b, or e − (W e + b) when `residual` (then
 * W is square); which are zero is unknown.
 *   w  in  (m, d)      b  in  (m) or NULL for 0
 * IG_OK, IG_NOMEM or IG_VALUE. 4·d³ flops. */
ig_status ig_moments_add_image(ig_moments *moments, const ig_moments *of, ig_matrix w,
                               const float *b, bool residual, ig_pool *pool,
                               ig_error *error);
