/* The command line, the config file and help, driven by the table of options. Unknown
 * options and options of other commands are errors. */
#include "cli/options.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/text.h"
#include "data/content.h"
#include "measure/figure.h"

/* --- initialisation --------------------------------------------------------------- */

void ig_options_init(ig_options *options)
{
    *options = (ig_options){.train = ig_train_defaults(),
                            .measure = {.format = IG_UNSET, .by = IG_UNSET},
                            .search = {.space = IG_UNSET, .row = SIZE_MAX, .k = 10},
                            .screen = {.glyphs = IG_UNSET,
                                       .colour = IG_UNSET,
                                       .theme = IG_UNSET,
                                       .motion = IG_UNSET},
                            .encoder.timeout = -1};
}

void ig_options_free(ig_options *options)
{
    ig_arena_free(&options->arena);
    *options = (ig_options){0};
}

/* --- options with several values -------------------------------------------------- */

static const char WEIGHT[] = "weight:";
enum { TERM = sizeof WEIGHT - 1 }; /* where its name begins */

const char *ig_axis_weight(const ig_axis *axis)
{
    return strncmp(axis->key, WEIGHT, TERM) == 0 ? axis->key + TERM : NULL;
}

/* Add the values "V1,V2" of an option or weight; set a single one of an option. */
static ig_status add_axis(ig_options *options, ig_axis axis, const char *label,
                          const char *list, ig_error *error)
{
    ig_measure_options *m = &options->measure;

    axis.value = ig_arena_array(&options->arena, strlen(list) + 1, sizeof *axis.value);
    for (const char *at = list; at; at = *at ? at + 1 : NULL) {
        size_t n = strcspn(at, ",");
        const char *value = ig_arena_text(&options->arena, at, n);
        ig_options scratch = *options;
        ig_status status = IG_OK;
        double number, other;

        if (options->arena.failed)
            return ig_fail_memory(error, label);
        if (n == 0)
            return ig_fail(error, IG_USAGE, "%s has an empty value in '%s'", label,
                           list);
        if (axis.option)
            status = ig_option_take(&scratch, axis.option, label, value, error);
        else if (!ig_real_parse(value, &number))
            status =
                ig_fail(error, IG_USAGE, "%s must be a number, not '%s'", label, value);
        for (size_t i = 0; i < axis.values && status == IG_OK; i++)
            if (strcmp(axis.value[i], value) == 0 ||
                (ig_real_parse(axis.value[i], &other) && fabs(other) < 0x1p53 &&
                 ig_real_parse(value, &number) && number == other))
                status = ig_fail(error, IG_USAGE, "%s names %s twice", label, value);
        if (status != IG_OK)
            return status;
        axis.value[axis.values++] = value;
        at += n;
    }
    for (size_t i = 0; i < m->axes; i++)
        if (strcmp(m->axis[i].key, axis.key) == 0)
            return ig_fail(error, IG_USAGE, "%s is given twice", label);
    if (axis.values == 1 && axis.option)
        return ig_option_take(options, axis.option, label, axis.value[0], error);
    if (axis.values > 1 && options->command != IG_SWEEP)
        return ig_fail(error, IG_USAGE, "%s: only sweep takes several values", label);
    if (m->axes == IG_AXES_MAX)
        return ig_fail(error, IG_USAGE, "a sweep varies at most %d options",
                       IG_AXES_MAX);
    m->axis[m->axes++] = axis;
    return IG_OK;
}

/* Take the value of an option, or the values that a sweep varies. The command line has
 * one for each option; one of DATA is kept as words of it. */
static ig_status take_value(ig_options *options, const ig_option *option,
                            const char *label, const char *value, ig_error *error)
{
    ig_axis axis = {.key = option->field.name, .option = option};
    const char **given = options->given ? options->given + (option - ig_option_at(0))
                                        : NULL;
    bool flag = option->field.kind == IG_KIND_FLAG;
    bool trains = option->section == IG_SECTION_TRAINING;
    char word[64];
    ig_status status;

    if (given && *given && !option->repeats)
        return strcmp(*given, value) == 0
                   ? IG_OK
                   : ig_fail(error, IG_USAGE, "%s is given twice, as '%s' and as '%s'",
                             label, *given, value);
    if (given)
        *given = value;
    /* Values of --pairing contain commas. */
    trains &= strcmp(axis.key, "pairing") != 0 && strcmp(axis.key, "set") != 0;
    status = options->command == IG_SWEEP && (trains || strcmp(axis.key, "dims") == 0 ||
                                              strcmp(axis.key, "seed") == 0)
                 ? add_axis(options, axis, label, value, error)
                 : ig_option_take(options, option, label, value, error);
    if (status != IG_OK || option->section != IG_SECTION_DATA ||
        (flag && !*(int *)((char *)options + option->field.offset)))
        return status;
    snprintf(word, sizeof word, "--%s", option->field.name);
    options->data[options->data_words++] =
        ig_arena_text(&options->arena, word, strlen(word));
    if (!flag)
        options->data[options->data_words++] = value;
    return options->arena.failed ? ig_fail_memory(error, label) : IG_OK;
}

