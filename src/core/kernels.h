/* Row kernels: the inner loops that are not matrix products, vectorised. Rows of d
 * floats need no alignment. Products are float, sums double. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A linear combination: out = Σ_k c[k] · v[k] (+ out when `add`). */
void ig_row_combine(const float *const *v, const float *c, size_t n, size_t d, int add,
                    float *out);

/* A dot product. */
double ig_dot(const float *a, const float *b, size_t d);

/* dst = src / sqrt(|src|² + 1e-12); src and dst may be equal. Returns |src|². */
double ig_row_unit(const float *src, size_t d, float *dst);

/* Largest absolute value; NaN or infinity if present. */
float ig_max_abs(const float *a, size_t d);

/* Convert IEEE halves of any alignment to float. */
void ig_from_half(const uint16_t *src, size_t n, float *dst);

/* Σ_j exp(by · x[j] − shift), relative error 3e-7, for exponents ≤ 88; 0 below −87; NaN
 * propagates. out (n), or NULL: the exponentials; may be x. */
double ig_exp_sum(const float *x, float by, float shift, size_t n, float *out);

/* to[j · stride + i] = from[i · stride + j], by 8 rows that both matrices have space
 * for. */
void ig_transpose(const float *from, size_t rows, size_t cols, size_t stride,
                  float *to);

/* top[h] = max x[h + i · IG_MAXIMA] over i; the maximum of x; −∞ of none. */
enum { IG_MAXIMA = 32 };
void ig_maxima(const float *x, size_t n, float top[IG_MAXIMA]);
float ig_max_of(const float *x, size_t n);

/* The number of values above the limit. Comparisons with NaN are false. */
uint32_t ig_count_gt(const float *x, float limit, size_t n);

/* Adam step on n parameters (train/METHODS.md): m, v are the moments, g the gradient,
 * `decay` the decoupled weight decay times the learning rate (0: none). None may
 * overlap. */
void ig_adam(float *restrict p, float *restrict m, float *restrict v,
             const float *restrict g, size_t n, float rate, float beta1, float beta2,
             float eps, float correct1, float correct2, float decay);

/* The instruction set that the kernels use: "base", "avx2" or "avx512". */
const char *ig_kernels_isa(void);
