/* The row kernels against plain arithmetic in double, at sizes around the lengths of
 * their vectors and blocks. */
#include <math.h>
#include <string.h>

#include "suite.h"

#include "core/kernels.h"
#include "core/random.h"

enum { MOST = 1100, ROWS = 5 };

static const size_t sizes[] = {0,  1,  2,   15,  16,  17,  63,
                               64, 65, 255, 511, 512, 513, 1100};
enum { SIZES = sizeof sizes / sizeof *sizes };

static float rows[ROWS][MOST + 1], out[MOST + 1];

/* One off, so that no row is aligned. */
static float *row(size_t i)
{
    return rows[i] + 1;
}

static void fill(void)
{
    ig_random random;

    ig_random_init(&random, 5, 0);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j <= MOST; j++)
            rows[i][j] = (float)ig_random_normal(&random);
}

static void each_size(void (*check)(const ig_kernels *k, size_t n))
{
    for (size_t s = 0; s < SIZES; s++) {
        fill();
        check(ig_kernels_best(), sizes[s]);
    }
}

static void near(double value, double want, double scale)
{
    if (!(fabs(value - want) <= 1e-6 * scale + 1e-30))
        fail_msg("%.9g, wanted %.9g", value, want);
}

static double plain_dot(const float *a, const float *b, size_t n)
{
    double sum = 0;

    for (size_t j = 0; j < n; j++)
        sum += (double)a[j] * b[j];
    return sum;
}

static void check_dots(const ig_kernels *k, size_t n)
{
    const float *v[ROWS];
    uint8_t left[] = {0, 0, 4, 2, 1}, right[] = {0, 1, 3, 2, 4};
    double got[5];

    for (size_t i = 0; i < ROWS; i++)
        v[i] = row(i);
    k->dots(v, left, right, 5, n, got);
    for (size_t i = 0; i < 5; i++)
        near(got[i], plain_dot(v[left[i]], v[right[i]], n), 1 + (double)n);
    near(k->dot(v[1], v[2], n), plain_dot(v[1], v[2], n), 1 + (double)n);
}

static void check_combine(const ig_kernels *k, size_t n)
{
    const float *v[] = {row(0), row(1), row(2)};
    const float c[] = {0.5f, -2, 3};

    for (int add = 0; add < 2; add++) {
        for (size_t j = 0; j <= MOST; j++)
            out[j] = 7;
        k->combine(v, c, 3, n, add, out);
        for (size_t j = 0; j < n; j++)
            near(out[j], 0.5 * v[0][j] - 2.0 * v[1][j] + 3.0 * v[2][j] + 7 * add, 20);
        assert_true(out[n] == 7); /* nothing past the end */
    }
}

static void check_unit(const ig_kernels *k, size_t n)
{
    double square = plain_dot(row(0), row(0), n);

    near(k->unit(row(0), n, out), square, 1 + square);
    for (size_t j = 0; j < n; j++)
        near(out[j], row(0)[j] / sqrt(square + 1e-12), 1);
}

static void check_peak(const ig_kernels *k, size_t n)
{
    if (n == 0)
        return;
    row(0)[n / 2] = -40;
    assert_true(k->max_abs(row(0), n) == 40);
    row(0)[n - 1] = NAN;
    assert_true(isnan(k->max_abs(row(0), n)));
    row(0)[n - 1] = -INFINITY;
    assert_true(isinf(k->max_abs(row(0), n)));
}

static void check_widening(const ig_kernels *k, size_t n)
{
    static const struct {
        uint16_t half;
        float value;
    } known[] = {{0, 0.0f},          {0x3c00, 1},        {0xc000, -2},
                 {0x7bff, 65504},    {0x0001, 0x1p-24f}, {0x83ff, -1023 * 0x1p-24f},
                 {0x0400, 0x1p-14f}, {0x7c00, INFINITY}, {0x3555, 0.333251953125f}};
    enum { KNOWN = sizeof known / sizeof *known };
    uint16_t half[MOST + 1];

    for (size_t j = 0; j <= n; j++)
        half[j] = known[j % KNOWN].half;
    out[n] = 7;
    k->from_half(half, n, out);
    for (size_t j = 0; j < n; j++)
        assert_true(out[j] == known[j % KNOWN].value);
    assert_true(out[n] == 7);
}

/* Every half, eight at a time and alone. */
static void every_half(void **state)
{
    for (uint32_t h = 0; h < 65536; h++) {
        uint16_t same[9] = {[0] = (uint16_t)h, [8] = (uint16_t)h};
        double fraction = h & 1023, want = ldexp(fraction, -24);
        float value[9];

        ig_kernels_best()->from_half(same, 9, value);
        if (h & 0x7c00)
            want = ldexp(fraction + 1024, (int)(h >> 10 & 31) - 25);
        if ((h & 0x7c00) == 0x7c00)
            want = fraction != 0 ? NAN : INFINITY;
        for (size_t i = 0; i <= 8; i += 8)
            assert_true(isnan(want) ? isnan(value[i])
                                    : value[i] == (h & 0x8000 ? -want : want));
        assert_true(!signbit(value[0]) == !(h & 0x8000));
    }
}

