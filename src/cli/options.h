/* Options of all commands, read from the command line and the config file.
 *
 * One table (options.c, which has the options of training from learn/train_options.h)
 * says what each option is called, what it takes and which commands know it; parsing,
 * help, the config file, --set and the grid of a sweep are made from it. What is wrong
 * comes back as a sentence. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/team.h"
#include "data/set.h"
#include "encode/encoder_options.h"
#include "learn/extractor.h"
#include "learn/train_options.h"
#include "map/projection.h"

/* The commands, in the order of help; the explorer has no word of its own. */
typedef enum ig_command_id {
    IG_EXPLORE,
    IG_DEMO,
    IG_TRAIN,
    IG_SWEEP,
    IG_EVAL,
    IG_SEARCH,
    IG_PROJECT,
    IG_TRANSFORM,
    IG_ENCODE,
    IG_RENDER,
    IG_RECORD,
    IG_OBJECTIVES,
    IG_INFO,
    IG_HELP,
    IG_COMMANDS
} ig_command_id;

/* Rows that principal components are fitted to: an ig_space, or both together. */
enum { IG_FIT_UNSAID = -1, IG_FIT_JOINT = IG_SPACES, IG_FIT_XY };

/* A line "key ACTION = KEYS" of the config file, for whoever reads keys. */
typedef struct ig_binding {
    const char *action;
    const char *keys;
    size_t line;
} ig_binding;

/* What a sweep varies: an option, or the weight of a term. */
typedef struct ig_axis {
    const char *key;                /* "dims", "weight:topology" */
    const struct ig_option *option; /* NULL: a weight */
    size_t values;
    const char **value; /* (values) as text */
    bool set;           /* given by --set: has a column even with one value */
} ig_axis;

enum { IG_AXES_MAX = 16 };

enum { IG_UNSAID = -1 };

/* "weight:NAME" without its first part, or NULL for another key. */
const char *ig_axis_weight(const ig_axis *axis);

/* A set that runs are measured on besides DATA: --test SET, and after it what belongs
 * to it. */
typedef struct ig_test {
    const char *set;
    const char *meta;   /* its table, or NULL: beside it */
    const char *scores; /* file, or NULL */
} ig_test;

/* What was asked for. Choices are numbers into the names of the table. */
enum { IG_MOTION_ON, IG_MOTION_OFF, IG_MOTION_AUTO };

typedef struct ig_options {
    ig_command_id command;
    const char **word; /* (words) DATA, or NAME for `objectives` */
    size_t words;
    char *const *typed; /* (typed_words) the command line after the program's name */
    size_t typed_words;

    int help, version, json, quiet; /* a flag is 0 or 1 */
    size_t threads;                 /* 0: as granted (cli/threads.h) */
    uint64_t seed;                  /* that of `train` */

    ig_set_options set;
    const char *pairs;   /* file, or NULL */
    const char *pairing; /* or NULL: pivot */

    const char *train_on;   /* a set to train on, or NULL: DATA */
    const char *train_meta; /* its table, or NULL: beside it */
    const char *method;     /* or NULL: the command's own default */
    ig_train_options train; /* what is not said is as ig_train_defaults has it */
    int optimizer;          /* 0: adam */
    const char *init;       /* directory, or NULL */
    size_t checkpoint;      /* epochs; 0: not said */
    const char *resume;     /* run directory, or NULL */
    bool overwrite;         /* a run that stands at `out` */
    const char *out;
    const char *run;       /* the last of */
    const char **run_path; /* (run_paths) */
    size_t run_paths;
    const char *runs;   /* a folder of runs, or NULL */
    const char *follow; /* a run directory, or NULL */

    int summary;   /* of `sweep` */
    ig_test *test; /* (tests) */
    size_t tests;
    const char *measures; /* names of measures, or NULL: all */
    int format;           /* of `eval`: ig_eval_format */
    int ci;               /* intervals of the figures */
    size_t sample;        /* rows that ask; 0: not said */
    const char *report;   /* file, or NULL */
    int split;            /* of the ids: all, held out, trained on; or IG_UNSAID */
    const char *scores;   /* of DATA: file, or NULL */
    ig_axis axis[IG_AXES_MAX];
    size_t axes;

    int space;  /* ig_space, or IG_UNSAID */
    size_t row; /* SIZE_MAX: not said */
    size_t k;   /* neighbours */
    const char *to;
    const char *text;
    const char *vector; /* file, or NULL */

    ig_encoder_options encoder; /* without its key */
    int on_error;               /* of a text: 0: stop, 1: skip */
    int dtype;                  /* of `encode`: 0: f32, 1: f16 */

    size_t components;             /* 0: not said */
    int fit;                       /* ig_space or IG_FIT_… */
    const char *laid[IG_LAID_MAX]; /* (laids) axes of `project`: "FROM TO" */
    size_t laids;
    int unit; /* rows scaled to length 1 */
    const char *svg, *pdf, *png;

    const char *keys;     /* of `render` and `record` */
    const char *then;     /* keys after the training of `record` */
    double fps;           /* epochs a second of it; -1: not said */
    bool key_table;       /* of `info` */
    size_t columns, rows; /* of a frame; 0: not said */
    const char *gloss;    /* language, or NULL */
    int glyphs;           /* ig_glyphs, or IG_UNSAID */
    int colour;           /* 0 to 3: none, 8, 16 or 256 colours; or IG_UNSAID */
    int theme;            /* ig_theme, or IG_UNSAID */
    int motion;           /* IG_MOTION_…, or IG_UNSAID */
    int no_mouse;

    /* Not options, main sets them: the ranks of the job, or NULL, and the processors of
     * this one, or 0. */
    ig_team *team;
    size_t share;

    const char *config;  /* path of the config file that was read, or NULL */
    const char *unknown; /* its unknown lines: a sentence a line, or NULL */
    ig_binding *binding; /* (bindings) */
    size_t bindings, binding_capacity;

    ig_arena arena; /* of the texts that are not the caller's */
} ig_options;

