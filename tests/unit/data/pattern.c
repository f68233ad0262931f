/* Patterns of files that are one set, and how many rows one may have. */

#include "scratch.h"
#include "suite.h"

#include "data/columns.h"
#include "data/pattern.h"

static void patterns(void **state)
{
    static const char *const asked[] = {"plain.csv", "p-*.csv", "[p]-?.csv"};
    static const char *const found[] = {"plain.csv", "p-1.csv", "p-10.csv",
                                        "p-2.csv",   "p-1.csv", "p-2.csv"};
    static const char *const none[] = {"q-*.csv"}, *const named[] = {"en=p-*.csv"};
    ig_patterns list;
    ig_error error;

    (void)state;
    scratch_text("p-10.csv", "x");
    scratch_text("p-2.csv", "x");
    scratch_text("p-1.csv", "x");
    assert_int_equal(ig_patterns_expand(&list, asked, 3, NULL), IG_OK);
    assert_int_equal(list.files, 6);
    for (size_t i = 0; i < list.files; i++)
        assert_string_equal(list.file[i], found[i]);
    ig_patterns_free(&list);
    assert_int_equal(ig_patterns_expand(&list, none, 1, &error), IG_IO);
    assert_string_equal(error.message, "q-*.csv: no file has such a name");
    assert_int_equal(ig_patterns_expand(&list, named, 1, NULL), IG_OK);
    assert_string_equal(list.file[0], "en=p-*.csv");
    ig_patterns_free(&list);
    /* A file with such a name is that file. */
    scratch_text("p-*.csv", "x");
    assert_int_equal(ig_patterns_expand(&list, asked + 1, 1, NULL), IG_OK);
    assert_int_equal(list.files, 1);
    ig_patterns_free(&list);
    remove("p-*.csv");
}

/* More rows than one process numbers are refused, with both numbers. */
static void too_many_rows(void **state)
{
    ig_columns columns = {0};
    ig_error error;

    (void)state;
    assert_int_equal(ig_columns_reserve(&columns, IG_MAX_ROWS + 1, &error), IG_VALUE);
    assert_string_equal(error.message,
                        "2147483648 rows are more than 2147483647, the most that a "
                        "set may have");
    ig_columns_free(&columns);
}

SUITE(pattern)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(patterns),
                                       cmocka_unit_test(too_many_rows)};

    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
