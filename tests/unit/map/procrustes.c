/* Procrustes: planted rotations and reflections come back, degenerate frames stay. */
#include "map/procrustes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include "suite.h"

#include "base/random.h"

/* cmocka's own compares as floats. */
#define assert_near_to(a, b, eps) assert_true(fabs((double)(a) - (double)(b)) <= (eps))

enum { N = 50 };

/* to = from · turn + shift; Q must be `turn`. */
static void check_turn(const double *turn, size_t k)
{
    float from[N * 4], to[N * 4];
    double q[16];
    ig_random random;

    ig_random_init(&random, 4, k);
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < k; j++)
            from[i * 4 + j] = (float)ig_random_normal(&random) + 5;
        for (size_t j = 0; j < k; j++) {
            double sum = 2;

            for (size_t r = 0; r < k; r++)
                sum += (double)from[i * 4 + r] * turn[r * k + j];
            to[i * 4 + j] = (float)sum;
        }
    }
    assert_int_equal(ig_procrustes_fit(from, 4, to, 4, N, k, q, NULL), IG_OK);
    for (size_t i = 0; i < k * k; i++)
        assert_near_to(q[i], turn[i], 1e-5);
    ig_procrustes_apply(q, k, from, 4, N);
    for (size_t i = 0; i < N; i++)
        assert_near_to(from[i * 4] + 2, to[i * 4], 1e-4);
}

static void test_recovers(void **state)
{
    double c = cos(2.1), s = sin(2.1);
    const double rotation[4] = {c, s, -s, c}, reflection[4] = {c, s, s, -c};
    const double flip[9] = {0, 1, 0, 0, 0, -1, 1, 0, 0};

    (void)state;
    check_turn(rotation, 2);
    check_turn(reflection, 2);
    check_turn(flip, 3);
}

static void assert_identity(const double *q, size_t k)
{
    for (size_t i = 0; i < k * k; i++)
        assert_near_to(q[i], i % (k + 1) == 0, 1e-6);
}

static void test_degenerate(void **state)
{
    float same[6] = {1, 2, 1, 2, 1, 2}, line[6] = {0, 0, 1, 1, 2, 2};
    float bad[6] = {0, 0, NAN, 1, 2, 2}, back[6] = {0, 0, -1, -1, -2, -2};
    double q[4], long_q[400];

    (void)state;
    assert_int_equal(ig_procrustes_fit(same, 2, line, 2, 3, 2, q, NULL), IG_OK);
    assert_identity(q, 2);
    assert_int_equal(ig_procrustes_fit(line, 2, line, 2, 3, 2, q, NULL), IG_OK);
    assert_identity(q, 2);
    assert_int_equal(ig_procrustes_fit(line, 2, line, 2, 0, 2, q, NULL), IG_OK);
    assert_identity(q, 2);
    assert_int_equal(ig_procrustes_fit(line, 2, bad, 2, 3, 2, q, NULL), IG_OK);
    assert_identity(q, 2);
    /* A line turned round: across it everything stays where it is. */
    assert_int_equal(ig_procrustes_fit(line, 2, back, 2, 3, 2, q, NULL), IG_OK);
    assert_near_to(q[0], 0, 1e-6);
    assert_near_to(q[1], -1, 1e-6);
    assert_near_to(q[2], -1, 1e-6);
    assert_int_equal(ig_procrustes_fit(line, 2, back, 2, 3, 17, long_q, NULL),
                     IG_SHAPE);
}

SUITE(procrustes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recovers),
        cmocka_unit_test(test_degenerate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
