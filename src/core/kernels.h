/* Row kernels: the inner loops that are not matrix products, vectorised for the
 * processor at hand. Rows need no alignment. Legend: d floats per row. Products are
 * float, sums double. */
#ifndef LINEAR_KERNELS_H
#define LINEAR_KERNELS_H

#include <stddef.h>
#include <stdint.h>

typedef struct ig_kernels {
    /* Dot products of n pairs among a few rows: out[k] = <v[left[k]], v[right[k]]>.
     * Each row is read once per block, for any n. */
    void (*dots)(const float *const *v, const uint8_t *left, const uint8_t *right,
                 size_t n, size_t d, double *out);

    /* A linear combination: out = Σ_k c[k] · v[k] (+ out when `add`). */
    void (*combine)(const float *const *v, const float *c, size_t n, size_t d, int add,
                    float *out);

    /* One dot product, and a squared length. */
    double (*dot)(const float *a, const float *b, size_t d);

    /* dst = src / sqrt(|src|² + 1e-12); src and dst may be equal. Returns |src|². */
    double (*unit)(const float *src, size_t d, float *dst);

    /* Largest absolute value; NaN or infinity if present. */
    float (*max_abs)(const float *a, size_t d);

    /* Convert IEEE halves of any alignment to float. */
    void (*from_half)(const uint16_t *src, size_t n, float *dst);

    /* Σ_j exp(by · x[j] − shift), relative error 3e-7, for exponents ≤ 88; 0 below −87;
     * NaN propagates. out (n), or NULL: the exponentials; may be x. */
    double (*exp_sum)(const float *x, float by, float shift, size_t n, float *out);

    /* to[j · stride + i] = from[i · stride + j], by squares of 8 that both matrices
     * have space for. */
    void (*transpose)(const float *from, size_t rows, size_t cols, size_t stride,
                      float *to);

    /* The maximum of x; −∞ when n is 0. */
    float (*max_of)(const float *x, size_t n);

    /* The number of values above the limit. Comparisons with NaN are false. */
    uint32_t (*count_gt)(const float *x, float limit, size_t n);

    /* Write the ascending indices j with x[j] ≥ limit to `place` (n); returns their
     * number. */
    size_t (*find_ge)(const float *x, float limit, size_t n, uint32_t *place);

    /* Adam step on n parameters (train/METHODS.md): m, v are the moments, g the
     * gradient, `decay` the decoupled weight decay times the learning rate (0:
     * none). */
    void (*adam)(float *p, float *m, float *v, const float *g, size_t n, float rate,
                 float beta1, float beta2, float eps, float correct1, float correct2,
                 float decay);
} ig_kernels;

/* Never NULL; constant for the process. */
const ig_kernels *ig_kernels_best(void);

/* The instruction set of the processor that the kernels use: "base", "avx2" or
 * "avx512". */
const char *ig_kernels_isa(void);

#endif
