/* The table of options, and parsers of their values. */
#include <string.h>

#include "cli/options.h"

/* --- the table -------------------------------------------------------------------- */

/* `special` of IG_KIND_OTHER; after REPEATED: repeatable; from HEADER on: lists. */
enum { NONE, CHAR, POSITIVE, SERVER, SIZE, SPACE, REPEATED, AXIS, COLUMN, SET };
enum { HEADER = SET + 1, RUN, SCORES, TEST, TEST_META };

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
    EVERY = (1 << IG_COMMANDS) - 1,
    SCREEN = EXPLORE | DEMO,
    DATA = EXPLORE | TRAIN | SWEEP | EVAL | SEARCH | PROJECT | TRANSFORM | RENDER |
           INFO,
    PAIRED = EXPLORE | TRAIN | SWEEP | EVAL | RENDER | INFO, /* that use pairs */
    LEARN = EXPLORE | DEMO | TRAIN | SWEEP | EVAL | RENDER,
    APPLY = LEARN | SEARCH | PROJECT | TRANSFORM,
    ENCODER = ENCODE | SEARCH | EXPLORE | DEMO | RENDER
};

/* ONCE: not allowed in a config file. */
enum { ONCE = 1 << 30, FIGURES = EVAL | SWEEP | ONCE, SHOWN = SCREEN | RENDER };

