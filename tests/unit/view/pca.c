/* Principal components: known covariances, the sign rule, sources far from the origin,
 * linear images, projections. */
#include "view/projection.h"

#include <math.h>
#include <string.h>

#include "suite.h"

#include "core/blas.h"
#include "core/memory.h"
#include "core/random.h"
#include "pooled.h"

enum { N = 2500, D = 12 };

static float cloud[N * D];
/* A correlated cloud whose mean is `away` times its spread. */
static ig_rows make_cloud(double away)
{
    ig_random random;

    ig_random_init(&random, 11, 0);
    for (size_t i = 0; i < N; i++) {
        double common = ig_random_normal(&random);

        for (size_t j = 0; j < D; j++)
            cloud[i * D + j] = (float)(away +
                                       (double)(j + 1) * ig_random_normal(&random) +
                                       3 * common * (j % 2 ? 1 : -1));
    }
    return ig_rows_of_matrix(ig_matrix_of(cloud, N, D));
}

/* The same rows through the reading path. */
static void read_cloud(const ig_rows *rows, const uint32_t *row, size_t first,
                       size_t count, float *out, size_t stride, float *scratch)
{
    assert_true(count <= IG_ROWS_TILE);
    scratch[0] = scratch[D - 1] = 1;
    for (size_t i = 0; i < count; i++)
        memcpy(out + i * stride,
               (const float *)rows->context + (row ? row[i] : first + i) * D,
               D * sizeof *out);
}

static ig_rows read_rows(void)
{
    return (ig_rows){
        .rows = N, .dims = D, .read = read_cloud, .context = cloud, .scratch = D};
}

static ig_status fit_moments(ig_pca *pca, const ig_moments *moments, size_t k,
                             ig_error *error)
{
    ig_projection map = {.pca = *pca, .all = *moments};
    ig_status status = ig_projection_solve(&map, k, error);

    *pca = map.pca;
    return status;
}

static void fit_rows(ig_pca *pca, const ig_rows *rows, size_t k)
{
    ig_moments moments = {0};

    ig_moments_add(&moments, rows, false, pool, NULL, NULL, NULL);
    assert_int_equal(fit_moments(pca, &moments, k, NULL), IG_OK);
    ig_moments_free(&moments);
}

static void assert_near(const double *a, const double *b, size_t n, double relative)
{
    double largest = 0;

    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(b[i]));
    for (size_t i = 0; i < n; i++)
        assert_near_to(a[i], b[i], relative * largest);
}

static void test_refused(void **state)
{
    ig_rows rows = make_cloud(0);
    atomic_bool stop = true;
    ig_moments moments = {0};
    ig_pca pca = {0};
    ig_error error;

    assert_int_equal(ig_moments_add(&moments, &rows, false, pool, &stop, NULL, &error),
                     IG_INTERRUPTED);
    cloud[N * D / 2] = NAN;
    assert_int_equal(ig_moments_add(&moments, &rows, false, pool, NULL, NULL, &error),
                     IG_VALUE);
    assert_int_equal(moments.rows, 0);
    assert_int_equal(fit_moments(&pca, &moments, 2, &error), IG_VALUE);
    make_cloud(0);
    for (long n = 1; n <= 4; n++) {
        ig_alloc_fail_at(n);
        assert_int_equal(
            ig_moments_add(&moments, &rows, false, NULL, NULL, NULL, &error), IG_NOMEM);
    }
    ig_alloc_fail_at(0);
    assert_int_equal(ig_moments_add(&moments, &rows, false, NULL, NULL, NULL, &error),
                     IG_OK);
    assert_int_equal(fit_moments(&pca, &moments, D + 1, &error), IG_VALUE);
    assert_int_equal(fit_moments(&pca, &moments, D, &error), IG_OK);
    ig_pca_free(&pca);
    ig_moments_free(&moments);
}

