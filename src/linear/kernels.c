/* Row kernels. This file is compiled once for each instruction set, with IG_ISA naming
 * the build and the compiler's flags choosing the instructions; linear/dispatch.c picks
 * one at run time. Vectors are 16 floats wide in every build: the compiler splits them
 * where the machine's are shorter.
 *
 * Sums: products are added in float over at most BLOCK floats in 64 separate lanes (8
 * additions a lane), and from there in double. */
#include "linear/kernels.h"

#include <math.h>
#include <string.h>

#if defined(__AVX__)
#include <immintrin.h>
#endif

#ifndef IG_ISA
#define IG_ISA base
#endif
#define JOIN2(a, b) a##b
#define JOIN(a, b)  JOIN2(a, b)
#define TEXT2(a)    #a
#define TEXT(a)     TEXT2(a)

enum { LANES = 16, STEP = 64, BLOCK = 512 };

typedef float vec __attribute__((vector_size(64)));
typedef float vec8 __attribute__((vector_size(32)));
typedef double vec8d __attribute__((vector_size(64)));

static inline vec load(const float *p)
{
    vec v;

    memcpy(&v, p, sizeof v);
    return v;
}

static inline void store(float *p, vec v)
{
    memcpy(p, &v, sizeof v);
}

/* The upper and the lower eight lanes added, in double. */
static inline vec8d halves(vec v)
{
    vec8 low, high;

    memcpy(&low, &v, sizeof low);
    memcpy(&high, (const char *)&v + sizeof low, sizeof high);
    return __builtin_convertvector(low, vec8d) + __builtin_convertvector(high, vec8d);
}

static inline double sum_double(vec8d s)
{
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* The sum of sixteen lanes, in double. */
static inline double sum_lanes(vec v)
{
    return sum_double(halves(v));
}

/* One block of a dot product, n ≤ BLOCK floats. */
static inline double dot_block(const float *a, const float *b, size_t n)
{
    vec s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    double tail = 0;
    size_t i = 0;

    for (; i + STEP <= n; i += STEP) {
        s0 += load(a + i) * load(b + i);
        s1 += load(a + i + 16) * load(b + i + 16);
        s2 += load(a + i + 32) * load(b + i + 32);
        s3 += load(a + i + 48) * load(b + i + 48);
    }
    for (; i + LANES <= n; i += LANES)
        s0 += load(a + i) * load(b + i);
    for (; i < n; i++)
        tail += (double)a[i] * (double)b[i];
    return sum_lanes((s0 + s1) + (s2 + s3)) + tail;
}

static double dot(const float *a, const float *b, size_t d)
{
    double sum = 0;

    for (size_t j = 0; j < d; j += BLOCK)
        sum += dot_block(a + j, b + j, d - j < BLOCK ? d - j : BLOCK);
    return sum;
}

static void dots(const float *const *v, const uint8_t *left, const uint8_t *right,
                 size_t n, size_t d, double *out)
{
    for (size_t k = 0; k < n; k++)
        out[k] = 0;
    for (size_t j = 0; j < d; j += BLOCK) {
        size_t width = d - j < BLOCK ? d - j : BLOCK;

        for (size_t k = 0; k < n; k++)
            out[k] += dot_block(v[left[k]] + j, v[right[k]] + j, width);
    }
}

static void combine(const float *const *v, const float *c, size_t n, size_t d, int add,
                    float *out)
{
    size_t j = 0;

    for (; j + STEP <= d; j += STEP) {
        vec s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};

        if (add) {
            s0 = load(out + j);
            s1 = load(out + j + 16);
            s2 = load(out + j + 32);
            s3 = load(out + j + 48);
        }
        for (size_t k = 0; k < n; k++) {
            const float *p = v[k] + j;

            s0 += c[k] * load(p);
            s1 += c[k] * load(p + 16);
            s2 += c[k] * load(p + 32);
            s3 += c[k] * load(p + 48);
        }
        store(out + j, s0);
        store(out + j + 16, s1);
        store(out + j + 32, s2);
        store(out + j + 48, s3);
    }
    for (; j < d; j++) {
        float s = add ? out[j] : 0;

        for (size_t k = 0; k < n; k++)
            s += c[k] * v[k][j];
        out[j] = s;
    }
}

static void dot_rows(const float *q, const float *rows, size_t stride, size_t n,
                     size_t d, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (float)dot(q, rows + i * stride, d);
}

static double unit(const float *src, size_t d, float *dst)
{
    double square = dot(src, src, d);
    float scale = (float)(1.0 / sqrt(square + 1e-12));

    for (size_t j = 0; j < d; j++)
        dst[j] = src[j] * scale;
    return square;
}

