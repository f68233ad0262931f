/* BLAS and LAPACK, and nothing else: sizes are checked here, once, where they become
 * BLAS ints. Refuses to let either library see an argument it would complain about. */
#include "linear/blas.h"

#include <cblas.h>
#include <lapacke.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"

/* OpenBLAS's own controls; absent in other libraries, which then run as they like. */
#if defined(__APPLE__)
#define OPTIONAL __attribute__((weak_import))
#else
#define OPTIONAL __attribute__((weak))
#endif
extern void openblas_set_num_threads(int threads) OPTIONAL;
extern char *openblas_get_corename(void) OPTIONAL;
extern char *openblas_get_config(void) OPTIONAL;

void ig_blas_init(void)
{
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
}

const char *ig_blas_core(void)
{
    return openblas_get_corename ? openblas_get_corename() : "unknown";
}

const char *ig_blas_config(void)
{
    return openblas_get_config ? openblas_get_config() : "a BLAS other than OpenBLAS";
}

static bool fits(ig_matrix m)
{
    return m.rows <= INT_MAX && m.stride <= INT_MAX && m.stride >= m.cols &&
           (m.a || m.rows == 0 || m.cols == 0);
}

static size_t op_rows(bool transpose, ig_matrix m)
{
    return transpose ? m.cols : m.rows;
}

static bool agree(bool ta, bool tb, ig_matrix a, ig_matrix b, ig_matrix c)
{
    return fits(a) && fits(b) && fits(c) && op_rows(ta, a) == c.rows &&
           op_rows(!ta, a) == op_rows(tb, b) && op_rows(!tb, b) == c.cols;
}

/* A leading dimension: BLAS wants at least 1 even where nothing is read. */
static int leading(ig_matrix m)
{
    return m.stride ? (int)m.stride : 1;
}

static void multiply(bool ta, bool tb, float alpha, ig_matrix a, ig_matrix b,
                     float beta, ig_matrix c)
{
    if (c.rows == 0 || c.cols == 0)
        return;
    cblas_sgemm(CblasRowMajor, ta ? CblasTrans : CblasNoTrans,
                tb ? CblasTrans : CblasNoTrans, (int)c.rows, (int)c.cols,
                (int)op_rows(!ta, a), alpha, a.a, leading(a), b.a, leading(b), beta,
                c.a, leading(c));
}

ig_status ig_gemm(bool transpose_a, bool transpose_b, float alpha, ig_matrix a,
                  ig_matrix b, float beta, ig_matrix c)
{
    if (!agree(transpose_a, transpose_b, a, b, c))
        return IG_SHAPE;
    multiply(transpose_a, transpose_b, alpha, a, b, beta, c);
    return IG_OK;
}

/* Slices start at multiples of this, the height of BLAS's own blocks or a part of
 * it. */
enum { GRAIN = 16 };

struct product {
    bool ta, tb;
    float alpha, beta;
    ig_matrix a, b, c;
};

/* The part of a matrix that takes part in rows (or columns) first … last−1 of C. */
static ig_matrix part(bool by_columns, ig_matrix m, size_t first, size_t last)
{
    return by_columns ? ig_matrix_cols(m, first, last - first)
                      : ig_matrix_rows(m, first, last - first);
}

static void multiply_slice(void *context, size_t member, size_t members)
{
    const struct product *p = context;
    bool wide = p->c.cols > p->c.rows;
    size_t first, last;

    ig_pool_slice(wide ? p->c.cols : p->c.rows, GRAIN, member, members, &first, &last);
    if (first >= last)
        return;
    multiply(p->ta, p->tb, p->alpha, wide ? p->a : part(p->ta, p->a, first, last),
             wide ? part(!p->tb, p->b, first, last) : p->b, p->beta,
             part(wide, p->c, first, last));
}

