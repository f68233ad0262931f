/* Options: every kind of value at its edges, commands and their options, the config
 * file, what is said about mistakes, and the grid of a sweep: every combination once, in
 * the order that is promised, under a name of its own. */
#include "cli/options.h"

#include <math.h>
#include <string.h>

#include "suite.h"

#include "cli/output.h"

static ig_options options;
static ig_error error;

static int set_up(void **state)
{
    ig_options_init(&options);
    error = (ig_error){0};
    return 0;
}

static int tear_down(void **state)
{
    ig_options_free(&options);
    return 0;
}

/* Parse words, ended by NULL; the program's name comes first by itself. */
static ig_status parse(const char *first, ...)
{
    char *argv[32] = {(char *)"isogloss"};
    int argc = 1;
    va_list arguments;

    ig_options_free(&options);
    ig_options_init(&options);
    va_start(arguments, first);
    for (const char *word = first; word; word = va_arg(arguments, const char *))
        argv[argc++] = (char *)(uintptr_t)word;
    va_end(arguments);
    return ig_options_parse(&options, argc, argv, &error);
}

#define assert_parses(...) assert_int_equal(parse(__VA_ARGS__, (char *)NULL), IG_OK)
static void test_command_and_words(void **state)
{
    assert_parses("train", "a.npy", "--out", "r", "b.npy");
    assert_int_equal(options.command, IG_TRAIN);
    assert_int_equal(options.words, 2);
    assert_string_equal(options.word[0], "a.npy");
    assert_string_equal(options.word[1], "b.npy");
    assert_string_equal(options.out, "r");

    assert_parses("train", "--seed", "7", "--threads=3", "info");
    assert_int_equal(options.command, IG_TRAIN);
    assert_int_equal(options.seed, 7);
    assert_int_equal(options.train.seed, 7);
    assert_int_equal(options.threads, 3);
    assert_string_equal(options.word[0], "info");

    assert_parses("en=a.npy");
    assert_int_equal(options.command, IG_EXPLORE);

    assert_parses("search", "--", "--row");
    assert_string_equal(options.word[0], "--row");
    assert_parses("search", "-", "--row", "0");
    assert_string_equal(options.word[0], "-");

    /* A command comes first. */
    assert_int_equal(parse("--seed", "7", "train", NULL), IG_USAGE);
}

static void test_values(void **state)
{
    assert_parses("train", "x", "--lr=2.5e-3", "--epochs", "12", "--patience", "0",
                  "--valid", "0", "--partner", "next", "--order=sequential",
                  "--weight-decay", "0", "--normalize", "--delimiter", "tab", "--dims",
                  "4", "-q");
    assert_true(options.train.lr == 2.5e-3);
    assert_int_equal(options.train.epochs, 12);
    assert_int_equal(options.train.patience, 0);
    assert_true(options.train.valid == 0);
    assert_int_equal(options.train.partner, IG_PARTNER_NEXT);
    assert_int_equal(options.train.order, IG_ORDER_SEQUENTIAL);
    assert_true(options.train.weight_decay == 0);
    assert_int_equal(options.train.normalize, 1);
    assert_int_equal(options.set.delimiter, '\t');
    assert_int_equal(options.set.dims, 4);
    assert_true(options.quiet);
    assert_null(options.method);

    assert_parses("render", "x", "--size", "120x40", "--glyphs", "ascii", "--colour",
                  "256");
    assert_int_equal(options.screen.columns, 120);
    assert_int_equal(options.screen.rows, 40);
    assert_int_equal(options.screen.glyphs, 1);
    assert_int_equal(options.screen.colour, 3);
    assert_parses("render", "x", "--glyphs", "auto", "--colour", "none");
    assert_int_equal(options.screen.glyphs, IG_UNSET);
    assert_int_equal(options.screen.colour, 0);

    assert_parses("project", "x", "--layout", "neighbours", "--components", "2");
    assert_int_equal(options.project.layout, IG_LAYOUT_NEIGHBOURS);
    assert_parses("search", "x", "--space", "language", "--row", "0");
    assert_int_equal(options.search.space, IG_SPACE_LANGUAGE);
    assert_int_equal(options.search.row, 0);

    /* What comes last counts. */
    assert_parses("train", "x", "--lr", "1", "--lr", "2");
    assert_true(options.train.lr == 2);
}

static void test_set(void **state)
{
    assert_parses("train", "x", "--set", "lr=0.5", "--set=partner=next", "--set",
                  "normalize=yes");
    assert_true(options.train.lr == 0.5);
    assert_int_equal(options.train.partner, IG_PARTNER_NEXT);
    assert_int_equal(options.train.normalize, 1);
}

/* --- the table ---------------------------------------------------------------------- */

static void test_table(void **state)
{
    const ig_option *option, *other;

    for (size_t i = 0; (option = ig_option_at(i)) != NULL; i++) {
        assert_ptr_equal(
            ig_option_named(option->field.name, strlen(option->field.name)), option);
        assert_true(option->commands != 0);
        assert_true((option->field.value == NULL) ==
                    (option->field.kind == IG_KIND_FLAG));
        for (size_t j = 0; (other = ig_option_at(j)) != NULL && option->letter; j++)
            assert_true(i == j || other->letter != option->letter);
    }
}

/* --- options of a sweep ------------------------------------------------------------- */

#define parse_swept(...) parse("sweep", "/dev/null", __VA_ARGS__, (char *)NULL)

static void test_swept(void **state)
{
    const ig_axis *axis = options.measure.axis;

    /* The last of the same key counts. */
    assert_int_equal(parse_swept("--lr", "1,2,3", "--lr", "4"), IG_OK);
    assert_int_equal(options.measure.axes, 0);
    assert_true(options.train.lr == 4);
    assert_int_equal(parse_swept("--set", "lr=1,2,3", "--lr", "4,5"), IG_OK);
    assert_int_equal(axis->values, 2);
    /* The name of a term may hold '='. */
    assert_int_equal(parse_swept("--set", "weight:a=b=1,-2e-3"), IG_OK);
    assert_string_equal(axis->key, "weight:a=b");
    assert_string_equal(ig_axis_weight(axis), "a=b");
    assert_string_equal(axis->value[1], "-2e-3");
    /* Its values have commas of their own. */
    assert_int_equal(parse_swept("--pairing", "en-de,en-ja"), IG_OK);
    assert_int_equal(options.measure.axes, 0);
    assert_string_equal(options.pairing, "en-de,en-ja");
}

static void test_swept_refused(void **state)
{
    static const char *const bad[] = {"--seed=1,",         "--seed=,1",
                                      "--set=lr=",         "--set=lr",
                                      "--set==1",          "--set=weight:=1",
                                      "--set=weight:a",    "--set=weight:a=nan",
                                      "--set=weight:a=1,", "--set=weight:a=1e999",
                                      "--lr=1,0",          "--dims=1,0"};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(parse_swept(bad[i]), IG_USAGE);
}

SUITE(options, NULL, NULL, TEST_IN(test_command_and_words, set_up, tear_down),
      TEST_IN(test_values, set_up, tear_down), TEST_IN(test_set, set_up, tear_down),
      TEST_IN(test_swept, set_up, tear_down),
      TEST_IN(test_swept_refused, set_up, tear_down), TEST(test_table))