static void check_exp_sum(const ig_kernels *k, size_t n)
{
    double sum = 0;

    for (size_t j = 0; j < n; j++) {
        double e;

        row(0)[j] = j % 7 ? row(0)[j] : -40; /* e^−161 is nothing */
        e = exp((double)(4 * row(0)[j] - 1));
        sum += row(0)[j] < -21.5F ? 0 : e;
    }
    out[n] = 7;
    near(k->exp_sum(row(0), 4, 1, n, out), sum, sum);
    near(k->exp_sum(row(0), 4, 1, n, NULL), sum, sum);
    for (size_t j = 0; j < n; j++)
        near(out[j], j % 7 ? exp(4 * (double)row(0)[j] - 1) : 0, (double)out[j] + 1e-9);
    assert_true(out[n] == 7);
    if (n) {
        row(0)[0] = NAN;
        assert_true(isnan(k->exp_sum(row(0), 1, 0, 1, out)) && isnan(out[0]));
        row(0)[0] = -INFINITY;
        assert_true(k->exp_sum(row(0), 1, 0, 1, row(0)) == 0 && row(0)[0] == 0);
    }
}

/* Limits on the products of a tile. */
static void check_limits(const ig_kernels *k, size_t n)
{
    uint32_t place[MOST];
    float limit = row(1)[0], *x = row(0);
    size_t above = 0, at = 0, places;

    x[n / 2] = NAN;
    x[n / 3] = limit;
    places = k->find_ge(x, limit, n, place);
    for (size_t j = 0; j < n; j++) {
        above += x[j] > limit;
        if (x[j] >= limit)
            assert_int_equal(place[at++], j);
    }
    assert_int_equal(k->count_gt(x, limit, n), above);
    assert_int_equal(places, at);
}

/* Adam as in train/METHODS.md, three steps, with decoupled weight decay. */
static void check_adam(const ig_kernels *k, size_t n)
{
    float m[MOST] = {0}, v[MOST] = {0};
    double p2[MOST], m2[MOST] = {0}, v2[MOST] = {0};

    for (size_t j = 0; j < n; j++)
        p2[j] = row(0)[j];
    for (int t = 1; t <= 3; t++) {
        double c1 = 1 - pow(0.9, t), c2 = 1 - pow(0.999, t);

        k->adam(row(0), m, v, row(1), n, 1e-2f, 0.9f, 0.999f, 1e-8f, (float)c1,
                (float)c2, 1e-3f);
        for (size_t j = 0; j < n; j++) {
            double g = row(1)[j];

            m2[j] = 0.9 * m2[j] + 0.1 * g;
            v2[j] = 0.999 * v2[j] + 0.001 * g * g;
            p2[j] -= 1e-3 * p2[j] + 1e-2 / c1 * m2[j] / (sqrt(v2[j] / c2) + 1e-8);
        }
    }
    for (size_t j = 0; j < n; j++)
        near(row(0)[j], p2[j], 4);
}

static void check_max_of(const ig_kernels *k, size_t n)
{
    float most = -INFINITY;

    row(0)[n / 2] = NAN; /* is passed over */
    for (size_t j = 0; j < n; j++)
        most = row(0)[j] > most ? row(0)[j] : most;
    assert_true(k->max_of(row(0), n) == most);
}

static void check_transpose(const ig_kernels *k, size_t n)
{
    enum { STRIDE = 48 };
    static float from[STRIDE * STRIDE], to[STRIDE * STRIDE];
    size_t n_rows = n % STRIDE, n_cols = n * 7 % STRIDE;

    for (size_t i = 0; i < STRIDE * STRIDE; i++)
        from[i] = (float)i;
    k->transpose(from, n_rows, n_cols, STRIDE, to);
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < n_cols; j++)
            assert_true(to[j * STRIDE + i] == from[i * STRIDE + j]);
}

#define AT_EVERY_SIZE(what)                                                            \
    static void what##_at_every_size(void **state)                                     \
    {                                                                                  \
        each_size(check_##what);                                                       \
    }
AT_EVERY_SIZE(dots)
AT_EVERY_SIZE(combine)
AT_EVERY_SIZE(unit)
AT_EVERY_SIZE(peak)
AT_EVERY_SIZE(widening)
AT_EVERY_SIZE(limits)
AT_EVERY_SIZE(max_of)
AT_EVERY_SIZE(transpose)
AT_EVERY_SIZE(exp_sum)
AT_EVERY_SIZE(adam)

SUITE(kernels, NULL, NULL, TEST(every_half), TEST(dots_at_every_size),
      TEST(combine_at_every_size), TEST(unit_at_every_size), TEST(peak_at_every_size),
      TEST(widening_at_every_size), TEST(limits_at_every_size),
      TEST(max_of_at_every_size), TEST(transpose_at_every_size),
      TEST(exp_sum_at_every_size), TEST(adam_at_every_size))