/* Points ±5 along (3,4)/5, ±2 along (4,−3)/5 and all alike along the third axis. */
static void test_known(void **state)
{
    static float a[4 * 3] = {6, 8, 1, 0, 0, 1, 4.6f, 2.8f, 1, 1.4f, 5.2f, 1};
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(a, 4, 3));
    const double component[] = {0.6, 0.8, 0, 0.8, -0.6, 0, 0, 0, 1};
    const double variance[] = {50.0 / 3, 8.0 / 3, 0}, mean[] = {3, 4, 1};
    ig_moments moments = {0};
    ig_pca pca = {0};

    fit_rows(&pca, &rows, 3);
    assert_near(pca.component, component, 9, 1e-6);
    assert_near(pca.variance, variance, 3, 1e-7);
    assert_near_to(pca.variance[2], 0, 1e-9);
    assert_near_to(pca.ratio[0], 50.0 / 58, 1e-6);
    ig_moments_add(&moments, &rows, false, pool, NULL, NULL, NULL);
    assert_near(moments.mean, mean, 3, 1e-7);
    ig_moments_free(&moments);
    ig_pca_free(&pca);
}

static void check_orthonormal(const ig_pca *pca)
{
    for (size_t i = 0; i < pca->k; i++) {
        const double *p = pca->component + i * pca->dims;
        double least = 0, most = 0;

        for (size_t r = 0; r <= i; r++) {
            double dot = 0;

            for (size_t j = 0; j < pca->dims; j++)
                dot += p[j] * pca->component[r * pca->dims + j];
            assert_near_to(dot, i == r, 1e-10);
        }
        for (size_t j = 0; j < pca->dims; j++) {
            least = fmin(least, p[j]);
            most = fmax(most, p[j]);
        }
        assert_true(most >= -least);
    }
}

static void test_components(void **state)
{
    ig_rows rows = make_cloud(2);
    ig_pca few = {0}, all = {0};
    double sum = 0;

    fit_rows(&few, &rows, 3);
    fit_rows(&all, &rows, D);
    check_orthonormal(&few);
    check_orthonormal(&all);
    assert_near(few.component, all.component, 3 * D, 1e-9);
    for (size_t i = 0; i < D; i++)
        sum += all.ratio[i];
    assert_near_to(sum, 1, 1e-9);
    ig_pca_free(&few);
    ig_pca_free(&all);
}

/* A single row, and rows that are all the same, have no variance and no NaN. */
static void test_flat(void **state)
{
    ig_rows rows = make_cloud(1);
    ig_pca pca = {0};

    rows.rows = 1;
    fit_rows(&pca, &rows, 2);
    assert_true(pca.ratio[0] == 0 && pca.variance[1] == 0);
    check_orthonormal(&pca);
    ig_pca_free(&pca);
}

/* Rows of W e + b, or e − (W e + b), computed one by one. */
static void map_rows(const float *w, const float *b, bool residual, float *out)
{
    for (size_t i = 0; i < N; i++)
        for (size_t r = 0; r < D; r++) {
            double sum = (double)b[r];

            for (size_t j = 0; j < D; j++)
                sum += (double)w[r * D + j] * (double)cloud[i * D + j];
            out[i * D + r] = (float)(residual ? (double)cloud[i * D + r] - sum : sum);
        }
}

