/* Options of all commands, read from the command line and the config file: one table
 * (options_table.c, with train/train_options.h) defines names, values and commands, for
 * parsing, help, the config file, --set and the grid of a sweep. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/comm.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/dataset.h"
#include "encode/encoder.h"
#include "report/text_table.h"
#include "train/extractor.h"
#include "train/train_options.h"
#include "view/projection.h"

/* The commands, in the order of help; the explorer has no name. */
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
    IG_OBJECTIVES,
    IG_INFO,
    IG_HELP,
    IG_COMMANDS
} ig_command_id;

/* An axis of a sweep: an option, or the weight of a term. */
typedef struct ig_axis {
    const char *key;                /* "dims", "weight:topology" */
    const struct ig_option *option; /* NULL: a weight */
    size_t values;
    const char **value; /* (values) as text, then NULL */
} ig_axis;

enum { IG_AXES_MAX = 16 };

enum { IG_UNSET = -1 };

/* NAME of "weight:NAME", or NULL for another key. */
const char *ig_axis_weight(const ig_axis *axis);

/* A dataset besides DATA: of --train, with --train-meta, of --query-set, with
 * --query-meta, or of --test, with --test-meta and --scores. */
typedef struct ig_test {
    const char *set;
    const char *meta;    /* its table, or NULL: next to it */
    const char **scores; /* files, ended by NULL; or NULL */
} ig_test;

/* Options, grouped by command. The value of a choice is its index in the table. */

/* Run directories to write and read. */
typedef struct ig_run_options {
    size_t checkpoint; /* epochs; 0: not given */
    int overwrite;     /* what exists, and is not known as an own output */
    const char **list; /* (count) of --run */
    size_t count;
    const char *follow; /* a run directory, or NULL */
} ig_run_options;

/* `eval` and `sweep`. */
typedef struct ig_measure_options {
    ig_test train; /* a dataset to train on; set NULL: DATA */
    int summary;   /* of `sweep` */
    ig_test query; /* of queries; set NULL: none */
    const char *judgements;
    ig_test *test; /* (tests) */
    size_t tests;
    const char *measures; /* names of measures, or NULL: all */
    int format;           /* ig_table_format; with --json IG_AS_JSON */
    int ci;
    size_t sample;       /* queries; 0: not given */
    const char *report;  /* file, or NULL */
    int by;              /* ig_breakdown, or IG_UNSET */
    const char *groups;  /* file, or NULL */
    unsigned spaces;     /* bits 1 << ig_space; 0: not given */
    int split;           /* of ig_document */
    const char **scores; /* of DATA: as of a test */
    bool labelled;       /* scores of `positive` or more are positive */
    double positive;
    ig_axis axis[IG_AXES_MAX + 1]; /* of options, and of the versions of DATA */
    size_t axes;
} ig_measure_options;

typedef struct ig_search_options {
    int space;  /* ig_space, or IG_UNSET */
    size_t row; /* also the explorer's cursor; SIZE_MAX: not given */
    size_t k;   /* neighbours */
    const char *to;
    const char *text;
    const char *queries; /* file, or NULL */
} ig_search_options;

enum { IG_LAYOUT_PCA, IG_LAYOUT_NEIGHBOURS };

typedef struct ig_project_options {
    size_t components;                    /* 0: not given */
    int layout;                           /* IG_LAYOUT_… */
    const char *axis[IG_CUSTOM_AXES_MAX]; /* (axes) "FROM TO" */
    size_t axes;
    int unit, raw;          /* rows scaled to length 1, which is usual, or not */
    const char *picture[3]; /* by ig_picture_format, or NULL */
    const char *drawn;      /* "--svg": the first of these that is given, or NULL */
    const char *langs;      /* codes, or NULL: all */
    const char *title;      /* of the picture, "": none; NULL: its provenance */
} ig_project_options;

enum { IG_MOTION_ON, IG_MOTION_OFF, IG_MOTION_AUTO };

/* The explorer and `render`. */
typedef struct ig_screen_options {
    const char *keys;     /* of `render` */
    size_t columns, rows; /* of a frame; 0: not given */
    const char *gloss;    /* language, or NULL */
    int glyphs;           /* ig_glyphs, or IG_UNSET */
    int colour;           /* 0 to 3: none, 8, 16 or 256 colours; or IG_UNSET */
    int theme;            /* ig_theme, or IG_UNSET */
    int motion;           /* IG_MOTION_…, or IG_UNSET */
    int no_mouse;
} ig_screen_options;

