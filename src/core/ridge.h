/* Ridge regression in closed form. Legend: d dims, K targets. */
#ifndef LINEAR_RIDGE_H
#define LINEAR_RIDGE_H

#include <stddef.h>

#include "core/error.h"

/* w := (S/n + λ tr(S/n)/d · I)⁻¹ w, row by row.
 *   scatter  in      (d, d) S, both triangles, of n rows; n = 1: a covariance
 *   lambda   in      as a share of the mean variance
 *   w        in/out  (K, d) covariances of rows and targets, then weights
 * IG_OK, IG_NOMEM, or IG_VALUE when S is not positive definite or not finite.
 * d³/3 + 2·K·d² flops. */
ig_status ig_ridge(const double *scatter, size_t d, double n, double lambda, double *w,
                   size_t k, ig_error *error);

#endif
