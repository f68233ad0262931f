/* Purity: values worked out by hand, a plain computation, and what cannot be had. */
#include "measure/purity.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "suite.h"

#include "base/memory.h"
#include "base/random.h"
#include "pooled.h"

/* cmocka's own compares as floats. */
#define assert_near_to(a, b, eps) assert_true(fabs((double)(a) - (double)(b)) <= (eps))

enum { MOST = 1300, D = 30, LANGUAGES = 3 };

static float row[MOST][D], unit[MOST][D];
static uint16_t lang[MOST];

static ig_status measure(ig_purity *p, size_t n, ig_pool *by, ig_watch *watch)
{
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(&row[0][0], n, D));

    return ig_purity_measure(p, &rows, lang, LANGUAGES, by, watch, NULL);
}

/* Rows of K languages, so many each, about a centre of their language. */
static void plant(size_t n, double apart, uint64_t seed)
{
    float centre[LANGUAGES][D];
    ig_random random;

    ig_random_init(&random, seed, 0);
    for (size_t l = 0; l < LANGUAGES; l++)
        for (size_t j = 0; j < D; j++)
            centre[l][j] = (float)(apart * ig_random_normal(&random));
    for (size_t i = 0; i < n; i++) {
        lang[i] = (uint16_t)(ig_random_below(&random, 6) % LANGUAGES +
                             ig_random_below(&random, 2)) %
                  LANGUAGES;
        for (size_t j = 0; j < D; j++)
            row[i][j] = (float)((double)centre[lang[i]][j] + ig_random_normal(&random));
    }
}

/* Four rows on a circle: all others are near, whatever the distance. */
static void test_few(void **state)
{
    ig_purity p;

    (void)state;
    memset(row, 0, sizeof row);
    for (size_t i = 0; i < 4; i++) {
        row[i][0] = (float)cos((double)i);
        row[i][1] = (float)sin((double)i);
        lang[i] = i == 3;
    }
    assert_int_equal(measure(&p, 4, pool, NULL), IG_OK);
    /* Two of three, three times, and none of three. */
    assert_near_to(p.purity, 0.5, 1e-12);
    assert_near_to(p.expected, 0.5, 1e-12);
    assert_int_equal(p.rows, 4);
    assert_null(p.reason);
}

/* Two islands, 90° apart, of 24 rows that are 1° apart. */
static void test_islands(void **state)
{
    ig_purity p;

    (void)state;
    memset(row, 0, sizeof row);
    for (size_t i = 0; i < 48; i++) {
        double angle = ((double)(i % 24) + 90.0 * (double)(i / 24)) * acos(-1) / 180;

        row[i][0] = (float)cos(angle);
        row[i][1] = (float)sin(angle);
        lang[i] = (uint16_t)(i / 24);
    }
    assert_int_equal(measure(&p, 48, pool, NULL), IG_OK);
    assert_near_to(p.purity, 1, 1e-12);
    assert_near_to(p.expected, 23.0 / 47, 1e-12);
    /* By turns. The ten nearest are five on either side, four of the ten of one's own;
     * at the ends of an island, whoever is first or last. */
    for (size_t i = 0; i < 48; i++)
        lang[i] = i % 2;
    assert_int_equal(measure(&p, 48, pool, NULL), IG_OK);
    {
        double own = 0;

        for (int i = 0; i < 24; i++) {
            int first = i < 5 ? 0 : i > 18 ? 13 : i - 5;

            for (int j = first; j <= first + 10; j++)
                own += j != i && (j - i) % 2 == 0;
        }
        assert_near_to(p.purity, own / 240, 1e-12);
    }
}

/* Identical rows: the lower ones are nearer, from wherever they are looked at. */
static void test_identical(void **state)
{
    ig_purity p;

    (void)state;
    for (size_t i = 0; i < 600; i++) {
        lang[i] = i >= 10;
        for (size_t j = 0; j < D; j++)
            row[i][j] = (float)sin((double)j + 1);
    }
    assert_int_equal(measure(&p, 600, pool, NULL), IG_OK);
    /* Rows 0 … 9 see nine of their own and row 10; the others see ten of language 0, but
     * row 10 and on do so whoever they are. */
    assert_near_to(p.purity, 10 * 0.9 / 600, 1e-12);
}

