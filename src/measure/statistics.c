/* Correlations by weighted moments and weighted average ranks; the t distribution by
 * the incomplete beta function. */
#include "measure/statistics.h"

#include <math.h>

/* --- correlations ----------------------------------------------------------------- */

static double correlate(const double *x, const double *y, const float *weight, size_t n)
{
    double all = 0, mx = 0, my = 0, xx = 0, yy = 0, xy = 0;

    for (size_t i = 0; i < n; i++) {
        all += (double)weight[i];
        mx += (double)weight[i] * x[i];
        my += (double)weight[i] * y[i];
    }
    mx /= all;
    my /= all;
    for (size_t i = 0; i < n; i++) {
        double w = (double)weight[i], a = x[i] - mx, b = y[i] - my;

        xx += w * a * a;
        yy += w * b * b;
        xy += w * a * b;
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : (double)NAN;
}

double ig_weighted_pearson(const ig_weighted *w)
{
    return correlate(w->value[0], w->value[1], w->weight, w->n);
}

static void rank_values(const double *x, const float *weight, const uint32_t *order,
                        size_t n, double *rank)
{
    double before = 0;

    for (size_t i = 0, end; i < n; i = end) {
        double here = 0;

        for (end = i; end < n && x[order[end]] <= x[order[i]]; end++)
            here += (double)weight[order[end]];
        for (size_t j = i; j < end; j++)
            rank[order[j]] = before + 0.5 * (here + 1);
        before += here;
    }
}

double ig_weighted_spearman(const ig_weighted *w)
{
    for (size_t k = 0; k < 2; k++)
        rank_values(w->value[k], w->weight, w->order[k], w->n, w->room + k * w->n);
    return correlate(w->room, w->room + w->n, w->weight, w->n);
}

/* --- t ---------------------------------------------------------------------------- */

/* The continued fraction of the incomplete beta function (Lentz; DLMF 8.17.22). */
static double beta_fraction(double a, double b, double x)
{
    const double least = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1), h;

    d = 1 / (fabs(d) < least ? least : d);
    h = d;
    for (int m = 1; m <= 500; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double step = 1;

        for (int k = 0; k < 2; k++) {
            double term = k ? odd : even;

            d = 1 + term * d;
            d = 1 / (fabs(d) < least ? least : d);
            c = 1 + term / c;
            c = fabs(c) < least ? least : c;
            step *= d * c;
        }
        h *= step;
        if (fabs(step - 1) < 1e-15)
            break;
    }
    return h;
}

static double incomplete_beta(double a, double b, double x)
{
    double front;

    if (x <= 0 || x >= 1)
        return x >= 1;
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
                                     : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double ig_t_p(double t, double freedom)
{
    return freedom > 0 && !isnan(t)
               ? incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))
               : (double)NAN;
}

double ig_t_quantile(double freedom)
{
    double low = 1, high = 2; /* p falls from above 0.05 to below */

    while (ig_t_p(high, freedom) > 0.05 && high < 1e9)
        high *= 2;
    for (int i = 0; i < 100 && high - low > 1e-12 * high; i++) {
        double middle = 0.5 * (low + high);

        if (ig_t_p(middle, freedom) > 0.05)
            low = middle;
        else
            high = middle;
    }
    return high;
}
