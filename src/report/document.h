/* The document of an evaluation: data, runs, all figures by space, and how to reproduce
 * them. `eval` and the report of the explorer fill one in, ig_document_measure computes
 * the figures, and the formats (text, CSV, JSON, HTML) only print it, so that they
 * never differ. */
#ifndef REPORT_DOCUMENT_H
#define REPORT_DOCUMENT_H

#include <stdatomic.h>

#include "core/json.h"
#include "measure/differences.h"
#include "measure/evaluation.h"
#include "report/property_list.h"
#include "train/extractor.h"

/* The curves of one run: training and validation loss, alignment, uniformity. Epoch i
 * at [i]; NaN leaves a gap. */
enum { IG_DOCUMENT_CURVES = 4 };
typedef struct ig_document_curves {
    size_t epochs; /* the state before training included; 0: no history */
    size_t best;
    const double *value[IG_DOCUMENT_CURVES]; /* (epochs) each, or NULL */
} ig_document_curves;

/* One run. Texts are the document's or outlive it. */
typedef struct ig_document_run {
    const char *title;  /* "1 seed": its name among the runs */
    const char *name;   /* the directory, or the method of a run trained now */
    const char *method; /* "seed" */
    size_t epoch;       /* of its weights, the best one */
    const char *origin; /* "runs/a: seed, epoch 7" */
    size_t unknown;     /* languages of the set that the run did not know, where it has
                           something for each: `unknown` of train/objective.h */
    bool transductive;  /* it was fitted to rows that are measured */
    double trained; /* share of the measured rows that trained a run that was read */
    /* (languages of the set) 1: the run was not trained on it; NULL: on all, or
     * unknown. */
    const uint8_t *unseen;
    ig_property_list properties; /* options, seed, how it ended */
    const char *objective;       /* its text, or NULL */
    const char *recipe; /* all that trained it but the seed, as text; NULL: unknown */
    uint64_t seed;
    bool fitted;  /* in closed form: the seed has no part in it */
    size_t group; /* the first run of its method: equal but for the seed */
    ig_document_curves curves;
    const ig_extractor *extractor; /* of the best epoch; NULL: it has no spaces */
    bool has[IG_SPACES];
    ig_evaluation space[IG_SPACES]; /* meaning and language, those it has */
} ig_document_run;

/* Paired difference of two methods, each of one run or of several seeds, in one
 * space. */
typedef struct ig_document_difference {
    size_t first, second; /* their first runs from 0; first IG_NO_RUN: the original */
    size_t seeds[2];      /* runs of each */
    bool only; /* one is a single trained run: it says nothing of the method */
    ig_space space;
    size_t count;
    ig_difference *figure; /* (count) */
} ig_document_difference;

#define IG_NO_RUN SIZE_MAX

/* Which ids are measured. */
typedef enum ig_document_split {
    IG_DOCUMENT_ALL,
    IG_DOCUMENT_VALID,  /* those that the runs held out */
    IG_DOCUMENT_TRAIN,  /* those that they learned from */
    IG_DOCUMENT_HOLDOUT /* those used neither for training nor for early stopping */
} ig_document_split;

/* All of it. Begin with ig_document_init. */
typedef struct ig_document {
    const ig_dataset *set;
    struct ig_document *next; /* of the next version of the data, or NULL */
    size_t zero_rows;         /* of the set */
    uint64_t seed;

    /* what is measured */
    ig_document_split split;
    const ig_subset *subset;
    const char *pairing;      /* which pairs: "all languages" */
    bool chosen;              /* chosen by the user */
    const char *no_pairs;     /* why there are none, or NULL */
    const char *scores;       /* where scored pairs came from; NULL: there are none */
    size_t scored, of_scores; /* with both rows measured, of so many */

    const ig_measure_choice *choice; /* of which measures figures are kept; NULL: all */
    bool full; /* tables for readers have all measures, not only the main ones */
    bool ci;   /* figures have intervals */
    ig_evaluation original;
    size_t runs;
    ig_document_run *run; /* (runs) */
    size_t differences;   /* with `ci`: of every two methods, and of each from the
                           original space */
    ig_document_difference *difference; /* (differences) */

    /* to repeat it */
    ig_property_list
        properties;     /* of the data and the machine, beyond the set itself */
    ig_builder command; /* lines */

    ig_arena arena; /* of its texts */
} ig_document;

/* An empty document on a set, with room for so many runs. IG_OK or IG_NOMEM. */
ig_status ig_document_init(ig_document *document, const ig_dataset *set, size_t runs,
                           ig_error *error);

