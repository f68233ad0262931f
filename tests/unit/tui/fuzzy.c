/* Fitting what is typed: what fits, and what fits better. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "suite.h"

#include "tui/fuzzy.h"

static void check_better(const char *typed, const char *better, const char *worse)
{
    int a = ig_fuzzy_fit(typed, better), b = ig_fuzzy_fit(typed, worse);

    if (a <= b)
        fail_msg("'%s' fits '%s' by %d and '%s' by %d", typed, better, a, worse, b);
}

static void test_what_fits(void **state)
{
    (void)state;
    assert_true(ig_fuzzy_fit("", "anything") == 0);
    assert_true(ig_fuzzy_fit("qt", "quit") > 0);
    assert_true(ig_fuzzy_fit("QUIT", "quit") > 0);
    assert_true(ig_fuzzy_fit("m dream", "method dream") > 0);
    assert_true(ig_fuzzy_fit("tq", "quit") < 0);
    assert_true(ig_fuzzy_fit("quitt", "quit") < 0);
    assert_true(ig_fuzzy_fit("a", "") < 0);
}

static void test_what_fits_better(void **state)
{
    (void)state;
    check_better("quit", "quit", "quitting");
    check_better("dream", "method dream", "method d-r-e-a-m");
    check_better("pan", "panel", "expand");
    check_better("pl", "pan-left", "apple");
    check_better("lr", "set lr", "clear");
    check_better("row", "row", "arrow");
    check_better("copy", "copy", "compare y");
}

/* A byte inside a character is no match of its own. */
static void test_characters_are_whole(void **state)
{
    (void)state;
    assert_true(ig_fuzzy_fit("é", "café") > 0);
    assert_true(ig_fuzzy_fit("é", "ê") < 0);
    assert_true(ig_fuzzy_fit("中文", "language 中文") > 0);
}

static void test_long_texts_are_cut(void **state)
{
    char text[300];

    (void)state;
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_true(ig_fuzzy_fit(text, text) >= 0);
    text[200] = 'b';
    assert_true(ig_fuzzy_fit("b", text) < 0);
}

SUITE(fuzzy)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_fits),
        cmocka_unit_test(test_what_fits_better),
        cmocka_unit_test(test_characters_are_whole),
        cmocka_unit_test(test_long_texts_are_cut),
    };

    return cmocka_run_group_tests_name("fuzzy", tests, NULL, NULL);
}