#define ROW(n, letter, v, c, k, at, section, who, special, h)                          \
    {                                                                                  \
        {n, v, c, h, IG_KIND_##k, at}, letter, IG_SECTION_##section, (who)&EVERY,      \
            ((who)&ONCE) != 0, special, (int)special > REPEATED, false                 \
    }
#define AT(field)                     offsetof(ig_options, field)
#define OPTION(n, v, k, f, s, who, h) ROW(n, 0, v, NULL, k, AT(f), s, who, NONE, h)
#define FLAG(n, l, f, s, w, h)        ROW(n, l, NULL, NULL, FLAG, AT(f), s, w, NONE, h)
#define CHOICE(n, c, f, s, who, h)    ROW(n, 0, c, c, CHOICE, AT(f), s, who, NONE, h)
#define AUTO(n, v, c, f, s, who, h)   ROW(n, 0, v, c, CHOICE, AT(f), s, who, NONE, h)
#define OTHER(n, v, kind, s, who, h)  ROW(n, 0, v, NULL, OTHER, 0, s, who, kind, h)

/* clang-format off */
/* A row of IG_TRAIN_OPTIONS; its scope determines commands and section of help. */
#define OF_TRAINING(k, f, n, v, c, usual, scope, h)                                    \
    {{n, v, c, h, IG_KIND_##k, AT(train.f)}, 0,                                        \
     OF_##scope & HELP ? IG_SECTION_EVERY : IG_SECTION_TRAINING, OF_##scope, false,    \
     NONE, 0, IS_##scope},
enum { OF_METHOD = LEARN, OF_STEPS = LEARN, OF_APPLY = APPLY, OF_EVERY = EVERY };
enum { IS_METHOD, IS_STEPS, IS_APPLY = 0, IS_EVERY = 0 };

static const ig_option table[] = {
    OPTION("meta", "FILE", TEXT, set.meta, DATA, DATA | ONCE,
           "table of the matrix: one line for each row"),
    FLAG("versions", 0, set.versions, DATA, DATA | ONCE,
           "each DATA argument, FILE or NAME=FILE, holds other vectors of the same "
           "rows (layers, encoders, checkpoints)"),
    OPTION("only", "NAME", TEXT, set.only, DATA, DATA | ONCE,
           "use this version of DATA alone"),
    OPTION("vectors", "FIRST-LAST", TEXT, set.vectors, DATA, DATA,
           "first and last vector column of a table"),
    OTHER("column", "WHAT=NAME", COLUMN, DATA, DATA | ENCODE,
           "name of the column, key or array that holds lang, text, id, vector, x or "
           "y; score: that of --scores"),
    OPTION("lang", "CODE", TEXT, set.lang, DATA, DATA | ENCODE | ONCE,
           "language of rows whose file names none"),
    OTHER("delimiter", "CHAR", CHAR, DATA, DATA | ENCODE,
           "field delimiter of tables (default: from the first line and file type)"),
    CHOICE("quote", "auto|none|double", set.quote, DATA, DATA | ENCODE,
           "quotes in tables: plain characters, or those of quoted fields (default "
           "auto: plain in a .tsv where they quote no field)"),
    CHOICE("header", "auto|none", set.header, DATA, DATA | ENCODE,
           "whether tables begin with the names of their columns (default auto); "
           "none: they are 1, 2, ..."),
    OPTION("pairs", "FILE", TEXT, pairs, DATA, PAIRED | ONCE,
           "table of pairs, not those of ids: left,right are rows from 0"),
    OPTION("dims", "K", COUNT, set.dims, DATA, DATA, "use the first K dimensions"),
    FLAG("drop-invalid", 0, set.drop_invalid, DATA, DATA,
         "leave out rows not finite or beyond 1e17; row numbers do not count them"),

    OPTION("method", "NAME|FILE", TEXT, method, TRAINING, LEARN,
           "preset or objective file to train (usual: seed)"),
    IG_TRAIN_OPTIONS(OF_TRAINING)
    OPTION("pairing", "pivot|all|A-B,...", TEXT, pairing, TRAINING, PAIRED,
           "languages to pair (default: pivot to train; all to measure up to 100)"),
    OPTION("init", "DIR", TEXT, init, TRAINING, LEARN | ONCE,
           "initial weights: a run directory or a folder of .npy files"),
    OTHER("set", "KEY=VALUE", SET, TRAINING, LEARN | ONCE,
           "training option by name, or weight:TERM=W of a term"),

    OPTION("out", "PATH", TEXT, out, COMMAND, TRAIN | SWEEP | TRANSFORM | ENCODE | ONCE,
           "run directory, folder or file to write"),
    OPTION("checkpoint", "N", COUNT, run.checkpoint, COMMAND, TRAIN,
           "save a checkpoint every N epochs"),
    FLAG("overwrite", 0, run.overwrite, COMMAND,
           EVAL | SWEEP | PROJECT | TRAIN | TRANSFORM | ENCODE | ONCE,
           "replace existing output, also edited reports and pictures"),
    FLAG("summary", 0, measure.summary, COMMAND, SWEEP | ONCE,
           "mean and standard deviation over the seeds, not runs"),
    OTHER("run", "RUN", RUN, COMMAND,
           EVAL | SCREEN | RENDER | PROJECT | SEARCH | TRANSFORM | ONCE,
           "run directory to apply (eval, pictures, screen: several)"),
    OPTION("follow", "RUN", TEXT, run.follow, COMMAND, EXPLORE | ONCE,
           "show a run while another process trains it"),
    OPTION("train", "SET", TEXT, measure.train.set, COMMAND, SWEEP | ONCE,
           "train on this dataset and measure DATA (default: DATA)"),
    OPTION("train-meta", "FILE", TEXT, measure.train.meta, COMMAND, SWEEP | ONCE,
           "table of the matrix of --train"),
    OTHER("test", "SET", TEST, COMMAND, SWEEP | ONCE,
           "measure every run on this dataset, too; repeat for more"),
    OTHER("test-meta", "FILE", TEST_META, COMMAND, SWEEP | ONCE,
           "table of the matrix of the preceding --test"),
    OTHER("scores", "FILE.csv", SCORES, COMMAND, EVAL | EXPLORE | RENDER | SWEEP | ONCE,
           "human similarity: left,right,score and perhaps pair"),
    OTHER("positive", "X", POSITIVE, COMMAND, FIGURES,
           "scores of X or more are positive: AUC, average precision"),
    OPTION("measures", "NAME,...", TEXT, measure.measures, COMMAND, FIGURES,
           "these measures or groups of measures only, or all"),
    OPTION("query-set", "SET", TEXT, measure.query.set, COMMAND, EVAL | ONCE,
           "queries for the documents of DATA, judged by --judgements"),
    OPTION("query-meta", "FILE", TEXT, measure.query.meta, COMMAND, EVAL | ONCE,
           "table of the matrix of --query-set"),
    OPTION("judgements", "FILE", TEXT, measure.judgements, COMMAND, EVAL | ONCE,
           "relevant documents: query,document,gain by id, or as TREC"),
    CHOICE("split", "all|train|valid|holdout", measure.split, COMMAND, EVAL | ONCE,
           "measure only these ids of a run; holdout: its test ids"),
    FLAG("ci", 0, measure.ci, COMMAND, FIGURES,
           "95% bootstrap intervals; eval tests differences"),
    OPTION("sample", "N", COUNT, measure.sample, COMMAND, EVAL | ONCE,
           "sample about N rows as queries of all-pairs measures"),
    CHOICE("format", "table|csv|json|markdown|latex", measure.format, COMMAND, FIGURES,
           "format of the figures (default table; of a sweep csv)"),
    OPTION("report", "FILE.html", TEXT, measure.report, COMMAND, FIGURES,
           "write a page: findings, maps and tables; or those of --by"),
    CHOICE("by", "pair|direction|language", measure.by, COMMAND, FIGURES,
           "tables as in papers: a row for each method, a column for each pair, "
           "direction or language, and their mean"),
    OPTION("groups", "FILE.csv", TEXT, measure.groups, COMMAND, FIGURES,
           "of --by: means of groups: table pair (or language),group"),
    OPTION("row", "N", INDEX, search.row, COMMAND, SEARCH | SHOWN | ONCE,
           "row of the query, or under the cursor, counted from 0"),
    OPTION("text", "STRING", TEXT, search.text, COMMAND, SEARCH | ONCE,
           "query: row equal to it, else first containing it, else a text to encode"),
    OPTION("queries", "FILE", TEXT, search.queries, COMMAND, SEARCH | ONCE,
           "queries: the rows of a .npy file; prints CSV"),
    OTHER("space", "original|meaning|language", SPACE, COMMAND,
           SEARCH | PROJECT | EVAL | SWEEP,
           "default: original, of a run meaning or both (project)"),
    OPTION("k", "N", COUNT, search.k, COMMAND, SEARCH,
           "number of neighbours (default 10)"),
    OPTION("to", "LANG,...", TEXT, search.to, COMMAND, SEARCH,
           "languages of the neighbours (default: all but the query's)"),
    OTHER("encoder", "URL|npy:SET", SERVER, ENCODER, ENCODER,
           "server with OpenAI's /embeddings, or a dataset that contains the texts"),
    OPTION("encoder-model", "NAME", TEXT, encoder.model, ENCODER, ENCODER,
           "model of the server (default: its only one)"),
    OPTION("prefix", "TEXT", TEXT, encoder.prefix, ENCODER, ENCODER,
           "text to put before each text, such as \"query: \""),
    OPTION("encoder-batch", "N", COUNT, encoder.batch, ENCODER, ENCODER,
           "texts per request (default 32)"),
    OPTION("encoder-requests", "N", COUNT, encoder.requests, ENCODER, ENCODER,
           "concurrent requests (default 4)"),
    OPTION("encoder-timeout", "SECONDS", POSITIVE, encoder.timeout, ENCODER, ENCODER,
           "time to wait for an answer, or (encode) a server to start (default 60)"),
    OPTION("encoder-dims", "N", COUNT, encoder.dims, ENCODER, ENCODER,
           "dimensions to request from the server"),
    OTHER("encoder-header", "NAME: VALUE", HEADER, ENCODER, ENCODER,
           "request header, in single quotes; $NAME at its end: of the environment"),
    OPTION("components", "K", COUNT, project.components, COMMAND, PROJECT,
           "number of principal components (default 2)"),
    OTHER("axis", "'FROM TO'", AXIS, COMMAND, PROJECT | ONCE,
           "custom axis from FROM to TO (languages, rows, LABEL=VALUE) or \"probe "
           "GROUP\"; repeat for a second one"),
    CHOICE("layout", "pca|neighbours", project.layout, COMMAND, PROJECT,
           "neighbours: what is near in the space is near on the map (UMAP); distances "
           "between islands mean nothing (default pca)"),
    FLAG("unit", 0, project.unit, COMMAND, PROJECT,
           "rows of unit length, as on the screen (default): custom axes are cosines"),
    FLAG("raw", 0, project.raw, COMMAND, PROJECT, "rows as they are, not scaled"),
    OPTION("langs", "LANG,...", TEXT, project.langs, COMMAND, PROJECT | ONCE,
           "fit to the rows of these languages, and draw them alone"),
    OPTION("svg", "FILE.svg", TEXT, project.picture[0], COMMAND, PROJECT | FIGURES,
           "draw the map (project) or the figures to an SVG file"),
    OPTION("pdf", "FILE.pdf", TEXT, project.picture[1], COMMAND, PROJECT | FIGURES,
           "draw it to a PDF file"),
    OPTION("png", "FILE.png", TEXT, project.picture[2], COMMAND, PROJECT | FIGURES,
           "draw it to a PNG file"),
    OPTION("title", "TEXT", TEXT, project.title, COMMAND, PROJECT | FIGURES,
           "title of the picture (default: its data); '' for none"),
    OPTION("keys", "TEXT", TEXT, screen.keys, COMMAND, RENDER | ONCE,
           "keys to press first, as in \"<Space>z\""),
    FLAG("tables", 0, tables, COMMAND, INFO | ONCE,
           "print the tables of which manuals and completions are made"),
    OTHER("size", "COLSxROWS", SIZE, COMMAND, RENDER,
           "size of the frame (default 80x24)"),
    OPTION("gloss", "LANG", TEXT, screen.gloss, COMMAND, SHOWN,
           "show texts in this language where translations exist"),
    AUTO("glyphs", "auto|braille|ascii", "braille|ascii|auto", screen.glyphs, COMMAND,
           SHOWN, "what to draw points with"),
    AUTO("colour", "auto|none|8|16|256", "none|8|16|256|auto", screen.colour, COMMAND,
           SHOWN, "number of colours"),
    AUTO("theme", "auto|dark|light", "dark|light|auto", screen.theme, COMMAND, SHOWN,
           "colours for a dark or light background (auto: ask the terminal)"),
    AUTO("motion", "auto|on|off", "on|off|auto", screen.motion, COMMAND, SCREEN,
           "animate points between epochs (auto: not over ssh)"),
    FLAG("no-mouse", 0, screen.no_mouse, COMMAND, SCREEN, "do not use the mouse"),

    FLAG("json", 0, json, EVERY, (EVERY & ~(SCREEN | HELP | RENDER)) | ONCE,
           "print one JSON document"),
    OPTION("threads", "N", COUNT, threads, EVERY, EVERY,
           "number of threads (default: as granted, see info)"),
    FLAG("quiet", 'q', quiet, EVERY, EVERY, "no progress, notes or summaries of files"),
    FLAG("help", 'h', help, EVERY, EVERY | ONCE, "print this help"),
    FLAG("version", 'V', version, EVERY, EVERY | ONCE, "print the version"),
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
        if (strncmp(table[i].field.name, name, length) == 0 &&
            !table[i].field.name[length])
            return &table[i];
    return NULL;
}

/* --- what options need ------------------------------------------------------------ */

/* An option that has no effect without one of others, or with one. */
static const struct rule {
    unsigned commands;
    const char *option; /* NULL: all … */
    unsigned of;        /* … that these commands take, as those of training alone */
    const char *others; /* "needs --svg or --png FILE", else excludes them */
} rules[] = {
    {EVAL, NULL, LEARN, "needs --method NAME"},
    {SEARCH, NULL, ENCODER, "needs --text STRING"},
    {EVERY & ~LEARN, "strength", 0, "needs --run RUN"},
    {EVAL, "strength", 0, "needs --run RUN or --method NAME"},
    {EVAL, "split", 0, "needs --run RUN or --method NAME"},
    {EVAL, "space", 0, "needs --by pair|direction|language"},
    {EVERY, "groups", 0, "needs --by pair|direction|language"},
    {SWEEP, "report", 0, "needs --by pair|direction|language"},
    {SWEEP, "summary", 0, "cannot be combined with --by, whose tables have means"},
    {EVERY, "ci", 0, "cannot be combined with --by; CSV without it has intervals"},
    {EVERY, "train-meta", 0, "needs --train SET"},
    {EVERY, "positive", 0, "needs --scores FILE"},
    {EVERY, "query-set", 0, "needs --judgements FILE"},
    {EVERY, "query-meta", 0, "needs --query-set SET"},
    {EVERY, "judgements", 0, "needs --query-set SET"},
    {EVERY, "title", 0, "needs --svg, --pdf or --png FILE"},
    {PROJECT, "overwrite", 0, "needs --svg, --pdf or --png FILE"},
    {EVAL, "overwrite", 0, "needs --report, --svg, --pdf or --png FILE"},
    {SWEEP, "overwrite", 0, "needs --out, --report, --svg, --pdf or --png FILE"},
    {EVERY & ~SWEEP, "pairing", 0, "cannot be combined with --pairs"},
    {EVERY, "unit", 0, "cannot be combined with --raw"},
};

ig_status ig_options_check(const ig_options *options, ig_error *error)
{
    for (const struct rule *r = rules; r < rules + sizeof rules / sizeof *rules; r++) {
        bool any = false;

        for (const char *at = r->others; (at = strstr(at, "--")); at += 2)
            any |= options->given[ig_option_named(at + 2, strcspn(at + 2, " ,;")) -
                                  table] != NULL;
        for (size_t i = 0; i < COUNT && r->commands & 1u << options->command; i++)
            if (options->given[i] && any != (*r->others == 'n') &&
                (r->option ? strcmp(table[i].field.name, r->option) == 0
                           : table[i].commands == r->of))
                return ig_fail(error, IG_USAGE, "--%s %s", table[i].field.name,
                               r->others);
    }
    if (options->json && options->measure.format != IG_UNSET &&
        options->measure.format != IG_AS_JSON)
        return ig_fail(error, IG_USAGE, "--format cannot be combined with --json");
    for (size_t i = 0; i < options->words; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(options->word[i], options->word[k]) == 0)
                return ig_fail(error, IG_USAGE, "%s is given twice", options->word[i]);
    return IG_OK;
}

/* --- values ----------------------------------------------------------------------- */

void *ig_options_grow(ig_options *options, const void *list, size_t count, size_t more,
                      size_t size)
{
    char *grown = ig_arena_array(&options->arena, count + more, size);

    return grown && count ? memcpy(grown, list, count * size) : grown;
}

/* Spaces of a table; the last one is that of other commands. */
static ig_status take_spaces(ig_options *options, const char *label, const char *list,
                             ig_error *error)
{
    bool several = options->command == IG_EVAL || options->command == IG_SWEEP;

    options->measure.spaces = 0;
    for (const char *at = list; at; at = *at ? at + 1 : NULL) {
        size_t n = strcspn(at, ",");
        int space = 0;

        while (space < IG_SPACES &&
               (strncmp(ig_space_name((ig_space)space), at, n) != 0 ||
                ig_space_name((ig_space)space)[n]))
            space++;
        if (space == IG_SPACES || (at[n] && !several))
            return ig_fail(error, IG_USAGE,
                           "%s must be original|meaning|language, not '%s'", label,
                           list);
        options->measure.spaces |= 1u << space;
        options->search.space = space;
        at += n;
    }
    return IG_OK;
}

static ig_status take_one(ig_options *options, int special, const char *label,
                          const char *value, ig_error *error)
{
    bool tab = strcmp(value, "tab") == 0 || strcmp(value, "\\t") == 0;
    unsigned columns = 0, rows = 0;
    char end;

    switch (special) {
    case SPACE:
        return take_spaces(options, label, value, error);
    case COLUMN:
        return ig_column_take(options->set.column, label, value, error);
    case SET:
        return ig_options_set(options, label, value, error);
    case SERVER:
        options->encoder.encoder = value;
        return ig_encoder_check(value, error);
    case AXIS: /* parsed when the dataset is open */
        if (options->project.axes == IG_CUSTOM_AXES_MAX)
            return ig_fail(error, IG_USAGE, "%s may be given %d times at most", label,
                           IG_CUSTOM_AXES_MAX);
        options->project.axis[options->project.axes++] = value;
        return IG_OK;
    case CHAR:
        options->set.delimiter = tab ? '\t' : *value;
        return tab || (strlen(value) == 1 && *value > 0 && !strchr("\"\r\n", *value))
                   ? IG_OK
                   : ig_fail(error, IG_USAGE,
                             "%s must be one ASCII character or 'tab', not '%s'", label,
                             value);
    case POSITIVE:
        options->measure.labelled = ig_real_parse(value, &options->measure.positive);
        return options->measure.labelled
                   ? IG_OK
                   : ig_fail(error, IG_USAGE, "%s: '%s' is not a number", label, value);
    default: /* 80x24 */
        if (sscanf(value, "%5ux%5u%c", &columns, &rows, &end) != 2 || !columns ||
            !rows || columns > 10000 || rows > 10000)
            return ig_fail(error, IG_USAGE,
                           "%s must be COLSxROWS such as 80x24, each at most 10000, "
                           "not '%s'",
                           label, value);
        options->screen.columns = columns;
        options->screen.rows = rows;
        return IG_OK;
    }
}

/* An option that may be repeated: append its value, with a NULL after it. */
static ig_status take_next(ig_options *options, int special, const char *label,
                           const char *value, ig_error *error)
{
    ig_measure_options *m = &options->measure;
    ig_test *test = m->tests ? &m->test[m->tests - 1] : NULL;
    const char ***list = special == RUN      ? &options->run.list
                         : special == HEADER ? &options->encoder.header
                         : test              ? &test->scores
                                : &m->scores; /* before any --test: of DATA */
    size_t n = 0;

    if (special == TEST_META && !test)
        return ig_fail(error, IG_USAGE, "%s must follow its --test SET", label);
    if (special == TEST_META) {
        test->meta = value;
        return IG_OK;
    }
    if (special == TEST) {
        m->test = ig_options_grow(options, m->test, m->tests, 1, sizeof *m->test);
        if (m->test)
            m->test[m->tests++] = (ig_test){.set = value};
        return m->test ? IG_OK : ig_fail_memory(error, label);
    }
    for (; *list && (*list)[n]; n++)
        if (strcmp((*list)[n], value) == 0)
            return special == HEADER
                       ? IG_OK /* in the config file, too */
                       : ig_fail(error, IG_USAGE, "%s %s is given twice", label, value);
    *list = ig_options_grow(options, *list, n, 2, sizeof **list);
    if (!*list)
        return ig_fail_memory(error, label);
    (*list)[n] = value;
    if (special == RUN)
        options->run.count = n + 1;
    return IG_OK;
}

ig_status ig_option_take(ig_options *options, const ig_option *option,
                         const char *label, const char *value, ig_error *error)
{
    if (option->special && !*value)
        return ig_fail(error, IG_USAGE, "%s needs a value, not an empty one", label);
    if (option->special)
        return (option->special >= HEADER ? take_next : take_one)(
            options, option->special, label, value, error);
    return ig_setting_parse(&option->field, options, label, value, error);
}
