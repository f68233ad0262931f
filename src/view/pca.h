/* Principal components, exact over all rows.
 *
 * Fitted to moments (core/moments.h); a joint map is fitted to merged moments. Sign
 * rule: the largest absolute loading of each component is positive. */
#ifndef MAP_PCA_H
#define MAP_PCA_H

#include "core/moments.h"

/* A zeroed struct may be freed. */
typedef struct ig_pca {
    size_t dims;       /* d */
    size_t k;          /* components */
    size_t rows;       /* N */
    double *mean;      /* (d) */
    double *component; /* (k, d) orthonormal rows, by descending variance */
    double *variance;  /* (k) along each component, divisor N−1 as numpy.cov */
    double *ratio;     /* (k) share of the total variance; 0 if that is 0 */
    double total;      /* total variance: trace of the covariance */
} ig_pca;

/* Fit k components, 1 ≤ k ≤ d. `pca` is zeroed or an earlier fit, whose storage is
 * reused for the same k and d. IG_OK, IG_VALUE (k, no rows, not finite) or IG_NOMEM.
 * O(d³). */
ig_status ig_pca_fit(ig_pca *pca, const ig_moments *moments, size_t k, ig_error *error);

void ig_pca_free(ig_pca *pca);

#endif
