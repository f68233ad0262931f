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

static void each_size(void (*check)(size_t n))
{
    for (size_t s = 0; s < SIZES; s++) {
        fill();
        check(sizes[s]);
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

static void check_dot(size_t n)
{
    near(ig_dot(row(1), row(2), n), plain_dot(row(1), row(2), n), 1 + (double)n);
}

static void check_combine(size_t n)
{
    const float *v[] = {row(0), row(1), row(2)};
    const float c[] = {0.5f, -2, 3};

    for (int add = 0; add < 2; add++) {
        for (size_t j = 0; j <= MOST; j++)
            out[j] = 7;
        ig_row_combine(v, c, 3, n, add, out);
        for (size_t j = 0; j < n; j++)
            near(out[j], 0.5 * v[0][j] - 2.0 * v[1][j] + 3.0 * v[2][j] + 7 * add, 20);
        assert_true(out[n] == 7); /* nothing past the end */
    }
}

static void check_unit(size_t n)
{
    double square = plain_dot(row(0), row(0), n);

    near(ig_row_unit(row(0), n, out), square, 1 + square);
    for (size_t j = 0; j < n; j++)
        near(out[j], row(0)[j] / sqrt(square + 1e-12), 1);
}

static void check_peak(size_t n)
{
    if (n == 0)
        return;
    row(0)[n / 2] = -40;
    assert_true(ig_max_abs(row(0), n) == 40);
    row(0)[n - 1] = NAN;
    assert_true(isnan(ig_max_abs(row(0), n)));
    row(0)[n - 1] = -INFINITY;
    assert_true(isinf(ig_max_abs(row(0), n)));
}

/* Every half, eight at a time and alone. */
static void every_half(void **state)
{
    for (uint32_t h = 0; h < 65536; h++) {
        uint16_t same[9] = {[0] = (uint16_t)h, [8] = (uint16_t)h};
        double fraction = h & 1023, want = ldexp(fraction, -24);
        float value[9];

        ig_from_half(same, 9, value);
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

static void check_exp_sum(size_t n)
{
    double sum = 0;

    for (size_t j = 0; j < n; j++) {
        double e;

        row(0)[j] = j % 7 ? row(0)[j] : -40; /* e^−161 is nothing */
        e = exp((double)(4 * row(0)[j] - 1));
        sum += row(0)[j] < -21.5F ? 0 : e;
    }
    out[n] = 7;
    near(ig_exp_sum(row(0), 4, 1, n, out), sum, sum);
    near(ig_exp_sum(row(0), 4, 1, n, NULL), sum, sum);
    for (size_t j = 0; j < n; j++)
        near(out[j], j % 7 ? exp(4 * (double)row(0)[j] - 1) : 0, (double)out[j] + 1e-9);
    assert_true(out[n] == 7);
    if (n) {
        row(0)[0] = NAN;
        assert_true(isnan(ig_exp_sum(row(0), 1, 0, 1, out)) && isnan(out[0]));
        row(0)[0] = -INFINITY;
        assert_true(ig_exp_sum(row(0), 1, 0, 1, row(0)) == 0 && row(0)[0] == 0);
    }
}

static void check_count(size_t n)
{
    float limit = row(1)[0], *x = row(0);
    size_t above = 0;

    x[n / 2] = NAN;
    x[n / 3] = limit;
    for (size_t j = 0; j < n; j++)
        above += x[j] > limit;
    assert_int_equal(ig_count_gt(x, limit, n), above);
}

/* Adam as in train/METHODS.md, three steps, with decoupled weight decay. */
static void check_adam(size_t n)
{
    float m[MOST] = {0}, v[MOST] = {0};
    double p2[MOST], m2[MOST] = {0}, v2[MOST] = {0};

    for (size_t j = 0; j < n; j++)
        p2[j] = row(0)[j];
    for (int t = 1; t <= 3; t++) {
        double c1 = 1 - pow(0.9, t), c2 = 1 - pow(0.999, t);

        ig_adam(row(0), m, v, row(1), n, 1e-2f, 0.9f, 0.999f, 1e-8f, (float)c1,
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

static void check_max_of(size_t n)
{
    float most = -INFINITY;

    row(0)[n / 2] = NAN; /* is passed over */
    for (size_t j = 0; j < n; j++)
        most = row(0)[j] > most ? row(0)[j] : most;
    assert_true(ig_max_of(row(0), n) == most);
}

static void check_transpose(size_t n)
{
    enum { STRIDE = 48 };
    static float from[STRIDE * STRIDE], to[STRIDE * STRIDE];
    size_t n_rows = n % STRIDE, n_cols = n * 7 % STRIDE;

    for (size_t i = 0; i < STRIDE * STRIDE; i++)
        from[i] = (float)i;
    ig_transpose(from, n_rows, n_cols, STRIDE, to);
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < n_cols; j++)
            assert_true(to[j * STRIDE + i] == from[i * STRIDE + j]);
}

#define AT_EVERY_SIZE(what)                                                            \
    static void what##_at_every_size(void **state)                                     \
    {                                                                                  \
        each_size(check_##what);                                                       \
    }
AT_EVERY_SIZE(dot)
AT_EVERY_SIZE(combine)
AT_EVERY_SIZE(unit)
AT_EVERY_SIZE(peak)
AT_EVERY_SIZE(count)
AT_EVERY_SIZE(max_of)
AT_EVERY_SIZE(transpose)
AT_EVERY_SIZE(exp_sum)
AT_EVERY_SIZE(adam)

SUITE(kernels, NULL, NULL, TEST(every_half), TEST(dot_at_every_size),
      TEST(combine_at_every_size), TEST(unit_at_every_size), TEST(peak_at_every_size),
      TEST(count_at_every_size), TEST(max_of_at_every_size),
      TEST(transpose_at_every_size), TEST(exp_sum_at_every_size),
      TEST(adam_at_every_size))
