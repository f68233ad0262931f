/* The grid of a sweep: every combination once, in the order that is promised, under a
 * name of its own; and means over its runs. */
#include "cli/grid.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

#include "cli/sweep_table.h"

static ig_options options;
static ig_grid grid;
static ig_error error;

static int set_up(void **state)
{
    (void)state;
    ig_options_init(&options);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ig_options_free(&options);
    return 0;
}

/* "sweep" and further words, ended by NULL. */
static ig_status parse(const char *first, ...)
{
    char *argv[32] = {(char *)"isogloss", (char *)"sweep", (char *)"/dev/null"};
    int argc = 3;
    va_list arguments;
    ig_status status;

    ig_options_free(&options);
    ig_options_init(&options);
    va_start(arguments, first);
    for (const char *word = first; word; word = va_arg(arguments, const char *))
        argv[argc++] = (char *)(uintptr_t)word;
    va_end(arguments);
    status = ig_options_parse(&options, argc, argv, &error);
    return status == IG_OK ? ig_grid_init(&grid, &options, &error) : status;
}

#define assert_grid(...) assert_int_equal(parse(__VA_ARGS__, (char *)NULL), IG_OK)

static const char *name(size_t point)
{
    static char out[IG_GRID_NAME_SIZE];

    return ig_grid_name(&grid, point, "seed", out);
}

static void test_one_point(void **state)
{
    ig_options at;

    (void)state;
    assert_grid("--seed", "7", "--dims", "3", "--lr", "0.5");
    assert_int_equal(grid.points, 1);
    assert_int_equal(grid.axes, 0);
    ig_grid_options(&grid, 0, &at);
    assert_int_equal(at.train.seed, 7);
    assert_int_equal(at.set.dims, 3);
    assert_true(at.train.lr == 0.5);
    assert_string_equal(name(0), "seed");
}

static void test_order(void **state)
{
    static const char *const names[] = {
        "a-d8-lr=1-s5",  "a-d8-lr=1-s6",  "a-d8-lr=2-s5",  "a-d8-lr=2-s6",
        "b-d8-lr=1-s5",  "b-d8-lr=1-s6",  "b-d8-lr=2-s5",  "b-d8-lr=2-s6",
        "a-d16-lr=1-s5", "a-d16-lr=1-s6", "a-d16-lr=2-s5", "a-d16-lr=2-s6",
        "b-d16-lr=1-s5", "b-d16-lr=1-s6", "b-d16-lr=2-s5", "b-d16-lr=2-s6"};
    ig_options at;

    (void)state;
    assert_grid("--seed", "5,6", "--set", "lr=1,2", "--method=a,x/b.objective",
                "--dims", "8,16");
    assert_int_equal(grid.points, 16);
    assert_int_equal(grid.seeds, 2);
    for (size_t i = 0; i < 16; i++)
        assert_string_equal(name(i), names[i]);
    ig_grid_options(&grid, 14, &at);
    assert_int_equal(at.set.dims, 16);
    assert_string_equal(at.method, "x/b.objective");
    assert_true(at.train.lr == 2);
    assert_int_equal(at.train.seed, 5);
    /* What is common to all is not touched. */
    assert_null(options.method);
    assert_int_equal(options.seed, 1);
}

static void test_names_differ(void **state)
{
    char seen[12][IG_GRID_NAME_SIZE];

    (void)state;
    assert_grid("--method", "a/x,b/x,c/x.objective", "--set", "weight:m(x)'=1,1",
                "--seed", "1,1");
    assert_int_equal(grid.points, 12);
    for (size_t i = 0; i < 12; i++) {
        strcpy(seen[i], name(i));
        assert_null(strpbrk(seen[i], "/ '()"));
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(seen[i], seen[j]);
    }
    assert_string_equal(seen[0], "x-m_x__=1-s1");
}

static void test_long_names_differ(void **state)
{
    char lists[2][160], first[IG_GRID_NAME_SIZE];

    (void)state;
    for (int i = 0; i < 2; i++) {
        memset(lists[i], 'a' + i, 110);
        memcpy(lists[i], "weight:", 7);
        strcpy(lists[i] + 110, "=1,2");
    }
    assert_grid("--set", lists[0], "--set", lists[1]);
    assert_int_equal(grid.points, 4);
    strcpy(first, name(0));
    for (size_t i = 1; i < 4; i++)
        assert_string_not_equal(first, name(i));
}

static void test_set(void **state)
{
    (void)state;
    /* Given by --set, one value is a column too. */
    assert_grid("--set", "batch=64");
    assert_int_equal(grid.points, 1);
    assert_int_equal(grid.axes, 1);
    /* The last of the same key counts. */
    assert_grid("--lr", "1,2,3", "--lr", "4");
    assert_int_equal(grid.points, 1);
    assert_true(options.train.lr == 4);
    assert_grid("--set", "lr=1,2,3", "--lr", "4,5");
    assert_int_equal(grid.points, 2);
    /* The name of a term may hold '='. */
    assert_grid("--set", "weight:a=b=1,-2e-3");
    assert_string_equal(grid.axis[0]->key, "weight:a=b");
    assert_string_equal(ig_axis_weight(grid.axis[0]), "a=b");
    assert_string_equal(ig_grid_value(&grid, 1, grid.axis[0]), "-2e-3");
    /* Its values have commas of their own. */
    assert_grid("--pairing", "en-de,en-ja");
    assert_int_equal(grid.points, 1);
    assert_string_equal(options.pairing, "en-de,en-ja");
}

static void test_refused(void **state)
{
    static const char *const bad[] = {"--seed=1,",         "--seed=,1",
                                      "--set=lr=",         "--set=lr",
                                      "--set==1",          "--set=weight:=1",
                                      "--set=weight:a",    "--set=weight:a=nan",
                                      "--set=weight:a=1,", "--set=weight:a=1e999",
                                      "--lr=1,0",          "--dims=1,0"};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(parse(bad[i], (char *)NULL), IG_USAGE);
}

static void test_too_many(void **state)
{
    char list[2048] = "1";

    (void)state;
    while (strlen(list) < 2 * 1000)
        strcat(list, ",1");
    assert_int_equal(parse("--seed", list, "--dims", list, (char *)NULL), IG_USAGE);
    assert_string_equal(error.message, "the grid has more than 1000000 runs");
}

static void test_mean(void **state)
{
    double figure[4] = {2, NAN, 4, 9};
    ig_sweep_row rows[4] = {{.figure = &figure[0]},
                            {.figure = &figure[1]},
                            {.figure = &figure[2]},
                            {.figure = &figure[3]}};
    double mean, deviation;

    (void)state;
    ig_sweep_mean(rows, 4, IG_SWEEP_EPOCHS, &mean, &deviation);
    assert_true(mean == 5);
    assert_true(fabs(deviation - sqrt(13)) < 1e-12);
    ig_sweep_mean(rows, 2, IG_SWEEP_EPOCHS, &mean, &deviation);
    assert_true(mean == 2 && isnan(deviation));
    ig_sweep_mean(rows + 1, 1, IG_SWEEP_EPOCHS, &mean, &deviation);
    assert_true(isnan(mean) && isnan(deviation));
}

SUITE(grid)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_one_point, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_names_differ, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_long_names_differ, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_set, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_too_many, set_up, tear_down),
        cmocka_unit_test(test_mean),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
