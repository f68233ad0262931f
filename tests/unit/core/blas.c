/* Products against plain loops at odd sizes and strides, eigenvectors and singular
 * values of matrices whose answers are known. */
#include "core/blas.h"

#include <math.h>
#include <string.h>

#include "suite.h"

#include "core/memory.h"
#include "core/random.h"
#include "core/rows.h"

static void fill(ig_random *random, float *a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] = (float)ig_random_normal(random);
}

static float at(bool transpose, ig_matrix m, size_t i, size_t j)
{
    return transpose ? m.a[j * m.stride + i] : m.a[i * m.stride + j];
}

static void check_product(ig_pool *pool, bool ta, bool tb, size_t n, size_t m, size_t k)
{
    static float a[64 * 64], b[64 * 64], c[64 * 64], before[64 * 64];
    ig_random random;
    ig_matrix ma = {a, ta ? k : n, ta ? n : k, (ta ? n : k) + 3};
    ig_matrix mb = {b, tb ? m : k, tb ? k : m, (tb ? k : m) + 1};
    ig_matrix mc = {c, n, m, m + 2};

    ig_random_init(&random, 1, 0);
    fill(&random, a, 64 * 64);
    fill(&random, b, 64 * 64);
    fill(&random, c, 64 * 64);
    memcpy(before, c, sizeof c);
    ig_gemm_pool(pool, ta, tb, 0.5f, ma, mb, 2, mc);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m + 2; j++) {
            double sum = 0, old = (double)before[i * (m + 2) + j];

            for (size_t r = 0; j < m && r < k; r++)
                sum += (double)at(ta, ma, i, r) * (double)at(tb, mb, r, j);
            assert_near_to(c[i * (m + 2) + j], j < m ? 0.5 * sum + 2 * old : old, 1e-4);
        }
}

static void test_products(void **state)
{
    ig_pool *pools[2] = {NULL, NULL};

    ig_blas_init();
    assert_int_equal(ig_pool_new(&pools[1], 3, NULL), IG_OK);
    for (int p = 0; p < 2; p++)
        for (int t = 0; t < 4; t++) {
            check_product(pools[p], t & 1, t & 2, 1, 1, 1);
            check_product(pools[p], t & 1, t & 2, 37, 5, 11);
            check_product(pools[p], t & 1, t & 2, 3, 50, 17);
            check_product(pools[p], t & 1, t & 2, 48, 48, 33);
        }
    ig_pool_delete(pools[1]);
}

/* A product is the same bytes for any number of threads. */
static void test_threads(void **state)
{
    enum { MOST = 300 };
    static const size_t shapes[][3] = {{1, 8, 9},       {47, 64, 64},
                                       {97, 130, 65},   {200, 256, 256},
                                       {300, 300, 270}, {131, 16, 300}};
    static float a[MOST * MOST], b[MOST * MOST], one[MOST * MOST], many[MOST * MOST];
    ig_random random;

    ig_random_init(&random, 3, 0);
    for (size_t i = 0; i < (size_t)MOST * MOST; i++) {
        a[i] = (float)ig_random_normal(&random);
        b[i] = (float)ig_random_normal(&random);
    }
    for (size_t s = 0; s < 2 * sizeof shapes / sizeof *shapes; s++) {
        const size_t *shape = shapes[s / 2];
        size_t n = shape[0], m = shape[1], k = shape[2];
        ig_matrix x = s % 2 ? ig_matrix_of(a, k, n) : ig_matrix_of(a, n, k);
        ig_matrix y = ig_matrix_of(b, m, k);

        ig_gemm_pool(NULL, s % 2, true, 1, x, y, 0, ig_matrix_of(one, n, m));
        for (size_t threads = 2; threads < 6; threads++) {
            ig_pool *pool;

            assert_int_equal(ig_pool_new(&pool, threads, NULL), IG_OK);
            memset(many, 0, sizeof many);
            ig_gemm_pool(pool, s % 2, true, 1, x, y, 0, ig_matrix_of(many, n, m));
            assert_memory_equal(one, many, n * m * sizeof *one);
            ig_pool_delete(pool);
        }
    }
}

static void test_svd(void **state)
{
    double a[9] = {1, 2, 3, 4, 5, 6, 7, 8, 10}, u[9], sigma[3], vt[9];

    assert_int_equal(ig_svd(a, 3, 3, u, sigma, vt, NULL), IG_OK);
    assert_true(sigma[0] >= sigma[1] && sigma[1] >= sigma[2]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0, unit = 0;

            for (int r = 0; r < 3; r++) {
                sum += u[i * 3 + r] * sigma[r] * vt[r * 3 + j];
                unit += u[i * 3 + r] * u[j * 3 + r];
            }
            assert_near_to(sum, a[i * 3 + j], 1e-12);
            assert_near_to(unit, i == j, 1e-12);
        }
    a[4] = INFINITY;
    assert_int_equal(ig_svd(a, 3, 3, u, sigma, vt, NULL), IG_VALUE);
}

/* Rows through a list of a list, and unit length at every magnitude. */
static void test_rows(void **state)
{
    static float a[2000 * 3];
    float out[3 * 4] = {0}, tiny[2] = {3e-25f, 4e-25f}, huge[2] = {3e30f, 4e30f};
    ig_rows all = ig_rows_of_matrix(ig_matrix_of(a, 2000, 3)), rows, again;
    uint32_t list[3] = {1999, 0, 7}, inner[2] = {2, 0}, deep[2] = {1, 0};
    ig_rows_pick pick = {&all, list, 3}, nested = {&rows, inner, 2};

    for (size_t i = 0; i < 2000 * 3; i++)
        a[i] = (float)i;
    rows = ig_rows_of_pick(&pick);
    ig_rows_read(&rows, NULL, 1, 2, out, 4, NULL);
    assert_true(out[0] == 0 && out[4] == 21 && out[6] == 23);
    again = ig_rows_of_pick(&nested);
    assert_int_equal(again.rows, 2);
    ig_rows_read(&again, deep, 0, 2, out, 3, NULL);
    assert_true(out[0] == 1999 * 3 && out[3] == 21);
    ig_rows_unit(tiny, 2, 1, 2);
    assert_near_to(tiny[0], 0.6, 1e-6);
    ig_rows_unit(huge, 2, 1, 2);
    assert_near_to(huge[1], 0.8, 1e-6);
    huge[0] = huge[1] = 0;
    ig_rows_unit(huge, 2, 1, 2);
    assert_true(huge[0] == 0 && huge[1] == 0);
}

/* S/n = [[2, 1], [1, 4]] has the mean variance 3; with λ = 0.1 the determinant is 2.3 ·
 * 4.3 − 1 = 8.89. */
static void test_ridge(void **state)
{
    const double scatter[4] = {20, 10, 10, 40}, odd[4] = {1, NAN, NAN, 1};
    double w[4] = {1, 0, 0, 2};

    assert_int_equal(ig_ridge(scatter, 2, 10, 0.1, w, 2, NULL), IG_OK);
    assert_near_to(w[0], 4.3 / 8.89, 1e-15);
    assert_near_to(w[1], -1 / 8.89, 1e-15);
    assert_near_to(w[2], -2 / 8.89, 1e-15);
    assert_near_to(w[3], 4.6 / 8.89, 1e-15);
    assert_int_equal(ig_ridge(odd, 2, 1, 0.1, w, 1, NULL), IG_VALUE);
}

SUITE(blas, NULL, NULL, TEST(test_products), TEST(test_svd), TEST(test_rows),
      TEST(test_ridge), TEST(test_threads))
