/* Alignment and uniformity: the golden values, a plain computation, zero rows, and figures that cannot be computed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"

#include "core/blas.h"
#include "core/memory.h"
#include "core/random.h"
#include "measured.h"
#include "pooled.h"

enum { GOLDEN_ROWS = 24, GOLDEN_DIMS = 16 };

/* The figures of some pairs. */
typedef struct ig_two {
    ig_figure alignment, uniformity; /* without items */
    size_t zero_rows;
} ig_two;

static ig_status measure(ig_two *out, const ig_rows *rows, const uint32_t *left,
                         const uint32_t *right, size_t pairs, ig_pool *by,
                         ig_progress *watch, ig_error *error)
{
    ig_evaluation_spec spec = {.measures = IG_MEASURE_GEOMETRY,
                               .pairs = {.left = left, .right = right, .pairs = pairs}};
    ig_evaluation e;
    ig_status status = ig_evaluation_take(&e, rows, &spec, by, watch, error);

    if (status == IG_OK)
        *out = (ig_two){*ig_figures_whole(&e.figures, "alignment"),
                        *ig_figures_whole(&e.figures, "uniformity"), e.zero_rows};
    ig_evaluation_free(&e);
    return status;
}

/* The batch behind the golden values: x, then y. */
static void read_golden(float *rows)
{
    const char *const path[2] = {"tests/golden/x.npy", "tests/golden/y.npy"};

    for (int i = 0; i < 2; i++, rows += GOLDEN_ROWS * GOLDEN_DIMS) {
        FILE *file = fopen(path[i], "rb");

        assert_non_null(file);
        assert_int_equal(fseek(file, 128, SEEK_SET), 0); /* past the header */
        assert_int_equal(fread(rows, sizeof *rows, GOLDEN_ROWS * GOLDEN_DIMS, file),
                         GOLDEN_ROWS * GOLDEN_DIMS);
        assert_int_equal(fclose(file), 0);
    }
}

static double golden(const char *metric)
{
    char line[256];
    double value = (double)NAN;
    FILE *file = fopen("tests/golden/metrics.csv", "r");

    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char *comma = strchr(line, ',');

        if (comma && strlen(metric) == (size_t)(comma - line) &&
            memcmp(line, metric, strlen(metric)) == 0)
            value = strtod(comma + 1, NULL);
    }
    assert_int_equal(fclose(file), 0);
    assert_false(isnan(value));
    return value;
}

static void test_golden(void **state)
{
    static float a[2 * GOLDEN_ROWS * GOLDEN_DIMS];
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(a, 2 * GOLDEN_ROWS, GOLDEN_DIMS));
    uint32_t left[GOLDEN_ROWS], right[GOLDEN_ROWS];
    ig_two g;

    read_golden(a);
    for (uint32_t i = 0; i < GOLDEN_ROWS; i++) {
        left[i] = i;
        right[i] = GOLDEN_ROWS + i;
    }
    assert_int_equal(measure(&g, &rows, left, right, GOLDEN_ROWS, pool, NULL, NULL),
                     IG_OK);
    assert_near_to(g.alignment.value, golden("alignment"), 1e-6);
    assert_near_to(g.uniformity.value, golden("uniformity"), 1e-6);
    assert_int_equal(g.alignment.n, GOLDEN_ROWS);
    assert_int_equal(g.uniformity.n, 2 * GOLDEN_ROWS);
    assert_int_equal(g.zero_rows, 0);
    assert_null(g.uniformity.reason);
}

/* Nearly equal rows keep the digits of their small distance; equal rows have none. */
static void test_close(void **state)
{
    float a[2 * 2] = {1, 0, 1, 1e-4f};
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(a, 2, 2));
    uint32_t left = 0, right = 1;
    ig_two g;

    assert_int_equal(measure(&g, &rows, &left, &right, 1, NULL, NULL, NULL), IG_OK);
    assert_near_to(g.alignment.value, 1e-8, 1e-11);
    a[3] = 0;
    assert_int_equal(measure(&g, &rows, &left, &right, 1, NULL, NULL, NULL), IG_OK);
    assert_true(g.alignment.value == 0);
    assert_near_to(g.uniformity.value, 0, 1e-6);
}

/* More rows than a block and a tile, against the definition; and the same value from
 * one member as from two. */
static void test_plain(void **state)
{
    enum { N = 1300, D = 20 };
    float *a = ig_alloc(N * D, sizeof *a);
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(a, N, D));
    uint32_t left[N / 2], right[N / 2];
    double near = 0, spread = 0;
    ig_two one, two;
    ig_random random;

    ig_random_init(&random, 8, 0);
    for (size_t i = 0; i < N * D; i++)
        a[i] = (float)ig_random_normal(&random) + (i % D == 0 ? 2 : 0);
    for (size_t i = 0; i < N; i++)
        ig_rows_unit(a + i * D, D, a + i * D, D, 1, D);
    memset(a + 700 * D, 0, D * sizeof *a);
    for (uint32_t i = 0; i < N / 2; i++) {
        left[i] = i;
        right[i] = N - 1 - i;
    }
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < i; j++) {
            double square = 0;

            for (size_t r = 0; r < D; r++) {
                double by = (double)a[i * D + r] - (double)a[j * D + r];

                square += by * by;
            }
            spread += exp(-2 * square);
            near += i + j == N - 1 ? square : 0;
        }
    measure(&one, &rows, left, right, N / 2, NULL, NULL, NULL);
    measure(&two, &rows, left, right, N / 2, pool, NULL, NULL);
    assert_near_to(one.alignment.value, near / (N / 2.0), 1e-6);
    assert_near_to(one.uniformity.value, log(spread / (N * (N - 1) / 2.0)), 1e-6);
    assert_true(one.alignment.value == two.alignment.value &&
                one.uniformity.value == two.uniformity.value);
    assert_int_equal(one.zero_rows, 1);
    ig_free(a);
}

static void test_not_computable(void **state)
{
    float a[4] = {1, 0, 0, 1};
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(a, 2, 2));
    uint32_t left = 0, right = 0;
    atomic_bool stop = true;
    ig_two g;
    ig_error error;

    assert_int_equal(measure(&g, &rows, &left, &right, 0, pool, NULL, NULL), IG_OK);
    assert_true(isnan(g.alignment.value) && isnan(g.uniformity.value));
    assert_string_equal(g.uniformity.reason, "no pairs");
    assert_int_equal(measure(&g, &rows, &left, &right, 1, pool, NULL, NULL), IG_OK);
    assert_true(g.alignment.value == 0 && isnan(g.uniformity.value));
    assert_string_equal(g.uniformity.reason, "only one row");
    right = 2;
    assert_int_equal(measure(&g, &rows, &left, &right, 1, pool, NULL, &error),
                     IG_SHAPE);
    right = 1;
    assert_int_equal(
        measure(&g, &rows, &left, &right, 1, pool, &(ig_progress){.stop = &stop}, NULL),
        IG_INTERRUPTED);
    a[3] = NAN;
    assert_int_equal(measure(&g, &rows, &left, &right, 1, pool, NULL, NULL), IG_OK);
    assert_true(isnan(g.alignment.value) && isnan(g.uniformity.value));
    assert_string_equal(g.uniformity.reason, "a value is not finite");
}

SUITE(geometry, pool_start, pool_end, TEST(test_golden), TEST(test_close),
      TEST(test_plain), TEST(test_not_computable))
