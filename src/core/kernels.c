/* Row kernels: plain loops that the compiler vectorises, one clone for each level of
 * x86-64; the loader picks a clone.
 *
 * Sums: products are accumulated in float over at most BLOCK floats in STEP separate
 * lanes, and these by fours; sums of that are double. */
#include "core/kernels.h"

#include <math.h>
#include <string.h>

/* ThreadSanitizer starts after the loader, and clang knows no levels before version 18.
 * Plain avx2 clones would have no FMA. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) &&                \
    __GNUC__ >= 12 && !defined(__SANITIZE_THREAD__)
#define HAVE_CLONES
#define CLONED                                                                         \
    __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define CLONED
#endif
/* What is not inlined is not cloned. */
#define INLINE static inline __attribute__((always_inline))

enum { STEP = 64, BLOCK = 512 };

/* Eight floats at any address, their halves, and these in double. */
typedef float vec8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef float vec4 __attribute__((vector_size(16), aligned(4), may_alias));
typedef double vec4d __attribute__((vector_size(32)));

INLINE vec4d half_of(const vec8 *v, size_t h)
{
    return __builtin_convertvector(((const vec4 *)v)[h], vec4d);
}

/* Sum of STEP values: four each in float, those in double. */
INLINE double sum_lanes(const vec8 *s)
{
    vec8 low = (s[0] + s[2]) + (s[4] + s[6]), high = (s[1] + s[3]) + (s[5] + s[7]);
    vec4d d = (half_of(&low, 0) + half_of(&high, 0)) +
              (half_of(&low, 1) + half_of(&high, 1));

    return (d[0] + d[2]) + (d[1] + d[3]);
}

/* Dot product of one block, n ≤ BLOCK floats; the order of the sums is the same in
 * every clone. Vectors longer than the machine's would be spilled. */
INLINE double dot_block(const float *a, const float *b, size_t n)
{
    vec8 s[STEP / 8] = {{0}};
    double tail = 0;
    size_t i = 0;

    for (; i + STEP <= n; i += STEP)
        for (size_t h = 0; h < STEP / 8; h++)
            s[h] += ((const vec8 *)(a + i))[h] * ((const vec8 *)(b + i))[h];
    for (; i + 8 <= n; i += 8)
        s[0] += *(const vec8 *)(a + i) * *(const vec8 *)(b + i);
    for (; i < n; i++)
        tail += (double)a[i] * (double)b[i];
    return sum_lanes(s) + tail;
}

CLONED double ig_dot(const float *a, const float *b, size_t d)
{
    double sum = 0;

    for (size_t j = 0; j < d; j += BLOCK)
        sum += dot_block(a + j, b + j, d - j < BLOCK ? d - j : BLOCK);
    return sum;
}

CLONED void ig_row_combine(const float *const *v, const float *c, size_t n, size_t d,
                           int add, float *out)
{
    size_t j = 0;

    for (; j + STEP <= d; j += STEP) {
        vec8 s[STEP / 8], *to = (vec8 *)(out + j);

        for (size_t h = 0; h < STEP / 8; h++)
            s[h] = add ? to[h] : (vec8){0};
        for (size_t k = 0; k < n; k++)
            for (size_t h = 0; h < STEP / 8; h++)
                s[h] += c[k] * ((const vec8 *)(v[k] + j))[h];
        for (size_t h = 0; h < STEP / 8; h++)
            to[h] = s[h];
    }
    for (; j < d; j++) {
        float s = add ? out[j] : 0;

        for (size_t k = 0; k < n; k++)
            s += c[k] * v[k][j];
        out[j] = s;
    }
}

CLONED double ig_row_unit(const float *src, size_t d, float *dst)
{
    double square = ig_dot(src, src, d);
    float scale = (float)(1.0 / sqrt(square + 1e-12));

    for (size_t j = 0; j < d; j++)
        dst[j] = src[j] * scale;
    return square;
}

CLONED float ig_max_abs(const float *a, size_t d)
{
    /* As integers, magnitudes order like floats, with infinity and NaN above all. */
    uint32_t top = 0;
    float out;

    for (size_t j = 0; j < d; j++) {
        uint32_t bits;

        memcpy(&bits, a + j, sizeof bits);
        bits &= 0x7fffffffu;
        top = bits > top ? bits : top;
    }
    memcpy(&out, &top, sizeof out);
    return out;
}

/* The fraction and exponent of a half at the place of a float's are the value · 2^−112,
 * for subnormal halves, too. */
