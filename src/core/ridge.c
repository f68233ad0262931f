/* Ridge regression, by Cholesky. */
#include "core/ridge.h"

#include "core/blas.h"
#include "core/memory.h"

ig_status ig_ridge(const double *scatter, size_t d, double n, double lambda, double *w,
                   size_t k, ig_error *error)
{
    double *s = ig_alloc(d, d * sizeof *s), trace = 0;
    ig_status status;

    if (!s)
        return ig_fail_memory(error, "a linear system");
    for (size_t i = 0; i < d * d; i++)
        s[i] = scatter[i] / n;
    for (size_t i = 0; i < d; i++)
        trace += s[i * d + i];
    for (size_t i = 0; i < d; i++)
        s[i * d + i] += lambda * trace / (double)d;
    status = ig_solve_positive(s, d, w, k, error);
    ig_free(s);
    return status;
}
