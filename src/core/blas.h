/* Matrix products and eigenproblems: the only interface to BLAS and LAPACK, which run
 * on one thread (core/pool.h). The shapes of a product must agree. Legend: C (n, m). */
#pragma once

#include <stdbool.h>

#include "core/error.h"
#include "core/rows.h"

/* Restrict BLAS to one thread. Called once, when a pool starts. */
void ig_blas_init(void);

/* With a memory limit: allocate the buffers of OpenBLAS, 128 MB of addresses a thread,
 * as it retries a failed allocation forever. IG_OK or IG_NOMEM. */
ig_status ig_blas_reserve(size_t threads, ig_error *error);

/* C = alpha · op(A) op(B) + beta · C, where op transposes if its flag is set. C may not
 * alias A or B. 2·n·m·k flops. */
void ig_gemm(bool transpose_a, bool transpose_b, float alpha, ig_matrix a, ig_matrix b,
             float beta, ig_matrix c);

/* As ig_gemm, with the rows of C distributed over the pool in blocks of IG_GEMM_ROWS, a
 * multiple of the kernels' row count on every processor (4, 12 or 16). The result does
 * not depend on the number of threads. */
enum { IG_GEMM_ROWS = 48 };
void ig_gemm_pool(ig_pool *pool, bool transpose_a, bool transpose_b, float alpha,
                  ig_matrix a, ig_matrix b, float beta, ig_matrix c);

/* C (n, m) = op(A) op(B) in double, row-major and contiguous, with the rows of C
 * distributed over the pool. Same rules as ig_gemm. */
void ig_gemm_double(ig_pool *pool, bool transpose_a, bool transpose_b, size_t n,
                    size_t m, size_t k, const double *a, const double *b, double *c);

/* Eigenvalues (descending) and eigenvectors of a symmetric n × n matrix in double.
 *   s        in   (n, n), both triangles; not modified
 *   k        in   number of largest eigenvalues, 1 … n
 *   values   out  (k)
 *   vectors  out  (k, n): row i is the unit eigenvector of values[i]; NULL: eigenvalues
 *                 only, which cost a seventh
 * IG_OK, IG_NOMEM, or IG_VALUE when LAPACK does not converge or s is not finite. */
ig_status ig_eigen_symmetric(const double *s, size_t n, size_t k, double *values,
                             double *vectors, ig_error *error);

/* Ridge regression: w := (S/n + λ tr(S/n)/d · I)⁻¹ w, row by row.
 *   scatter  in      (d, d) S, both triangles, of n rows; n = 1: a covariance
 *   lambda   in      as a share of the mean variance
 *   w        in/out  (K, d) covariances of rows and targets, then weights
 * d³/3 + 2·K·d² flops on the calling thread. IG_OK, IG_NOMEM, or IG_VALUE when the
 * matrix is not positive definite or not finite. */
ig_status ig_ridge(const double *scatter, size_t d, double n, double lambda, double *w,
                   size_t k, ig_error *error);

/* Singular value decomposition A = U diag(σ) Vᵀ of an n × m matrix in double,
 * row-major, p = min(n, m):
 *   a  in  (n, m)   u  out  (n, p)   sigma  out  (p) descending   vt  out  (p, m)
 * IG_OK, IG_SHAPE, IG_NOMEM or IG_VALUE (not finite, no convergence). */
ig_status ig_svd(const double *a, size_t n, size_t m, double *u, double *sigma,
                 double *vt, ig_error *error);

/* BLAS kernel name ("SkylakeX", …) and the library's configuration string. */
const char *ig_blas_core(void);
const char *ig_blas_config(void);
