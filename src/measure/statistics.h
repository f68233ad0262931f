/* Distributions and quantiles. */
#ifndef MEASURE_STATISTICS_H
#define MEASURE_STATISTICS_H

#include <stddef.h>

/* Two-sided p of t with so many degrees of freedom, not necessarily whole; NaN if t is
 * NaN or there are none. */
double ig_t_p(double t, double freedom);

/* The 97.5% quantile of t. freedom > 0. */
double ig_t_quantile(double freedom);

/* The quantile of a share p of the beta distribution, a and b > 0. */
double ig_beta_quantile(double p, double a, double b);

/* Two-sided p of the exact binomial test with one half; 1 when there are none. */
double ig_binomial_p(size_t more, size_t less);

/* The quantile of n > 0 values by linear interpolation; sorts them. */
double ig_quantile(float *value, size_t n, double share);

#endif
