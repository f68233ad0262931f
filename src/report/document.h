/* The document of an evaluation: data, runs, all figures by space, and how to reproduce
 * them. `eval` and the report of the explorer fill one in, ig_document_measure computes
 * the figures, and the formats only print it, so that they never differ. */
#pragma once

#include <stdatomic.h>

#include "core/json.h"
#include "measure/bootstrap.h"
#include "measure/evaluation.h"
#include "report/text_table.h"
#include "train/run.h"

/* All spaces of an extractor as rows to measure. Contains pointers into itself. */
typedef struct ig_measured {
    ig_space_rows context[IG_SPACES];
    ig_rows rows[IG_SPACES];       /* of those that it has */
    const ig_rows *all[IG_SPACES]; /* the same */
    const ig_rows *const *part;    /* of the meaning space, as in ig_evaluation_spec;
                                      NULL: there are no language embeddings */
} ig_measured;

/* Open them; the extractor reads the first columns of the set's rows. */
void ig_measured_open(ig_measured *measured, const ig_extractor *extractor,
                      const ig_dataset *set, const ig_rows *originals);

/* One run. Texts are the document's or outlive it. */
typedef struct ig_document_run {
    /* filled in by the caller */
    size_t number;
    const ig_run *run;       /* trained here, or NULL: read from a directory */
    const ig_run_info *info; /* of the run */
    const char *const *data; /* (words) DATA and its options, as typed; or none */
    size_t words;
    const ig_rows *const *asks; /* (spaces) the queries in each, or NULL */
    bool transductive;          /* it was fitted to rows that are measured */
    double trained; /* share of the measured rows that trained a run that was read */

    /* what follows */
    const ig_extractor *extractor; /* of the best epoch; NULL: none */
    const char *title;             /* "1 seed": its name among the runs */
    const char *name;      /* the directory, or the method of a run trained now */
    const char *origin;    /* "runs/a: seed, epoch 7" */
    const char *objective; /* its text, or NULL */
    const char *recipe;    /* all that trained it but the seed; NULL: unknown */
    bool fitted;           /* in closed form: the seed has no part in it */
    size_t group;          /* the first run of its method: equal but for the seed */
    ig_evaluation space[IG_SPACES]; /* meaning and language, those it has */
} ig_document_run;

/* Paired difference of two methods, each of one run or of several seeds, in a space. */
typedef struct ig_document_difference {
    size_t first, second; /* their first runs from 0; first IG_NO_RUN: the original */
    size_t seeds[2];      /* runs of each */
    bool only; /* one is a single trained run: it says nothing of the method */
    ig_space space;
    size_t count;
    ig_difference *figure; /* (count) */
} ig_document_difference;

#define IG_NO_RUN SIZE_MAX

/* All of it. Begin with ig_document_init. */
typedef struct ig_document {
    const ig_dataset *set;
    struct ig_document *next; /* of the next version of the data, or NULL */
    size_t zero_rows;         /* of the set */
    uint64_t seed;
    int split; /* measured ids: 0: all; 1 + ig_split_part: those of that part of runs */
    const ig_subset *subset;
    const char *pairing;      /* a file or --pairing; NULL: the usual one */
    const char *no_pairs;     /* why there are none, or NULL */
    const char *unlike;       /* in what the trainings of runs differ, or NULL */
    const char *scores;       /* where scored pairs came from; NULL: there are none */
    size_t scored, of_scores; /* with both rows measured, of so many */
    const ig_measure_choice *choice; /* of which measures figures are kept; NULL: all */
    bool full; /* tables for readers have all measures, not only the main ones */
    bool ci;   /* figures have intervals, and methods differences */

    ig_evaluation original;
    size_t runs;
    ig_document_run *run; /* (runs) */
    size_t differences;   /* of every two methods, and of each from the original */
    ig_document_difference *difference; /* (differences) */

    ig_table terms;     /* of the data and the machine, to repeat it; its arena is that
                           of the document */
    ig_builder command; /* that made it */
} ig_document;

/* An empty document on a set, with room for so many runs. IG_OK or IG_NOMEM. */
ig_status ig_document_init(ig_document *document, const ig_dataset *set, size_t runs,
                           ig_error *error);
void ig_document_free(ig_document *document);

/* Add a copy of a run, whose parts must outlive the document. IG_OK or IG_NOMEM. */
ig_status ig_document_add(ig_document *document, const ig_document_run *run,
                          ig_error *error);