/* An image is fitted and placed through the originals as its own rows are. */
static void test_image(void **state)
{
    static float image[2][N * D], out[N * 5], through[2][N * 5];
    float w[D * D], b[D];
    ig_rows rows = make_cloud(3);
    ig_projection own = {0}, pulled = {0};
    ig_map_source read[2] = {0}, images[2] = {0};
    float *at[2] = {through[0] + 1, through[1] + 1};
    const size_t axis[3] = {2, 0, 1}, wrong = 3;
    ig_random random;

    ig_random_init(&random, 2, 0);
    for (size_t i = 0; i < D * D; i++)
        w[i] = (float)(0.3 * ig_random_normal(&random));
    for (size_t i = 0; i < D; i++)
        b[i] = (float)ig_random_normal(&random);
    for (int residual = 0; residual < 2; residual++) {
        map_rows(w, b, residual, image[residual]);
        read[residual].rows = images[residual].rows =
            ig_rows_of_matrix(ig_matrix_of(image[residual], N, D));
        images[residual].image = (ig_image){&rows, ig_matrix_of(w, D, D), b, residual};
    }
    for (size_t spaces = 1; spaces <= 2; spaces++) {
        assert_int_equal(
            ig_projection_fit(&own, read, spaces, 3, false, pool, NULL, NULL), IG_OK);
        assert_int_equal(
            ig_projection_fit(&pulled, images, spaces, 3, false, pool, NULL, NULL),
            IG_OK);
        assert_int_equal(pulled.all.rows, spaces * N);
        assert_near(pulled.all.mean, own.all.mean, D, 1e-6);
        assert_near(pulled.all.scatter, own.all.scatter, D * D, 1e-6);
        assert_int_equal(ig_projection_place(&pulled, images, spaces, axis, 3, false,
                                             pool, NULL, at, 5, NULL),
                         IG_OK);
        for (size_t s = 0; s < spaces; s++) {
            float *const to = out;

            assert_int_equal(ig_projection_place(&own, &read[s], 1, axis, 3, false,
                                                 pool, NULL, &to, 5, NULL),
                             IG_OK);
            for (size_t i = 0; i < N; i++)
                for (size_t j = 0; j < 3; j++)
                    assert_near_to(out[i * 5 + j], through[s][i * 5 + 1 + j], 2e-4);
        }
    }
    assert_int_equal(ig_projection_place(&pulled, images, 1, &wrong, 1, false, pool,
                                         NULL, at, 5, NULL),
                     IG_SHAPE);
    images[0].image.w.cols--;
    assert_int_equal(ig_projection_place(&pulled, images, 1, NULL, 1, false, pool, NULL,
                                         at, 5, NULL),
                     IG_SHAPE);
    ig_projection_free(&own);
    ig_projection_free(&pulled);
}

/* Coordinates against the definition, raw and unit, in place and read, many at once. */
static void test_project(void **state)
{
    static float out[N * D];
    float *const to = out;
    ig_rows sources[2] = {make_cloud(1), read_rows()};
    ig_projection map = {0};

    memset(cloud, 0, D * sizeof *cloud);
    for (int unit = 0; unit < 2; unit++)
        for (int source = 0; source < 2; source++) {
            ig_map_source space = {.rows = sources[source]};

            assert_int_equal(
                ig_projection_fit(&map, &space, 1, D, unit, pool, NULL, NULL), IG_OK);
            assert_int_equal(ig_projection_place(&map, &space, 1, NULL, D, unit, pool,
                                                 NULL, &to, D, NULL),
                             IG_OK);
            for (size_t i = 0; i < N; i += 7) {
                double length = unit ? ig_rows_length(cloud + i * D, D) : 1;

                for (size_t j = 0; j < D; j++) {
                    double sum = 0;

                    for (size_t r = 0; r < D; r++) {
                        double e = length > 0 ? (double)cloud[i * D + r] / length : 0;

                        sum += (e - map.all.mean[r]) * map.pca.component[j * D + r];
                    }
                    assert_near_to(out[i * D + j], sum, 1e-5 * (unit ? 1 : 30));
                }
            }
        }
    ig_projection_free(&map);
}

/* The axes of fewer rows than dims, found by products of the rows, are those that the
 * covariance gives: of the same rows twice, which are more rows than dims. */
