/* Row kernels. This file is compiled once for each instruction set: IG_ISA names the
 * build and compiler flags select the instructions; core/dispatch.c picks one at run
 * time. Vectors are 16 floats wide in every build; the compiler splits them where the
 * machine's are shorter.
 *
 * Sums: products are accumulated in float over at most BLOCK floats in 64 separate
 * lanes (8 additions a lane), and from there in double. */
#include "core/kernels.h"

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

/* Sum of the upper and lower eight lanes, in double. */
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

/* One machine register, for the hottest loops: the compiler spills sums of wider
 * vectors to memory. */
#if defined(__AVX512F__)
enum { REACH = 16 };
#elif defined(__AVX__)
enum { REACH = 8 };
#else
enum { REACH = 4 };
#endif
typedef float reg __attribute__((vector_size(REACH * sizeof(float))));
enum { REGS = STEP / REACH }; /* per step */

static inline reg load_reg(const float *p)
{
    reg v;

    memcpy(&v, p, sizeof v);
    return v;
}

/* Dot product of one block, n ≤ BLOCK floats; the order of the sums is the same in
 * every build. */
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

static double unit(const float *src, size_t d, float *dst)
{
    double square = dot(src, src, d);
    float scale = (float)(1.0 / sqrt(square + 1e-12));

    for (size_t j = 0; j < d; j++)
        dst[j] = src[j] * scale;
    return square;
}

static float max_abs(const float *a, size_t d)
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

/* e^r for −½ ln 2 ≤ r ≤ ½ ln 2: Taylor series up to the sixth power. */
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

/* e^x = 2^k · e^r with k = round(x / ln 2), |r| ≤ ln 2 / 2. Adding 1.5 · 2^23 rounds to
 * an integer. */