/* A text of the document, printf-style; NULL if out of memory. */
const char *ig_document_text_of(ig_document *document, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Take all measures of all spaces: of the original vectors, and of each run those that
 * its extractor serves; with `ci` intervals, too.
 *   originals  in  the set's rows; those of an extractor of fewer dims are their first
 *                  columns
 *   progress   in  called now and then with the current space and the share that is
 *                  done, on the caller's thread; or NULL
 * IG_OK, IG_INTERRUPTED, IG_NOMEM, IG_SHAPE or IG_VALUE; what was measured until then
 * is there. */
typedef void ig_document_progress(void *context, const char *what, double share);
ig_status ig_document_measure(ig_document *document, const ig_rows *originals,
                              const ig_evaluation_spec *subject, ig_pool *pool,
                              const atomic_bool *stop, ig_document_progress *progress,
                              void *context, ig_error *error);

/* The measures of a space of a run (the original's are the same for all), or NULL: it
 * has not that space, or there is no such run. */
const ig_evaluation *ig_document_space(const ig_document *document, size_t run,
                                       ig_space space);

/* One space that was measured: the original, or one of a run. */
typedef struct ig_document_column {
    const ig_evaluation *measures;
    ig_space space;
    size_t run;          /* number of the run from 0; of the original space 0 as well */
    const char *of;      /* name of the run, or NULL: of the data themselves */
    const char *version; /* of the data, or NULL */
    char name[192]; /* "meaning"; of several runs "meaning of centre", or, if that is
                       not the only one of its method, "meaning of runs/a" */
} ig_document_column;

/* All measured spaces, those of the next versions after those of this document, each
 * with the original first, in a block that ig_free releases; NULL when out of
 * memory. */
ig_document_column *ig_document_columns(const ig_document *document, size_t *count);

/* "2 centre minus 1 seed, by meaning (these two runs only)", "seed (3 seeds) minus
 * original, by meaning". */
void ig_document_difference_name(const ig_document *document,
                                 const ig_document_difference *difference, char *out,
                                 size_t size);

/* A line of a table: a measure, or a part of it (a kind of scored pairs). */
typedef struct ig_document_line {
    const ig_measure *measure;
    const char *part; /* NULL: of the whole */
} ig_document_line;

/* The lines of a table: measures (or only the main ones) that some column has a figure
 * of, each with its parts.
 * Those of a quiet measure are left out where it is 0 or missing in all columns, and
 * those without a value in any column, too (ig_document_reasons). A block that ig_free
 * releases, or NULL if out of memory. */
ig_document_line *ig_document_lines(const ig_document_column *column, size_t columns,
                                    bool full, size_t *count);

/* The figure of a line in a column; NULL: it was not measured. */
const ig_figure *ig_document_cell(const ig_document_column *column,
                                  const ig_measure *measure, const char *part);

/* Chance level, from the first column that has one; NaN. */
double ig_document_chance(const ig_document_column *column, size_t columns,
                          const ig_measure *measure);

/* Why figures are missing, each reason a property with its measures and, unless it is
 * so in all, the columns. */
void ig_document_reasons(const ig_document_column *column, size_t columns, bool full,
                         ig_property_list *reasons);

/* "better", "worse", "yes" (neither), or "": it is not significant. */
const char *ig_document_finding(const ig_difference *difference, ig_space space);

/* "all", "valid", "train". */
const char *ig_document_split_name(ig_document_split split);

/* What was measured, in words: "all rows; 16,800 pairs of 600 meanings (all
 * languages)". */
enum { IG_DOCUMENT_MEASURED = 1024 };
void ig_document_measured(const ig_document *document, char text[IG_DOCUMENT_MEASURED]);

/* "4,980 rows of 83 of 1,012 meanings are queries …": of a sample; false: there is
 * none. */
bool ig_document_sample(const ig_document *document, char text[IG_DOCUMENT_MEASURED]);

/* Caveats for readers (few rows, ties), each a property "note". */
void ig_document_notes(const ig_document *document, ig_property_list *notes);

/* A figure as a page shows it: a share in percent, "–" where there is none, no −0.0.
 * Returns out. */
const char *ig_document_figure(char out[40], ig_unit unit, int decimals, double value);

void ig_document_free(ig_document *document);

/* --- formats ---------------------------------------------------------------------- */

/* A table for readers, in lines of `columns` as far as that goes, with what a reader
 * should know and the language pairs below; ASCII without `utf8`. */
ig_status ig_document_text(const ig_document *document, FILE *out, size_t columns,
                           bool utf8, ig_error *error);

/* A row a figure: run,version,space,measure,from,to,n,value,chance,low,high,reason. */
void ig_document_csv(const ig_document *document, FILE *out);

/* Tables of the figures of the whole, for a paper: Markdown, LaTeX (booktabs). */
ig_status ig_document_markup(const ig_document *document, FILE *out, bool latex,
                             ig_error *error);

/* {"isogloss": 1, "data": {…}, "runs": […], "differences": [{…}], "figures": [{…}]}, a
 * figure a line. IG_OK or IG_NOMEM. */
ig_status ig_document_json(const ig_document *document, FILE *out, ig_error *error);

/* {"name": …, "rows": N, "dims": d, "languages": {"de": rows, …}} and, of a sample,
 * "sampled_from". */
json_t *ig_document_dataset_json(const ig_dataset *set);

/* Whether a path's ending is one of a report: .html, .htm, .md; and the same with a
 * sentence: IG_OK or IG_USAGE. */
bool ig_report_writes(const char *path);
ig_status ig_report_check(const char *path, ig_error *error);

/* A report: findings, maps, main measures, the worst language pair with its sentences,
 * curves, and, folded, all measures and every option and seed needed to repeat it. HTML
 * is one file that opens anywhere; Markdown has no pictures. Complete or not at all.
 *   stop  in  if it becomes true, nothing is written; or NULL
 * IG_OK, IG_USAGE (another ending), IG_IO, IG_NOMEM or IG_INTERRUPTED. Maps take some
 * 2·N·d² flops a space. */
ig_status ig_report_write(const ig_document *document, const char *path, ig_pool *pool,
                          const atomic_bool *stop, ig_error *error);

#endif
