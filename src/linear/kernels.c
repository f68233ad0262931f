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
typedef float vec4 __attribute__((vector_size(16)));
typedef double vec4d __attribute__((vector_size(32)));
typedef double vec2d __attribute__((vector_size(16)));

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

/* The sum of sixteen lanes, in double: sum_double(halves(v)), by four. */
static inline double sum_lanes(vec v)
{
    vec4 part[4];
    vec4d d[4];
    vec2d half[2], sum;

    memcpy(part, &v, sizeof v);
    for (size_t i = 0; i < 4; i++)
        d[i] = __builtin_convertvector(part[i], vec4d);
    d[0] = (d[0] + d[2]) + (d[1] + d[3]);
    memcpy(half, &d[0], sizeof half);
    sum = half[0] + half[1];
    return sum[0] + sum[1];
}

/* What the machine has in one register, for the loops that most depend on it: of wider
 * vectors the compiler keeps sums in memory. */
#if defined(__AVX512F__)
enum { REACH = 16 };
#elif defined(__AVX__)
enum { REACH = 8 };
#else
enum { REACH = 4 };
#endif
typedef float reg __attribute__((vector_size(REACH * sizeof(float))));
enum { REGS = STEP / REACH }; /* of a step */

static inline reg load_reg(const float *p)
{
    reg v;

    memcpy(&v, p, sizeof v);
    return v;
}

/* One block of a dot product, n ≤ BLOCK floats: the same sums in every build. */
static inline double dot_block(const float *a, const float *b, size_t n)
{
    reg s[REGS] = {{0}};
    vec sum[STEP / LANES];
    double tail = 0;
    size_t i = 0;

    for (; i + STEP <= n; i += STEP)
        for (size_t h = 0; h < REGS; h++)
            s[h] += load_reg(a + i + h * REACH) * load_reg(b + i + h * REACH);
    for (; i + LANES <= n; i += LANES)
        for (size_t h = 0; h < LANES / REACH; h++)
            s[h] += load_reg(a + i + h * REACH) * load_reg(b + i + h * REACH);
    for (; i < n; i++)
        tail += (double)a[i] * (double)b[i];
    memcpy(sum, s, sizeof sum);
    return sum_lanes((sum[0] + sum[1]) + (sum[2] + sum[3])) + tail;
}

static double dot(const float *a, const float *b, size_t d)
{
    double sum = 0;

    for (size_t j = 0; j < d; j += BLOCK)
        sum += dot_block(a + j, b + j, d - j < BLOCK ? d - j : BLOCK);
    return sum;
}

/* Two blocks of one row each with another, as dot_block has them. */
static inline void dot_blocks(const float *q, const float *a, const float *b, size_t n,
                              double *out)
{
    vec s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0}, t0 = {0}, t1 = {0}, t2 = {0}, t3 = {0};
    double tail[2] = {0, 0};
    size_t i = 0;

    for (; i + STEP <= n; i += STEP) {
        vec v = load(q + i);

        s0 += v * load(a + i);
        t0 += v * load(b + i);
        v = load(q + i + 16);
        s1 += v * load(a + i + 16);
        t1 += v * load(b + i + 16);
        v = load(q + i + 32);
        s2 += v * load(a + i + 32);
        t2 += v * load(b + i + 32);
        v = load(q + i + 48);
        s3 += v * load(a + i + 48);
        t3 += v * load(b + i + 48);
    }
    for (; i + LANES <= n; i += LANES) {
        s0 += load(q + i) * load(a + i);
        t0 += load(q + i) * load(b + i);
    }
    for (; i < n; i++) {
        tail[0] += (double)q[i] * (double)a[i];
        tail[1] += (double)q[i] * (double)b[i];
    }
    out[0] += sum_lanes((s0 + s1) + (s2 + s3)) + tail[0];
    out[1] += sum_lanes((t0 + t1) + (t2 + t3)) + tail[1];
}

