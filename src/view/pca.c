/* Principal components from moments. Legend: k components, d dims. */
#include "view/pca.h"

#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/memory.h"

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

/* The sign rule; ties go to the first loading. */
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
        return ig_fail(error, IG_VALUE, "%zu components requested of %zu dimensions", k,
                       d);
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
        /* Rounding may produce slightly negative variances. */
        double variance = pca->variance[i] > 0 ? pca->variance[i] : 0;

        pca->ratio[i] = trace > 0 ? variance / trace : 0;
        pca->variance[i] = variance / divisor;
        orient(pca->component + i * d, d);
    }
    return IG_OK;
}