/* KEY=VALUE or weight:TERM=W, where TERM can contain '='; of a sweep several values. */
ig_status ig_options_set(ig_options *options, const char *label, const char *text,
                         ig_error *error)
{
    bool weight = strncmp(text, WEIGHT, TERM) == 0;
    const char *equals = weight ? strrchr(text, '=') : strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : 0;
    const ig_option *option = weight ? NULL : ig_option_named(text, length);
    char name[96];

    if (length <= (weight ? TERM : 0))
        return ig_fail(error, IG_USAGE, "%s must be KEY=VALUE, not '%s'", label, text);
    if (weight && ig_commands[options->command].draws)
        return ig_fail(error, IG_USAGE,
                       "%s: train and sweep set weights, the screen by :weights", text);
    if (!weight && (!option || option->section != IG_SECTION_TRAINING ||
                    strcmp(option->field.name, "set") == 0))
        return ig_fail(error, IG_USAGE,
                       "--set: unknown training option '%.*s'; train --help lists them",
                       (int)length, text);
    snprintf(name, sizeof name, "--set %.*s", (int)length, text);
    return weight ? add_axis(
                        options,
                        (ig_axis){.key = ig_arena_text(&options->arena, text, length)},
                        name, equals + 1, error)
                  : take_value(options, option, name, equals + 1, error);
}

/* --- the command line ------------------------------------------------------------- */

/* The option of "--lr", "--lr=1" or "-q", or NULL; *value follows '=', or is NULL. */
static const ig_option *option_of(const char *text, const char **value)
{
    size_t length = strcspn(text, "=");
    const ig_option *option;

    *value = text[length] ? text + length + 1 : NULL;
    if (strncmp(text, "--", 2) == 0)
        return ig_option_named(text + 2, length - 2);
    for (size_t i = 0; (option = ig_option_at(i)); i++)
        if (option->letter && option->letter == text[1] && length == 2)
            return option;
    return NULL;
}

/* Parse an option. `next` is the next argument or NULL; *used: it was consumed. */
static ig_status parse_option(ig_options *options, const char *text, const char *next,
                              bool *used, ig_error *error)
{
    size_t length = strcspn(text, "=");
    char others[128] = "", label[64];
    const char *value, *near = NULL;
    const ig_option *option = option_of(text, &value), *o;

    for (int likeness = 3; !option && length > 2 && !near && likeness; likeness--)
        for (size_t i = 0; !near && (o = ig_option_at(i)); i++)
            if (o->commands & 1u << options->command &&
                ig_name_resembles(o->field.name, text + 2, length - 2) == likeness)
                near = o->field.name;
    if (!option)
        return ig_fail(error, IG_USAGE,
                       near ? "unknown option %.*s; did you mean --%s?"
                            : "unknown option %.*s",
                       (int)length, text, near);
    if (!(option->commands & 1u << options->command)) {
        for (ig_command_id i = 0; i < IG_COMMANDS; i++) /* "(search does)" */
            if (option->commands & 1u << i)
                ig_text_append(others, sizeof others, "%s%s", *others ? ", " : "",
                               i                             ? ig_command_name(i)
                               : options->command == IG_DEMO ? "isogloss data/demo.npy"
                                                             : "isogloss DATA");
        return ig_fail(error, IG_USAGE, "%s takes no --%s (%s %s)",
                       ig_command_name(options->command), option->field.name, others,
                       strchr(others, ',') ? "do" : "does");
    }
    snprintf(label, sizeof label, "--%s", option->field.name);
    if (option->field.kind == IG_KIND_FLAG)
        return value ? ig_fail(error, IG_USAGE, "%s takes no value", label)
                     : take_value(options, option, label, "yes", error);
    *used = !value && next;
    value = value ? value : next;
    return value ? take_value(options, option, label, value, error)
                 : ig_fail(error, IG_USAGE, "%s needs a value: %s", label,
                           option->field.value);
}

/* A first word that is not a command must be DATA: a file, or LANG=FILE. */
static ig_status check_first_word(const char *word, ig_error *error)
{
    if (ig_command_named(word) < IG_COMMANDS)
        return ig_fail(error, IG_USAGE,
                       "a command stands before its options: isogloss %s", word);
    if (strchr(word, '=') || strcmp(word, "-") == 0 || access(word, F_OK) == 0 ||
        strncmp(word, "demo-", 5) == 0) /* a demo: cli/demo_path.h */
        return IG_OK;
    for (int i = IG_EXPLORE + 1; i < IG_COMMANDS; i++)
        if (ig_name_resembles(ig_commands[i].word, word, strlen(word)))
            return ig_fail(error, IG_USAGE, "unknown command %s; did you mean %s?",
                           word, ig_commands[i].word);
    return ig_fail(error, IG_USAGE,
                   "'%.100s' is neither a command nor a file that exists; "
                   "isogloss --help lists the commands",
                   word);
}

