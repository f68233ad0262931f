/* The document of an evaluation: what was measured of which data and runs, every figure
 * by space, and what it takes to repeat it. Whoever measures fills one in (`eval`, the
 * explorer's report), ig_document_measure takes the measures, and its forms (text, CSV,
 * JSON, HTML) only print it, so that they never differ. */
#ifndef REPORT_DOCUMENT_H
#define REPORT_DOCUMENT_H

#include <stdatomic.h>

#include "base/json.h"
#include "data/subset.h"
#include "learn/extractor.h"
#include "measure/differences.h"
#include "report/property_list.h"

/* The curves of one run: epoch i at [i]; NaN leaves a gap. */
typedef struct ig_document_curves {
    size_t epochs; /* the state before training included; 0: no history */
    size_t best;
    const double *train, *valid, *alignment, *uniformity; /* (epochs) each */
} ig_document_curves;

/* One run. Texts are the document's or outlive it. */
typedef struct ig_document_run {
    const char *title;  /* "1 seed": its name among the runs */
    const char *name;   /* the directory, or the method of a run trained now */
    const char *method; /* "seed" */
    size_t epoch;       /* of its weights, the best one */
    const char *origin; /* "runs/a: seed, epoch 7" */
    size_t unknown;     /* languages of the set that the run did not know, where it has
                           something for each: `unknown` of learn/kinds.h */
    bool transductive;  /* it was fitted to rows that are measured */
    /* (languages of the set) 1: the run was not trained on it; NULL: on all of them, or
     * that is not known. */
    const uint8_t *unseen;
    ig_property_list properties; /* options, seed, how it ended */
    const char *objective;       /* its text, or NULL */
    ig_document_curves curves;
    const ig_extractor *extractor; /* of the best epoch; NULL: it has no spaces */
    bool has[IG_SPACES];
    ig_evaluation space[IG_SPACES]; /* meaning and language, those it has */
} ig_document_run;

/* What a space of one run has less that of another: paired, for they are of the same
 * rows. */
typedef struct ig_document_difference {
    size_t first, second; /* runs from 0; first IG_NO_RUN: the original space */
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
    IG_DOCUMENT_HOLDOUT /* those that neither training nor its end saw */
} ig_document_split;

/* All of it. Begin with ig_document_init. */
typedef struct ig_document {
    const ig_set *set;
    size_t zero_rows; /* of the set */
    uint64_t seed;

    /* what is measured */
    ig_document_split split;
    const ig_subset *subset;
    const char *pairing;      /* which pairs: "all languages" */
    bool chosen;              /* somebody chose them */
    const char *no_pairs;     /* why there are none, or NULL */
    const char *scores;       /* where scored pairs came from; NULL: there are none */
    size_t scored, of_scores; /* with both rows measured, of so many */

    bool ci; /* figures get intervals (measure/bootstrap.h) */
    ig_evaluation original;
    size_t runs;
    ig_document_run *run; /* (runs) */
    size_t differences;   /* with `ci`: of every two runs, and of each from the original
                             space */
    ig_document_difference *difference; /* (differences) */

    /* to repeat it */
    ig_property_list
        properties;      /* of the data and the machine, beyond the set itself */
    const char *command; /* lines, or NULL */

    ig_arena arena; /* of its texts */
} ig_document;

/* An empty document on a set, with room for so many runs. IG_OK or IG_NOMEM. */
ig_status ig_document_init(ig_document *document, const ig_set *set, size_t runs,
                           ig_error *error);

