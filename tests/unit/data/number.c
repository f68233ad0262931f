/* Numbers in text: every one as strtod has it, and nothing else is one. */
#include "suite.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/random.h"
#include "data/table.h"

static void check(const char *text)
{
    double d;

    assert_true(ig_number_double(text, strlen(text), &d));
    if (d != strtod(text, NULL))
        print_message("%s: %.17g\n", text, d);
    assert_true(d == strtod(text, NULL));
    assert_int_equal(signbit(d) != 0, signbit(strtod(text, NULL)) != 0);
}

static void test_numbers(void **state)
{
    static const char *const cases[] = {
        "0",
        "-0",
        "+1",
        "1.",
        ".5",
        "-.5e1",
        "1e5",
        "1E-5",
        "1e+05",
        "123456789",
        "0.1",
        "0.3",
        "3.4028235e38",
        "3.4028236e38",
        "1e39",
        "-1e400",
        "1e-400",
        "1.4e-45",
        "0.7e-45",
        "7.1e-46",
        "1.17549435e-38",
        "2.2250738585072014e-308",
        "4.9e-324",
        "9007199254740993",
        "9007199254740992.5",
        "18446744073709551616",
        "0.000000000000000000000000000000000000000000001401298464324817",
        "100000000000000000000000000000000000000",
        "00000000000000000000000000012.50",
        "1.00000005960464477539062500000000000000000000", /* halfway between floats */
        "1.00000005960464477539062500000000000000000001", /* just above it */
        "1.00000005960464477539062499999999999999999999", /* just below it */
        "1.7976931348623157e308",
        "1.7976931348623159e308",
        "16777217",
        "16777219",
        "0.1e99999999999999999999",
        "1e-99999999999999999999",
        "0e99999999999999",
        "12345678901234567890123456789012345678901234567890e-40"};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(cases[i]);
}

static void test_random(void **state)
{
    ig_random random;

    ig_random_init(&random, 1, 0);
    for (int i = 0; i < (thorough() ? 200000 : 40000); i++) {
        uint64_t bits = ig_random_next(&random);
        uint32_t word = (uint32_t)bits;
        char text[64];
        double d;
        float f;

        memcpy(&d, &bits, sizeof d);
        memcpy(&f, &word, sizeof f);
        if (isfinite(d)) {
            snprintf(text, sizeof text, "%.17g", d);
            check(text);
        }
        if (isfinite(f)) {
            snprintf(text, sizeof text, "%.9g", (double)f);
            check(text);
        }
        snprintf(text, sizeof text, "%.*f", i % 20, ig_random_normal(&random));
        check(text);
    }
}

static void test_refused(void **state)
{
    static const char *const cases[] = {
        "",    " ",     "-",       "+",    ".",     "-.",    "e5",      "1e",
        "1e+", "1.2.3", "1,5",     "0x10", "1_000", "1 2",   "abc",     "--1",
        "+-1", "1f",    "infinit", "nano", "1e5.0", "1e5e5", "\xd9\xa1"};
    double d = 7;
    size_t n = 7;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(ig_number_double(cases[i], strlen(cases[i]), &d));
        assert_false(ig_number_size(cases[i], strlen(cases[i]), &n));
    }
    assert_false(ig_number_size("-1", 2, &n));
    assert_false(ig_number_size("1.0", 3, &n));
    assert_false(ig_number_size("9007199254740992", 16, &n));
    assert_true(d == 7 && n == 7);
    assert_true(ig_number_size("9007199254740991", 16, &n) && n == 9007199254740991);
}

/* In a locale that writes 1,5 the files still say 1.5. */
static void test_locale(void **state)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE",
                                        "fr_FR.UTF-8", "ru_RU.UTF-8"};
    double d;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (setlocale(LC_ALL, names[i]))
            break;
    }
    assert_true(ig_number_double("1.5", 3, &d) && d == 1.5);
    assert_true(ig_number_double("12345678901234.56789", 20, &d) &&
                d == 12345678901234.56789);
    assert_false(ig_number_double("1,5", 3, &d));
    setlocale(LC_ALL, "C");
}

SUITE(number, NULL, NULL, TEST(test_numbers), TEST(test_random), TEST(test_refused),
      TEST(test_locale))