static void dot_each(const float *q, const float *const *rows, size_t n, size_t d,
                     double *out)
{
    size_t i = 0;

    for (; i + 2 <= n; i += 2) {
        out[i] = out[i + 1] = 0;
        for (size_t j = 0; j < d; j += BLOCK)
            dot_blocks(q + j, rows[i] + j, rows[i + 1] + j,
                       d - j < BLOCK ? d - j : BLOCK, out + i);
    }
    if (i < n)
        out[i] = dot(q, rows[i], d);
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
    enum { SUMS = REGS < 8 ? REGS : 8, WIDTH = SUMS * REACH };
    size_t j = 0;

    for (; j + WIDTH <= d; j += WIDTH) {
        reg s[SUMS] = {{0}};

        for (size_t h = 0; add && h < SUMS; h++)
            s[h] = load_reg(out + j + h * REACH);
        for (size_t k = 0; k < n; k++)
            for (size_t h = 0; h < SUMS; h++)
                s[h] += c[k] * load_reg(v[k] + j + h * REACH);
        memcpy(out + j, s, sizeof s);
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

static void cosine(const double *restrict aa, const double *restrict bb,
                   const double *restrict ab, size_t n, double eps, double *restrict c,
                   double *restrict by_aa, double *restrict by_bb,
                   double *restrict by_ab)
{
    for (size_t i = 0; i < n; i++) {
        double a = aa[i] + eps, b = bb[i] + eps;
        double inverse = 1.0 / sqrt(a * b);

        c[i] = ab[i] * inverse;
        by_ab[i] = inverse;
        by_aa[i] = -0.5 * c[i] / a;
        by_bb[i] = -0.5 * c[i] / b;
    }
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

/* e^r of lanes between −½ ln 2 and ½ ln 2: Taylor, up to the sixth power. */
static inline vec exp_rest(vec r)
{
    vec p = (vec){0} + 1.0f / 720;

    p = p * r + 1.0f / 120;
    p = p * r + 1.0f / 24;
    p = p * r + 1.0f / 6;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    p = p * r + 1.0f;
    return p;
}

/* exp by 2^k · e^r, k = round(x / ln 2), |r| ≤ ln 2 / 2, and the Taylor sum of e^r to
 * its sixth power. Adding 1.5 · 2^23 rounds to a whole number. */
static inline vec exp_lanes(vec x)
{
    const vec magic = (vec){0} + 12582912.0f;
    bits16 small = (bits16)(x < (vec){0} - 87.0f), nan = (bits16)(x != x), bits;
    vec k = (x * 1.44269504f + magic) - magic;
    vec r = x - k * 0.693359375f + k * 2.12194440e-4f;
    vec p = exp_rest(r);

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

/* e^x of lanes of which none overflows; what is below e^−88 counts as that. */
static inline vec exp_bounded(vec x)
{
#if defined(__AVX512F__)
    const vec magic = (vec){0} + 12582912.0f;
    vec k, r;

    x = (vec)_mm512_max_ps(_mm512_set1_ps(-88.0f), (__m512)x);
    k = (x * 1.44269504f + magic) - magic;
    r = x - k * 0.693359375f + k * 2.12194440e-4f;
    return (vec)_mm512_scalef_ps((__m512)exp_rest(r), (__m512)k);
#else
    return exp_lanes(x);
#endif
}

/* A lane adds BLOCK/LANES floats at most before they are added in double. */
static double exp_sum(const float *x, float by, float shift, size_t n)
{
    double sum = 0;
    size_t j = 0;

    while (j + LANES <= n) {
        size_t end = n - j < BLOCK ? n : j + BLOCK;
        vec s0 = {0}, s1 = {0};

        for (; j + 2 * LANES <= end; j += 2 * LANES) {
            s0 += exp_bounded(load(x + j) * by - shift);
            s1 += exp_bounded(load(x + j + LANES) * by - shift);
        }
        for (; j + LANES <= end; j += LANES)
            s0 += exp_bounded(load(x + j) * by - shift);
        sum += sum_lanes(s0) + sum_lanes(s1);
    }
    if (j < n) {
        float a[LANES] = {0};
        vec v;

        memcpy(a, x + j, (n - j) * sizeof *a);
        v = exp_bounded(load(a) * by - shift);
        for (size_t i = 0; i < n - j; i++)
            sum += (double)v[i];
    }
    return sum;
}

/* out[j] = x[j] + by. */
static void lift(const float *restrict x, float by, size_t n, float *restrict out)
{
    for (size_t j = 0; j < n; j++)
        out[j] = x[j] + by;
}

static void larger(const float *x, size_t n, float *top)
{
    for (size_t j = 0; j < n; j++)
        top[j] = x[j] > top[j] ? x[j] : top[j];
}

/* The larger of each lane; of b where a is NaN. */
static inline vec most_lanes(vec a, vec b)
{
#if defined(__AVX512F__)
    return (vec)_mm512_max_ps((__m512)a, (__m512)b);
#else
    bits16 more = (bits16)(a > b);

    return vec_of((bits_of(a) & more) | (bits_of(b) & ~more));
#endif
}

static inline float most_of(vec v)
{
#if defined(__AVX512F__)
    return _mm512_reduce_max_ps((__m512)v);
#else
    float out = -INFINITY;

    for (size_t i = 0; i < LANES; i++)
        out = v[i] > out ? v[i] : out;
    return out;
#endif
}

static float crest(const float *restrict x, size_t n, float *restrict top)
{
    vec most = (vec){0} - INFINITY;
    size_t j = 0;
    float out;

    for (; j + LANES <= n; j += LANES) {
        vec v = load(x + j);

        store(top + j, most_lanes(v, load(top + j)));
        most = most_lanes(v, most);
    }
    out = most_of(most);
    for (; j < n; j++) {
        top[j] = x[j] > top[j] ? x[j] : top[j];
        out = x[j] > out ? x[j] : out;
    }
    return out;
}

static float excess(const float *x, const float *y, float by, size_t n)
{
    vec top = (vec){0} - INFINITY;
    size_t j = 0;
    float out;

    for (; j + LANES <= n; j += LANES)
        top = most_lanes(load(x + j) - by * load(y + j), top);
    out = most_of(top);
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

static void tally(const float *restrict x, const float *restrict limit, size_t step,
                  size_t n, uint32_t *restrict count)
{
    uint32_t sum = 0;
    size_t j = 0;

    if (step) {
        for (; j < n; j++)
            count[j] += x[j] > limit[j];
        return;
    }
#if defined(__AVX512F__)
    for (__m512 all = _mm512_set1_ps(n ? *limit : 0); j + LANES <= n; j += LANES)
        sum += (uint32_t)__builtin_popcount(
            _mm512_cmp_ps_mask(_mm512_loadu_ps(x + j), all, _CMP_GT_OQ));
#endif
    for (; j < n; j++)
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
#if defined(__AVX512F__)
    const __m512i lane =
        _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#endif
    vec one = (vec){0} + (n ? *limit : 0);
    size_t count = 0, j = 0;

    for (; j + LANES <= n; j += LANES) {
        uint32_t bits = reach_lanes(x + j, step ? load(limit + j) : one);

#if defined(__AVX512F__)
        /* All sixteen places are written: there is room, as count ≤ j. */
        _mm512_storeu_si512(
            place + count,
            _mm512_maskz_compress_epi32(
                (__mmask16)bits, _mm512_add_epi32(lane, _mm512_set1_epi32((int)j))));
        count += (size_t)__builtin_popcount(bits);
#else
        for (; bits; bits &= bits - 1)
            place[count++] = (uint32_t)j + (uint32_t)__builtin_ctz(bits);
#endif
    }
    for (; j < n; j++) {
        place[count] = (uint32_t)j;
        count += x[j] >= limit[j * step];
    }
    return count;
}

#if defined(__AVX512F__)
/* Up to 32 values, in two registers. */
struct few {
    __m512 low, high; /* −∞ where there is none */
    uint32_t mask;
};

static inline struct few few_of(const float *x, size_t n)
{
    uint32_t mask = n < 32 ? (1u << n) - 1 : UINT32_MAX;
    __m512 none = _mm512_set1_ps(-INFINITY);

    return (struct few){_mm512_mask_loadu_ps(none, (__mmask16)mask, x),
                        _mm512_mask_loadu_ps(none, (__mmask16)(mask >> 16), x + 16),
                        mask};
}

static inline size_t above_of(const struct few *few, float limit)
{
    __m512 all = _mm512_set1_ps(limit);
    uint32_t low = _mm512_cmp_ps_mask(few->low, all, _CMP_GT_OQ);
    uint32_t high = _mm512_cmp_ps_mask(few->high, all, _CMP_GT_OQ);

    return (size_t)__builtin_popcount(low | high << 16);
}

static inline void bounds_of(const struct few *few, float *low, float *high)
{
    __m512 most = _mm512_set1_ps(INFINITY);

    *high = _mm512_reduce_max_ps(_mm512_max_ps(few->low, few->high));
    *low = _mm512_reduce_min_ps(_mm512_min_ps(
        _mm512_mask_mov_ps(most, (__mmask16)few->mask, few->low),
        _mm512_mask_mov_ps(most, (__mmask16)(few->mask >> 16), few->high)));
}
#else
struct few {
    const float *x;
    size_t n;
};

static inline struct few few_of(const float *x, size_t n)
{
    return (struct few){x, n};
}

static inline size_t above_of(const struct few *few, float limit)
{
    uint32_t above = 0;

    tally(few->x, &limit, 0, few->n, &above);
    return above;
}

static inline void bounds_of(const struct few *few, float *low, float *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t j = 0; j < few->n; j++) {
        *low = few->x[j] < *low ? few->x[j] : *low;
        *high = few->x[j] > *high ? few->x[j] : *high;
    }
}
#endif

static float quorum(const float *x, size_t n, size_t k, size_t most)
{
    struct few few = few_of(x, n);
    float low, high;

    if (n < k)
        return -INFINITY;
    bounds_of(&few, &low, &high);
    for (;;) {
        float middle = low + (high - low) / 2;
        size_t above;

        if (!(middle > low && middle < high))
            return low;
        above = above_of(&few, middle);
        high = above < k ? middle : high;
        low = above < k ? low : middle;
        if (above >= k && above <= most)
            return low;
    }
}

static void quorums(const float *restrict x, size_t groups, size_t stride, size_t n,
                    size_t k, float *restrict low)
{
    enum { RUN = 64, STEPS = 6 };

    for (size_t from = 0; from < n; from += RUN) {
        size_t run = n - from < RUN ? n - from : RUN;
        float high[RUN], middle[RUN], *at = low + from;
        uint32_t above[RUN];

        for (size_t j = 0; j < RUN; j++) {
            high[j] = -INFINITY;
            middle[j] = INFINITY;
        }
        for (size_t g = 0; g < groups; g++)
            for (size_t j = 0; j < run; j++) {
                float v = x[g * stride + from + j];

                high[j] = v > high[j] ? v : high[j];
                middle[j] = v < middle[j] ? v : middle[j];
            }
        for (size_t j = 0; j < run; j++)
            at[j] = groups < k ? -INFINITY : middle[j];
        for (size_t step = 0; step < STEPS; step++) {
            for (size_t j = 0; j < run; j++) {
                middle[j] = at[j] + (high[j] - at[j]) / 2;
                above[j] = 0;
            }
            for (size_t g = 0; g < groups; g++)
                for (size_t j = 0; j < run; j++)
                    above[j] += x[g * stride + from + j] > middle[j];
            for (size_t j = 0; j < run; j++) {
                at[j] = above[j] >= k ? middle[j] : at[j];
                high[j] = above[j] >= k ? high[j] : middle[j];
            }
        }
    }
}

static size_t winnow(float *score, uint32_t *name, size_t n, float least)
{
    size_t count = 0, i = 0;

#if defined(__AVX512F__)
    for (; i + LANES <= n; i += LANES) {
        __m512 s = _mm512_loadu_ps(score + i);
        __m512i which = _mm512_loadu_si512(name + i);
        __mmask16 stays = _mm512_cmp_ps_mask(s, _mm512_set1_ps(least), _CMP_GE_OQ);

        _mm512_storeu_ps(score + count, _mm512_maskz_compress_ps(stays, s));
        _mm512_storeu_si512(name + count, _mm512_maskz_compress_epi32(stays, which));
        count += (size_t)__builtin_popcount(stays);
    }
#endif
    for (; i < n; i++) {
        float s = score[i];

        score[count] = s;
        name[count] = name[i];
        count += s >= least;
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
    .dot_each = dot_each,
    .unit = unit,
    .cosine = cosine,
    .peak = peak,
    .from_half = from_half,
    .from_double = from_double,
    .exp = exp_rows,
    .exp_sum = exp_sum,
    .lift = lift,
    .larger = larger,
    .crest = crest,
    .excess = excess,
    .surpass = surpass,
    .tally = tally,
    .reach = reach,
    .winnow = winnow,
    .quorum = quorum,
    .quorums = quorums,
    .rectify = rectify,
    .gate = gate,
    .adam = adam,
};
