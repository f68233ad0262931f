/* Intervals of figures that carry their items (measure/figure.h): one Poisson bootstrap
 * over their units; and the distributions of intervals and tests. */
#pragma once

#include <stdatomic.h>

#include "core/error.h"
#include "core/pool.h"
#include "measure/figure.h"

/* Fill in the 95% intervals: of shares Korn and Graubard's, of others percentiles of
 * the draws; and the draws of figures of the whole. All figures, spaces and runs with
 * the same units are drawn alike.
 *   stop  in  or NULL
 * IG_OK, IG_NOMEM or IG_INTERRUPTED. O(draws · units · columns). */
ig_status ig_bootstrap(ig_figures *figures, uint64_t seed, ig_pool *pool,
                       const atomic_bool *stop, ig_error *error);

/* Move the draws that are not NaN to the front. Returns how many, 0 if half of them or
 * more are NaN; *variance  out  theirs, NaN without any. */
size_t ig_draws_keep(float *draw, size_t draws, double *variance);

/* --- distributions ---------------------------------------------------------------- */

/* Two-sided p of t with so many degrees of freedom, not necessarily whole; NaN if t is
 * NaN or there are none. */
double ig_t_p(double t, double freedom);

/* The 97.5% quantile of t. freedom > 0. */
double ig_t_quantile(double freedom);

/* The quantile of a share p of the beta distribution, a and b > 0. */
double ig_beta_quantile(double p, double a, double b);

/* The quantile of n > 0 values by linear interpolation; sorts them. */
double ig_quantile(float *value, size_t n, double share);
