/* Names of commands and options, and the nearest to a mistyped one. A new option is one
 * line here and a field in ig_options. */
#include "cli/option_table.h"

#include <string.h>

/* --- commands -------------------------------------------------------------------- */

static const struct {
    const char *word, *usage, *summary;
} commands[IG_COMMANDS] = {
    [IG_EXPLORE] = {"", "[OPTIONS] DATA...",
                    "Explore embeddings on the screen (needs a terminal)."},
    [IG_DEMO] = {"demo", "[OPTIONS]",
                 "Explore the built-in demo set, training at once."},
    [IG_TRAIN] = {"train", "[OPTIONS] DATA... --out RUN",
                  "Train without a screen and write a run directory."},
    [IG_SWEEP] = {"sweep", "[OPTIONS] DATA... --method A,B --dims K,L --seed 1,2,3",
                  "Train every combination of options that have several values."},
    [IG_EVAL] = {"eval", "[OPTIONS] DATA... [--run RUN]... [--method NAME]",
                 "Every measure of the original, meaning and language space."},
    [IG_SEARCH] = {"search", "[OPTIONS] DATA... (--row N | --text STRING)",
                   "List the nearest rows of a sentence, exactly, over all rows."},
    [IG_PROJECT] = {"project", "[OPTIONS] DATA... [--run RUN]",
                    "Principal components of all rows, as CSV or a picture."},
    [IG_TRANSFORM] = {"transform", "[OPTIONS] DATA... --run RUN --out DIR",
                      "Write the meaning and language embeddings of all rows."},
    [IG_RENDER] = {"render", "[OPTIONS] DATA... --keys STRING",
                   "One frame of the explorer as text, without a terminal."},
    [IG_OBJECTIVES] = {"objectives", "[OPTIONS] [NAME]",
                       "List the preset objectives, or print one."},
    [IG_INFO] = {"info", "[OPTIONS]",
                 "Version, BLAS core and threads, vector instructions, terminal."},
};

const char *ig_command_word(ig_command_id command)
{
    return command < IG_COMMANDS ? commands[command].word : NULL;
}

const char *ig_command_usage(ig_command_id command)
{
    return command < IG_COMMANDS ? commands[command].usage : NULL;
}

const char *ig_command_summary(ig_command_id command)
{
    return command < IG_COMMANDS ? commands[command].summary : NULL;
}

/* --- options --------------------------------------------------------------------- */

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
        n, l, v, IG_KIND_##k, at, c, IG_SECTION_##s, who, o, h                         \
    }

