/* The options of all commands: their table, the command line, the config file, help.
 * What it refuses: options that the command does not take, so that a mistyped or
 * misplaced one is never passed over. */
#include "cli/options.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/grid.h"

/* --- the table -------------------------------------------------------------------- */

/* Reads one value; see ig_option.take. */
static ig_status take_char(ig_options *, const char *, const char *, ig_error *);
static ig_status take_size(ig_options *, const char *, const char *, ig_error *);
static ig_status take_run(ig_options *, const char *, const char *, ig_error *);
static ig_status take_set(ig_options *, const char *, const char *, ig_error *);

enum {
    EXPLORE = 1 << IG_EXPLORE,
    INFO = 1 << IG_INFO,
    DEMO = 1 << IG_DEMO,
    TRAIN = 1 << IG_TRAIN,
    SWEEP = 1 << IG_SWEEP,
    EVAL = 1 << IG_EVAL,
    SEARCH = 1 << IG_SEARCH,
    PROJECT = 1 << IG_PROJECT,
    TRANSFORM = 1 << IG_TRANSFORM,
    RENDER = 1 << IG_RENDER,
    EVERY = (1 << IG_COMMANDS) - 1,
    SCREEN = EXPLORE | DEMO,
    DATA = EXPLORE | TRAIN | SWEEP | EVAL | SEARCH | PROJECT | TRANSFORM | RENDER,
    PAIRED = EXPLORE | TRAIN | SWEEP | EVAL | RENDER, /* pairs matter */
    LEARN = EXPLORE | DEMO | TRAIN | SWEEP | EVAL | RENDER
};

#define AT(field) offsetof(ig_options, field)

