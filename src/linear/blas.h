/* Matrix products and eigenproblems: all of BLAS and LAPACK that isogloss uses.
 *
 * cblas and LAPACKE print to stdout when an argument displeases them, which ruins a
 * screen: shapes are checked here before they see them. Calls run on one thread (see
 * base/pool.h); the *_pool forms cut the work over a pool. Legend: C (n, m). */
#ifndef LINEAR_BLAS_H
#define LINEAR_BLAS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/pool.h"
#include "linear/matrix.h"

/* Hold BLAS to the caller's thread. Called once by whoever starts a pool. */
void ig_blas_init(void);

/* Take the room that OpenBLAS works in, 128 MB of addresses for each thread that calls
 * it, before it does: where it cannot have it, it tries for ever. For a process whose
 * memory is limited.
 *   left  in  bytes that the limits leave, for the sentence
 * IG_OK, or IG_NOMEM. */
ig_status ig_blas_reserve(size_t threads, double left, ig_error *error);

/* C = alpha · op(A) op(B) + beta · C, op = transpose where the flag says so.
 * C may not alias A or B. 2·n·m·k flops. IG_OK, or IG_SHAPE with C untouched. */
ig_status ig_gemm(bool transpose_a, bool transpose_b, float alpha, ig_matrix a,
                  ig_matrix b, float beta, ig_matrix c);

/* Rows of C are shared out in blocks, so that they come out the same however many
 * threads share them: BLAS sums a small product in another order than a large one.
 * Where one block makes a large product, blocks that follow one another are multiplied
 * as one, else each by itself. A block is a multiple of what its kernels take at a time
 * on any processor: 4, 12 or 16 rows. */
enum { IG_GEMM_ROWS = 48 };

/* Rows first … last−1 of C, a piece of them as ig_pool_hand_out makes it of blocks:
 * otherwise as ig_gemm. */
ig_status ig_gemm_rows(bool transpose_a, bool transpose_b, float alpha, ig_matrix a,
                       ig_matrix b, float beta, ig_matrix c, size_t first, size_t last);

/* The same with the rows of C, or the columns where these are more, handed out over
 * the pool in that way. */
ig_status ig_gemm_pool(ig_pool *pool, bool transpose_a, bool transpose_b, float alpha,
                       ig_matrix a, ig_matrix b, float beta, ig_matrix c);

/* The lower triangle of C = C + Eᵀ E, half the work of the whole product.
 *   e  in      (n, d)      c  in/out  (d, d); above the diagonal it is left as it is
 * n·d² flops, on the caller's thread. IG_OK, or IG_SHAPE with C untouched. */
ig_status ig_gram_add(ig_matrix e, ig_matrix c);

/* C (n, m) = A B in double, row-major without gaps, the rows of C handed out
 * as ig_gemm_pool does it; op = transpose where the flag says so. Same rules as
 * ig_gemm. */
ig_status ig_gemm_double(ig_pool *pool, bool transpose_a, bool transpose_b, size_t n,
                         size_t m, size_t k, const double *a, const double *b,
                         double *c);

/* C = C + Aᵀ B in double on the caller's thread: A (n, p), B (n, m), C (p, m), rows so
 * many doubles apart. 2·n·p·m flops. IG_OK, or IG_SHAPE with C untouched. */
ig_status ig_cross_add(size_t n, const double *a, size_t a_stride, size_t p,
                       const double *b, size_t b_stride, size_t m, double *c,
                       size_t c_stride);

/* Eigenvalues (descending) and vectors of a symmetric n × n matrix in double.
 *   s        in   (n, n), only read; both triangles are given
 *   k        in   how many of the largest are wanted, 1 … n
 *   values   out  (k)
 *   vectors  out  (k, n): row i is the unit eigenvector of values[i]; or NULL: values
 *                 alone, which k = n has at a seventh of the cost
 * IG_OK, IG_NOMEM, or IG_VALUE when LAPACK does not converge or s is not finite. */
ig_status ig_eigen_symmetric(const double *s, size_t n, size_t k, double *values,
                             double *vectors, ig_error *error);

/* Solve A X = B for a symmetric positive definite A in double, by Cholesky.
 *   a  in/out  (n, n), both triangles given; destroyed
 *   b  in/out  (k, n): row j is a right side, and becomes its solution
 * n³/3 + 2·k·n² flops on the caller's thread. IG_OK, IG_SHAPE, IG_NOMEM, or IG_VALUE
 * when A is not positive definite or not finite. */
ig_status ig_solve_positive(double *a, size_t n, double *b, size_t k, ig_error *error);

/* Singular value decomposition A = U diag(σ) Vᵀ of an n × m matrix in double,
 * row-major, p = min(n, m):
 *   a  in  (n, m)   u  out  (n, p)   sigma  out  (p) descending   vt  out  (p, m)
 * IG_OK, IG_SHAPE, IG_NOMEM or IG_VALUE (not finite, no convergence). */
ig_status ig_svd(const double *a, size_t n, size_t m, double *u, double *sigma,
                 double *vt, ig_error *error);

/* What runs: "SkylakeX", "Haswell", … and the library's own description. */
const char *ig_blas_core(void);
const char *ig_blas_config(void);

#endif
