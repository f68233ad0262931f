/* The command line, the config file and help, driven by the table of options. Unknown
 * options and options of other commands are errors. */
#include "cli/options.h"

#include <string.h>
#include <unistd.h>

#include "core/array.h"
#include "core/file.h"
#include "core/text.h"
#include "data/dataset.h"

/* --- initialisation --------------------------------------------------------------- */

void ig_options_init(ig_options *options)
{
    *options = (ig_options){
        .train = ig_train_defaults(),
        .measure = {.split = IG_UNSET, .format = IG_UNSET},
        .search = {.space = IG_UNSET, .row = SIZE_MAX, .k = 10},
        .project = {.fit = IG_FIT_UNSET},
        .screen = {.glyphs = IG_UNSET,
                   .colour = IG_UNSET,
                   .theme = IG_UNSET,
                   .motion = IG_UNSET},
        .encoder.timeout = -1,
    };
}

void ig_options_free(ig_options *options)
{
    ig_free((void *)options->word);
    ig_arena_free(&options->arena);
    *options = (ig_options){0};
}

static const char *display_name(int command)
{
    return command == IG_EXPLORE ? "the explorer" : ig_commands[command].word;
}

/* --- options with several values -------------------------------------------------- */

static const char WEIGHT[] = "weight:";

const char *ig_axis_weight(const ig_axis *axis)
{
    size_t n = sizeof WEIGHT - 1;

    return strncmp(axis->key, WEIGHT, n) == 0 ? axis->key + n : NULL;
}

/* Whether a sweep varies this option: training options (except --pairing, whose values
 * contain commas), --dims, --seed and --set. */
static bool is_swept(const ig_option *option)
{
    if (strcmp(option->field.name, "dims") == 0 ||
        strcmp(option->field.name, "seed") == 0)
        return true;
    return option->section == IG_SECTION_TRAINING &&
           strcmp(option->field.name, "pairing") != 0;
}

static ig_status check_value(const ig_options *options, const ig_axis *axis,
                             const char *label, const char *value, ig_error *error)
{
    ig_options scratch = *options;
    double number;

    if (axis->option)
        return ig_option_take(&scratch, axis->option, label, value, error);
    if (!ig_real_parse(value, &number))
        return ig_fail(error, IG_USAGE, "%s must be a number, not '%s'", label, value);
    return IG_OK;
}

/* Split "V1,V2" into axis->value, in the options' arena. */
static ig_status split_values(ig_options *options, ig_axis *axis, const char *label,
                              const char *list, ig_error *error)
{
    size_t max = 1;

    for (const char *at = list; *at; at++)
        max += *at == ',';
    axis->value = ig_arena_array(&options->arena, max, sizeof *axis->value);
    if (!axis->value)
        return ig_fail_memory(error, label);
    for (const char *at = list;; at++) {
        size_t n = strcspn(at, ",");
        const char *value = ig_arena_text(&options->arena, at, n);
        ig_status status;

        if (!value)
            return ig_fail_memory(error, label);
        if (n == 0)
            return ig_fail(error, IG_USAGE, "%s has an empty value in '%s'", label,
                           list);
        status = check_value(options, axis, label, value, error);
        for (size_t i = 0; i < axis->values && status == IG_OK; i++)
            if (strcmp(axis->value[i], value) == 0)
                status = ig_fail(error, IG_USAGE, "%s names %s twice", label, value);
        if (status != IG_OK)
            return status;
        axis->value[axis->values++] = value;
        at += n;
        if (!*at)
            return IG_OK;
    }
}

static void remove_axis(ig_options *options, const char *key)
{
    size_t kept = 0;

    for (size_t i = 0; i < options->measure.axes; i++)
        if (strcmp(options->measure.axis[i].key, key) != 0)
            options->measure.axis[kept++] = options->measure.axis[i];
    options->measure.axes = kept;
}

