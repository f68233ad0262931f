/* The incomplete beta function serves t and binomial distributions alike. */
#include "measure/statistics.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* By its continued fraction (Lentz; DLMF 8.17.22). */
static double incomplete_beta(double a, double b, double x)
{
    bool flip = x > (a + 1) / (a + b + 2);
    double front =
        exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    double swap = a, c = 1, d, h;

    if (x <= 0 || x >= 1)
        return x >= 1;
    a = flip ? b : a;
    b = flip ? swap : b;
    x = flip ? 1 - x : x;
    h = d = 1 / (1 - (a + b) * x / (a + 1));
    for (int k = 2; k < 1000 && fabs(c * d - 1) > 1e-15; k++) {
        int m = k / 2;
        double step = k % 2 ? -(a + m) * (a + b + m) * x / ((a + k - 1) * (a + k))
                            : m * (b - m) * x / ((a + k - 1) * (a + k));

        d = 1 / (1 + step * d);
        c = 1 + step / c;
        h *= c * d;
    }
    return flip ? 1 - front * h / a : front * h / a;
}

double ig_beta_quantile(double p, double a, double b)
{
    double low = 0, high = 1, x = a / (a + b), before = 0;
    double scale = lgamma(a + b) - lgamma(a) - lgamma(b);

    for (int i = 0; i < 200 && fabs(x - before) > 1e-13 * x; i++) {
        double by = incomplete_beta(a, b, x) - p;

        before = x;
        *(by < 0 ? &low : &high) = x;
        x -= by / exp(scale + (a - 1) * log(x) + (b - 1) * log1p(-x)); /* Newton */
        if (!(x > low && x < high))
            x = 0.5 * (low + high);
    }
    return x;
}

double ig_t_p(double t, double freedom)
{
    return freedom > 0 && !isnan(t)
               ? incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))
               : (double)NAN;
}

double ig_t_quantile(double freedom)
{
    double x = ig_beta_quantile(0.95, 0.5, freedom / 2);

    return sqrt(freedom * x / (1 - x));
}

double ig_binomial_p(size_t more, size_t less)
{
    size_t most = more < less ? less : more, least = more < less ? more : less;

    return most ? fmin(1, 2 * incomplete_beta((double)most, (double)least + 1, 0.5))
                : 1;
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

double ig_quantile(float *value, size_t n, double share)
{
    double at = share * (double)(n - 1);
    size_t k = (size_t)at, next = k + 1 < n ? k + 1 : k;

    qsort(value, n, sizeof *value, by_value);
    return (double)value[k] + (at - (double)k) * (double)(value[next] - value[k]);
}
