/* The command line into options. What it refuses: options that the command does not
 * take, so that a mistyped or misplaced one is never passed over. */
#include "cli/options.h"

#include <string.h>
#include <unistd.h>

#include "cli/grid.h"
#include "cli/option_table.h"

void ig_options_init(ig_options *options)
{
    *options = (ig_options){
        .seed = 1,
        .train = ig_train_defaults(),
        .space = IG_UNSAID,
        .split = IG_UNSAID,
        .row = SIZE_MAX,
        .k = 10,
        .components = 2,
        .fit = IG_FIT_UNSAID,
        .columns = 80,
        .rows = 24,
        .key_table = IG_UNSAID,
        .glyphs = IG_UNSAID,
        .colour = IG_UNSAID,
    };
}

void ig_options_free(ig_options *options)
{
    ig_free((void *)options->word);
    ig_free(options->binding);
    ig_arena_free(&options->arena);
    *options = (ig_options){0};
}

/* How the command is called in a sentence. */
static const char *spoken(ig_command_id command)
{
    return command == IG_EXPLORE ? "the explorer" : ig_command_word(command);
}

/* --- one argument ---------------------------------------------------------------- */

/* An option argument taken apart: "--lr=1" or "-q". */
typedef struct argument {
    const ig_option *option; /* NULL: there is none of that name */
    const char *name;        /* as typed, without its dashes */
    size_t length;
    const char *value; /* after '=', or NULL */
} argument;

static bool is_option(const char *text)
{
    return text[0] == '-' && text[1] != '\0';
}

static argument take_long(const char *text)
{
    argument a = {.name = text + 2, .length = strcspn(text + 2, "=")};

    a.option = ig_option_named(a.name, a.length);
    if (a.name[a.length] == '=')
        a.value = a.name + a.length + 1;
    return a;
}

static const ig_option *option_lettered(char letter)
{
    const ig_option *option;

    for (size_t i = 0; (option = ig_option_at(i)) != NULL; i++)
        if (option->letter == letter)
            return option;
    return NULL;
}

/* Whether the option takes the argument after it. */
static bool takes_next(const char *text)
{
    argument a;

    if (strncmp(text, "--", 2) != 0)
        return false; /* the letters are flags */
    a = take_long(text);
    return a.option && !a.value && a.option->kind != IG_KIND_FLAG;
}

static ig_status unknown(ig_error *error, const char *dashes, argument a,
                         ig_command_id command)
{
    const ig_option *near = ig_option_near(a.name, a.length, 1u << command);

    if (near)
        return ig_fail(error, IG_USAGE, "there is no option %s%.*s; did you mean --%s?",
                       dashes, (int)a.length, a.name, near->name);
    return ig_fail(error, IG_USAGE, "there is no option %s%.*s", dashes, (int)a.length,
                   a.name);
}

/* "train takes no --row (search does)" */
static ig_status misplaced(ig_error *error, const ig_option *option,
                           ig_command_id command)
{
    char others[128] = "";
    size_t used = 0;

    for (int i = 0; i < IG_COMMANDS; i++)
        if (option->commands & (1u << i) && used < sizeof others)
            used += (size_t)snprintf(others + used, sizeof others - used, "%s%s",
                                     used ? ", " : "", spoken((ig_command_id)i));
    return ig_fail(error, IG_USAGE, "%s takes no --%s (%s %s)", spoken(command),
                   option->name, others, strchr(others, ',') ? "do" : "does");
}

static ig_status parse_letters(ig_options *options, const char *text, ig_error *error)
{
    for (const char *at = text + 1; *at; at++) {
        const ig_option *option = option_lettered(*at);

        if (!option)
            return unknown(
                error, "-",
                (argument){.name = text + 1, .length = strcspn(text + 1, "=")},
                options->command);
        *(bool *)((char *)options + option->offset) = true;
    }
    return IG_OK;
}

/* One `--option`; `next` is the argument after it or NULL, *used whether it was
 * taken. */
