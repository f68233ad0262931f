/* What every unit test begins with: cmocka, and SUITE in place of main. A room's
 * suites are linked into one program (tests/suite.c); name is the file's own. */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* cmocka's own compares as floats. With <math.h>. */
#define assert_near_to(a, b, eps)                                                      \
    do {                                                                               \
        if (!(fabs((double)(a) - (double)(b)) <= (eps)))                               \
            fail_msg("%s is %.17g, not %.17g", #a, (double)(a), (double)(b));          \
    } while (0)

/* The function that runs a group of tests and returns how many failed: its name, what is
 * done before and after all of them, and TEST(function) or another row of cmocka's for
 * each. */
#define SUITE(name, set_up, tear_down, ...)                                            \
    int suite_##name(void);                                                            \
    int suite_##name(void)                                                             \
    {                                                                                  \
        const struct CMUnitTest tests[] = {__VA_ARGS__};                               \
                                                                                       \
        return cmocka_run_group_tests_name(#name, tests, set_up, tear_down);           \
    }
#define TEST(function) cmocka_unit_test(function)
#define TEST_IN(function, set_up, tear_down)                                           \
    cmocka_unit_test_setup_teardown(function, set_up, tear_down)

/* Is there time for every size and every seed? `make check-all` gives it, to programs
 * without sanitizers; `make check` takes some of each kind. */
static inline bool thorough(void)
{
    return getenv("THOROUGH") != NULL;
}

#endif