ig_status ig_gemm_pool(ig_pool *pool, bool transpose_a, bool transpose_b, float alpha,
                       ig_matrix a, ig_matrix b, float beta, ig_matrix c)
{
    struct product p = {transpose_a, transpose_b, alpha, beta, a, b, c};

    if (!agree(transpose_a, transpose_b, a, b, c))
        return IG_SHAPE;
    ig_pool_run(pool, multiply_slice, &p);
    return IG_OK;
}

ig_status ig_gram_add(ig_matrix e, ig_matrix c)
{
    if (!fits(e) || !fits(c) || c.rows != e.cols || c.cols != e.cols)
        return IG_SHAPE;
    if (e.rows && e.cols)
        cblas_ssyrk(CblasRowMajor, CblasLower, CblasTrans, (int)e.cols, (int)e.rows,
                    1.0f, e.a, leading(e), 1.0f, c.a, leading(c));
    return IG_OK;
}

struct product_double {
    bool ta, tb;
    size_t n, m, k;
    const double *a, *b;
    double *c;
};

static void multiply_slice_double(void *context, size_t member, size_t members)
{
    const struct product_double *p = context;
    size_t first, last;

    ig_pool_slice(p->n, GRAIN, member, members, &first, &last);
    if (first >= last)
        return;
    cblas_dgemm(CblasRowMajor, p->ta ? CblasTrans : CblasNoTrans,
                p->tb ? CblasTrans : CblasNoTrans, (int)(last - first), (int)p->m,
                (int)p->k, 1.0, p->a + (p->ta ? first : first * p->k),
                (int)(p->ta ? p->n : p->k), p->b, (int)(p->tb ? p->k : p->m), 0.0,
                p->c + first * p->m, (int)p->m);
}

ig_status ig_gemm_double(ig_pool *pool, bool transpose_a, bool transpose_b, size_t n,
                         size_t m, size_t k, const double *a, const double *b,
                         double *c)
{
    struct product_double p = {transpose_a, transpose_b, n, m, k, a, b, c};

    if (n > INT_MAX || m > INT_MAX || k > INT_MAX || n == 0 || m == 0 || k == 0)
        return IG_SHAPE;
    ig_pool_run(pool, multiply_slice_double, &p);
    return IG_OK;
}

ig_status ig_cross_add(size_t n, const double *a, size_t a_stride, size_t p,
                       const double *b, size_t b_stride, size_t m, double *c,
                       size_t c_stride)
{
    if (n > INT_MAX || a_stride > INT_MAX || b_stride > INT_MAX || c_stride > INT_MAX ||
        p > a_stride || m > b_stride || m > c_stride)
        return IG_SHAPE;
    if (n && p && m)
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)p, (int)m, (int)n,
                    1.0, a, (int)a_stride, b, (int)b_stride, 1.0, c, (int)c_stride);
    return IG_OK;
}

static bool finite_all(const double *a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(a[i]))
            return false;
    return true;
}

/* Ascending columns of LAPACK to descending rows of ours: in column-major its column j
 * is our row j, so only the order of the rows turns. */
static void turn_order(const double *w, const double *z, size_t n, size_t k,
                       size_t have, double *values, double *vectors)
{
    for (size_t i = 0; i < k; i++) {
        values[i] = w[have - 1 - i];
        if (vectors)
            memcpy(vectors + i * n, z + (have - 1 - i) * n, n * sizeof *z);
    }
}

