/* Files that are one set: patterns, whether each has its ids to itself, and a split that
 * a rank with one of them finds, too. */

#include "scratch.h"
#include "suite.h"

#include "base/memory.h"
#include "data/columns.h"
#include "data/pairs.h"
#include "data/shards.h"

/* Sentences first … first + n − 1 in two languages, in a table of their own. */
static void write_table(const char *name, int first, int n)
{
    FILE *file = fopen(name, "w");

    assert_non_null(file);
    fputs("lang,id,a,b\n", file);
    for (int i = first; i < first + n; i++)
        fprintf(file, "en,s%d,%d,1\nde,s%d,%d,2\n", i, i, i, i);
    fclose(file);
}

static ig_set *open_files(const char *const *file, size_t n)
{
    const ig_set_options options = {.vectors = "a-b"};
    ig_error error = {0};
    ig_set *set = NULL;

    if (ig_set_open(&set, file, n, &options, &error) != IG_OK)
        fail_msg("%s", error.message);
    return set;
}

static void patterns(void **state)
{
    static const char *const asked[] = {"plain.csv", "p-*.csv", "[p]-?.csv"};
    static const char *const found[] = {"plain.csv", "p-1.csv", "p-10.csv",
                                        "p-2.csv",   "p-1.csv", "p-2.csv"};
    static const char *const none[] = {"q-*.csv"}, *const named[] = {"en=p-*.csv"};
    ig_shard_list list;
    ig_error error;

    (void)state;
    scratch_text("p-10.csv", "x");
    scratch_text("p-2.csv", "x");
    scratch_text("p-1.csv", "x");
    assert_int_equal(ig_shards_list(&list, asked, 3, NULL), IG_OK);
    assert_int_equal(list.files, 6);
    for (size_t i = 0; i < list.files; i++)
        assert_string_equal(list.file[i], found[i]);
    ig_shards_free(&list);
    assert_int_equal(ig_shards_list(&list, none, 1, &error), IG_IO);
    assert_string_equal(error.message, "q-*.csv: no file has such a name");
    assert_int_equal(ig_shards_list(&list, named, 1, NULL), IG_OK);
    assert_string_equal(list.file[0], "en=p-*.csv");
    ig_shards_free(&list);
    /* A file with such a name is that file. */
    scratch_text("p-*.csv", "x");
    assert_int_equal(ig_shards_list(&list, asked + 1, 1, NULL), IG_OK);
    assert_int_equal(list.files, 1);
    ig_shards_free(&list);
    remove("p-*.csv");
}

static void ids_apart(void **state)
{
    static const char *const apart[] = {"a.csv", "b.csv"}, *const spread[] = {"a.csv",
                                                                              "c.csv"};
    ig_set *set;

    (void)state;
    write_table("a.csv", 0, 40);
    write_table("b.csv", 40, 20);
    write_table("c.csv", 39, 20);
    set = open_files(apart, 2);
    assert_int_equal(set->shards, 2);
    assert_int_equal(set->shard_id[1], 40);
    assert_int_equal(set->shard_id[2], 60);
    assert_int_equal(set->whole.rows, 120);
    ig_set_free(set);
    set = open_files(spread, 2);
    assert_int_equal(set->shards, 1);
    ig_set_free(set);
}

/* What of a split lies in a file is the split of that file by itself. */
static void split_by_file(void **state)
{
    static const char *const file[] = {"a.csv", "b.csv"};
    ig_set *set = open_files(file, 2), *second = open_files(file + 1, 1);
    ig_split whole, own;
    ig_pairs pairs, few;

    (void)state;
    second->first_shard = 1; /* as a rank that has it knows */
    assert_int_equal(ig_pairs_derive(&pairs, set, NULL, NULL), IG_OK);
    assert_int_equal(ig_pairs_derive(&few, second, NULL, NULL), IG_OK);
    assert_int_equal(ig_split_make(&whole, set, &pairs, 0.2, 0.1, 7, NULL), IG_OK);
    assert_int_equal(ig_split_make(&own, second, &few, 0.2, 0.1, 7, NULL), IG_OK);
    assert_int_equal(whole.valid, 8 + 4);
    assert_int_equal(whole.holdout, 4 + 2);
    assert_int_equal(own.valid, 4);
    for (size_t i = 0; i < own.valid; i++)
        assert_int_equal(own.valid_pair[i] + 40, whole.valid_pair[8 + i]);
    for (size_t i = 0; i < own.holdout; i++)
        assert_int_equal(own.holdout_pair[i] + 40, whole.holdout_pair[4 + i]);
    ig_split_free(&whole);
    ig_split_free(&own);
    ig_pairs_free(&pairs);
    ig_pairs_free(&few);
    ig_set_free(set);
    ig_set_free(second);
}

/* More rows than one process numbers are refused, with both numbers. */
static void too_many_rows(void **state)
{
    ig_columns columns = {0};
    ig_error error;

    (void)state;
    assert_int_equal(ig_columns_reserve(&columns, IG_MAX_ROWS + 1, &error), IG_VALUE);
    assert_string_equal(error.message,
                        "2147483648 rows are more than 2147483647, the most that one "
                        "process reads (of files dealt to the ranks of mpirun: "
                        "each)");
    ig_columns_free(&columns);
}

SUITE(shards)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns), cmocka_unit_test(ids_apart),
        cmocka_unit_test(split_by_file), cmocka_unit_test(too_many_rows)};

    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