static ig_status parse_long(ig_options *options, const char *text, const char *next,
                            bool *used, ig_error *error)
{
    argument a = take_long(text);
    char label[64];

    *used = false;
    if (!a.option)
        return unknown(error, "--", a, options->command);
    if (!(a.option->commands & (1u << options->command)))
        return misplaced(error, a.option, options->command);
    if (a.option->kind == IG_KIND_FLAG) {
        if (a.value)
            return ig_fail(error, IG_USAGE, "--%s takes no value", a.option->name);
        *(bool *)((char *)options + a.option->offset) = true;
        return IG_OK;
    }
    snprintf(label, sizeof label, "--%s", a.option->name);
    if (!a.value) {
        if (!next)
            return ig_fail(error, IG_USAGE, "%s needs a value: %s", label,
                           a.option->value);
        a.value = next;
        *used = true;
    }
    if (options->command == IG_SWEEP && ig_grid_sweeps(a.option))
        return ig_grid_take(options, a.option, label, a.value, error);
    return ig_option_take(options, a.option, label, a.value, error);
}

/* --- the line -------------------------------------------------------------------- */

/* The first word that is no option, or argc. */
static int first_word(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0)
            return argc; /* what follows are words, but no command */
        if (!is_option(argv[i]))
            return i;
        if (takes_next(argv[i]))
            i++;
    }
    return argc;
}

static ig_command_id command_named(const char *word)
{
    for (int i = 0; i < IG_COMMANDS; i++)
        if (*ig_command_word((ig_command_id)i) &&
            strcmp(ig_command_word((ig_command_id)i), word) == 0)
            return (ig_command_id)i;
    return IG_COMMANDS;
}

/* A first word that is no command must be data: a file, or LANG=FILE. */
static ig_status check_first(const char *word, ig_error *error)
{
    ig_command_id near;

    if (strchr(word, '=') || access(word, F_OK) == 0)
        return IG_OK;
    near = ig_command_near(word);
    if (near < IG_COMMANDS)
        return ig_fail(error, IG_USAGE,
                       "'%s' is neither a command nor a file that exists; did you "
                       "mean %s?",
                       word, ig_command_word(near));
    return ig_fail(error, IG_USAGE, "'%s' is neither a command nor a file that exists",
                   word);
}

static ig_status parse_words(ig_options *options, int argc, char **argv, int command,
                             ig_error *error)
{
    bool words_only = false;

    for (int i = 1; i < argc; i++) {
        ig_status status = IG_OK;
        bool used = false;

        if (i == command) /* the command's own word */
            continue;
        if (!words_only && strcmp(argv[i], "--") == 0)
            words_only = true;
        else if (words_only || !is_option(argv[i]))
            options->word[options->words++] = argv[i];
        else if (argv[i][1] == '-')
            status = parse_long(options, argv[i], i + 1 < argc ? argv[i + 1] : NULL,
                                &used, error);
        else
            status = parse_letters(options, argv[i], error);
        if (status != IG_OK)
            return status;
        i += used;
    }
    return IG_OK;
}

ig_status ig_options_parse(ig_options *options, int argc, char **argv, ig_error *error)
{
    int first = first_word(argc, argv);
    ig_command_id named = first < argc ? command_named(argv[first]) : IG_COMMANDS;
    ig_status status;

    options->typed = argv + (argc > 0);
    options->typed_words = argc > 1 ? (size_t)argc - 1 : 0;
    options->command = named < IG_COMMANDS ? named : IG_EXPLORE;
    options->word = ig_alloc((size_t)argc + 1, sizeof *options->word);
    if (!options->word)
        return ig_fail_memory(error, "the arguments");
    status = parse_words(options, argc, argv, named < IG_COMMANDS ? first : 0, error);
    if (status == IG_OK && named == IG_COMMANDS && first < argc && !options->help &&
        !options->version)
        status = check_first(argv[first], error);
    options->train.seed = options->seed;
    options->set.seed = options->seed;
    return status;
}