static inline vec exp_lanes(vec x)
{
    const vec magic = (vec){0} + 12582912.0f;
    bits16 small = (bits16)(x < (vec){0} - 87.0f), nan = (bits16)(x != x), bits;
    vec k = (x * 1.44269504f + magic) - magic;
    vec r = x - k * 0.693359375f + k * 2.12194440e-4f;
    vec p = exp_rest(r);

    /* The low bits of k + magic hold k as an integer. */
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

/* A lane adds at most BLOCK/LANES floats before they are added in double. */
static double exp_sum(const float *x, float by, float shift, size_t n)
{
    double sum = 0;
    size_t j = 0;

    while (j + LANES <= n) {
        size_t end = n - j < BLOCK ? n : j + BLOCK;
        vec s0 = {0}, s1 = {0};

        for (; j + 2 * LANES <= end; j += 2 * LANES) {
            s0 += exp_lanes(load(x + j) * by - shift);
            s1 += exp_lanes(load(x + j + LANES) * by - shift);
        }
        for (; j + LANES <= end; j += LANES)
            s0 += exp_lanes(load(x + j) * by - shift);
        sum += sum_lanes(s0) + sum_lanes(s1);
    }
    if (j < n) {
        float a[LANES] = {0};
        vec v;

        memcpy(a, x + j, (n - j) * sizeof *a);
        v = exp_lanes(load(a) * by - shift);
        for (size_t i = 0; i < n - j; i++)
            sum += (double)v[i];
    }
    return sum;
}

static void add_scalar(const float *restrict x, float by, size_t n, float *restrict out)
{
    for (size_t j = 0; j < n; j++)
        out[j] = x[j] + by;
}

/* Four perfect shuffles of 16 rows of 16 are their transpose. */
static void transpose(const float *from, size_t rows, size_t cols, size_t stride,
                      float *to)
{
    for (size_t i = 0; i < rows; i += LANES)
        for (size_t j = 0; j < cols; j += LANES) {
            vec v[LANES], w[LANES];

            for (size_t r = 0; r < LANES; r++)
                v[r] = load(from + (i + r) * stride + j);
            for (int round = 0; round < 4; round++) {
                for (size_t r = 0; r < LANES / 2; r++) {
                    w[2 * r] = __builtin_shufflevector(v[r], v[r + LANES / 2], 0, 16, 1,
                                                       17, 2, 18, 3, 19, 4, 20, 5, 21,
                                                       6, 22, 7, 23);
                    w[2 * r + 1] = __builtin_shufflevector(
                        v[r], v[r + LANES / 2], 8, 24, 9, 25, 10, 26, 11, 27, 12, 28,
                        13, 29, 14, 30, 15, 31);
                }
                memcpy(v, w, sizeof v);
            }
            for (size_t c = 0; c < LANES; c++)
                store(to + (j + c) * stride + i, v[c]);
        }
}

static void max_each(const float *x, size_t n, float *top)
{
    for (size_t j = 0; j < n; j++)
        top[j] = x[j] > top[j] ? x[j] : top[j];
}

static inline vec most_lanes(vec a, vec b)
{
    bits16 more = (bits16)(a > b);

    return vec_of((bits_of(a) & more) | (bits_of(b) & ~more));
}

static inline float most_of(vec v)
{
    float out = -INFINITY;

    for (size_t i = 0; i < LANES; i++)
        out = v[i] > out ? v[i] : out;
    return out;
}

static float max_of(const float *x, size_t n)
{
    vec most = (vec){0} - INFINITY;
    size_t j = 0;
    float out;

    for (; j + LANES <= n; j += LANES)
        most = most_lanes(load(x + j), most);
    out = most_of(most);
    for (; j < n; j++)
        out = x[j] > out ? x[j] : out;
    return out;
}

static float max_diff(const float *x, const float *y, float by, size_t n)
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

static uint32_t count_gt(const float *x, float limit, size_t n)
{
    uint32_t count = 0;

    for (size_t j = 0; j < n; j++)
        count += x[j] > limit;
    return count;
}

/* Bit mask of the lanes with x ≥ limit. */
static inline uint32_t reach_lanes(const float *x, float limit)
{
    uint32_t bits = 0;

#if defined(__AVX512F__)
    bits = _mm512_cmp_ps_mask(_mm512_loadu_ps(x), _mm512_set1_ps(limit), _CMP_GE_OQ);
#else
    for (uint32_t i = 0; i < LANES; i++)
        bits |= (uint32_t)(x[i] >= limit) << i;
#endif
    return bits;
}

static size_t find_ge(const float *x, float limit, size_t n, uint32_t *place)
{
    size_t count = 0, j = 0;

    for (; j + LANES <= n; j += LANES)
        for (uint32_t bits = reach_lanes(x + j, limit); bits; bits &= bits - 1)
            place[count++] = (uint32_t)j + (uint32_t)__builtin_ctz(bits);
    for (; j < n; j++)
        if (x[j] >= limit)
            place[count++] = (uint32_t)j;
    return count;
}

static float kth_bound(const float *x, size_t n, size_t k, size_t most)
{
    float low = INFINITY, high = -INFINITY;

    for (size_t j = 0; j < n; j++) {
        low = x[j] < low ? x[j] : low;
        high = x[j] > high ? x[j] : high;
    }
    for (;;) {
        float middle = low + (high - low) / 2;
        size_t above;

        if (n < k)
            return -INFINITY;
        if (!(middle > low && middle < high))
            return low;
        above = count_gt(x, middle, n);
        high = above < k ? middle : high;
        low = above < k ? low : middle;
        if (above >= k && above <= most)
            return low;
    }
}

static size_t filter_ge(float *score, uint32_t *name, size_t n, float least)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        float s = score[i];

        score[count] = s;
        name[count] = name[i];
        count += s >= least;
    }
    return count;
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
    .unit = unit,
    .max_abs = max_abs,
    .from_half = from_half,
    .from_double = from_double,
    .exp = exp_rows,
    .exp_sum = exp_sum,
    .add_scalar = add_scalar,
    .transpose = transpose,
    .max_each = max_each,
    .max_of = max_of,
    .max_diff = max_diff,
    .count_gt = count_gt,
    .find_ge = find_ge,
    .filter_ge = filter_ge,
    .kth_bound = kth_bound,
    .adam = adam,
};
