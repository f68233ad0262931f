/* Ridge regression: weights worked out by hand, which show λ. */
#include <math.h>

#include "suite.h"

#include "core/blas.h"

/* S/n = [[2, 1], [1, 4]] has the mean variance 3; with λ = 0.1 the determinant is 2.3 ·
 * 4.3 − 1 = 8.89. */
static void test_by_hand(void **state)
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

SUITE(ridge, NULL, NULL, TEST(test_by_hand))