/* A later axis replaces an earlier one with the same key, as for every option. */
static ig_status add_axis(ig_options *options, ig_axis axis, const char *label,
                          const char *list, ig_error *error)
{
    ig_status status = split_values(options, &axis, label, list, error);

    if (status != IG_OK)
        return status;
    remove_axis(options, axis.key);
    if (axis.values == 1 && !axis.set)
        return ig_option_take(options, axis.option, label, axis.value[0], error);
    if (options->measure.axes == IG_AXES_MAX)
        return ig_fail(error, IG_USAGE, "a sweep varies at most %d options",
                       IG_AXES_MAX);
    options->measure.axis[options->measure.axes++] = axis;
    return IG_OK;
}

/* KEY=V1,V2 of --set. The name of a term can contain '=', a list of numbers cannot. */
static ig_status parse_swept_set(ig_options *options, const ig_option *set,
                                 const char *text, ig_error *error)
{
    bool weight = strncmp(text, WEIGHT, sizeof WEIGHT - 1) == 0;
    const char *equals = weight ? strrchr(text, '=') : strchr(text, '=');
    ig_axis axis = {.set = true};
    char label[96];

    if (!equals || equals == text || (weight && equals == text + sizeof WEIGHT - 1))
        return ig_fail(error, IG_USAGE,
                       "--set must be KEY=V1,V2 or weight:TERM=V1,V2, "
                       "not '%s'",
                       text);
    if (!weight) {
        axis.option = ig_option_named(text, (size_t)(equals - text));
        if (!axis.option || axis.option->section != IG_SECTION_TRAINING ||
            strcmp(axis.option->field.name, "set") == 0 || !is_swept(axis.option))
            return ig_option_take(options, set, "--set", text, error);
    }
    axis.key = ig_arena_text(&options->arena, text, (size_t)(equals - text));
    if (!axis.key)
        return ig_fail_memory(error, "--set");
    snprintf(label, sizeof label, "--set %s", axis.key);
    return add_axis(options, axis, label, equals + 1, error);
}

/* Parse "V1,V2,…". A single value is set as in any other command; several, or any of
 * --set, become an axis in measure.axis. --set also takes weight:TERM=W1,W2. IG_OK,
 * IG_USAGE or IG_NOMEM. */
static ig_status parse_swept(ig_options *options, const ig_option *option,
                             const char *label, const char *value, ig_error *error)
{
    if (strcmp(option->field.name, "set") == 0)
        return parse_swept_set(options, option, value, error);
    return add_axis(options, (ig_axis){.key = option->field.name, .option = option},
                    label, value, error);
}

/* --- the command line: one argument ----------------------------------------------- */

/* A parsed option argument: "--lr=1" or "-q". */
typedef struct argument {
    const ig_option *option; /* NULL: unknown */
    const char *name;        /* as typed, without its dashes */
    size_t length;
    const char *value; /* after '=', or NULL */
} argument;

static bool is_option(const char *text)
{
    return text[0] == '-' && text[1] != '\0';
}

static argument split_long(const char *text)
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

static bool takes_next(const char *text)
{
    argument a;

    if (strncmp(text, "--", 2) != 0)
        return false; /* the letters are flags */
    a = split_long(text);
    return a.option && !a.value && a.option->field.kind != IG_KIND_FLAG;
}

static ig_status fail_unknown(ig_error *error, const char *dashes, argument a,
                              ig_command_id command)
{
    const ig_option *near = ig_option_near(a.name, a.length, 1u << command);
    const char *instead = ig_option_gone(a.name, a.length);

    if (instead)
        return ig_fail(error, IG_USAGE, "%s%.*s is gone: %s", dashes, (int)a.length,
                       a.name, instead);
    if (near)
        return ig_fail(error, IG_USAGE, "unknown option %s%.*s; did you mean --%s?",
                       dashes, (int)a.length, a.name, near->field.name);
    return ig_fail(error, IG_USAGE, "unknown option %s%.*s", dashes, (int)a.length,
                   a.name);
}

/* "train takes no --row (search does)" */
static ig_status fail_misplaced(ig_error *error, const ig_option *option,
                                ig_command_id command)
{
    char others[128] = "";
    size_t used = 0;

    for (int i = 0; i < IG_COMMANDS; i++)
        if (option->commands & (1u << i) && used < sizeof others)
            used += (size_t)snprintf(others + used, sizeof others - used, "%s%s",
                                     used ? ", " : "", display_name(i));
    return ig_fail(error, IG_USAGE, "%s takes no --%s (%s %s)", display_name(command),
                   option->field.name, others, strchr(others, ',') ? "do" : "does");
}

