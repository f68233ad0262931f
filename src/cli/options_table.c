/* The table of options, the values they take, and the name nearest to a mistyped
 * one. */
#include <string.h>

#include "cli/options.h"
#include "data/columns.h"

/* --- the table -------------------------------------------------------------------- */

/* Reads one value; see ig_option.take. */
static ig_status take_char(ig_options *, const char *, const char *, ig_error *);
static ig_status take_column(ig_options *, const char *, const char *, ig_error *);
static ig_status take_size(ig_options *, const char *, const char *, ig_error *);
static ig_status take_axis(ig_options *, const char *, const char *, ig_error *);
static ig_status take_run(ig_options *, const char *, const char *, ig_error *);
static ig_status take_test(ig_options *, const char *, const char *, ig_error *);
static ig_status take_test_meta(ig_options *, const char *, const char *, ig_error *);
static ig_status take_scores(ig_options *, const char *, const char *, ig_error *);
static ig_status take_header(ig_options *, const char *, const char *, ig_error *);
static ig_status take_set(ig_options *, const char *, const char *, ig_error *);

enum {
    EXPLORE = 1 << IG_EXPLORE,
    INFO = 1 << IG_INFO,
    HELP = 1 << IG_HELP,
    DEMO = 1 << IG_DEMO,
    TRAIN = 1 << IG_TRAIN,
    SWEEP = 1 << IG_SWEEP,
    EVAL = 1 << IG_EVAL,
    SEARCH = 1 << IG_SEARCH,
    PROJECT = 1 << IG_PROJECT,
    TRANSFORM = 1 << IG_TRANSFORM,
    ENCODE = 1 << IG_ENCODE,
    RENDER = 1 << IG_RENDER,
    RECORD = 1 << IG_RECORD,
    DRAWN = RENDER | RECORD, /* the explorer without a terminal */
    EVERY = (1 << IG_COMMANDS) - 1,
    SCREEN = EXPLORE | DEMO,
    DATA = EXPLORE | TRAIN | SWEEP | EVAL | SEARCH | PROJECT | TRANSFORM | DRAWN | INFO,
    PAIRED = EXPLORE | TRAIN | SWEEP | EVAL | DRAWN | INFO, /* pairs matter */
    LEARN = EXPLORE | DEMO | TRAIN | SWEEP | EVAL | DRAWN,
    ENCODER = ENCODE | SEARCH | EXPLORE | DEMO | DRAWN
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
    TAKEN("column", "WHAT=NAME", take_column, DATA, DATA | ENCODE, false,
          "what lang, text, id, vector, x or y is called in columns, keys, arrays"),
    OPTION("lang", 0, "CODE", TEXT, AT(set.lang), 0, DATA, DATA | ENCODE, true,
           "the language of all rows whose file says none"),
    TAKEN("delimiter", "CHAR", take_char, DATA, DATA | ENCODE, false,
           "between the fields of a table (default: by the file's ending)"),
    OPTION("pairs", 0, "FILE", TEXT, AT(pairs), 0, DATA, PAIRED, true,
           "pairs of rows (left,right from 0) or words instead of those of the ids"),
    OPTION("dims", 0, "K", COUNT, AT(set.dims), 0, DATA, DATA, false,
           "use the first K columns"),
    OPTION("limit", 0, "N", COUNT, AT(set.limit), 0, DATA, DATA, false,
           "a stratified sample of N ids"),
    OPTION("dim", 0, "N", COUNT, AT(set.raw_dim), 0, DATA, DATA, false,
           "columns of files without a header"),
    OPTION("type", 0, "f32|f16|bf16", CHOICE, AT(set.type), "f32|f16|bf16", DATA, DATA,
           false, "their numbers (default f32); bf16: also of a .npy of two bytes"),

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
           TRAIN | SWEEP | TRANSFORM | ENCODE | RECORD, true,
           "run directory to write (sweep: a folder to keep them in; transform: a "
           "folder of arrays, or .npz, .jsonl, .csv, .tsv; encode: the set, NAME.npy; "
           "record: NAME.gif)"),
    OPTION("checkpoint", 0, "N", COUNT, AT(checkpoint), 0, COMMAND, TRAIN, false,
           "write the run every N epochs, to be used, followed and gone on with"),
    OPTION("resume", 0, "RUN", TEXT, AT(resume), 0, COMMAND, TRAIN, true,
           "go on after the last checkpoint of a run, as if it had not ended"),
    OPTION("overwrite", 0, 0, FLAG, AT(overwrite), 0, COMMAND,
           TRAIN | ENCODE, true,
           "replace the run that --out holds already (encode: NAME.csv and NAME.json "
           "that it did not write)"),
    OPTION("summary", 0, 0, FLAG, AT(summary), 0, COMMAND, SWEEP, true,
           "mean and standard deviation over the seeds instead of runs"),
    TAKEN("run", "RUN", take_run, COMMAND,
           EVAL | SEARCH | PROJECT | TRANSFORM | EXPLORE | DRAWN, true,
           "apply a run, trained on any set of the same dimensions (eval and the "
           "explorer: again for more; record: train it anew)"),
    OPTION("runs", 0, "DIR", TEXT, AT(runs), 0, COMMAND, EXPLORE | RENDER, true,
           "open all runs in a folder, as sweep --out writes them"),
    OPTION("follow", 0, "RUN", TEXT, AT(follow), 0, COMMAND, EXPLORE, true,
           "show a run that another process writes (train --checkpoint) as it comes"),
    OPTION("train", 0, "SET", TEXT, AT(train_on), 0, COMMAND, EVAL | SWEEP, true,
           "train --method on this set, measure DATA (default: on DATA itself)"),
    OPTION("train-meta", 0, "FILE", TEXT, AT(train_meta), 0, COMMAND, EVAL | SWEEP,
           true, "table that belongs to the matrix of --train"),
    TAKEN("test", "SET", take_test, COMMAND, SWEEP, true,
           "measure every run on this set, too (again for more)"),
    TAKEN("test-meta", "FILE", take_test_meta, COMMAND, SWEEP, true,
           "table that belongs to the matrix of the --test before it"),
    TAKEN("scores", "FILE.csv", take_scores, COMMAND,
           EVAL | SWEEP | EXPLORE | DRAWN, true,
           "human similarity scores of rows: left,right,score and maybe pair (sweep: "
           "of the set before it)"),
    OPTION("measures", 0, "NAME,...", TEXT, AT(measures), 0, COMMAND, EVAL | SWEEP,
           true,
           "groups of measures, or measures by their names in CSV: take these alone"),
    OPTION("split", 0, "all|valid|train|holdout", CHOICE, AT(split),
           "all|valid|train|holdout", COMMAND, EVAL, true,
           "measure the ids a run held out, was trained on, or kept apart, alone"),
    OPTION("ci", 0, 0, FLAG, AT(ci), 0, COMMAND, EVAL | SWEEP, true,
           "95% intervals of the figures, by 1,000 draws of the meanings"),
    OPTION("sample", 0, "N", COUNT, AT(sample), 0, COMMAND, EVAL, true,
           "in what looks at all pairs of rows N are queries, of whole ids, with 95% "
           "intervals"),
    OPTION("format", 0, "table|csv|json|markdown|latex", CHOICE, AT(format),
           "table|csv|json|markdown|latex", COMMAND, EVAL, true,
           "how figures are printed (--json: the same as --format json)"),
    OPTION("report", 0, "FILE.html", TEXT, AT(report), 0, COMMAND, EVAL, true,
           "also keep tables, curves, maps and all options in one file"),
    OPTION("row", 0, "N", INDEX, AT(row), 0, COMMAND, SEARCH | SCREEN | DRAWN, true,
           "the query or cursor, a row counted from 0"),
    OPTION("text", 0, "STRING", TEXT, AT(text), 0, COMMAND, SEARCH, true,
           "the query: the row whose text matches best, or a new one for the encoder"),
    OPTION("vector", 0, "FILE.npy", TEXT, AT(vector), 0, COMMAND, SEARCH, true,
           "the query: a vector of the original space"),
    OPTION("space", 0, "original|meaning|language", CHOICE, AT(space),
           "original|meaning|language", COMMAND, SEARCH, false,
           "where to search (default meaning with --run, else original)"),
    OPTION("k", 0, "N", COUNT, AT(k), 0, COMMAND, SEARCH, false,
           "neighbours to list (default 10)"),
    OPTION("to", 0, "LANG,...", TEXT, AT(to), 0, COMMAND, SEARCH, false,
           "languages of the neighbours (default: all but the query's)"),
    OPTION("encoder", 0, "URL|COMMAND|npy:SET", TEXT, AT(encoder.encoder), 0, COMMAND,
           ENCODER, false,
           "what makes vectors of texts: a server that speaks OpenAI's /embeddings, a "
           "program that speaks JSON Lines, a set that knows them"),
    OPTION("encoder-model", 0, "NAME", TEXT, AT(encoder.model), 0, COMMAND, ENCODER,
           false, "the server's model (default: the only one it has)"),
    OPTION("prefix", 0, "TEXT", TEXT, AT(encoder.prefix), 0, COMMAND, ENCODER, false,
           "what the model wants before each text, such as \"query: \""),
    OPTION("encoder-batch", 0, "N", COUNT, AT(encoder.batch), 0, COMMAND, ENCODER,
           false, "texts of a request (default 32)"),
    OPTION("encoder-requests", 0, "N", COUNT, AT(encoder.requests), 0, COMMAND, ENCODER,
           false, "requests at a time (default 4)"),
    OPTION("encoder-timeout", 0, "SECONDS", POSITIVE, AT(encoder.timeout), 0, COMMAND,
           ENCODER, false,
           "without an answer (default 60; 600 of a program, which may load long)"),
    OPTION("encoder-dims", 0, "N", COUNT, AT(encoder.dims), 0, COMMAND, ENCODER,
           false, "dimensions to ask a server for, where its model has them shorter"),
    TAKEN("encoder-header", "NAME: VALUE", take_header, COMMAND, ENCODER, false,
           "a header for the server; $NAME in it comes from the environment: write it "
           "in single quotes"),
    OPTION("encoder-on-error", 0, "stop|skip", CHOICE, AT(on_error), "stop|skip",
           COMMAND, ENCODE, false,
           "at a text that the encoder refuses (default stop; skip: list it)"),
    OPTION("dtype", 0, "f32|f16", CHOICE, AT(dtype), "f32|f16", COMMAND,
           ENCODE | TRANSFORM, false,
           "numbers of the set, or of the arrays, that are written (default f32)"),
    OPTION("components", 0, "K", COUNT, AT(components), 0, COMMAND, PROJECT, false,
           "principal components (default 2, or what there is)"),
    OPTION("fit", 0, "original|meaning|language|joint|xy", CHOICE, AT(fit),
           "original|meaning|language|joint|xy", COMMAND, PROJECT, false,
           "rows they are fitted to (default joint with --run); xy: none, the columns "
           "x and y are the map"),
    TAKEN("axis", "FROM TO", take_axis, COMMAND, PROJECT, true,
           "an axis through languages, rows, LABEL=VALUE, or along \"probe GROUP\"; "
           "components are orthogonal to it; twice: the second axis"),
    OPTION("unit", 0, 0, FLAG, AT(unit), 0, COMMAND, PROJECT, false,
           "rows scaled to length 1 first; axes are then cosines"),
    OPTION("svg", 0, "FILE", TEXT, AT(svg), 0, COMMAND, PROJECT, true,
           "draw a picture instead"),
    OPTION("pdf", 0, "FILE", TEXT, AT(pdf), 0, COMMAND, PROJECT, true,
           "draw a picture instead"),
    OPTION("png", 0, "FILE", TEXT, AT(png), 0, COMMAND, PROJECT | RENDER, true,
           "draw a picture instead"),
    OPTION("keys", 0, "STRING", TEXT, AT(keys), 0, COMMAND, DRAWN, true,
           "keys to press before the frame or the training, as in \"<Space>z\""),
    OPTION("then", 0, "STRING", TEXT, AT(then), 0, COMMAND, RECORD, true,
           "keys to press after the training, each seen for a second"),
    OPTION("fps", 0, "N", POSITIVE, AT(fps), 0, COMMAND, RECORD, true,
           "epochs a second (default 10)"),
    OPTION("key-table", 0, 0, FLAG, AT(key_table), 0, COMMAND, INFO, true,
           "the explorer's keys and panels as the man page has them instead"),
    TAKEN("size", "COLSxROWS", take_size, COMMAND, DRAWN, false,
           "of the frame (default 80x24; record: 100x30)"),
    OPTION("gloss", 0, "LANG", TEXT, AT(gloss), 0, COMMAND, SCREEN | DRAWN, false,
           "read lists in this language: translations by id"),
    OPTION("glyphs", 0, "auto|braille|blocks|halves|ascii", CHOICE, AT(glyphs),
           "braille|blocks|halves|ascii|auto", COMMAND, SCREEN | DRAWN, false,
           "what points are drawn with (halves: two colours a cell)"),
    OPTION("colour", 0, "auto|none|8|16|256", CHOICE, AT(colour),
           "none|8|16|256|auto", COMMAND, SCREEN | DRAWN, false,
           "how many colours there are"),
    OPTION("theme", 0, "auto|dark|light", CHOICE, AT(theme), "dark|light|auto", COMMAND,
           SCREEN | DRAWN, false,
           "colours for the terminal's background (auto asks it)"),
    OPTION("motion", 0, "auto|on|off", CHOICE, AT(motion), "on|off|auto", COMMAND,
           SCREEN, false, "points are seen to move (auto: not over ssh)"),
    OPTION("no-mouse", 0, 0, FLAG, AT(no_mouse), 0, COMMAND, SCREEN, false,
           "leave the mouse to the terminal"),

    OPTION("json", 0, 0, FLAG, AT(json), 0, EVERY, EVERY & ~(SCREEN | RECORD | HELP),
           true, "one JSON document on standard output"),
    OPTION("threads", 0, "N", COUNT, AT(threads), 0, EVERY, EVERY, false,
           "threads (default: those granted; info tells)"),
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