typedef struct ig_command_entry {
    const char *word;    /* "train"; "" for the explorer */
    const char *usage;   /* "[OPTIONS] DATA… --out RUN" */
    const char *summary; /* a sentence */
    int (*run)(const ig_options *options);
    size_t least, most; /* words it takes: DATA, or a name */
    bool draws; /* writes to the terminal what drives it: the explorer's frames */
    bool ranks; /* several ranks share its work (base/team.h) */
} ig_command_entry;

/* By ig_command_id; a new command is a row of its own and a line in options.h. */
extern const ig_command_entry ig_commands[IG_COMMANDS];

/* Defaults of everything. */
void ig_options_init(ig_options *options);

/* Read the command line over what is there: first the command, then its options, `--opt
 * VALUE` or `--opt=VALUE`, `--` before words that begin with a dash. Texts stay the
 * caller's. IG_USAGE with a sentence: an option that does not exist (the nearest one is
 * named) or that the command does not take, a value out of its range, a first word that
 * is neither a command nor a file. */
ig_status ig_options_parse(ig_options *options, int argc, char **argv, ig_error *error);

/* Read a config file over what is there: lines `option = value` with the names of the
 * command line (`seed = 7`, `quiet = yes`), `key ACTION = KEYS`, comments after '#'. A
 * file that does not exist is an empty one. IG_USAGE names file and line. */
ig_status ig_options_config(ig_options *options, const char *path, ig_error *error);

/* The same from a text; `path` is for errors. */
ig_status ig_options_config_text(ig_options *options, const char *path,
                                 const char *text, size_t length, ig_error *error);

void ig_options_free(ig_options *options);

/* Help of a command: usage, summary, its options by section. */
void ig_options_help(FILE *out, ig_command_id command);

/* "usage: isogloss train [OPTIONS] DATA... --out RUN", with its newline. */
void ig_options_usage(FILE *out, ig_command_id command);

/* --- the table -------------------------------------------------------------------- */

typedef enum ig_option_section {
    IG_SECTION_DATA,
    IG_SECTION_TRAINING,
    IG_SECTION_COMMAND,
    IG_SECTION_EVERY,
    IG_SECTIONS
} ig_option_section;

typedef struct ig_option {
    ig_setting field; /* of ig_options */
    char letter;      /* 0: none */
    ig_option_section section;
    unsigned commands; /* bit 1 << ig_command_id for each that knows it */
    bool once;         /* of one call: has no place in a config file */
    /* Reads what is no field of a plain kind (IG_KIND_OTHER). */
    ig_status (*take)(ig_options *options, const char *label, const char *value,
                      ig_error *error);
} ig_option;

/* Option number i, or NULL past the end. */
const ig_option *ig_option_at(size_t i);

/* The option of that name (not ended by a zero byte), or NULL. */
const ig_option *ig_option_named(const char *name, size_t length);

/* The nearest name to a mistyped one that `commands` know, or NULL. */
const ig_option *ig_option_near(const char *name, size_t length, unsigned commands);

/* The command whose word is nearest, or IG_COMMANDS when none is near. */
ig_command_id ig_command_near(const char *word);

/* Take a value for an option; `label` ("--lr") names it in errors. IG_OK or IG_USAGE.
 * `value` must outlive the options. A flag takes yes, no, on, off, true or false. */
ig_status ig_option_take(ig_options *options, const ig_option *option,
                         const char *label, const char *value, ig_error *error);

#endif
