/* BLAS and LAPACK calls. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "core/blas.h"

#include <cblas.h>
#include <lapacke.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>

#include "core/memory.h"

/* OpenBLAS controls; weak, because other BLAS libraries lack them. */
#if defined(__APPLE__)
#define OPTIONAL __attribute__((weak_import))
#else
#define OPTIONAL __attribute__((weak))
#endif
extern void openblas_set_num_threads(int threads) OPTIONAL;
extern char *openblas_get_corename(void) OPTIONAL;
extern char *openblas_get_config(void) OPTIONAL;
extern void *blas_memory_alloc(int position) OPTIONAL;
extern void blas_memory_free(void *buffer) OPTIONAL;

void ig_blas_init(void)
{
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
}

ig_status ig_blas_reserve(size_t threads, ig_error *error)
{
    const size_t room = (128 << 20) + (1 << 16); /* the largest buffer of a thread */
    size_t n = threads < 64 ? threads : 64;
    void *buffer[64], *all;

    if (!blas_memory_alloc || !blas_memory_free)
        return IG_OK;
    /* Addresses alone: no page is used. */
    all = mmap(NULL, n * room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
               0);
    if (all == MAP_FAILED)
        return ig_fail(error, IG_NOMEM,
                       "matrix products need %.2g GB in each of %zu threads, but the "
                       "process limits (ulimit -v, -d) leave less; raise the limit or "
                       "lower --threads",
                       (double)room / 1e9, threads);
    munmap(all, n * room);
    for (size_t i = 0; i < n; i++)
        buffer[i] = blas_memory_alloc(0);
    for (size_t i = 0; i < n; i++)
        blas_memory_free(buffer[i]);
    return IG_OK;
}

const char *ig_blas_core(void)
{
    return openblas_get_corename ? openblas_get_corename() : "unknown";
}

const char *ig_blas_config(void)
{
    return openblas_get_config ? openblas_get_config() : "a BLAS other than OpenBLAS";
}

/* Leading dimension; BLAS requires at least 1 even for empty matrices. */
static int leading_dim(ig_matrix m)
{
    return m.stride ? (int)m.stride : 1;
}

void ig_gemm(bool ta, bool tb, float alpha, ig_matrix a, ig_matrix b, float beta,
             ig_matrix c)
{
    if (c.rows && c.cols)
        cblas_sgemm(CblasRowMajor, ta ? CblasTrans : CblasNoTrans,
                    tb ? CblasTrans : CblasNoTrans, (int)c.rows, (int)c.cols,
                    (int)(ta ? a.rows : a.cols), alpha, a.a, leading_dim(a), b.a,
                    leading_dim(b), beta, c.a, leading_dim(c));
}

struct product {
    bool ta, tb;
    float alpha, beta;
    ig_matrix a, b, c;
};

/* Multiply-adds per row of C above which a block counts as a large product: four times
 * OpenBLAS's threshold for its small-matrix kernels, which sum in another order. */
enum { LARGE_ROW = 1 << 16 };

/* Multiply-adds of a product that one thread computes: some 50 µs. */
static const double SMALL = 2e6;

/* End of the block of rows that is multiplied in one call with row `at`. */
static size_t block_end(size_t at, size_t last, size_t row_work)
{
    return row_work >= LARGE_ROW || last - at < IG_GEMM_ROWS ? last : at + IG_GEMM_ROWS;
}

static void multiply_blocks(void *context, size_t member, size_t first, size_t last)
{
    const struct product *p = context;
    size_t work = p->c.cols * (p->ta ? p->a.rows : p->a.cols);

    (void)member;
    for (size_t at = first, end; at < last; at = end) {
        end = block_end(at, last, work);
        ig_gemm(p->ta, p->tb, p->alpha,
                p->ta ? ig_matrix_cols(p->a, at, end - at)
                      : ig_matrix_rows(p->a, at, end - at),
                p->b, p->beta, ig_matrix_rows(p->c, at, end - at));
    }
}

void ig_gemm_pool(ig_pool *pool, bool ta, bool tb, float alpha, ig_matrix a,
                  ig_matrix b, float beta, ig_matrix c)
{
    struct product p = {ta, tb, alpha, beta, a, b, c};
    size_t threads = ig_pool_threads(pool), share;

    /* One chunk a thread, as each packs the whole other operand; small products are not
     * worth waking the others. */
    share = (c.rows + threads - 1) / threads + IG_GEMM_ROWS - 1;
    if ((double)c.rows * (double)c.cols * (double)(ta ? a.rows : a.cols) < SMALL)
        share = c.rows + IG_GEMM_ROWS;
    ig_parallel_for(pool, c.rows, share / IG_GEMM_ROWS * IG_GEMM_ROWS, multiply_blocks,
                    &p);
}

struct product_double {
    bool ta, tb;
    size_t n, m, k;
    const double *a, *b;
    double *c;
};