const ig_option *ig_option_near(const char *name, size_t length, unsigned who)
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

ig_command_id ig_command_near(const char *word)
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

/* lang=language: what one of the columns is called. */
static ig_status take_column(ig_options *options, const char *label, const char *value,
                             ig_error *error)
{
    return ig_column_take(options->set.column, label, value, error);
}

/* What it runs through is told by the data. */
static ig_status take_axis(ig_options *options, const char *label, const char *value,
                           ig_error *error)
{
    if (options->laids == IG_LAID_MAX)
        return ig_fail(error, IG_USAGE, "%s may be given %d times", label, IG_LAID_MAX);
    options->laid[options->laids++] = value;
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

static ig_status take_test(ig_options *options, const char *label, const char *value,
                           ig_error *error)
{
    ig_test *grown =
        ig_arena_alloc(&options->arena, (options->tests + 1) * sizeof *grown);

    if (!*value)
        return ig_fail(error, IG_USAGE, "%s needs a value, not an empty one", label);
    if (!grown)
        return ig_fail_memory(error, label);
    if (options->tests)
        memcpy(grown, options->test, options->tests * sizeof *grown);
    grown[options->tests++] = (ig_test){.set = value};
    options->test = grown;
    return IG_OK;
}

static ig_status take_test_meta(ig_options *options, const char *label,
                                const char *value, ig_error *error)
{
    if (!*value)
        return ig_fail(error, IG_USAGE, "%s needs a value, not an empty one", label);
    if (!options->tests)
        return ig_fail(error, IG_USAGE, "%s belongs after the --test SET it is of",
                       label);
    options->test[options->tests - 1].meta = value;
    return IG_OK;
}

/* Of the last --test, or before any of DATA. */
static ig_status take_scores(ig_options *options, const char *label, const char *value,
                             ig_error *error)
{
    if (!*value)
        return ig_fail(error, IG_USAGE, "%s needs a value, not an empty one", label);
    if (options->tests)
        options->test[options->tests - 1].scores = value;
    else
        options->scores = value;
    return IG_OK;
}

/* Their form is checked where they are sent (encode/http.c). */
static ig_status take_header(ig_options *options, const char *label, const char *value,
                             ig_error *error)
{
    ig_encoder_options *e = &options->encoder;
    const char **grown =
        ig_arena_alloc(&options->arena, (e->headers + 1) * sizeof *grown);

    if (!grown)
        return ig_fail_memory(error, label);
    for (size_t i = 0; i < e->headers; i++)
        grown[i] = e->header[i];
    grown[e->headers++] = value;
    e->header = grown;
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
    near = ig_option_near(value, length, 1u << IG_TRAIN);
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
    return ig_setting_parse(&option->field, options, label, value, error);
}