static void test_few_rows(void **state)
{
    enum { WIDE = 40, ROWS = WIDE - 3, K = 4 };
    double along[2][WIDE], line[WIDE] = {[3] = 0.6, [7] = 0.8};
    ig_map_source space[2] = {0};
    ig_projection few = {0}, many = {0};

    make_cloud(2);
    for (size_t i = 0; i < WIDE; i++) /* of distinct variances */
        for (size_t j = 0; j < WIDE; j++)
            cloud[i * WIDE + j] *= i % 5 == j ? 9 + (float)j : 1;
    for (int s = 0; s < 2; s++)
        space[s].rows = ig_rows_of_matrix(ig_matrix_of(cloud, ROWS, WIDE));
    for (int unit = 0; unit < 2; unit++)
        for (int custom = 0; custom < 2; custom++) {
            const ig_pca *a = &few.pca, *b = &many.pca;

            assert_int_equal(ig_projection_sum(&few, space, 1, unit, pool, NULL, NULL),
                             IG_OK);
            assert_int_equal(ig_projection_sum(&many, space, 2, unit, pool, NULL, NULL),
                             IG_OK);
            assert_true(few.centred && !many.centred);
            for (size_t j = 0; j < WIDE; j++)
                along[0][j] = along[1][j] = (double)cloud[j] - few.all.mean[j];
            ig_projection_ridge(&few, 1e-3, along[0], NULL);
            ig_projection_ridge(&many, 1e-3, along[1], NULL);
            assert_near(along[0], along[1], WIDE, 1e-5);
            if (custom) {
                ig_projection_add(&few, line, 0, NULL);
                ig_projection_add(&many, line, 0, NULL);
            }
            assert_int_equal(ig_projection_solve(&few, K, NULL), IG_OK);
            assert_int_equal(ig_projection_solve(&many, K, NULL), IG_OK);
            check_orthonormal(a);
            assert_near(few.all.mean, many.all.mean, WIDE, 1e-6);
            assert_near(a->component, b->component, K * WIDE, 1e-6);
            assert_near(a->ratio, b->ratio, K, 1e-6);
            assert_near(few.share, many.share, (size_t)custom, 1e-6);
            assert_near_to(a->variance[0] * (ROWS - 1),
                           b->variance[0] * (2 * ROWS - 1) / 2, 0.1);
        }
    ig_projection_free(&few);
    ig_projection_free(&many);
}

/* Three rows of 200,000 dims, whose covariance no memory has; they have two axes. */
static void test_wide(void **state)
{
    enum { DIMS = 200000 };
    static float row[3 * DIMS], out[9];
    float *const to = out;
    ig_map_source space = {
        .rows = ig_rows_of_matrix(ig_matrix_of(row, 3, DIMS)),
    };
    ig_projection map = {0};

    row[5] = row[2 * DIMS + 7] = 2;
    row[DIMS + 5] = -4;
    assert_int_equal(ig_projection_fit(&map, &space, 1, 3, false, pool, NULL, NULL),
                     IG_OK);
    assert_int_equal(
        ig_projection_place(&map, &space, 1, NULL, 3, false, pool, NULL, &to, 3, NULL),
        IG_OK);
    assert_near_to(hypot(map.pca.component[5], map.pca.component[7]), 1, 1e-9);
    for (int i = 0; i < 3; i++)
        assert_true(out[3 * i + 2] == 0);
    assert_true(map.pca.ratio[2] == 0);
    row[9] = NAN;
    assert_int_equal(ig_projection_fit(&map, &space, 1, 3, false, pool, NULL, NULL),
                     IG_VALUE);
    row[9] = 0;
    for (long n = 1; n <= 6; n++) {
        ig_alloc_fail_at(n);
        assert_int_equal(ig_projection_fit(&map, &space, 1, 2, false, NULL, NULL, NULL),
                         IG_NOMEM);
    }
    ig_alloc_fail_at(0);
    ig_projection_free(&map);
}

SUITE(pca, pool_start, pool_end, TEST(test_refused), TEST(test_known),
      TEST(test_components), TEST(test_flat), TEST(test_image), TEST(test_project),
      TEST(test_few_rows), TEST(test_wide))
