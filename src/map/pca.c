/* Principal components from moments, and projections. Legend: k components, d dims. */
#include "map/pca.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "linear/blas.h"

void ig_pca_free(ig_pca *pca)
{
    if (!pca)
        return;
    ig_free(pca->mean);
    ig_free(pca->component);
    ig_free(pca->variance);
    ig_free(pca->ratio);
    *pca = (ig_pca){0};
}

static ig_status pca_init(ig_pca *pca, size_t dims, size_t k, ig_error *error)
{
    if (pca->mean && pca->dims == dims && pca->k == k)
        return IG_OK;
    ig_pca_free(pca);
    pca->dims = dims;
    pca->k = k;
    pca->mean = ig_alloc(dims, sizeof *pca->mean);
    pca->component = ig_alloc(k, dims * sizeof *pca->component);
    pca->variance = ig_alloc(k, sizeof *pca->variance);
    pca->ratio = ig_alloc(k, sizeof *pca->ratio);
    if (pca->mean && pca->component && pca->variance && pca->ratio)
        return IG_OK;
    ig_pca_free(pca);
    return ig_fail_memory(error, "principal components");
}

/* The sign rule; of equal loadings the first decides. */
static void orient(double *component, size_t d)
{
    size_t largest = 0;

    for (size_t j = 1; j < d; j++)
        if (fabs(component[j]) > fabs(component[largest]))
            largest = j;
    if (component[largest] < 0)
        for (size_t j = 0; j < d; j++)
            component[j] = -component[j];
}

ig_status ig_pca_fit(ig_pca *pca, const ig_moments *moments, size_t k, ig_error *error)
{
    size_t d = moments->dims;
    double divisor = moments->rows > 1 ? (double)(moments->rows - 1) : 1, trace = 0;
    ig_status status;

    if (k == 0 || k > d)
        return ig_fail(error, IG_VALUE, "%zu components asked of %zu dimensions", k, d);
    if (moments->rows == 0)
        return ig_fail(error, IG_VALUE, "no rows to fit principal components to");
    status = pca_init(pca, d, k, error);
    if (status != IG_OK)
        return status;
    status = ig_eigen_symmetric(moments->scatter, d, k, pca->variance, pca->component,
                                error);
    if (status != IG_OK)
        return status;
    for (size_t i = 0; i < d; i++)
        trace += moments->scatter[i * d + i];
    memcpy(pca->mean, moments->mean, d * sizeof *pca->mean);
    pca->rows = moments->rows;
    pca->total = trace / divisor;
    for (size_t i = 0; i < k; i++) {
        /* A variance of 0 may come out of the solver as a little less. */
        double variance = pca->variance[i] > 0 ? pca->variance[i] : 0;

        pca->ratio[i] = trace > 0 ? variance / trace : 0;
        pca->variance[i] = variance / divisor;
        orient(pca->component + i * d, d);
    }
    return IG_OK;
}

ig_status ig_projection_init(ig_projection *projection, size_t dims, size_t count,
                             ig_error *error)
{
    *projection = (ig_projection){.dims = dims, .count = count};
    projection->direction = ig_alloc(count, dims * sizeof *projection->direction);
    projection->offset = ig_alloc(count, sizeof *projection->offset);
    if (projection->direction && projection->offset)
        return IG_OK;
    ig_projection_free(projection);
    return ig_fail_memory(error, "a projection");
}

void ig_projection_free(ig_projection *projection)
{
    if (!projection)
        return;
    ig_free(projection->direction);
    ig_free(projection->offset);
    *projection = (ig_projection){0};
}

static bool has_room(const ig_projection *projection, size_t first, const ig_pca *pca)
{
    return first <= projection->count && pca->k <= projection->count - first;
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

ig_status ig_projection_set(ig_projection *projection, size_t first, const ig_pca *pca,
                            ig_error *error)
{
    size_t d = projection->dims;

    if (pca->dims != d || !has_room(projection, first, pca))
        return ig_fail(error, IG_SHAPE, "%zu components of %zu dimensions do not fit",
                       pca->k, pca->dims);
    for (size_t i = 0; i < pca->k; i++) {
        const double *p = pca->component + i * d;

        for (size_t j = 0; j < d; j++)
            projection->direction[(first + i) * d + j] = (float)p[j];
        projection->offset[first + i] = -dot(p, pca->mean, d);
    }
    return IG_OK;
}

ig_status ig_projection_set_image(ig_projection *projection, size_t first,
                                  const ig_pca *pca, ig_matrix w, const float *b,
                                  bool residual, ig_error *error)
{
    size_t d = projection->dims, m = pca->dims;
    double sign = residual ? -1 : 1;

    if (w.cols != d || w.rows != m || (residual && m != d) ||
        !has_room(projection, first, pca))
        return ig_fail(error, IG_SHAPE, "%zu components of %zu dimensions do not fit",
                       pca->k, m);
    for (size_t i = 0; i < pca->k; i++) {
        const double *p = pca->component + i * m;
        float *direction = projection->direction + (first + i) * d;
        double offset = -dot(p, pca->mean, m);

        for (size_t j = 0; j < d; j++) {
            double sum = residual ? p[j] : 0;

            for (size_t r = 0; r < m; r++)
                sum += sign * p[r] * (double)w.a[r * w.stride + j];
            direction[j] = (float)sum;
        }
        for (size_t r = 0; b && r < m; r++)
            offset += sign * p[r] * (double)b[r];
        projection->offset[first + i] = offset;
    }
    return IG_OK;
}