static double cosine(size_t a, size_t b)
{
    double sum = 0;

    for (size_t j = 0; j < D; j++)
        sum += (double)unit[a][j] * (double)unit[b][j];
    return sum;
}

static double plain_purity(size_t n)
{
    size_t k = n - 1 < IG_PURITY_NEAR ? n - 1 : IG_PURITY_NEAR;
    double same = 0;

    ig_rows_unit(&row[0][0], D, &unit[0][0], D, n, D);
    for (size_t i = 0; i < n; i++) {
        static bool used[MOST];

        memset(used, 0, sizeof used);
        used[i] = true;
        for (size_t r = 0; r < k; r++) {
            size_t best = n;
            double most = -2;

            for (size_t j = 0; j < n; j++) {
                double value = used[j] ? -3 : cosine(i, j);

                if (value > most) {
                    most = value;
                    best = j;
                }
            }
            used[best] = true;
            same += lang[best] == lang[i];
        }
    }
    return same / (double)(n * k);
}

static void test_plain(void **state)
{
    static const size_t sizes[] = {2, 3, 10, 11, 12, 100, 255, 257, 512, 513, 700};

    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        size_t n = sizes[s];
        ig_purity p;

        if (!thorough() && n > 257)
            break;
        plant(n, 0.3, s);
        for (size_t i = 0; i < n; i += 9) {
            memcpy(row[i], row[n - 1], sizeof row[i]);
            memset(row[i / 2], 0, i % 4 ? 0 : sizeof row[i / 2]);
        }
        assert_int_equal(measure(&p, n, pool, NULL), IG_OK);
        assert_near_to(p.purity, plain_purity(n), 1e-12);
    }
}

/* The same from any number of threads; and the work is what is said. */
static void test_threads(void **state)
{
    ig_purity one, two;
    ig_watch watch = {0};

    (void)state;
    plant(MOST, 0.2, 4);
    assert_int_equal(measure(&one, MOST, NULL, &watch), IG_OK);
    assert_true((double)atomic_load(&watch.done) == (double)MOST * MOST * D);
    assert_int_equal(measure(&two, MOST, pool, NULL), IG_OK);
    assert_memory_equal(&one, &two, sizeof one);
    assert_true(one.purity > one.expected && one.purity < 0.95);
}

static void test_not_computable(void **state)
{
    ig_purity p, kept = {.rows = 77};
    atomic_bool stop = true;
    ig_status status = IG_NOMEM;

    (void)state;
    plant(40, 0.2, 4);
    for (size_t n = 0; n < 2; n++) {
        assert_int_equal(measure(&p, n, pool, NULL), IG_OK);
        assert_true(isnan(p.purity) && isnan(p.expected) && p.rows == n);
        assert_string_equal(p.reason, n ? "only one row" : "no rows");
    }
    assert_int_equal(measure(&kept, 40, pool, &(ig_watch){.stop = &stop}),
                     IG_INTERRUPTED);
    for (long n = 1; status != IG_OK; n++) {
        assert_int_equal(kept.rows, 77);
        assert_true(n < 60);
        ig_alloc_fail_at(n);
        status = measure(&kept, 40, pool, NULL);
        ig_alloc_fail_at(0);
        assert_true(status == IG_OK || status == IG_NOMEM);
    }
    row[7][3] = NAN;
    assert_int_equal(measure(&p, 40, pool, NULL), IG_OK);
    assert_true(isnan(p.purity));
    assert_string_equal(p.reason, "a value is not finite");
}

SUITE(purity)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few),       cmocka_unit_test(test_islands),
        cmocka_unit_test(test_identical), cmocka_unit_test(test_plain),
        cmocka_unit_test(test_threads),   cmocka_unit_test(test_not_computable),
    };

    return cmocka_run_group_tests(tests, pool_start, pool_end);
}
