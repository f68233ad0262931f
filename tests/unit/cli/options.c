/* Options: every kind of value at its edges, commands and their options, the config
 * file, and what is said about mistakes. */
#include "cli/options.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

#include "cli/output.h"

static ig_options options;
static ig_error error;

static int set_up(void **state)
{
    (void)state;
    ig_options_init(&options);
    error = (ig_error){0};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
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
#define assert_refuses(sentence, ...)                                                  \
    do {                                                                               \
        assert_int_equal(parse(__VA_ARGS__, (char *)NULL), IG_USAGE);                  \
        assert_string_equal(error.message, sentence);                                  \
    } while (0)

static void test_command_and_words(void **state)
{
    (void)state;
    assert_parses("train", "a.npy", "--out", "r", "b.npy");
    assert_int_equal(options.command, IG_TRAIN);
    assert_int_equal(options.words, 2);
    assert_string_equal(options.word[0], "a.npy");
    assert_string_equal(options.word[1], "b.npy");
    assert_string_equal(options.out, "r");

    /* Options may come first; the value of one is no command. */
    assert_parses("--seed", "7", "--threads=3", "train", "info");
    assert_int_equal(options.command, IG_TRAIN);
    assert_int_equal(options.seed, 7);
    assert_int_equal(options.train.seed, 7);
    assert_int_equal(options.set.seed, 7);
    assert_int_equal(options.threads, 3);
    assert_string_equal(options.word[0], "info");

    assert_parses("en=a.npy");
    assert_int_equal(options.command, IG_EXPLORE);

    assert_parses("search", "--", "--row");
    assert_string_equal(options.word[0], "--row");
    assert_parses("search", "-", "--row", "0");
    assert_string_equal(options.word[0], "-");

    /* After a bare "--" nothing is a command. */
    assert_parses("--", "train");
    assert_int_equal(options.command, IG_EXPLORE);
}

static void test_first_word(void **state)
{
    (void)state;
    assert_refuses("'trian' is neither a command nor a file that exists; did you mean "
                   "train?",
                   "trian");
    assert_refuses("'nothing/here.npy' is neither a command nor a file that exists",
                   "nothing/here.npy");
    assert_parses("/dev/null");
    assert_parses("nothing", "--help");
}

static void test_values(void **state)
{
    (void)state;
    assert_parses("train", "x", "--lr=2.5e-3", "--epochs", "12", "--patience", "0",
                  "--valid", "0", "--partner", "next", "--order=sequential",
                  "--weight-decay", "0", "--normalize", "--delimiter", "tab", "--dims",
                  "4", "--type", "f16", "--optimizer", "adam", "-q");
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
    assert_true(options.set.type == 1);
    assert_true(options.quiet);
    assert_null(options.method);

    assert_parses("render", "x", "--size", "120x40", "--glyphs", "blocks", "--colour",
                  "256");
    assert_int_equal(options.columns, 120);
    assert_int_equal(options.rows, 40);
    assert_int_equal(options.glyphs, 1);
    assert_int_equal(options.colour, 3);
    assert_parses("render", "x", "--glyphs", "auto", "--colour", "none");
    assert_int_equal(options.glyphs, IG_UNSAID);
    assert_int_equal(options.colour, 0);

    assert_parses("project", "x", "--fit", "joint", "--components", "3");
    assert_int_equal(options.fit, IG_FIT_JOINT);
    assert_parses("search", "x", "--space", "language", "--row", "0");
    assert_int_equal(options.space, IG_SPACE_LANGUAGE);
    assert_int_equal(options.row, 0);

    /* What comes last counts. */
    assert_parses("train", "x", "--lr", "1", "--lr", "2");
    assert_true(options.train.lr == 2);
}

static void test_defaults(void **state)
{
    (void)state;
    assert_parses("search", "x");
    assert_int_equal(options.seed, 1);
    assert_int_equal(options.k, 10);
    assert_int_equal(options.components, 0);
    assert_true(options.row == SIZE_MAX);
    assert_int_equal(options.space, IG_UNSAID);
    assert_int_equal(options.fit, IG_FIT_UNSAID);
    assert_int_equal(options.train.epochs, 0);
    assert_true(options.train.lr < 0);
}

static void test_values_refused(void **state)
{
    (void)state;
    assert_refuses("--lr must be a number above 0, not '0'", "train", "x", "--lr", "0");
    assert_refuses("--lr must be a number above 0, not 'inf'", "train", "--lr", "inf");
    assert_refuses("--lr must be a number above 0, not '1e-3x'", "train", "--lr",
                   "1e-3x");
    assert_refuses("--lr must be a number above 0, not ' 1'", "train", "--lr", " 1");
    assert_refuses("--lr must be a number above 0, not '0x1'", "train", "--lr", "0x1");
}

static void test_numbers_refused(void **state)
{
    (void)state;
    assert_refuses("--epochs must be a whole number from 1, not '0'", "train",
                   "--epochs", "0");
    assert_refuses("--epochs must be a whole number from 1, not '+3'", "train",
                   "--epochs", "+3");
    assert_refuses("--epochs must be a whole number from 1, not "
                   "'99999999999999999999'",
                   "train", "--epochs", "99999999999999999999");
    assert_refuses("--row must be a whole number from 0, not '-1'", "search", "x",
                   "--row", "-1");
    assert_refuses("--patience must be a whole number from 0, not 'five'", "train",
                   "--patience", "five");
    assert_refuses("--valid must be at least 0 and less than 1, not '1'", "train",
                   "--valid", "1");
    assert_refuses("--weight-decay must be a number of at least 0, not '-1'", "train",
                   "--weight-decay", "-1");
    assert_refuses("--seed must be a whole number from 0, not '9223372036854775808'",
                   "info", "--seed", "9223372036854775808");
    assert_parses("info", "--seed", "9223372036854775807");
    assert_refuses("--size must be COLSxROWS such as 80x24, each at most 10000, not "
                   "'80'",
                   "render", "--size", "80");
    assert_refuses("--size must be COLSxROWS such as 80x24, each at most 10000, not "
                   "'0x4'",
                   "render", "--size", "0x4");
}

static void test_names_refused(void **state)
{
    (void)state;
    assert_refuses("--space must be original|meaning|language, not 'mean'", "search",
                   "x", "--space", "mean");
    assert_refuses("--partner must be random|next, not 'Next'", "train", "--partner",
                   "Next");
    assert_refuses("--optimizer must be adam, not 'sgd'", "train", "--optimizer",
                   "sgd");
    assert_refuses("--delimiter must be one ASCII character or 'tab', not '::'",
                   "train", "--delimiter", "::");
    assert_refuses("--meta needs a value, not an empty one", "train", "--meta", "");
    assert_refuses("--lr needs a value: RATE", "train", "x", "--lr");
    assert_refuses("--json takes no value", "info", "--json=yes");
}

static void test_options_refused(void **state)
{
    (void)state;
    assert_refuses("there is no option --bacth; did you mean --batch?", "train",
                   "--bacth", "3");
    assert_refuses("there is no option --nowhere", "train", "--nowhere");
    assert_refuses("there is no option --thr; did you mean --threads?", "info",
                   "--thr=3");
    assert_refuses("there is no option -x", "info", "-x");
    assert_refuses("train takes no --k (search does)", "train", "x", "--k", "1");
    assert_refuses("info takes no --glyphs (the explorer, demo, render, record do)",
                   "info", "--glyphs", "ascii");
    assert_refuses("the explorer takes no --json (train, sweep, eval, search, project, "
                   "transform, encode, render, objectives, info do)",
                   "en=x.npy", "--json");
}

static void test_set(void **state)
{
    (void)state;
    assert_parses("train", "x", "--set", "lr=0.5", "--set=partner=next", "--set",
                  "normalize=yes");
    assert_true(options.train.lr == 0.5);
    assert_int_equal(options.train.partner, IG_PARTNER_NEXT);
    assert_int_equal(options.train.normalize, 1);
    assert_refuses("--set must be KEY=VALUE, not 'lr'", "train", "--set", "lr");
    assert_refuses("--set lr must be a number above 0, not '-1'", "train", "--set",
                   "lr=-1");
    assert_refuses("--set: there is no training option 'epoch'; did you mean epochs?",
                   "train", "--set", "epoch=3");
    assert_refuses("--set: there is no training option 'k'", "train", "--set", "k=3");
    assert_refuses("--set: there is no training option 'set'", "train", "--set",
                   "set=lr=1");
}

/* --- the config file --------------------------------------------------------------- */

static ig_status config(const char *text)
{
    return ig_options_config_text(&options, "config", text, strlen(text), &error);
}

static void test_config(void **state)
{
    (void)state;
    assert_int_equal(config("\xEF\xBB\xBF# mine\r\n\r\n  lr = 1e-3  # fast\r\n"
                            "quiet=yes\nglyphs = ascii\ndelimiter = ;\n"
                            "key quit = q Q\nkey zoom-in = =\nmethod = my file#2"),
                     IG_OK);
    assert_true(options.train.lr == 1e-3);
    assert_true(options.quiet);
    assert_int_equal(options.glyphs, 3);
    assert_int_equal(options.set.delimiter, ';');
    assert_string_equal(options.method, "my file#2");
    assert_int_equal(options.bindings, 2);
    assert_string_equal(options.binding[0].action, "quit");
    assert_string_equal(options.binding[0].keys, "q Q");
    assert_string_equal(options.binding[1].keys, "=");
    assert_int_equal(options.binding[1].line, 8);
}

static void test_config_is_overridden(void **state)
{
    char *argv[] = {(char *)"isogloss", (char *)"train", (char *)"x", (char *)"--lr",
                    (char *)"3"};

    (void)state;
    assert_int_equal(config("lr = 1\nbatch = 8\n"), IG_OK);
    assert_int_equal(ig_options_parse(&options, 5, argv, &error), IG_OK);
    assert_true(options.train.lr == 3);
    assert_int_equal(options.train.batch, 8);
}

#define assert_config_refuses(text, sentence)                                          \
    do {                                                                               \
        assert_int_equal(config(text), IG_USAGE);                                      \
        assert_string_equal(error.message, sentence);                                  \
    } while (0)

static void test_config_refused(void **state)
{
    (void)state;
    assert_config_refuses("\nlr 1\n", "config:2: expected a line 'option = value'");
    assert_config_refuses("lr =\n", "config:1: expected a line 'option = value'");
    assert_config_refuses("lr = no\n",
                          "config:1: lr must be a number above 0, not 'no'");
    assert_config_refuses("row = 8", "config:1: 'row' belongs on the command line");
    assert_config_refuses("quiet = maybe",
                          "config:1: quiet must be yes or no, not 'maybe'");
    assert_config_refuses("method = \xFF\n",
                          "config:1: expected a line 'option = value'");
}

static void test_config_unknown(void **state)
{
    (void)state;
    assert_int_equal(config("#\n#\nbacth = 3\nlr = 2\ncolours = 8\nzzzzzzzz = 1"),
                     IG_OK);
    assert_string_equal(
        options.unknown,
        "config:3: unknown option 'bacth' is ignored; did you mean batch?\n"
        "config:5: unknown option 'colours' is ignored; did you mean "
        "colour?\n"
        "config:6: unknown option 'zzzzzzzz' is ignored");
    assert_true(options.train.lr == 2);
}

/* --- the table ---------------------------------------------------------------------- */

static void test_table(void **state)
{
    const ig_option *option, *other;

    (void)state;
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

static void test_help_fits(void **state)
{
    char *text = NULL;
    size_t size = 0;

    (void)state;
    for (int c = 0; c < IG_COMMANDS; c++) {
        FILE *out = open_memstream(&text, &size);

        ig_options_help(out, (ig_command_id)c);
        fclose(out);
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
            assert_true(strlen(line) <= 80);
        free(text);
    }
}

SUITE(options)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_command_and_words, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_first_word, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_defaults, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_values_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_numbers_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_names_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_options_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_set, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_config, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_config_is_overridden, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_config_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_config_unknown, set_up, tear_down),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_help_fits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
