/* Row kernels: the inner loops that are not matrix products, in three builds (plain,
 * AVX2, AVX-512) of one source, chosen once at run time. No row needs to be aligned.
 * Legend: d floats a row. Float products, summed in double. */
#ifndef LINEAR_KERNELS_H
#define LINEAR_KERNELS_H

#include <stddef.h>
#include <stdint.h>

typedef struct ig_kernels {
    const char *name; /* "base", "avx2" or "avx512" */

    /* Dot products of n pairs among a few rows: out[k] = <v[left[k]], v[right[k]]>.
     * Every row is read once for each block, whatever n is. */
    void (*dots)(const float *const *v, const uint8_t *left, const uint8_t *right,
                 size_t n, size_t d, double *out);

    /* A linear combination: out = Σ_k c[k] · v[k] (+ out when `add`). */
    void (*combine)(const float *const *v, const float *c, size_t n, size_t d, int add,
                    float *out);

    /* One dot product, and a squared length. */
    double (*dot)(const float *a, const float *b, size_t d);

    /* out[k] = <q, rows[k]> for n rows of a matrix, `stride` floats apart. */
    void (*dot_rows)(const float *q, const float *rows, size_t stride, size_t n,
                     size_t d, float *out);

    /* out[k] = <q, rows[k]> of n rows, as `dot` has it to the last bit. */
    void (*dot_each)(const float *q, const float *const *rows, size_t n, size_t d,
                     double *out);

    /* dst = src / sqrt(|src|² + 1e-12), in place when equal; returns |src|². */
    double (*unit)(const float *src, size_t d, float *dst);

    /* c[i] = ab[i] / sqrt((aa[i] + eps)(bb[i] + eps)), and its derivatives by them. */
    void (*cosine)(const double *aa, const double *bb, const double *ab, size_t n,
                   double eps, double *c, double *by_aa, double *by_bb, double *by_ab);

    /* The largest absolute value, NaN or infinity when there is one. */
    float (*peak)(const float *a, size_t d);

    /* Little-endian or native rows to float: IEEE half, and double. */
    void (*from_half)(const uint16_t *src, size_t n, float *dst);
    void (*from_double)(const double *src, size_t n, float *dst);

    /* out[j] = exp(x[j] − shift[j · step]), step 0 or 1, x − shift ≤ 88, to 3e-7 of it;
     * 0 below −87, NaN stays. total[j · step] += out[j], in double, when total is
     * given. */
    void (*exp)(const float *x, const float *shift, size_t step, size_t n, float *out,
                double *total);

    /* Σ_j exp(by · x[j] − shift), to as much, of what is ≤ 88. */
    double (*exp_sum)(const float *x, float by, float shift, size_t n);

    /* out[j] = x[j] + by; out is not x. */
    void (*lift)(const float *x, float by, size_t n, float *out);

    /* top[j] = the larger of top[j] and x[j]. */
    void (*larger)(const float *x, size_t n, float *top);

    /* The same; returns the greatest of x, −∞ when n is 0. */
    float (*crest)(const float *x, size_t n, float *top);

    /* The greatest x[j] − by · y[j] of n; −∞ when n is 0. */
    float (*excess)(const float *x, const float *y, float by, size_t n);

    /* top[j] = the larger of top[j] and x[j] − by[j] · y. */
    void (*surpass)(const float *x, const float *by, float y, size_t n, float *top);

    /* count[j · step] += whether x[j] > limit[j · step], step 0 or 1. NaN is above and
     * below nothing. */
    void (*tally)(const float *x, const float *limit, size_t step, size_t n,
                  uint32_t *count);

    /* The places j, ascending, with x[j] ≥ limit[j · step]; returns how many. `place`
     * has room for n. */
    size_t (*reach)(const float *x, const float *limit, size_t step, size_t n,
                    uint32_t *place);

    /* Keep the scores ≥ least of n and their names, in their order; returns how many.
     * What lies behind them, below n, is overwritten. */
    size_t (*winnow)(float *score, uint32_t *name, size_t n, float least);

    /* A value that at least k of n ≤ 32 reach, and where values differ enough at most
     * `most`
     * pass, k ≤ most; −∞ when there are fewer than k, or one of −∞. */
    float (*quorum)(const float *x, size_t n, size_t k, size_t most);

    /* The same of each of n columns of (groups, n), `stride` apart, but how many pass
     * is left to six halvings. */
    void (*quorums)(const float *x, size_t groups, size_t stride, size_t n, size_t k,
                    float *low);

    /* x = max(0, x), NaN stays; and its way back: g = 0 where x is not above 0. */
    void (*rectify)(float *x, size_t n);
    void (*gate)(const float *x, size_t n, float *g);

    /* Adam on n parameters (learn/METHODS.md): m, v are its moments, g the gradient,
     * `decay` is the decoupled weight decay times the rate (0 for none). */
    void (*adam)(float *p, float *m, float *v, const float *g, size_t n, float rate,
                 float beta1, float beta2, float eps, float correct1, float correct2,
                 float decay);
} ig_kernels;

/* The best kernels this processor runs. Never NULL; constant for the process. */
const ig_kernels *ig_kernels_best(void);

/* A named build, or NULL when the processor or the compiler lacks it (for tests). */
const ig_kernels *ig_kernels_named(const char *name);

#endif