static float peak(const float *a, size_t d)
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

static float half_to_float(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16;
    uint32_t exponent = (h >> 10) & 31;
    uint32_t fraction = h & 1023;
    uint32_t bits;
    float out;

    if (exponent == 0) {
        out = (float)fraction * 0x1p-24f;
        return sign ? -out : out;
    }
    if (exponent == 31)
        bits = sign | 0x7f800000u | fraction << 13;
    else
        bits = sign | (exponent + 112) << 23 | fraction << 13;
    memcpy(&out, &bits, sizeof out);
    return out;
}

static void from_half(const uint16_t *src, size_t n, float *dst)
{
    size_t i = 0;

#if defined(__AVX512F__)
    for (; i + 16 <= n; i += 16)
        _mm512_storeu_ps(dst + i, _mm512_cvtph_ps(_mm256_loadu_si256(
                                      (const __m256i *)(const void *)(src + i))));
#elif defined(__F16C__)
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(dst + i, _mm256_cvtph_ps(_mm_loadu_si128(
                                      (const __m128i *)(const void *)(src + i))));
#endif
    for (; i < n; i++) {
        uint16_t h;

        memcpy(&h, (const char *)src + i * sizeof h, sizeof h);
        dst[i] = half_to_float(h);
    }
}

static void from_double(const double *src, size_t n, float *dst)
{
    for (size_t i = 0; i < n; i++) {
        double x;

        memcpy(&x, (const char *)src + i * sizeof x, sizeof x);
        dst[i] = (float)x;
    }
}

typedef uint32_t bits16 __attribute__((vector_size(64)));