ig_status ig_eigen_symmetric(const double *s, size_t n, size_t k, double *values,
                             double *vectors, ig_error *error)
{
    bool few = k < n / 2;
    char job = vectors ? 'V' : 'N';
    double *copy = NULL, *w = NULL, *z = NULL;
    lapack_int *support = NULL, found = 0, info;
    ig_status status = IG_OK;

    if (n == 0 || n > INT_MAX / 2 || k == 0 || k > n)
        return ig_fail(error, IG_SHAPE, "%zu eigenvectors of a %zu × %zu matrix", k, n,
                       n);
    if (!finite_all(s, n * n))
        return ig_fail(error, IG_VALUE,
                       "a covariance holds a value that is not finite");
    copy = ig_alloc(n * n, sizeof *copy);
    w = ig_alloc(n, sizeof *w);
    if (few) {
        z = ig_alloc(k * n, sizeof *z);
        support = ig_alloc(2 * k, sizeof *support);
    }
    if (!copy || !w || (few && (!z || !support))) {
        status = ig_fail_memory(error, "eigenvectors");
        goto done;
    }
    memcpy(copy, s, n * n * sizeof *s);
    if (few)
        info = LAPACKE_dsyevr(LAPACK_COL_MAJOR, job, 'I', 'L', (lapack_int)n, copy,
                              (lapack_int)n, 0, 0, (lapack_int)(n - k + 1),
                              (lapack_int)n, 0, &found, w, z, (lapack_int)n, support);
    else
        info = LAPACKE_dsyevd(LAPACK_COL_MAJOR, job, 'L', (lapack_int)n, copy,
                              (lapack_int)n, w);
    if (info == LAPACK_WORK_MEMORY_ERROR)
        status = ig_fail_memory(error, "eigenvectors");
    else if (info != 0 || (few && (size_t)found != k))
        status = ig_fail(error, IG_VALUE,
                         "the eigenvectors of a %zu × %zu matrix did not converge", n,
                         n);
    else
        turn_order(w, few ? z : copy, n, k, few ? k : n, values, vectors);
done:
    ig_free(copy);
    ig_free(w);
    ig_free(z);
    ig_free(support);
    return status;
}

ig_status ig_solve_positive(double *a, size_t n, double *b, size_t k, ig_error *error)
{
    lapack_int info;

    if (n == 0 || n > INT_MAX / 2 || k == 0 || k > INT_MAX)
        return ig_fail(error, IG_SHAPE, "%zu right sides of a %zu × %zu system", k, n,
                       n);
    if (!finite_all(a, n * n) || !finite_all(b, k * n))
        return ig_fail(error, IG_VALUE, "a system holds a value that is not finite");
    /* Row j of b is column j to LAPACK, and A its own transpose. */
    info = LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', (lapack_int)n, (lapack_int)k, a,
                         (lapack_int)n, b, (lapack_int)n);
    if (info == LAPACK_WORK_MEMORY_ERROR)
        return ig_fail_memory(error, "a linear system");
    if (info != 0)
        return ig_fail(error, IG_VALUE, "a %zu × %zu matrix is not positive definite",
                       n, n);
    return IG_OK;
}

ig_status ig_svd(const double *a, size_t n, size_t m, double *u, double *sigma,
                 double *vt, ig_error *error)
{
    size_t p = n < m ? n : m;
    double *work;
    lapack_int info;

    if (p == 0 || n > 65536 || m > 65536)
        return ig_fail(error, IG_SHAPE, "singular values of a %zu × %zu matrix", n, m);
    if (!finite_all(a, n * m))
        return ig_fail(error, IG_VALUE, "a matrix holds a value that is not finite");
    work = ig_alloc(n * m, sizeof *work);
    if (!work)
        return ig_fail_memory(error, "singular values");
    memcpy(work, a, n * m * sizeof *a);
    /* Row-major A is Aᵀ to LAPACK: A = U Σ Vᵀ is Aᵀ = V Σ Uᵀ, so the factors change
     * places and no copy is turned. */
    info = LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', (lapack_int)m, (lapack_int)n, work,
                          (lapack_int)m, sigma, vt, (lapack_int)m, u, (lapack_int)p);
    ig_free(work);
    if (info == LAPACK_WORK_MEMORY_ERROR)
        return ig_fail_memory(error, "singular values");
    if (info != 0)
        return ig_fail(error, IG_VALUE, "singular values did not converge");
    return IG_OK;
}
