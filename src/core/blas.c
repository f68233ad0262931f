/* BLAS and LAPACK calls. Sizes are checked here once, where they become BLAS ints, so
 * that neither library sees an argument it would complain about. */
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

ig_status ig_blas_reserve(size_t threads, double left, ig_error *error)
{
    const size_t room = (128 << 20) + (1 << 16); /* the largest buffer of a thread */
    void *buffer[64];
    size_t n = threads < 64 ? threads : 64, had = 0;

    if (!blas_memory_alloc || !blas_memory_free)
        return IG_OK;
    /* OpenBLAS asks for ever where there is none. Addresses alone: no page is used. */
    while (had < n &&
           (buffer[had] = mmap(NULL, room, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) != MAP_FAILED)
        had++;
    for (size_t i = 0; i < had; i++)
        munmap(buffer[i], room);
    if (had < n)
        return ig_fail(error, IG_NOMEM,
                       "matrix products need %.2g GB in each of %zu threads, but the "
                       "process limits (ulimit -v, -d) leave %.2g GB; raise the limit "
                       "or lower --threads",
                       (double)room / 1e9, threads, left / 1e9);
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

static bool fits_blas(ig_matrix m)
{
    return m.rows <= INT_MAX && m.stride <= INT_MAX && m.stride >= m.cols &&
           (m.a || m.rows == 0 || m.cols == 0);
}

static size_t op_rows(bool transpose, ig_matrix m)
{
    return transpose ? m.cols : m.rows;
}

static bool shapes_agree(bool ta, bool tb, ig_matrix a, ig_matrix b, ig_matrix c)
{
    return fits_blas(a) && fits_blas(b) && fits_blas(c) && op_rows(ta, a) == c.rows &&
           op_rows(!ta, a) == op_rows(tb, b) && op_rows(!tb, b) == c.cols;
}

/* Leading dimension; BLAS requires at least 1 even for empty matrices. */
static int leading_dim(ig_matrix m)
{
    return m.stride ? (int)m.stride : 1;
}

static void multiply_part(bool ta, bool tb, float alpha, ig_matrix a, ig_matrix b,
                          float beta, ig_matrix c)
{
    if (c.rows == 0 || c.cols == 0)
        return;
    cblas_sgemm(CblasRowMajor, ta ? CblasTrans : CblasNoTrans,
                tb ? CblasTrans : CblasNoTrans, (int)c.rows, (int)c.cols,
                (int)op_rows(!ta, a), alpha, a.a, leading_dim(a), b.a, leading_dim(b),
                beta, c.a, leading_dim(c));
}

ig_status ig_gemm(bool transpose_a, bool transpose_b, float alpha, ig_matrix a,
                  ig_matrix b, float beta, ig_matrix c)
{
    if (!shapes_agree(transpose_a, transpose_b, a, b, c))
        return IG_SHAPE;
    multiply_part(transpose_a, transpose_b, alpha, a, b, beta, c);
    return IG_OK;
}

struct product {
    bool ta, tb;
    float alpha, beta;
    ig_matrix a, b, c;
};

/* The operand's rows (or columns) that rows (or columns) first … last−1 of C depend
 * on. */
static ig_matrix operand_part(bool by_columns, ig_matrix m, size_t first, size_t last)
{
    return by_columns ? ig_matrix_cols(m, first, last - first)
                      : ig_matrix_rows(m, first, last - first);
}

/* Multiply-adds per row of C above which a block counts as a large product: four times
 * OpenBLAS's threshold for its small-matrix kernels. */
enum { LARGE_ROW = 1 << 16 };

/* Multiply-adds of a product that one thread computes: some 50 µs. */
static const double SMALL = 2e6;

/* End of the block of rows that is multiplied in one call with row `at`. */
static size_t block_end(size_t at, size_t last, size_t row_work)
{
    return row_work >= LARGE_ROW || last - at < IG_GEMM_ROWS ? last : at + IG_GEMM_ROWS;
}

static void multiply_blocks(const struct product *p, bool wide, size_t first,
                            size_t last)
{
    size_t across = wide ? p->c.rows : p->c.cols;
    size_t work = across * op_rows(!p->ta, p->a);

    for (size_t at = first, end; at < last; at = end) {
        end = block_end(at, last, work);
        multiply_part(p->ta, p->tb, p->alpha,
                      wide ? p->a : operand_part(p->ta, p->a, at, end),
                      wide ? operand_part(!p->tb, p->b, at, end) : p->b, p->beta,
                      operand_part(wide, p->c, at, end));
    }
}

static void multiply_piece(void *context, size_t member, size_t first, size_t last)
{
    const struct product *p = context;

    (void)member;
    multiply_blocks(p, p->c.cols > p->c.rows, first, last);
}

ig_status ig_gemm_rows(bool transpose_a, bool transpose_b, float alpha, ig_matrix a,
                       ig_matrix b, float beta, ig_matrix c, size_t first, size_t last)
{
    struct product p = {transpose_a, transpose_b, alpha, beta, a, b, c};

    if (!shapes_agree(transpose_a, transpose_b, a, b, c) || last > c.rows ||
        first % IG_GEMM_ROWS)
        return IG_SHAPE;
    multiply_blocks(&p, false, first, last);
    return IG_OK;
}

ig_status ig_gemm_pool(ig_pool *pool, bool transpose_a, bool transpose_b, float alpha,
                       ig_matrix a, ig_matrix b, float beta, ig_matrix c)
{
    struct product p = {transpose_a, transpose_b, alpha, beta, a, b, c};
    size_t longer, share;

    if (!shapes_agree(transpose_a, transpose_b, a, b, c))
        return IG_SHAPE;
    longer = c.cols > c.rows ? c.cols : c.rows;
    if (!longer)
        return IG_OK;
    /* One chunk a thread, as each packs the whole other operand; small products are not
     * worth waking the others. */
    share = (longer - 1) / ig_pool_threads(pool) + IG_GEMM_ROWS;
    if ((double)c.rows * (double)c.cols * (double)op_rows(!transpose_a, a) < SMALL)
        share = longer + IG_GEMM_ROWS;
    ig_parallel_for(pool, longer, share / IG_GEMM_ROWS * IG_GEMM_ROWS, multiply_piece,
                    &p);
    return IG_OK;
}

ig_status ig_gram_add(ig_matrix e, ig_matrix c)
{
    if (!fits_blas(e) || !fits_blas(c) || c.rows != e.cols || c.cols != e.cols)
        return IG_SHAPE;
    if (e.rows && e.cols)
        cblas_ssyrk(CblasRowMajor, CblasLower, CblasTrans, (int)e.cols, (int)e.rows,
                    1.0f, e.a, leading_dim(e), 1.0f, c.a, leading_dim(c));
    return IG_OK;
}

struct product_double {
    bool ta, tb;
    size_t n, m, k;
    const double *a, *b;
    double *c;
};

static void multiply_piece_double(void *context, size_t member, size_t first,
                                  size_t last)
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

ig_status ig_gemm_double(ig_pool *pool, bool transpose_a, bool transpose_b, size_t n,
                         size_t m, size_t k, const double *a, const double *b,
                         double *c)
{
    struct product_double p = {transpose_a, transpose_b, n, m, k, a, b, c};

    if (n > INT_MAX || m > INT_MAX || k > INT_MAX || n == 0 || m == 0 || k == 0)
        return IG_SHAPE;
    ig_parallel_for(pool, n, IG_GEMM_ROWS, multiply_piece_double, &p);
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
    bool few = k < n / 2; /* only these eigenvectors are computed, else all, in place */
    char job = vectors ? 'V' : 'N';
    size_t have = few ? k : n;
    ig_arena arena = {0};
    double *a, *w, *z;
    lapack_int *support, found = (lapack_int)have, size = (lapack_int)n, info;
    ig_status status;

    if (n == 0 || n > INT_MAX / 2 || k == 0 || k > n)
        return ig_fail(error, IG_SHAPE, "%zu eigenvectors of a %zu × %zu matrix", k, n,
                       n);
    if (!finite_all(s, n * n))
        return ig_fail(error, IG_VALUE,
                       "the covariance has a value that is not finite");
    a = ig_arena_array(&arena, n, n * sizeof *a);
    w = ig_arena_array(&arena, n, sizeof *w);
    z = few ? ig_arena_array(&arena, k, n * sizeof *z) : a;
    support = ig_arena_array(&arena, n, 2 * sizeof *support);
    if (arena.failed) {
        status = ig_fail_memory(error, "eigenvectors");
        goto done;
    }
    memcpy(a, s, n * n * sizeof *s);
    info = few ? LAPACKE_dsyevr(LAPACK_COL_MAJOR, job, 'I', 'L', size, a, size, 0, 0,
                                size - (lapack_int)k + 1, size, 0, &found, w, z, size,
                                support)
               : LAPACKE_dsyevd(LAPACK_COL_MAJOR, job, 'L', size, a, size, w);
    status = judge_lapack(info == 0 && found != (lapack_int)have ? 1 : info,
                          "eigenvectors", error);
    /* Ascending to descending; a column of LAPACK is a row here. */
    for (size_t i = 0; i < k && status == IG_OK; i++) {
        values[i] = w[have - 1 - i];
        if (vectors)
            memcpy(vectors + i * n, z + (have - 1 - i) * n, n * sizeof *z);
    }
done:
    ig_arena_free(&arena);
    return status;
}

ig_status ig_solve_positive(double *a, size_t n, double *b, size_t k, ig_error *error)
{
    lapack_int info;

    if (n == 0 || n > INT_MAX / 2 || k == 0 || k > INT_MAX)
        return ig_fail(error, IG_SHAPE, "%zu right sides of a %zu × %zu system", k, n,
                       n);
    if (!finite_all(a, n * n) || !finite_all(b, k * n))
        return ig_fail(error, IG_VALUE,
                       "the linear system has a value that is not finite");
    /* Row j of b is LAPACK's column j, and A is its own transpose. */
    info = LAPACKE_dposv_work(LAPACK_COL_MAJOR, 'L', (lapack_int)n, (lapack_int)k, a,
                              (lapack_int)n, b, (lapack_int)n);
    if (info != 0)
        return ig_fail(error, IG_VALUE, "a %zu × %zu matrix is not positive definite",
                       n, n);
    return IG_OK;
}

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