static void multiply_double(void *context, size_t member, size_t first, size_t last)
{
    const struct product_double *p = context;

    (void)member;
    for (size_t at = first, end; at < last; at = end) {
        end = block_end(at, last, p->m * p->k);
        cblas_dgemm(CblasRowMajor, p->ta ? CblasTrans : CblasNoTrans,
                    p->tb ? CblasTrans : CblasNoTrans, (int)(end - at), (int)p->m,
                    (int)p->k, 1.0, p->a + (p->ta ? at : at * p->k),
                    (int)(p->ta ? p->n : p->k), p->b, (int)(p->tb ? p->k : p->m), 0.0,
                    p->c + at * p->m, (int)p->m);
    }
}

void ig_gemm_double(ig_pool *pool, bool transpose_a, bool transpose_b, size_t n,
                    size_t m, size_t k, const double *a, const double *b, double *c)
{
    struct product_double p = {transpose_a, transpose_b, n, m, k, a, b, c};

    ig_parallel_for(pool, n, IG_GEMM_ROWS, multiply_double, &p);
}

static bool finite_all(const double *a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(a[i]))
            return false;
    return true;
}

/* The status of a LAPACKE call, which prints if it has no memory for its workspace. */
static ig_status judge_lapack(lapack_int info, const char *what, ig_error *error)
{
    if (info == LAPACK_WORK_MEMORY_ERROR)
        return ig_fail_memory(error, what);
    return info ? ig_fail(error, IG_VALUE, "%s did not converge", what) : IG_OK;
}

ig_status ig_eigen_symmetric(const double *s, size_t n, size_t k, double *values,
                             double *vectors, ig_error *error)
{
    double *a, *w, *z;
    lapack_int found, size = (lapack_int)n;
    ig_status status;

    if (n == 0 || n > INT_MAX / 2 || k == 0 || k > n)
        return ig_fail(error, IG_SHAPE, "%zu eigenvectors of a %zu × %zu matrix", k, n,
                       n);
    if (!finite_all(s, n * n))
        return ig_fail(error, IG_VALUE,
                       "the covariance has a value that is not finite");
    a = ig_alloc(n + k + 3, n * sizeof *a); /* and two numbers of LAPACK a column */
    if (!a)
        return ig_fail_memory(error, "eigenvectors");
    z = a + n * n;
    w = z + k * n;
    memcpy(a, s, n * n * sizeof *s);
    status = judge_lapack(LAPACKE_dsyevr(LAPACK_COL_MAJOR, vectors ? 'V' : 'N',
                                         k < n ? 'I' : 'A', 'L', size, a, size, 0, 0,
                                         size - (lapack_int)k + 1, size, 0, &found, w,
                                         z, size, (lapack_int *)(void *)(w + n)),
                          "eigenvectors", error);
    /* Ascending to descending; a column of LAPACK is a row here. */
    for (size_t i = 0; i < k && status == IG_OK; i++) {
        values[i] = w[k - 1 - i];
        if (vectors)
            memcpy(vectors + i * n, z + (k - 1 - i) * n, n * sizeof *z);
    }
    ig_free(a);
    return status;
}

ig_status ig_ridge(const double *scatter, size_t d, double n, double lambda, double *w,
                   size_t k, ig_error *error)
{
    double *s = ig_alloc(d, d * sizeof *s), trace = 0;
    lapack_int size = (lapack_int)d;
    bool solved;

    if (!s || d == 0 || d > INT_MAX / 2 || k == 0 || k > INT_MAX) {
        ig_free(s);
        return ig_fail_memory(error, "a linear system");
    }
    for (size_t i = 0; i < d * d; i++)
        s[i] = scatter[i] / n;
    for (size_t i = 0; i < d; i++)
        trace += s[i * d + i];
    for (size_t i = 0; i < d; i++)
        s[i * d + i] += lambda * trace / (double)d;
    /* Row j of w is LAPACK's column j, and S is its own transpose. */
    solved = finite_all(s, d * d) && finite_all(w, k * d) &&
             LAPACKE_dposv_work(LAPACK_COL_MAJOR, 'L', size, (lapack_int)k, s, size, w,
                                size) == 0;
    ig_free(s);
    return solved ? IG_OK
                  : ig_fail(error, IG_VALUE,
                            "the covariance of %zu dimensions is not finite or not "
                            "positive definite",
                            d);
}

ig_status ig_svd(const double *a, size_t n, size_t m, double *u, double *sigma,
                 double *vt, ig_error *error)
{
    size_t p = n < m ? n : m;
    lapack_int rows = (lapack_int)m, cols = (lapack_int)n, info;
    double *copy;

    if (p == 0 || n > 65536 || m > 65536)
        return ig_fail(error, IG_SHAPE, "singular values of a %zu × %zu matrix", n, m);
    if (!finite_all(a, n * m))
        return ig_fail(error, IG_VALUE, "the matrix has a value that is not finite");
    copy = ig_alloc(n * m, sizeof *copy);
    if (!copy)
        return ig_fail_memory(error, "singular values");
    memcpy(copy, a, n * m * sizeof *a);
    /* A row-major A is Aᵀ to LAPACK, and Aᵀ = V Σ Uᵀ: swap U and V instead of
     * transposing. */
    info = LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', rows, cols, copy, rows, sigma, vt,
                          rows, u, (lapack_int)p);
    ig_free(copy);
    return judge_lapack(info, "singular values", error);
}
