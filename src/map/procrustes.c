/* Orthogonal Procrustes: Q = U Vᵀ of the cross-covariance U Σ Vᵀ. Legend: n points of k
 * coordinates. */
#include "map/procrustes.h"

#include <math.h>
#include <stdbool.h>

#include "linear/blas.h"

enum { MAX = IG_PROCRUSTES_MAX };

/* The weight of "stay where you are" beside the data, relative to their largest
 * product: it decides only what they leave open. */
static const double STAY = 1e-9;

static void identity(double *q, size_t k)
{
    for (size_t i = 0; i < k * k; i++)
        q[i] = i % (k + 1) == 0;
}

/* From a cross-covariance: cross (k, k) = Σ from_iᵀ to_i. */
static ig_status fit_cross(const double *cross, size_t k, double *q, ig_error *error)
{
    double a[MAX * MAX], u[MAX * MAX], vt[MAX * MAX], sigma[MAX], largest = 0;
    ig_status status;

    if (k == 0 || k > MAX)
        return ig_fail(error, IG_SHAPE, "a map of %zu coordinates (1 to %d)", k, MAX);
    for (size_t i = 0; i < k * k; i++) {
        if (!isfinite(cross[i])) {
            identity(q, k);
            return IG_OK;
        }
        if (fabs(cross[i]) > largest)
            largest = fabs(cross[i]);
    }
    if (largest == 0) {
        identity(q, k);
        return IG_OK;
    }
    for (size_t i = 0; i < k * k; i++)
        a[i] = cross[i] / largest + (i % (k + 1) == 0 ? STAY : 0);
    status = ig_svd(a, k, k, u, sigma, vt, error);
    if (status != IG_OK)
        return status;
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++) {
            double sum = 0;

            for (size_t r = 0; r < k; r++)
                sum += u[i * k + r] * vt[r * k + j];
            q[i * k + j] = sum;
        }
    return IG_OK;
}

static void mean_of(const float *points, size_t stride, size_t n, size_t k,
                    double *mean)
{
    for (size_t j = 0; j < k; j++)
        mean[j] = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < k; j++)
            mean[j] += (double)points[i * stride + j];
    for (size_t j = 0; j < k && n; j++)
        mean[j] /= (double)n;
}

ig_status ig_procrustes_fit(const float *from, size_t from_stride, const float *to,
                            size_t to_stride, size_t n, size_t k, double *q,
                            ig_error *error)
{
    double cross[MAX * MAX] = {0}, from_mean[MAX], to_mean[MAX];

    if (k == 0 || k > MAX)
        return ig_fail(error, IG_SHAPE, "a map of %zu coordinates (1 to %d)", k, MAX);
    mean_of(from, from_stride, n, k, from_mean);
    mean_of(to, to_stride, n, k, to_mean);
    for (size_t i = 0; i < n; i++)
        for (size_t r = 0; r < k; r++) {
            double a = (double)from[i * from_stride + r] - from_mean[r];

            for (size_t s = 0; s < k; s++)
                cross[r * k + s] += a * ((double)to[i * to_stride + s] - to_mean[s]);
        }
    return fit_cross(cross, k, q, error);
}

void ig_procrustes_apply(const double *q, size_t k, float *points, size_t stride,
                         size_t n)
{
    double turned[MAX];

    for (size_t i = 0; i < n; i++, points += stride) {
        for (size_t j = 0; j < k; j++) {
            turned[j] = 0;
            for (size_t r = 0; r < k; r++)
                turned[j] += (double)points[r] * q[r * k + j];
        }
        for (size_t j = 0; j < k; j++)
            points[j] = (float)turned[j];
    }
}