static ig_status parse_letters(ig_options *options, const char *text, ig_error *error)
{
    for (const char *at = text + 1; *at; at++) {
        const ig_option *option = option_lettered(*at);

        if (!option)
            return fail_unknown(
                error, "-",
                (argument){.name = text + 1, .length = strcspn(text + 1, "=")},
                options->command);
        *(int *)((char *)options + option->field.offset) = 1;
    }
    return IG_OK;
}

/* Parse one `--option`. `next` is the next argument or NULL; *used: it was consumed. */
static ig_status parse_long(ig_options *options, const char *text, const char *next,
                            bool *used, ig_error *error)
{
    argument a = split_long(text);
    char label[64];

    *used = false;
    if (!a.option)
        return fail_unknown(error, "--", a, options->command);
    if (!(a.option->commands & (1u << options->command)))
        return fail_misplaced(error, a.option, options->command);
    if (a.option->field.kind == IG_KIND_FLAG) {
        if (a.value)
            return ig_fail(error, IG_USAGE, "--%s takes no value",
                           a.option->field.name);
        *(int *)((char *)options + a.option->field.offset) = 1;
        return IG_OK;
    }
    snprintf(label, sizeof label, "--%s", a.option->field.name);
    if (!a.value) {
        if (!next)
            return ig_fail(error, IG_USAGE, "%s needs a value: %s", label,
                           a.option->field.value);
        a.value = next;
        *used = true;
    }
    if (options->command == IG_SWEEP && is_swept(a.option))
        return parse_swept(options, a.option, label, a.value, error);
    return ig_option_take(options, a.option, label, a.value, error);
}

/* --- the command line: all arguments ---------------------------------------------- */

/* The index of the first argument that is not an option, or argc. */
static int first_word(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0)
            return argc; /* no command after "--" */
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
        if (*ig_commands[i].word && strcmp(ig_commands[i].word, word) == 0)
            return (ig_command_id)i;
    return IG_COMMANDS;
}

/* A first word that is not a command must be DATA: a file, or LANG=FILE. */
static ig_status check_first_word(const char *word, ig_error *error)
{
    const char *instead = ig_option_gone(word, strlen(word));
    ig_command_id near;

    if (strchr(word, '=') || strcmp(word, "-") == 0 || access(word, F_OK) == 0 ||
        strncmp(word, "demo-", 5) == 0) /* a demo: cli/demo_path.h */
        return IG_OK;
    if (instead)
        return ig_fail(error, IG_USAGE, "'%s' is gone: %s", word, instead);
    near = ig_command_near(word);
    if (near < IG_COMMANDS)
        return ig_fail(error, IG_USAGE,
                       "'%s' is neither a command nor a file that exists; did you "
                       "mean %s?",
                       word, ig_commands[near].word);
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

        if (i == command) /* the name of the command */
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
    if (named == IG_COMMANDS && first < argc && !options->help && !options->version &&
        check_first_word(argv[first], error) != IG_OK)
        status = IG_USAGE; /* before options that the explorer does not take */
    options->seed = options->set.seed = options->train.seed;
    if (status == IG_OK && options->json && options->measure.format != IG_UNSET &&
        options->measure.format != IG_AS_JSON)
        return ig_fail(error, IG_USAGE,
                       "--json cannot be combined with another --format");
    if (status == IG_OK && options->measure.train_meta && !options->measure.train)
        return ig_fail(error, IG_USAGE, "--train-meta FILE needs --train SET");
    if (options->json)
        options->measure.format = IG_AS_JSON;
    return status;
}

/* --- the config file -------------------------------------------------------------- */

/* A line of the file. */
typedef struct line {
    const char *path;
    size_t number;
    char *name, *value; /* in the arena */
} line;

static const char SPACES[] = " \t\r";