/* Append an option (" --out ") and its word to a command line, quoted for a shell where
 * it must be; nothing without a word. */
void ig_command_word(ig_builder *line, const char *option, const char *word);

/* Append a run's method, options that are set, pairing, and initial weights or NULL. */
void ig_command_options(ig_builder *line, const char *method,
                        const ig_train_options *options, const char *pairing,
                        const char *init);

/* Measure the original vectors, and of each run the spaces that its extractor serves.
 *   originals  in  the set's rows; those of an extractor of fewer dims are their first
 *                  columns
 *   watch      in  its unit is the share of all
 * IG_OK, IG_INTERRUPTED, IG_NOMEM, IG_SHAPE or IG_VALUE; what was measured until then
 * is there. */
ig_status ig_document_measure(ig_document *document, const ig_rows *originals,
                              const ig_evaluation_spec *subject, ig_pool *pool,
                              const ig_progress *watch, ig_error *error);

/* The measures of a space of a run (the original's are the same for all), or NULL: it
 * has not that space, or there is no such run. */
const ig_evaluation *ig_document_space(const ig_document *document, size_t run,
                                       ig_space space);

/* One space that was measured: the original, or one of a run. */
typedef struct ig_document_column {
    const ig_evaluation *measures;
    ig_space space;
    const ig_document_run *run; /* or NULL: of the data themselves */
    const char *version;        /* of the data, or NULL */
    char title[144]; /* of several: "1 seed", of versions with their names; "": it is
                        the original of one version */
    char name[176];  /* "meaning"; of several "meaning of 1 seed" */
} ig_document_column;

/* A list of columns. */
typedef struct ig_document_columns {
    ig_document_column *at; /* (count) */
    size_t count;
} ig_document_columns;

/* All measured spaces, those of the next versions after those of this document, each
 * with the original first, in the arena; none when memory is short. */
ig_document_columns ig_document_spaces(const ig_document *document, ig_arena *arena);

/* "all", "train", "valid", "holdout". */
const char *ig_document_split_name(int split);

/* --- comparisons ------------------------------------------------------------------ */

/* What trained a run, as far as methods must share it to be compared: rate, batch,
 * epochs, patience, split, pairing, and what ended it. */
enum { IG_TRAINING_VALUES = 10 };
extern const char *const ig_training_name[IG_TRAINING_VALUES];
typedef struct ig_training {
    char name[64], value[IG_TRAINING_VALUES][IG_SETTING_SIZE];
} ig_training;

ig_training ig_training_of(const ig_run_info *info);

/* Append to a sentence ("; lr: seed 0.0001, meat 1e-05") in what trainings differ. */
enum { IG_UNLIKE_SIZE = 1000 };
void ig_training_compare(char out[IG_UNLIKE_SIZE], const ig_training *training,
                         size_t count);

/* "seed was trained on 70% of the rows measured", 1 to 99 unless all; returns out. */
enum { IG_TRAINED_SIZE = 256 };
const char *ig_trained_format(char out[IG_TRAINED_SIZE], const char *run, double share);

/* --- formats ---------------------------------------------------------------------- */

/* Print it: for readers (IG_AS_TABLE), in lines of `columns` if possible, ASCII without
 * `utf8`; its tables of measures (IG_AS_MARKDOWN, IG_AS_LATEX); as CSV, a figure a row
 * with what it is of (a sample of 0: all rows are queries); or as JSON: {"isogloss": 1,
 * "data": {…}, "runs": […], "differences": […], "figures": [{…}]}. IG_OK, IG_NOMEM. */
ig_status ig_document_print(const ig_document *document, FILE *out,
                            ig_table_format format, size_t columns, bool utf8,
                            ig_error *error);

/* {"name": …, "rows": N, "dims": d, "languages": {"de": rows, …}} and "dropped". */
json_t *ig_document_dataset_json(const ig_dataset *set);

/* A report in one file of HTML that opens anywhere: findings, maps, main measures, and,
 * folded, all measures and every option and seed needed to repeat it. Complete or not
 * at all.
 *   stop  in  if it becomes true, nothing is written; or NULL
 * IG_OK, IG_IO, IG_NOMEM or IG_INTERRUPTED. Maps take some 2·N·d² flops a space. */
ig_status ig_report_write(const ig_document *document, const char *path, ig_pool *pool,
                          const atomic_bool *stop, ig_error *error);
