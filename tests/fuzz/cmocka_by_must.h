/* What the tests of the explorer use of cmocka, by must: their scenes serve fuzzers,
 * too. Included after fuzz.h and before them. */
#ifndef FUZZ_CMOCKA_BY_MUST_H
#define FUZZ_CMOCKA_BY_MUST_H
#define TESTS_SUITE_H /* cmocka itself is left out */

#define assert_true(a)            must(!!(a))
#define assert_false(a)           must(!(a))
#define assert_null(a)            must((a) == NULL)
#define assert_non_null(a)        must((a) != NULL)
#define assert_int_equal(a, b)    must((long long)(a) == (long long)(b))
#define assert_in_range(a, b, c)  must((long long)(a) >= (long long)(b) && (a) <= (c))
#define assert_string_equal(a, b) must(strcmp(a, b) == 0)
#define fail()                    abort()
#define fail_msg(...)             abort()

#endif