/* `text` without leading and trailing spaces, which are overwritten. */
static char *trim(char *text)
{
    size_t n;

    text += strspn(text, SPACES);
    n = strlen(text);
    while (n && strchr(SPACES, text[n - 1]))
        n--;
    text[n] = '\0';
    return text;
}

/* An unknown option or value, perhaps of another version, is ignored with a warning in
 * options->config.unknown. */
static ig_status add_unknown(ig_options *options, const line *l, ig_error *error)
{
    const ig_option *near = ig_option_near(l->name, strlen(l->name), ~0u);
    const char *before = options->config.unknown ? options->config.unknown : "";
    bool named = near && !near->once;
    const ig_option *option = ig_option_named(l->name, strlen(l->name));
    const char *instead = option ? ig_value_gone(option, l->value)
                                 : ig_option_gone(l->name, strcspn(l->name, SPACES));
    ig_builder text = {0};

    ig_builder_add(&text, "%s%s%s:%zu: ", before, *before ? "\n" : "", l->path,
                   l->number);
    if (instead)
        ig_builder_add(&text, "'%s%s%s' is gone: %s", l->name, option ? " = " : "",
                       option ? l->value : "", instead);
    else
        ig_builder_add(&text, "unknown option '%s' is ignored%s%s%s", l->name,
                       named ? "; did you mean " : "", named ? near->field.name : "",
                       named ? "?" : "");
    options->config.unknown =
        text.text ? ig_arena_text(&options->arena, text.text, text.length) : NULL;
    ig_builder_free(&text);
    return options->config.unknown ? IG_OK : ig_fail_memory(error, l->path);
}

static ig_status apply_line(ig_options *options, const line *l, ig_error *error)
{
    const ig_option *option = ig_option_named(l->name, strlen(l->name));
    ig_error problem;

    if (!option || ig_value_gone(option, l->value))
        return add_unknown(options, l, error);
    if (options->command == IG_EVAL && strcmp(option->field.name, "method") == 0)
        return IG_OK; /* eval trains only with --method on the command line */
    if (option->once)
        return ig_fail(error, IG_USAGE,
                       "%s:%zu: '%s' is allowed only on the command line", l->path,
                       l->number, l->name);
    if (ig_option_take(options, option, l->name, l->value, &problem) != IG_OK)
        return ig_fail(error, IG_USAGE, "%s:%zu: %s", l->path, l->number,
                       problem.message);
    return IG_OK;
}

/* Read a line, which is overwritten. */
static ig_status read_line(ig_options *options, line *l, char *text, ig_error *error)
{
    char *equals, *comment = strchr(text, '#');
    bool valid;

    while (comment && comment > text && !strchr(SPACES, comment[-1]))
        comment = strchr(comment + 1, '#');
    if (comment)
        *comment = '\0';
    text = trim(text);
    if (!*text)
        return IG_OK;
    valid = ig_text_valid(text, strlen(text)) == strlen(text);
    equals = strchr(text, '=');
    if (equals) {
        *equals = '\0';
        l->name = trim(text);
        l->value = trim(equals + 1);
    }
    if (!valid || !equals || !*l->name || !*l->value)
        return ig_fail(error, IG_USAGE, "%s:%zu: expected a line 'option = value'",
                       l->path, l->number);
    return apply_line(options, l, error);
}

ig_status ig_options_config_text(ig_options *options, const char *path,
                                 const char *text, size_t length, ig_error *error)
{
    line l = {.path = path};
    char *at = ig_arena_text(&options->arena, text, length);
    ig_status status = IG_OK;

    if (!at)
        return ig_fail_memory(error, path);
    if (strlen(at) < length)
        return ig_fail(error, IG_USAGE, "%s is not text: byte %zu is zero", path,
                       strlen(at));
    if (strncmp(at, "\xEF\xBB\xBF", 3) == 0)
        at += 3;
    for (char *next; at && status == IG_OK; at = next) {
        next = strchr(at, '\n');
        if (next)
            *next++ = '\0';
        l.number++;
        status = read_line(options, &l, at, error);
    }
    return status;
}