static inline bits16 bits_of(vec v)
{
    bits16 bits;

    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static inline vec vec_of(bits16 bits)
{
    vec v;

    memcpy(&v, &bits, sizeof v);
    return v;
}

/* exp by 2^k · e^r, k = round(x / ln 2), |r| ≤ ln 2 / 2, and the Taylor sum of e^r to
 * its sixth power. Adding 1.5 · 2^23 rounds to a whole number. */
static inline vec exp_lanes(vec x)
{
    const vec magic = (vec){0} + 12582912.0f;
    bits16 small = (bits16)(x < (vec){0} - 87.0f), nan = (bits16)(x != x), bits;
    vec k = (x * 1.44269504f + magic) - magic;
    vec r = x - k * 0.693359375f + k * 2.12194440e-4f;
    vec p = (vec){0} + 1.0f / 720;

    p = p * r + 1.0f / 120;
    p = p * r + 1.0f / 24;
    p = p * r + 1.0f / 6;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    p = p * r + 1.0f;
    /* k + magic holds k in its low bits, as a whole number. */
    bits = bits_of(p) + ((bits_of(k + magic) - bits_of(magic)) << 23);
    return vec_of((bits & ~small & ~nan) | (bits_of(x) & nan));
}

static void exp_rows(const float *x, const float *shift, size_t step, size_t n,
                     float *out, double *total)
{
    vec one = (vec){0} + (step ? 0 : *shift);
    vec8d sum = {0};
    size_t j = 0;

    for (; j + LANES <= n; j += LANES) {
        vec v = exp_lanes(load(x + j) - (step ? load(shift + j) : one));

        store(out + j, v);
        if (total && step)
            for (size_t i = 0; i < LANES; i++)
                total[j + i] += (double)v[i];
        else if (total)
            sum += halves(v);
    }
    if (j < n) {
        float a[LANES] = {0}, b[LANES] = {0};
        vec v;

        memcpy(a, x + j, (n - j) * sizeof *a);
        memcpy(b, shift + j * step, (step ? n - j : 1) * sizeof *b);
        v = exp_lanes(load(a) - (step ? load(b) : one));
        memcpy(out + j, &v, (n - j) * sizeof *out);
        for (size_t i = 0; total && i < n - j; i++)
            total[(j + i) * step] += (double)v[i];
    }
    if (total && !step)
        *total += sum_double(sum);
}

static void larger(const float *x, size_t n, float *top)
{
    for (size_t j = 0; j < n; j++)
        top[j] = x[j] > top[j] ? x[j] : top[j];
}

static float excess(const float *x, const float *y, float by, size_t n)
{
    vec top = (vec){0} - INFINITY;
    float out = -INFINITY;
    size_t j = 0;

    for (; j + LANES <= n; j += LANES) {
        vec v = load(x + j) - by * load(y + j);
        bits16 more = (bits16)(v > top);

        top = vec_of((bits_of(v) & more) | (bits_of(top) & ~more));
    }
    for (size_t i = 0; i < LANES; i++)
        out = top[i] > out ? top[i] : out;
    for (; j < n; j++)
        out = x[j] - by * y[j] > out ? x[j] - by * y[j] : out;
    return out;
}

static void surpass(const float *restrict x, const float *restrict by, float y,
                    size_t n, float *restrict top)
{
    for (size_t j = 0; j < n; j++) {
        float v = x[j] - by[j] * y;

        top[j] = v > top[j] ? v : top[j];
    }
}

typedef uint64_t key4 __attribute__((vector_size(32), aligned(8), may_alias));

/* Each place gets what was in it, or before it, or the value: the middle one of the
 * three, for the list descends. From its end on, four at once. */
static void insert(uint64_t *kept, size_t n, uint64_t value)
{
    key4 all = (key4){0} + value;
    size_t i = n;

    for (; i >= 4; i -= 4) {
        key4 is = *(const key4 *)(kept + i - 3), before = *(const key4 *)(kept + i - 4);
        key4 less = (key4)(before < all);

        before = (before & less) | (all & ~less);
        less = (key4)(is < before);
        *(key4 *)(kept + i - 3) = (before & less) | (is & ~less);
    }
    for (; i > 0; i--) {
        uint64_t before = kept[i - 1] < value ? kept[i - 1] : value;

        kept[i] = kept[i] > before ? kept[i] : before;
    }
}

static void tally(const float *restrict x, const float *restrict limit, size_t step,
                  size_t n, uint32_t *restrict count)
{
    uint32_t sum = 0;

    if (step) {
        for (size_t j = 0; j < n; j++)
            count[j] += x[j] > limit[j];
        return;
    }
    for (size_t j = 0; j < n; j++)
        sum += x[j] > *limit;
    *count += sum;
}

/* Which of sixteen x reach their limits, a bit each. */
static inline uint32_t reach_lanes(const float *x, vec limit)
{
#if defined(__AVX512F__)
    return _mm512_cmp_ps_mask(_mm512_loadu_ps(x), (__m512)limit, _CMP_GE_OQ);
#elif defined(__AVX__)
    float l[LANES];
    uint32_t low, high;

    store(l, limit);
    low = (uint32_t)_mm256_movemask_ps(
        _mm256_cmp_ps(_mm256_loadu_ps(x), _mm256_loadu_ps(l), _CMP_GE_OQ));
    high = (uint32_t)_mm256_movemask_ps(
        _mm256_cmp_ps(_mm256_loadu_ps(x + 8), _mm256_loadu_ps(l + 8), _CMP_GE_OQ));
    return low | high << 8;
#else
    float l[LANES];
    uint32_t bits = 0, any = 0;

    store(l, limit);
    for (size_t i = 0; i < LANES; i++)
        any |= x[i] >= l[i];
    for (size_t i = 0; any && i < LANES; i++)
        bits |= (uint32_t)(x[i] >= l[i]) << i;
    return bits;
#endif
}

static size_t reach(const float *x, const float *limit, size_t step, size_t n,
                    uint32_t *place)
{
    vec one = (vec){0} + (n ? *limit : 0);
    size_t count = 0, j = 0;

    for (; j + LANES <= n; j += LANES) {
        uint32_t bits = reach_lanes(x + j, step ? load(limit + j) : one);

        for (; bits; bits &= bits - 1)
            place[count++] = (uint32_t)j + (uint32_t)__builtin_ctz(bits);
    }
    for (; j < n; j++) {
        place[count] = (uint32_t)j;
        count += x[j] >= limit[j * step];
    }
    return count;
}

static void rectify(float *x, size_t n)
{
    for (size_t j = 0; j < n; j++)
        x[j] = x[j] < 0 ? 0 : x[j];
}

static void gate(const float *restrict x, size_t n, float *restrict g)
{
    for (size_t j = 0; j < n; j++)
        g[j] = x[j] > 0 ? g[j] : 0;
}

static void adam(float *restrict p, float *restrict m, float *restrict v,
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

extern const ig_kernels JOIN(ig_kernels_, IG_ISA);
const ig_kernels JOIN(ig_kernels_, IG_ISA) = {
    .name = TEXT(IG_ISA),
    .dots = dots,
    .combine = combine,
    .dot = dot,
    .dot_rows = dot_rows,
    .unit = unit,
    .peak = peak,
    .from_half = from_half,
    .from_double = from_double,
    .exp = exp_rows,
    .larger = larger,
    .excess = excess,
    .surpass = surpass,
    .insert = insert,
    .tally = tally,
    .reach = reach,
    .rectify = rectify,
    .gate = gate,
    .adam = adam,
};