typedef struct ig_options {
    ig_command_id command;
    const char **word; /* (words) DATA, or NAME for `objectives` */
    size_t words;
    char *const *typed; /* (typed_words) the command line after the program's name */
    size_t typed_words;
    const char **given;         /* by option: its value on the command line, or NULL */
    const struct ig_demo *demo; /* of `demo`, or NULL (cli/demo_path.h) */
    const char **data; /* (data_words) of these DATA and its options, for reports */
    size_t data_words;

    int help, version, json, quiet; /* a flag is 0 or 1 */
    int tables;                     /* of `info` */
    size_t threads;                 /* 0: as granted (cli/machine.h) */
    uint64_t seed;                  /* that of `train` */

    ig_dataset_options set;
    const char *pairs;      /* file, or NULL */
    const char *pairing;    /* or NULL: pivot */
    const char *method;     /* or NULL: the default of the command */
    ig_train_options train; /* defaults: ig_train_defaults */
    const char *init;       /* directory, or NULL */
    const char *out;

    ig_run_options run;
    ig_measure_options measure;
    ig_search_options search;
    ig_project_options project;
    ig_screen_options screen;
    ig_encoder_options encoder; /* without its key */
    const char *config;         /* file that was read, or NULL */

    /* Set by main: the communicator or NULL, the processors of this process or 0. */
    ig_comm *team;
    size_t share;

    ig_arena arena; /* texts not owned by the caller */
} ig_options;

/* A command. main prints the message of one that failed, and flushes stdout. */
typedef ig_status ig_command_run(const ig_options *options, ig_error *error);
ig_command_run ig_explore_command, ig_train_command, ig_sweep_command, ig_eval_command,
    ig_search_command, ig_project_command, ig_transform_command, ig_encode_command,
    ig_render_command, ig_objectives_command, ig_info_command;

typedef struct ig_command_entry {
    const char *word;     /* "train"; "" for the explorer */
    const char *usage;    /* "[OPTIONS] DATA… --out RUN" */
    const char *summary;  /* a sentence */
    const char *examples; /* two, a line each, without "isogloss " */
    ig_command_run *run;  /* NULL: help */
    size_t min, max;      /* number of arguments: DATA, or a name */
    bool draws;           /* writes terminal control sequences: the explorer's frames */
    bool ranks;           /* can run as several processes (core/comm.h) */
} ig_command_entry;

/* By ig_command_id. */
extern const ig_command_entry ig_commands[IG_COMMANDS];

/* "train", "the explorer". */
const char *ig_command_name(ig_command_id command);

/* The command with that name, or IG_COMMANDS. */
ig_command_id ig_command_named(const char *word);

/* Set all defaults. */
void ig_options_init(ig_options *options);

/* Parse the command line into options that were initialised: the command, `--opt VALUE`
 * or `--opt=VALUE`, `--` before arguments that begin with a dash. Texts are not copied.
 * IG_USAGE: unknown option (the message suggests one) or one of another command, a
 * value out of range, a first word that is neither a command nor a file. */
ig_status ig_options_parse(ig_options *options, int argc, char **argv, ig_error *error);

/* Parse the value of --set. */
ig_status ig_options_set(ig_options *options, const char *label, const char *text,
                         ig_error *error);

/* A copy of a list in the arena, with room for more items; NULL: memory is short. */
void *ig_options_grow(ig_options *options, const void *list, size_t count, size_t more,
                      size_t size);

/* Read a config file into options that were initialised, before the command line: lines
 * `option = value` with the names of the command line (`seed = 7`, `quiet = yes`),
 * comments after '#'. A missing file is no error; unknown options are ignored and named
 * in the message, which must be empty before. IG_USAGE names file and line. */
ig_status ig_options_config(ig_options *options, const char *path, ig_error *error);

void ig_options_free(ig_options *options);

/* Print usage, summary, examples and options of a command, shared ones by name. */
void ig_options_help(FILE *out, ig_command_id command);

/* Print "usage: isogloss train [OPTIONS] DATA... --out RUN". */
void ig_options_usage(FILE *out, ig_command_id command);

/* --- the table -------------------------------------------------------------------- */

typedef enum ig_option_section {
    IG_SECTION_DATA,
    IG_SECTION_TRAINING,
    IG_SECTION_COMMAND,
    IG_SECTION_ENCODER,
    IG_SECTION_EVERY,
    IG_SECTIONS
} ig_option_section;

typedef struct ig_option {
    ig_setting field; /* of ig_options */
    char letter;      /* 0: none */
    ig_option_section section;
    unsigned commands; /* bits 1 << ig_command_id */
    bool once;         /* not allowed in a config file */
    int special;       /* of IG_KIND_OTHER: how a value is taken (options_table.c) */
    bool repeats;      /* with another value each time */
    bool steps;        /* without effect on closed forms */
} ig_option;

/* Option i, or NULL past the end. */
const ig_option *ig_option_at(size_t i);

/* The option of that name (`length` bytes), or NULL. */
const ig_option *ig_option_named(const char *name, size_t length);

/* Parse the value of an option; `label` ("--lr") names it in errors. `value` must
 * outlive the options. A flag takes yes, no, on, off, true or false. */
ig_status ig_option_take(ig_options *options, const ig_option *option,
                         const char *label, const char *value, ig_error *error);

/* IG_USAGE: an option of the command line has no effect, or DATA is given twice. */
ig_status ig_options_check(const ig_options *options, ig_error *error);