/* A text of the document, printf-style; NULL when memory is short. */
const char *ig_document_text_of(ig_document *document, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Take all measures of all spaces: of the original vectors, and of each run those that
 * its extractor serves; with `ci` intervals, too.
 *   originals  in  the set's rows; those of an extractor of fewer dims are their first
 *                  columns
 *   tell       in  called now and then with the space under way and the share that is
 *                  done, on the caller's thread; or NULL
 * IG_OK, IG_INTERRUPTED, IG_NOMEM, IG_SHAPE or IG_VALUE; what was measured until then
 * is there. */
typedef void ig_document_tell(void *context, const char *what, double share);
ig_status ig_document_measure(ig_document *document, const ig_rows *originals,
                              const ig_subject *subject, ig_pool *pool,
                              const atomic_bool *stop, ig_document_tell *tell,
                              void *context, ig_error *error);

/* The work of it, in flops, as far as it is known: 0 where memory is short. O(rows +
 * pairs) a space. */
double ig_document_work(const ig_document *document, const ig_rows *originals,
                        const ig_subject *subject);

/* The measures of a space of a run (the original's are the same for all), or NULL: it
 * has not that space, or there is no such run. */
const ig_evaluation *ig_document_space(const ig_document *document, size_t run,
                                       ig_space space);

/* One space that was measured: the original, or one of a run. */
typedef struct ig_document_column {
    const ig_evaluation *measures;
    ig_space space;
    size_t run;     /* number of the run from 0; of the original space 0 as well */
    const char *of; /* name of the run, or NULL: of the data themselves */
    char name[48];  /* "meaning", or of several runs "meaning of run 2" */
} ig_document_column;

/* All of them, the original space first, in a block that ig_free releases; NULL when
 * memory is short. */
ig_document_column *ig_document_columns(const ig_document *document, size_t *count);

/* "2 centre less 1 seed", "seed less original". */
void ig_document_difference_name(const ig_document *document,
                                 const ig_document_difference *difference, char *out,
                                 size_t size);

/* The lines of a table: measures that some space has a figure of. Those of a quiet
 * measure are left out where it is 0 or missing in all spaces, and those without a
 * value in any space, too (ig_document_reasons).
 *   measure  out  (most)  returns how many there are */
size_t ig_document_lines(const ig_document_column *column, size_t columns,
                         const ig_measure **measure, size_t most);
enum { IG_DOCUMENT_LINES = 96 };

/* The figure of a measure in a column, or (part) that of a part by its name; NULL: it
 * was not measured. */
const ig_figure *ig_document_cell(const ig_document_column *column,
                                  const ig_measure *measure, const char *part);

/* Part i of a measure (a kind of scored pairs), or NULL past the last. */
const char *ig_document_part(const ig_document_column *column, size_t columns,
                             const ig_measure *measure, size_t i);

/* What guessing gives: the first column that knows; NaN. */
double ig_document_chance(const ig_document_column *column, size_t columns,
                          const ig_measure *measure);

/* Why figures are missing: properties whose names are the measures and, unless it is so
 * in all columns, the spaces: "xsim error (meaning)". */
void ig_document_reasons(const ig_document_column *column, size_t columns,
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

/* What a reader of the figures should know: those that come from few rows, and those
 * that ties have decided; a property "note" each. */
void ig_document_notes(const ig_document *document, ig_property_list *notes);

/* A figure as a page shows it: a share in percent, "–" where there is none, no −0.0.
 * Returns out. */
const char *ig_document_figure(char out[40], ig_unit unit, int decimals, double value);

void ig_document_free(ig_document *document);

/* --- its forms --- */

/* A table for readers, in lines of `columns` as far as that goes, with what a reader
 * should know and the language pairs below; ASCII without `utf8`. */
ig_status ig_document_text(const ig_document *document, FILE *out, size_t columns,
                           bool utf8, ig_error *error);

/* A row a figure: run,version,space,measure,from,to,n,value,chance,low,high,reason. */
void ig_document_csv(const ig_document *document, FILE *out);

/* Tables of the figures of the whole, for a paper: Markdown, LaTeX (booktabs). */
ig_status ig_document_markdown(const ig_document *document, FILE *out, ig_error *error);
ig_status ig_document_latex(const ig_document *document, FILE *out, ig_error *error);

/* {"isogloss": 1, "data": {…}, "runs": […], "figures": [{…}], "differences": [{…}]}, a
 * figure a line. IG_OK, or IG_NOMEM before anything is printed. */
ig_status ig_document_json(const ig_document *document, FILE *out, ig_error *error);

/* Lines of words behind a label, as the text has them, broken before `columns`. Text of
 * the data is made harmless. */
void ig_document_line(FILE *out, const char *label, const char *text, size_t columns);

/* Whether a path's ending is one of a report: .html, .htm; and the same with a
 * sentence: IG_OK or IG_USAGE. Of .md it says why there is no such form: what shows
 * Markdown refuses pictures that are part of the file. */
bool ig_report_writes(const char *path);
ig_status ig_report_check(const char *path, ig_error *error);

/* A report, as HTML: tables of all measures, curves and maps as SVG, and every option
 * and seed needed to repeat it, in one file that opens anywhere, complete or not at
 * all.
 *   stop  in  when it turns true, nothing is written; or NULL
 * IG_OK, IG_USAGE (another ending), IG_IO, IG_NOMEM or IG_INTERRUPTED. Maps take some
 * 2·N·d² flops a space. */
ig_status ig_report_write(const ig_document *document, const char *path, ig_pool *pool,
                          const atomic_bool *stop, ig_error *error);

#endif