static ig_status parse_words(ig_options *options, int argc, char **argv,
                             ig_error *error)
{
    bool words_only = false;
    ig_status status = IG_OK;

    for (int i = 0; i < argc && status == IG_OK; i++) {
        bool used = false;

        if (!words_only && strcmp(argv[i], "--") == 0)
            words_only = true;
        else if (words_only || argv[i][0] != '-' || !argv[i][1])
            options->data[options->data_words++] = options->word[options->words++] =
                argv[i];
        else
            status = parse_option(options, argv[i], i + 1 < argc ? argv[i + 1] : NULL,
                                  &used, error);
        i += used;
    }
    return status;
}

ig_status ig_options_parse(ig_options *options, int argc, char **argv, ig_error *error)
{
    ig_measure_options *m = &options->measure;
    ig_command_id named = argc > 1 ? ig_command_named(argv[1]) : IG_COMMANDS;
    int from = argc < 1 ? argc : named < IG_COMMANDS ? 2 : 1;
    size_t count = 0;
    ig_status status;

    options->typed = argv + (argc > 0);
    options->typed_words = argc > 1 ? (size_t)argc - 1 : 0;
    options->command = named < IG_COMMANDS ? named : IG_EXPLORE;
    if (named == IG_EVAL) /* trains only with --method on the command line */
        options->method = NULL;
    while (ig_option_at(count))
        count++;
    options->given = ig_arena_array(&options->arena, count, sizeof *options->given);
    options->word =
        ig_arena_array(&options->arena, (size_t)argc + 1, sizeof *options->word);
    options->data = ig_options_grow(options, options->data, options->data_words,
                                    2 * (size_t)argc + 1, sizeof *options->data);
    if (options->arena.failed)
        return ig_fail_memory(error, "the arguments");
    status = parse_words(options, argc - from, argv + from, error);
    if (named == IG_COMMANDS && options->words && !options->help && !options->version &&
        check_first_word(options->word[0], error) != IG_OK)
        status = IG_USAGE; /* before options that the explorer does not take */
    if (status == IG_OK && named == IG_HELP) { /* that of its argument */
        named = options->words ? ig_command_named(options->word[0]) : IG_EXPLORE;
        if (named == IG_COMMANDS || options->words > 1)
            return ig_fail(error, IG_USAGE,
                           "help takes a command, not '%s'; isogloss --help lists them",
                           options->word[options->words - 1]);
        options->command = named;
        options->help = 1;
    }
    options->seed = options->train.seed;
    options->project.drawn = options->project.picture[0]   ? "--svg"
                             : options->project.picture[1] ? "--pdf"
                             : options->project.picture[2] ? "--png"
                                                           : NULL;
    if (status == IG_OK && !options->help && !options->version)
        status = ig_options_check(options, error);
    if (options->json)
        m->format = IG_AS_JSON;
    else if (m->format == IG_UNSET)
        m->format = named != IG_SWEEP || isatty(STDOUT_FILENO) ? IG_AS_TABLE
                                                               : IG_AS_CSV;
    return status;
}

/* --- the config file -------------------------------------------------------------- */

/* A text without leading and trailing spaces, which are overwritten. */
static char *trim(char *text)
{
    size_t length;

    text += strspn(text, " \t");
    for (length = strlen(text); length && strchr(" \t", text[length - 1]);)
        text[--length] = '\0';
    return text;
}

/* Apply a line; `at` names it ("config:3"). An unknown option, perhaps of another
 * version, is ignored with a note. */
static ig_status apply_line(ig_options *options, const char *at, const char *line,
                            size_t length, char notes[IG_ERROR_SIZE], ig_error *error)
{
    char *text = ig_arena_text(&options->arena, line, length), *name, *value;
    const ig_option *option;
    bool valid;
    char label[IG_ERROR_SIZE / 2];

    options->data = ig_options_grow(options, options->data, options->data_words, 2,
                                    sizeof *options->data);
    if (options->arena.failed)
        return ig_fail_memory(error, "the config file");
    for (size_t i = 0; i < length; i++) /* a comment */
        if (text[i] == '#' && (i == 0 || strchr(" \t", text[i - 1])))
            text[length = i] = '\0';
    valid = ig_text_valid(text, length) == length && strlen(text) == length;
    value = strchr(text, '=');
    if (value)
        *value++ = '\0';
    name = trim(text);
    value = value ? trim(value) : NULL;
    if (valid && !value && !*name)
        return IG_OK;
    if (!valid || !value || !*name || !*value)
        return ig_fail(error, IG_USAGE, "%s: expected a line 'option = value'", at);
    option = ig_option_named(name, strlen(name));
    if (option && option->once)
        return ig_fail(error, IG_USAGE, "%s: '%s' is allowed only on the command line",
                       at, name);
    snprintf(label, sizeof label, "%s: %s", at, name);
    if (option)
        return take_value(options, option, label, value, error);
    ig_text_append(notes, IG_ERROR_SIZE, "%s%s: unknown option '%s' is ignored",
                   *notes ? "; " : "", at, name);
    return IG_OK;
}