/* name, letter, value, kind, field, choices, section, commands, once, help */
#define OPTION(n, l, v, k, at, c, s, who, o, h)                                        \
    {                                                                                  \
        {n, v, c, h, IG_KIND_##k, at}, l, IG_SECTION_##s, who, o, NULL                 \
    }

/* name, value, function that reads it, section, commands, once, help */
#define TAKEN(n, v, take, s, who, o, h)                                                \
    {                                                                                  \
        {n, v, NULL, h, IG_KIND_OTHER, 0}, 0, IG_SECTION_##s, who, o, take             \
    }

/* clang-format off */
/* A row of IG_TRAIN_OPTIONS; its scope says who knows it, and where help has it. */
#define OF_TRAINING(k, f, n, v, c, usual, scope, h)                                    \
    {{n, v, c, h, IG_KIND_##k, AT(train.f)}, 0, IN_##scope, OF_##scope, false, NULL},
#define IN_METHOD IG_SECTION_TRAINING
#define IN_EVERY IG_SECTION_EVERY
enum { OF_METHOD = LEARN, OF_EVERY = EVERY };

static const ig_option table[] = {
    OPTION("meta", 0, "FILE", TEXT, AT(set.meta), 0, DATA, DATA, true,
           "table that belongs to the matrix"),
    OPTION("vectors", 0, "FIRST-LAST", TEXT, AT(set.vectors), 0, DATA, DATA, false,
           "names of the vector's columns in a table"),
    TAKEN("delimiter", "CHAR", take_char, DATA, DATA, false,
           "between the fields of a table (default: by the file's ending)"),
    OPTION("pairs", 0, "FILE.csv", TEXT, AT(pairs), 0, DATA, PAIRED, true,
           "pairs of rows (left,right from 0) instead of those of the ids"),
    OPTION("dims", 0, "K", COUNT, AT(set.dims), 0, DATA, DATA, false,
           "use the first K columns"),
    OPTION("limit", 0, "N", COUNT, AT(set.limit), 0, DATA, DATA, false,
           "a stratified sample of N ids"),
    OPTION("dim", 0, "N", COUNT, AT(set.raw_dim), 0, DATA, DATA, false,
           "columns of files without a header"),
    OPTION("raw-type", 0, "f32|f16", CHOICE, AT(raw_type), "f32|f16", DATA, DATA,
           false, "their numbers (default f32)"),

    OPTION("method", 0, "NAME|FILE", TEXT, AT(method), 0, TRAINING, LEARN, false,
           "a preset or an objective file (default seed; eval trains it first when "
           "given)"),
    IG_TRAIN_OPTIONS(OF_TRAINING)
    OPTION("pairing", 0, "pivot|all|A-B,...", TEXT, AT(pairing), 0, TRAINING, PAIRED,
           false, "which languages are paired (default pivot; eval measures all)"),
    OPTION("init", 0, "DIR", TEXT, AT(init), 0, TRAINING, LEARN, true,
           "weights to start from: a run, or .npy files"),
    OPTION("optimizer", 0, "adam", CHOICE, AT(optimizer), "adam", TRAINING, LEARN,
           false, "the only one there is"),
    TAKEN("set", "KEY=VALUE", take_set, TRAINING, LEARN, true,
           "any training option by its name (sweep: KEY=V1,V2, also weight:TERM)"),

    OPTION("out", 0, "RUN", TEXT, AT(out), 0, COMMAND,
           TRAIN | SWEEP | TRANSFORM, true,
           "run directory to write (sweep: a folder to keep them in; transform: the "
           "folder of the arrays)"),
    OPTION("summary", 0, 0, FLAG, AT(summary), 0, COMMAND, SWEEP, true,
           "mean and standard deviation over the seeds instead of runs"),
    TAKEN("run", "RUN", take_run, COMMAND,
           EVAL | SEARCH | PROJECT | TRANSFORM | EXPLORE | RENDER, true,
           "apply a run, trained on any set of the same dimensions (eval and the "
           "explorer: again for more)"),
    OPTION("runs", 0, "DIR", TEXT, AT(runs), 0, COMMAND, EXPLORE | RENDER, true,
           "open all runs in a folder, as sweep --out writes them"),
    OPTION("scores", 0, "FILE.csv", TEXT, AT(scores), 0, COMMAND,
           EVAL | EXPLORE | RENDER, true,
           "human similarity scores of rows: left,right,score and maybe pair"),
    OPTION("split", 0, "all|valid|train", CHOICE, AT(split), "all|valid|train", COMMAND,
           EVAL, true, "measure the ids a run held out, or was trained on, alone"),
    OPTION("csv", 0, 0, FLAG, AT(csv), 0, COMMAND, EVAL, true,
           "a line of CSV for each figure"),
    OPTION("report", 0, "FILE.html", TEXT, AT(report), 0, COMMAND, EVAL, true,
           "also keep tables, curves, maps and all options in one file"),
    OPTION("row", 0, "N", INDEX, AT(row), 0, COMMAND, SEARCH | SCREEN | RENDER, true,
           "the query or cursor, a row counted from 0"),
    OPTION("text", 0, "STRING", TEXT, AT(text), 0, COMMAND, SEARCH, true,
           "the query: the row whose text matches best"),
    OPTION("space", 0, "original|meaning|language", CHOICE, AT(space),
           "original|meaning|language", COMMAND, SEARCH, false,
           "where to search (default meaning with --run, else original)"),
    OPTION("k", 0, "N", COUNT, AT(k), 0, COMMAND, SEARCH, false,
           "neighbours to list (default 10)"),
    OPTION("to", 0, "LANG,...", TEXT, AT(to), 0, COMMAND, SEARCH, false,
           "languages of the neighbours (default: all but the query's)"),
    OPTION("components", 0, "K", COUNT, AT(components), 0, COMMAND, PROJECT, false,
           "principal components (default 2, or what there is)"),
    OPTION("fit", 0, "original|meaning|language|joint", CHOICE, AT(fit),
           "original|meaning|language|joint", COMMAND, PROJECT, false,
           "rows they are fitted to (default joint with --run)"),
    OPTION("svg", 0, "FILE", TEXT, AT(svg), 0, COMMAND, PROJECT, true,
           "draw a picture instead"),
    OPTION("pdf", 0, "FILE", TEXT, AT(pdf), 0, COMMAND, PROJECT, true,
           "draw a picture instead"),
    OPTION("png", 0, "FILE", TEXT, AT(png), 0, COMMAND, PROJECT, true,
           "draw a picture instead"),
    OPTION("keys", 0, "STRING", TEXT, AT(keys), 0, COMMAND, RENDER, true,
           "keys to press before the frame, as in \"<space>z\""),
    OPTION("key-table", 0, "markdown|man", CHOICE, AT(key_table), "markdown|man",
           COMMAND, INFO, true, "the explorer's keys and actions instead"),
    TAKEN("size", "COLSxROWS", take_size, COMMAND, RENDER, false,
           "of the frame (default 80x24)"),
    OPTION("glyphs", 0, "auto|braille|blocks|ascii", CHOICE, AT(glyphs),
           "braille|blocks|ascii|auto", COMMAND, SCREEN | RENDER, false,
           "what points are drawn with"),
    OPTION("colour", 0, "auto|none|8|16|256", CHOICE, AT(colour),
           "none|8|16|256|auto", COMMAND, SCREEN | RENDER, false,
           "how many colours there are"),
    OPTION("no-mouse", 0, 0, FLAG, AT(no_mouse), 0, COMMAND, SCREEN, false,
           "leave the mouse to the terminal"),

    OPTION("json", 0, 0, FLAG, AT(json), 0, EVERY, EVERY & ~SCREEN, true,
           "one JSON document on standard output"),
    OPTION("threads", 0, "N", COUNT, AT(threads), 0, EVERY, EVERY, false,
           "threads (default: one a processor)"),
    OPTION("quiet", 'q', 0, FLAG, AT(quiet), 0, EVERY, EVERY, false,
           "no progress and no notes on standard error"),
    OPTION("help", 'h', 0, FLAG, AT(help), 0, EVERY, EVERY, true, "this help"),
    OPTION("version", 'V', 0, FLAG, AT(version), 0, EVERY, EVERY, true, "the version"),
};
/* clang-format on */

enum { COUNT = sizeof table / sizeof table[0] };

const ig_option *ig_option_at(size_t i)
{
    return i < COUNT ? &table[i] : NULL;
}

const ig_option *ig_option_named(const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strlen(table[i].field.name) == length &&
            memcmp(table[i].field.name, name, length) == 0)
            return &table[i];
    return NULL;
}

/* --- the nearest name ------------------------------------------------------------ */

enum { NAME_MAX_LENGTH = 32 };

/* Edits that turn one name into the other: a letter more, less, changed, or two
 * swapped. */
static size_t distance(const char *a, size_t n, const char *b, size_t m)
{
    size_t d[NAME_MAX_LENGTH + 1][NAME_MAX_LENGTH + 1];

    for (size_t i = 0; i <= n; i++)
        d[i][0] = i;
    for (size_t j = 0; j <= m; j++)
        d[0][j] = j;
    for (size_t i = 1; i <= n; i++)
        for (size_t j = 1; j <= m; j++) {
            size_t best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

            if (d[i - 1][j] + 1 < best)
                best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best)
                best = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    return d[n][m];
}

/* How far a name is from what was typed; more than a third of it is no likeness. What
 * was typed as a beginning of the name is nearer than any misspelling. */
static size_t unlikeness(const char *typed, size_t n, const char *name)
{
    size_t m = strlen(name);
    size_t far;

    if (n < 1 || n > NAME_MAX_LENGTH || m > NAME_MAX_LENGTH || m == 0)
        return SIZE_MAX;
    if (n >= 2 && n < m && memcmp(typed, name, n) == 0)
        return 0;
    far = distance(typed, n, name, m);
    return 3 * far <= (m > n ? m : n) ? far : SIZE_MAX;
}

/* The nearest name to a mistyped one that the commands `who` know, or NULL. */
static const ig_option *option_near(const char *name, size_t length, unsigned who)
{
    const ig_option *best = NULL;
    size_t nearest = SIZE_MAX;

    for (size_t i = 0; i < COUNT; i++) {
        size_t far = unlikeness(name, length, table[i].field.name);

        if ((table[i].commands & who) && far < nearest) {
            nearest = far;
            best = &table[i];
        }
    }
    return best;
}

/* The command whose word is nearest, or IG_COMMANDS when none is near. */
static ig_command_id command_near(const char *word)
{
    ig_command_id best = IG_COMMANDS;
    size_t nearest = SIZE_MAX;

    for (int i = 0; i < IG_COMMANDS; i++) {
        size_t far = unlikeness(word, strlen(word), ig_commands[i].word);

        if (far < nearest) {
            nearest = far;
            best = (ig_command_id)i;
        }
    }
    return best;
}

/* --- values ----------------------------------------------------------------------- */

static ig_status take_char(ig_options *options, const char *label, const char *value,
                           ig_error *error)
{
    bool tab = strcmp(value, "tab") == 0 || strcmp(value, "\\t") == 0;

    if (!tab && (strlen(value) != 1 || *value < 0 || strchr("\"\r\n", *value)))
        return ig_fail(error, IG_USAGE,
                       "%s must be one ASCII character or 'tab', not '%s'", label,
                       value);
    options->set.delimiter = tab ? '\t' : *value;
    return IG_OK;
}

/* 80x24, each from 1 to 10,000. */
static ig_status take_size(ig_options *options, const char *label, const char *value,
                           ig_error *error)
{
    size_t x = strcspn(value, "xX");
    char columns[8] = "";
    uint64_t c = 0, r = 0;

    if (x < sizeof columns)
        memcpy(columns, value, x);
    if (!value[x] || !ig_whole_parse(columns, 10000, &c) ||
        !ig_whole_parse(value + x + 1, 10000, &r) || !c || !r)
        return ig_fail(error, IG_USAGE,
                       "%s must be COLSxROWS such as 80x24, each at most 10000, not "
                       "'%s'",
                       label, value);
    options->columns = (size_t)c;
    options->rows = (size_t)r;
    return IG_OK;
}

static ig_status take_run(ig_options *options, const char *label, const char *value,
                          ig_error *error)
{
    const char **grown =
        ig_arena_alloc(&options->arena, (options->run_paths + 1) * sizeof *grown);

    if (!*value)
        return ig_fail(error, IG_USAGE, "%s needs a value, not an empty one", label);
    if (!grown)
        return ig_fail_memory(error, label);
    if (options->run_paths)
        memcpy(grown, options->run_path, options->run_paths * sizeof *grown);
    grown[options->run_paths++] = options->run = value;
    options->run_path = grown;
    return IG_OK;
}

/* KEY=VALUE of a training option. */
static ig_status take_set(ig_options *options, const char *typed, const char *value,
                          ig_error *error)
{
    size_t length = strcspn(value, "=");
    const ig_option *option = ig_option_named(value, length);
    const ig_option *near;
    char label[64];

    if (!value[length] || length == 0)
        return ig_fail(error, IG_USAGE, "%s must be KEY=VALUE, not '%s'", typed, value);
    if (option && option->section == IG_SECTION_TRAINING && option->take != take_set) {
        snprintf(label, sizeof label, "--set %s", option->field.name);
        return ig_option_take(options, option, label, value + length + 1, error);
    }
    near = option_near(value, length, 1u << IG_TRAIN);
    if (!option && near && near->section == IG_SECTION_TRAINING)
        return ig_fail(error, IG_USAGE,
                       "--set: there is no training option '%.*s'; did you mean %s?",
                       (int)length, value, near->field.name);
    return ig_fail(error, IG_USAGE, "--set: there is no training option '%.*s'",
                   (int)length, value);
}

ig_status ig_option_take(ig_options *options, const ig_option *option,
                         const char *label, const char *value, ig_error *error)
{
    if (option->take)
        return option->take(options, label, value, error);
    return ig_field_parse(&option->field, options, label, value, error);
}

/* --- life ------------------------------------------------------------------------- */

void ig_options_init(ig_options *options)
{
    *options = (ig_options){
        .train = ig_train_defaults(),
        .space = IG_UNSAID,
        .split = IG_UNSAID,
        .row = SIZE_MAX,
        .k = 10,
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
static const char *spoken(int command)
{
    return command == IG_EXPLORE ? "the explorer" : ig_commands[command].word;
}

/* --- the command line: one argument ----------------------------------------------- */

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
    return a.option && !a.value && a.option->field.kind != IG_KIND_FLAG;
}

static ig_status unknown(ig_error *error, const char *dashes, argument a,
                         ig_command_id command)
{
    const ig_option *near = option_near(a.name, a.length, 1u << command);

    if (near)
        return ig_fail(error, IG_USAGE, "there is no option %s%.*s; did you mean --%s?",
                       dashes, (int)a.length, a.name, near->field.name);
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
                                     used ? ", " : "", spoken(i));
    return ig_fail(error, IG_USAGE, "%s takes no --%s (%s %s)", spoken(command),
                   option->field.name, others, strchr(others, ',') ? "do" : "does");
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
        *(int *)((char *)options + option->field.offset) = 1;
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
        if (*ig_commands[i].word && strcmp(ig_commands[i].word, word) == 0)
            return (ig_command_id)i;
    return IG_COMMANDS;
}

/* A first word that is no command must be data: a file, or LANG=FILE. */
static ig_status check_first(const char *word, ig_error *error)
{
    ig_command_id near;

    if (strchr(word, '=') || access(word, F_OK) == 0)
        return IG_OK;
    near = command_near(word);
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
    options->seed = options->set.seed = options->train.seed;
    options->set.raw_half = options->raw_type == 1;
    return status;
}

/* --- the config file -------------------------------------------------------------- */

/* A line of the file, as far as it has been read. */
typedef struct line {
    const char *path;
    size_t number;
    const char *name, *value; /* into the arena */
} line;

__attribute__((format(printf, 3, 4))) static ig_status
refuse(const line *l, ig_error *error, const char *format, ...)
{
    char why[IG_ERROR_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    return ig_fail(error, IG_USAGE, "%s:%zu: %s", l->path, l->number, why);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* text[0 … *length) without the spaces around it. */
static const char *trim(const char *text, size_t *length)
{
    while (*length && is_space(*text)) {
        text++;
        --*length;
    }
    while (*length && is_space(text[*length - 1]))
        --*length;
    return text;
}

/* Bytes before a comment: '#' at the beginning or after a space. */
static size_t before_comment(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] == '#' && (i == 0 || is_space(text[i - 1])))
            return i;
    return length;
}

static ig_status add_binding(ig_options *options, const line *l, ig_error *error)
{
    ig_status status = ig_array_grow(&options->binding, &options->binding_capacity,
                                     options->bindings + 1, sizeof *options->binding,
                                     l->path, error);
    const char *action = l->name + 3;

    while (is_space(*action))
        action++;
    if (status == IG_OK)
        options->binding[options->bindings++] =
            (ig_binding){action, l->value, l->number};
    return status;
}

static ig_status take_line(ig_options *options, const line *l, ig_error *error)
{
    const ig_option *option = ig_option_named(l->name, strlen(l->name));
    const ig_option *near;
    ig_error problem;

    if (strncmp(l->name, "key", 3) == 0 && is_space(l->name[3]))
        return add_binding(options, l, error);
    if (!option) {
        near = option_near(l->name, strlen(l->name), ~0u);
        if (near && !near->once)
            return ig_fail(error, IG_USAGE,
                           "%s:%zu: there is no option '%s'; did you mean %s?", l->path,
                           l->number, l->name, near->field.name);
        return refuse(l, error, "there is no option '%s'", l->name);
    }
    if (options->command == IG_EVAL && strcmp(option->field.name, "method") == 0)
        return IG_OK; /* what is trained by default; eval trains when it is told to */
    if (option->once)
        return refuse(l, error, "'%s' belongs on the command line", l->name);
    if (ig_option_take(options, option, l->name, l->value, &problem) != IG_OK)
        return refuse(l, error, "%s", problem.message);
    return IG_OK;
}

static ig_status read_line(ig_options *options, line *l, const char *text,
                           size_t length, ig_error *error)
{
    const char *equals;
    size_t name_length, value_length;
    const char *name, *value;

    length = before_comment(text, length);
    text = trim(text, &length);
    if (length == 0)
        return IG_OK;
    equals = memchr(text, '=', length);
    if (!equals || ig_text_valid(text, length) != length || memchr(text, 0, length))
        return refuse(l, error, "expected a line '%s'", "option = value");
    name_length = (size_t)(equals - text);
    value_length = length - name_length - 1;
    name = trim(text, &name_length);
    value = trim(equals + 1, &value_length);
    l->name = ig_arena_text(&options->arena, name, name_length);
    l->value = ig_arena_text(&options->arena, value, value_length);
    if (!l->name || !l->value)
        return ig_fail_memory(error, l->path);
    if (!*l->name || !*l->value)
        return refuse(l, error, "expected a line '%s'", "option = value");
    return take_line(options, l, error);
}

ig_status ig_options_config_text(ig_options *options, const char *path,
                                 const char *text, size_t length, ig_error *error)
{
    line l = {.path = path};
    size_t at = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;

    while (at < length) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t n = end ? (size_t)(end - text) - at : length - at;
        ig_status status;

        l.number++;
        status = read_line(options, &l, text + at, n, error);
        if (status != IG_OK)
            return status;
        at += n + 1;
    }
    return IG_OK;
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
    options->config = ig_arena_text(&options->arena, path, strlen(path));
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

/* A text in lines that end before HELP_WIDTH, from `column` on. */
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
    fputs("\nisogloss COMMAND --help tells the options of each.\n", out);
}

/* The forms of DATA, for the commands that take it. */
static void put_data(FILE *out)
{
    fputs(
        "\nDATA is set.npy with set.csv beside it, set.csv, "
        "LANG=vectors.npy,texts.txt,\n"
        "LANG=words.vec, LANG=vectors.raw, or several of a kind (see man isogloss).\n",
        out);
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