/* clang-format off */
static const ig_option options[] = {
    OPTION("meta", 0, "FILE", TEXT, AT(set.meta), 0, DATA, DATA, true,
           "table that belongs to the matrix"),
    OPTION("vectors", 0, "FIRST-LAST", TEXT, AT(set.vectors), 0, DATA, DATA, false,
           "names of the vector's columns in a table"),
    OPTION("delimiter", 0, "CHAR", CHAR, AT(set.delimiter), 0, DATA, DATA, false,
           "between the fields of a table (default: by the file's ending)"),
    OPTION("pairs", 0, "FILE.csv", TEXT, AT(pairs), 0, DATA, PAIRED, true,
           "pairs of rows (left,right from 0) instead of those of the ids"),
    OPTION("dims", 0, "K", COUNT, AT(set.dims), 0, DATA, DATA, false,
           "use the first K columns"),
    OPTION("limit", 0, "N", COUNT, AT(set.limit), 0, DATA, DATA, false,
           "a stratified sample of N ids"),
    OPTION("dim", 0, "N", COUNT, AT(set.raw_dim), 0, DATA, DATA, false,
           "columns of files without a header"),
    OPTION("raw-type", 0, "f32|f16", EITHER, AT(set.raw_half), "f32|f16", DATA, DATA,
           false, "their numbers (default f32)"),

    OPTION("method", 0, "NAME|FILE", TEXT, AT(method), 0, TRAINING, LEARN, false,
           "a preset or an objective file (default seed; eval trains it first when "
           "given)"),
    OPTION("epochs", 0, "N", COUNT, AT(train.epochs), 0, TRAINING, LEARN, false,
           "at most N epochs (default 100)"),
    OPTION("batch", 0, "N", COUNT, AT(train.batch), 0, TRAINING, LEARN, false,
           "pairs a step (default 512)"),
    OPTION("lr", 0, "RATE", POSITIVE, AT(train.lr), 0, TRAINING, LEARN, false,
           "learning rate (default: the method's)"),
    OPTION("patience", 0, "N", LONG, AT(train.patience), 0, TRAINING, LEARN, false,
           "epochs without a better one before the end; 0: no early end"),
    OPTION("valid", 0, "FRACTION", FRACTION, AT(train.valid), 0, TRAINING, LEARN, false,
           "share of the ids held out (default 0.1; 0: none)"),
    OPTION("pairing", 0, "pivot|all|A-B,...", TEXT, AT(pairing), 0, TRAINING, PAIRED,
           false, "which languages are paired (default pivot; eval measures all)"),
    OPTION("partner", 0, "random|next", EITHER, AT(train.next_partner), "random|next",
           TRAINING, LEARN, false, "the other row of a language in a batch"),
    OPTION("order", 0, "shuffled|sequential", EITHER, AT(train.sequential),
           "shuffled|sequential", TRAINING, LEARN, false, "of the pairs in an epoch"),
    OPTION("init", 0, "DIR", TEXT, AT(init), 0, TRAINING, LEARN, true,
           "weights to start from: a run, or .npy files"),
    OPTION("weight-decay", 0, "W", WEIGHT, AT(train.weight_decay), 0, TRAINING, LEARN,
           false, "decoupled weight decay (default 0)"),
    OPTION("normalize", 0, 0, FLAG, AT(train.normalize), 0, TRAINING, LEARN, false,
           "scale rows to unit length first"),
    OPTION("optimizer", 0, "adam", CHOICE, AT(optimizer), "adam", TRAINING, LEARN,
           false, "the only one there is"),
    OPTION("set", 0, "KEY=VALUE", SET, 0, 0, TRAINING, LEARN, true,
           "any training option by its name (sweep: KEY=V1,V2, also weight:TERM)"),

    OPTION("out", 0, "RUN", TEXT, AT(out), 0, COMMAND,
           TRAIN | SWEEP | TRANSFORM, true,
           "run directory to write (sweep: a folder to keep them in; transform: the "
           "folder of the arrays)"),
    OPTION("summary", 0, 0, FLAG, AT(summary), 0, COMMAND, SWEEP, true,
           "mean and standard deviation over the seeds instead of runs"),
    OPTION("run", 0, "RUN", RUN, AT(run), 0, COMMAND,
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
           "principal components (default 2)"),
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
    OPTION("size", 0, "COLSxROWS", SIZE, AT(columns), 0, COMMAND, RENDER, false,
           "of the frame (default 80x24)"),
    OPTION("glyphs", 0, "auto|braille|blocks|ascii", CHOICE, AT(glyphs),
           "braille|blocks|ascii|auto", COMMAND, SCREEN | RENDER, false,
           "what points are drawn with"),
    OPTION("colour", 0, "auto|none|8|16|256", COLOURS, AT(colour), 0, COMMAND,
           SCREEN | RENDER, false, "how many colours there are"),
    OPTION("no-mouse", 0, 0, FLAG, AT(no_mouse), 0, COMMAND, SCREEN, false,
           "leave the mouse to the terminal"),

    OPTION("json", 0, 0, FLAG, AT(json), 0, EVERY, EVERY & ~SCREEN, true,
           "one JSON document on standard output"),
    OPTION("threads", 0, "N", COUNT, AT(threads), 0, EVERY, EVERY, false,
           "threads (default: one a processor)"),
    OPTION("seed", 0, "N", SEED, AT(seed), 0, EVERY, EVERY, false,
           "of every random choice (default 1)"),
    OPTION("quiet", 'q', 0, FLAG, AT(quiet), 0, EVERY, EVERY, false,
           "no progress and no notes on standard error"),
    OPTION("help", 'h', 0, FLAG, AT(help), 0, EVERY, EVERY, true, "this help"),
    OPTION("version", 'V', 0, FLAG, AT(version), 0, EVERY, EVERY, true, "the version"),
};
/* clang-format on */

enum { COUNT = sizeof options / sizeof options[0] };

const ig_option *ig_option_at(size_t i)
{
    return i < COUNT ? &options[i] : NULL;
}

const ig_option *ig_option_named(const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strlen(options[i].name) == length &&
            memcmp(options[i].name, name, length) == 0)
            return &options[i];
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
        size_t far = unlikeness(name, length, options[i].name);

        if ((options[i].commands & who) && far < nearest) {
            nearest = far;
            best = &options[i];
        }
    }
    return best;
}

ig_command_id ig_command_near(const char *word)
{
    ig_command_id best = IG_COMMANDS;
    size_t nearest = SIZE_MAX;

    for (int i = 0; i < IG_COMMANDS; i++) {
        size_t far = unlikeness(word, strlen(word), commands[i].word);

        if (far < nearest) {
            nearest = far;
            best = (ig_command_id)i;
        }
    }
    return best;
}