ig_status ig_options_config(ig_options *options, const char *path, ig_error *error)
{
    ig_mapping file = {0};
    ig_status status;

    if (access(path, F_OK) != 0)
        return IG_OK;
    status = ig_mapping_open(&file, path, error);
    if (status != IG_OK)
        return status;
    options->config.path = ig_arena_text(&options->arena, path, strlen(path));
    status = ig_options_config_text(options, path, (const char *)file.bytes, file.size,
                                    error);
    ig_mapping_close(&file);
    return status;
}

/* --- help ------------------------------------------------------------------------- */

enum { HELP_COLUMN = 30, HELP_WIDTH = 80 };

void ig_options_usage(FILE *out, ig_command_id command)
{
    const char *word = ig_commands[command].word;

    fprintf(out, "usage: isogloss %s%s%s\n", word, *word ? " " : "",
            ig_commands[command].usage);
}

static void put_wrapped(FILE *out, const char *text, size_t column)
{
    size_t at = column;

    while (*text) {
        size_t n = strcspn(text, " ");

        if (at > column && at + 1 + n > HELP_WIDTH) {
            fprintf(out, "\n%*s", (int)column, "");
            at = column;
        } else if (at > column) {
            fputc(' ', out);
            at++;
        }
        fprintf(out, "%.*s", (int)n, text);
        at += n;
        text += n;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

static void put_option(FILE *out, const ig_option *option)
{
    char head[96];
    int n;

    n = option->letter ? snprintf(head, sizeof head, "  -%c, --%s", option->letter,
                                  option->field.name)
                       : snprintf(head, sizeof head, "  --%s", option->field.name);
    if (option->field.value)
        n += snprintf(head + n, sizeof head - (size_t)n, " %s", option->field.value);
    if (n >= HELP_COLUMN - 1)
        fprintf(out, "%s\n%*s", head, HELP_COLUMN, "");
    else
        fprintf(out, "%-*s", HELP_COLUMN, head);
    put_wrapped(out, option->field.help, HELP_COLUMN);
}

static void put_section(FILE *out, ig_command_id command, ig_option_section section)
{
    static const char *const titles[IG_SECTIONS] = {
        [IG_SECTION_DATA] = "Data",
        [IG_SECTION_TRAINING] = "Training",
        [IG_SECTION_COMMAND] = "This command",
        [IG_SECTION_EVERY] = "Every command",
    };
    const ig_option *option;
    bool any = false;

    for (size_t i = 0; (option = ig_option_at(i)) != NULL; i++) {
        if (option->section != section || !(option->commands & (1u << command)))
            continue;
        if (!any)
            fprintf(out, "\n%s:\n", titles[section]);
        any = true;
        put_option(out, option);
    }
}

static void put_commands(FILE *out)
{
    fputs("\nCommands:\n", out);
    for (int i = 0; i < IG_COMMANDS; i++) {
        ig_command_id command = (ig_command_id)i;
        const char *word = ig_commands[command].word;

        fprintf(out, "  %-12s", *word ? word : "(none)");
        put_wrapped(out, ig_commands[command].summary, 14);
    }
    fputs("\nisogloss COMMAND --help lists the options of each.\n", out);
}

static void put_data(FILE *out)
{
    ig_builder text = {0};
    const char *example;

    for (int of_language = 0; of_language < 2; of_language++)
        for (size_t i = 0; (example = ig_dataset_example(of_language, i)) != NULL; i++)
            ig_builder_add(&text, "%s, ", example);
    ig_builder_add(&text, "or several of the same type (see man isogloss).");
    fputs("\nDATA is ", out);
    put_wrapped(out, text.text ? text.text : "", 8);
    ig_builder_free(&text);
}

void ig_options_help(FILE *out, ig_command_id command)
{
    ig_options_usage(out, command);
    fprintf(out, "\n%s\n", ig_commands[command].summary);
    if (strstr(ig_commands[command].usage, "DATA"))
        put_data(out);
    if (command == IG_EXPLORE)
        put_commands(out);
    for (int s = 0; s < IG_SECTIONS; s++)
        put_section(out, command, (ig_option_section)s);
}