ig_status ig_options_config(ig_options *options, const char *path, ig_error *error)
{
    ig_mapping file = {0};
    ig_status status;
    ig_lines lines;
    const char *line;
    size_t length;
    char at[IG_ERROR_SIZE / 4], notes[IG_ERROR_SIZE] = "";

    if (access(path, F_OK) != 0)
        return IG_OK;
    status = ig_mapping_open(&file, path, error);
    if (status != IG_OK)
        return status;
    options->config = ig_arena_text(&options->arena, path, strlen(path));
    lines = ig_lines_of(file.bytes, file.size);
    while (status == IG_OK && ig_lines_next(&lines, &line, &length)) {
        snprintf(at, sizeof at, "%.200s:%zu", path, lines.number);
        status = apply_line(options, at, line, length, notes, error);
    }
    ig_text_append(error->message, sizeof error->message, "%s%s",
                   *error->message && *notes ? "; " : "", notes);
    ig_mapping_close(&file);
    return status;
}

/* --- help ------------------------------------------------------------------------- */

enum { HELP_COLUMN = 23, HELP_WIDTH = 80 };

void ig_options_usage(FILE *out, ig_command_id command)
{
    const char *word = ig_commands[command].word;

    fprintf(out, "usage: isogloss %s%s%s\n", word, *word ? " " : "",
            ig_commands[command].usage);
}

static void put_option(FILE *out, const ig_option *option)
{
    char head[96];
    int n = option->letter ? snprintf(head, sizeof head, "  -%c, --%s", option->letter,
                                      option->field.name)
                           : snprintf(head, sizeof head, "  --%s", option->field.name);

    if (option->field.value)
        n += snprintf(head + n, sizeof head - (size_t)n, " %s", option->field.value);
    if (n >= HELP_COLUMN - 1)
        fprintf(out, "%s\n%*s", head, HELP_COLUMN, "");
    else
        fprintf(out, "%-*s", HELP_COLUMN, head);
    ig_text_wrap(out, option->field.help, HELP_COLUMN, HELP_WIDTH, true);
}

/* Whether help of the command describes the option, or names it. Those that change how
 * a run is applied are no options of `train` alone; help of the demo has the screen. */
static bool is_own(const ig_option *option, ig_command_id command)
{
    return command == IG_EXPLORE
               ? option->letter || (option->section == IG_SECTION_COMMAND &&
                                    !(option->commands & 1u << IG_DEMO))
               : option->section == IG_SECTION_COMMAND ||
                     (option->section == IG_SECTION_TRAINING && command == IG_TRAIN &&
                      !(option->commands & 1u << IG_TRANSFORM)) ||
                     (option->section == IG_SECTION_ENCODER && command == IG_ENCODE);
}

void ig_options_help(FILE *out, ig_command_id command)
{
    const ig_command_entry *c = &ig_commands[command];
    const ig_option *option;
    ig_builder shared = {0};
    const char *heading = "\nOptions:\n";
    size_t first = strcspn(c->examples, "\n");

    ig_options_usage(out, command);
    fprintf(out, "\n%s\n\n  isogloss %.*s\n  isogloss %s\n", c->summary, (int)first,
            c->examples, c->examples + first + 1);
    if (command == IG_EXPLORE) {
        fputs("\nCommands:\n", out);
        for (int i = IG_EXPLORE + 1; i < IG_COMMANDS; i++)
            fprintf(out, "  %-12s%s\n", ig_commands[i].word, ig_commands[i].summary);
        fputs("\nisogloss COMMAND --help describes a command, man isogloss the "
              "forms of DATA.\n",
              out);
    }
    for (size_t i = 0; (option = ig_option_at(i)) != NULL; i++) {
        if (option->commands & 1u << command && !is_own(option, command)) {
            ig_builder_add(&shared, "--%s ", option->field.name);
        } else if (option->commands & 1u << command) {
            fputs(heading, out);
            heading = "";
            put_option(out, option);
        }
    }
    fputs("\nAlso, see isogloss(1): ", out);
    ig_text_wrap(out, shared.text ? shared.text : "", 23, HELP_WIDTH, true);
    ig_builder_free(&shared);
}