CLONED void ig_from_half(const uint16_t *src, size_t n, float *dst)
{
    for (size_t i = 0; i < n; i++) {
        uint16_t half;
        uint32_t bits;
        float value;

        memcpy(&half, (const char *)src + i * sizeof half, sizeof half);
        bits = (uint32_t)(half & 0x8000) << 16 | (uint32_t)(half & 0x7fff) << 13;
        memcpy(&value, &bits, sizeof value);
        value *= 0x1p112f;
        memcpy(&bits, &value, sizeof bits);
        bits |= (half & 0x7c00) == 0x7c00 ? 0x7f800000 : 0; /* infinity, NaN */
        memcpy(dst + i, &bits, sizeof bits);
    }
}

/* e^x = 2^k · e^r with k = round(x / ln 2), |r| ≤ ln 2 / 2, by the Taylor series up to
 * the sixth power. Adding 1.5 · 2^23 rounds to an integer, and its low bits hold it. */
INLINE float exp_one(float x)
{
    const float magic = 12582912;
    float shifted = x * 1.44269504f + magic, k = shifted - magic, out;
    float r = x - k * 0.693359375f + k * 2.12194440e-4f,
          p = r * (1.0f / 720) + 1.0f / 120;
    uint32_t bits, power;

    p = p * r + 1.0f / 24;
    p = p * r + 1.0f / 6;
    p = p * r + 0.5f;
    p = p * r + 1;
    p = p * r + 1;
    memcpy(&bits, &p, sizeof bits);
    memcpy(&power, &shifted, sizeof power);
    bits += power << 23;
    memcpy(&out, &bits, sizeof out);
    out = x < -87 ? 0 : out;
    return x == x ? out : x;
}

CLONED double ig_exp_sum(const float *x, float by, float shift, size_t n, float *out)
{
    double sum = 0;

    for (size_t j = 0; j < n; j += STEP) {
        size_t width = n - j < STEP ? n - j : STEP;
        float e[STEP] = {0};

        for (size_t h = 0; h < width; h++)
            e[h] = exp_one(x[j + h] * by - shift);
        if (out)
            memcpy(out + j, e, width * sizeof *e);
        sum += sum_lanes((const vec8 *)e);
    }
    return sum;
}

CLONED void ig_transpose(const float *from, size_t rows, size_t cols, size_t stride,
                         float *to)
{
    for (size_t i = 0; i < rows; i += 8)
        for (size_t j = 0; j < cols; j++)
            for (size_t r = 0; r < 8; r++)
                to[j * stride + i + r] = from[(i + r) * stride + j];
}

/* A NaN exceeds nothing. */
CLONED void ig_maxima(const float *x, size_t n, float top[IG_MAXIMA])
{
    for (size_t h = 0; h < IG_MAXIMA; h++)
        top[h] = -INFINITY;
    for (; n >= IG_MAXIMA; x += IG_MAXIMA, n -= IG_MAXIMA)
        for (size_t h = 0; h < IG_MAXIMA; h++)
            top[h] = x[h] > top[h] ? x[h] : top[h];
    for (size_t h = 0; h < n; h++)
        top[h] = x[h] > top[h] ? x[h] : top[h];
}

float ig_max_of(const float *x, size_t n)
{
    float top[IG_MAXIMA];

    ig_maxima(x, n, top);
    for (size_t half = IG_MAXIMA / 2; half; half /= 2)
        for (size_t h = 0; h < half; h++)
            top[h] = top[h + half] > top[h] ? top[h + half] : top[h];
    return top[0];
}

CLONED uint32_t ig_count_gt(const float *x, float limit, size_t n)
{
    uint32_t count = 0;

    for (size_t j = 0; j < n; j++)
        count += x[j] > limit;
    return count;
}

CLONED void ig_adam(float *restrict p, float *restrict m, float *restrict v,
                    const float *restrict g, size_t n, float rate, float beta1,
                    float beta2, float eps, float correct1, float correct2, float decay)
{
    float step = rate / correct1;
    float scale = 1.0f / sqrtf(correct2);

    for (size_t i = 0; i < n; i++) {
        float mi = beta1 * m[i] + (1 - beta1) * g[i];
        float vi = beta2 * v[i] + (1 - beta2) * g[i] * g[i];

        m[i] = mi;
        v[i] = vi;
        p[i] -= decay * p[i] + step * mi / (sqrtf(vi) * scale + eps);
    }
}

const char *ig_kernels_isa(void)
{
#ifdef HAVE_CLONES
    if (__builtin_cpu_supports("avx512vl"))
        return "avx512";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return "avx2";
#endif
    return "base";
}
