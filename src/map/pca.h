/* Principal components, exact over all rows given, and projections of rows onto them.
 *
 * Fitted to moments (map/moments.h); a joint map is fitted to merged moments. Sign rule
 * (interface.md §2): the largest absolute loading of each component is positive. */
#ifndef MAP_PCA_H
#define MAP_PCA_H

#include "linear/moments.h"

/* A zeroed struct may be freed. */
typedef struct ig_pca {
    size_t dims;       /* d */
    size_t k;          /* components */
    size_t rows;       /* N it was fitted to */
    double *mean;      /* (d) */
    double *component; /* (k, d) orthonormal rows, by descending variance */
    double *variance;  /* (k) along each component, divisor N−1 as numpy.cov */
    double *ratio;     /* (k) share of the total variance; 0 when that is 0 */
    double total;      /* total variance: trace of the covariance */
} ig_pca;

/* Fit k components, 1 ≤ k ≤ d. `pca` is zeroed or an earlier fit, whose storage is used
 * again when k and d are the same. IG_OK, IG_VALUE (k, no rows, not finite) or
 * IG_NOMEM. O(d³). */
ig_status ig_pca_fit(ig_pca *pca, const ig_moments *moments, size_t k, ig_error *error);

void ig_pca_free(ig_pca *pca);

/* Coordinates as a linear function of a row: coordinate j = <row, direction_j> +
 * offset_j. One projection may hold the directions of several spaces, so that one pass
 * over the originals gives the coordinates of meaning and language together. */
typedef struct ig_projection {
    size_t dims;      /* d of the rows it is applied to */
    size_t count;     /* coordinates */
    float *direction; /* (count, d) */
    double *offset;   /* (count) */
} ig_projection;

ig_status ig_projection_init(ig_projection *projection, size_t dims, size_t count,
                             ig_error *error);
void ig_projection_free(ig_projection *projection);

/* Coordinates first … first+k−1 := those of a row of the space that `pca` was fitted
 * in. IG_OK or IG_SHAPE. */
ig_status ig_projection_set(ig_projection *projection, size_t first, const ig_pca *pca,
                            ig_error *error);

/* The same for the image W e + b, or e − (W e + b) when `residual`, as a function of
 * the original row e: e·(Wᵀp) + b·p. w (m, d), b (m) or NULL; `pca` has dims m. */
ig_status ig_projection_set_image(ig_projection *projection, size_t first,
                                  const ig_pca *pca, ig_matrix w, const float *b,
                                  bool residual, ig_error *error);

/* Coordinates of every row of a source.
 *   unit    in   scale each row to length 1 first (as in ig_moments_add; only sensible
 *                for ig_projection_set)
 *   out     out  (N, count), `stride` floats apart
 * IG_OK, IG_SHAPE, IG_NOMEM or IG_INTERRUPTED. 2·N·d·count flops, one pass. */
ig_status ig_project(const ig_projection *projection, const ig_rows *rows, bool unit,
                     ig_pool *pool, const atomic_bool *stop, float *out, size_t stride,
                     ig_error *error);

#endif
