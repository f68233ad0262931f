/* What the runs of a sweep are measured on: DATA, and the sets of --test; and the
 * columns that this makes. */
#ifndef CLI_SWEEP_SETS_H
#define CLI_SWEEP_SETS_H

#include "base/inputs.h"
#include "cli/options.h"
#include "data/pairs.h"
#include "data/scores.h"
#include "learn/extractor.h"
#include "measure/bootstrap.h"

/* A set with what is measured of it. A zeroed struct may be freed. */
typedef struct ig_sweep_set {
    ig_set *set; /* owned, or NULL: not open */
    ig_pairs pairs;
    ig_scores scores;
    ig_subset subset; /* all of it */
} ig_sweep_set;

/* Open the set of a --test with `dims` columns (0: all), look at its values, and take
 * all of its pairs, if it has any, and its scores. */
ig_status ig_sweep_set_open(ig_sweep_set *set, const ig_test *test, size_t dims,
                            ig_inputs *inputs, ig_error *error);

void ig_sweep_set_free(ig_sweep_set *set);

/* Columns of figures: of DATA first (`set` SIZE_MAX), then of each --test. */
typedef struct ig_sweep_column {
    const char *name; /* "pearson_meaning", of a --test "sts.pearson_meaning" */
    size_t set;       /* number of the --test; SIZE_MAX: DATA */
    ig_space space;
    const ig_measure *measure;
} ig_sweep_column;

typedef struct ig_sweep_columns {
    size_t count;
    ig_sweep_column *column; /* (count) */
    unsigned data;           /* IG_MEASURE_… that DATA needs */
    unsigned *test;          /* (tests) */
    ig_arena arena;          /* of all of it */
} ig_sweep_columns;

/* The columns of what is asked for with --measures. Without it DATA has none beyond
 * those that every sweep has, and a --test the correlations with its scores, or top-1
 * where it has no scores. IG_OK, IG_USAGE (a measure that does not exist, or that
 * nothing can be measured by) or IG_NOMEM. */
ig_status ig_sweep_columns_make(ig_sweep_columns *columns, const ig_options *options,
                                ig_error *error);

void ig_sweep_columns_free(ig_sweep_columns *columns);

/* Where the figures of a run are kept. */
typedef struct ig_sweep_figures {
    double *value;         /* (columns) NaN: there is none */
    ig_interval *interval; /* (columns) or NULL: nobody asked */
    float *draw;           /* (columns, IG_DRAWS) likewise */
} ig_sweep_figures;

/* Keep a figure of an evaluation as number `column`, with its interval and draws where
 * there is room for them. */
void ig_sweep_keep(const ig_sweep_figures *figures, size_t column,
                   const ig_measure *measure, const ig_evaluation *evaluation);

/* Measure one space of an extractor for the set's languages, and keep the figures of
 * the columns that are of `of` (number of a --test, or SIZE_MAX) and of that space.
 *   resampling  in   of the subject, for intervals; or NULL
 *   figures     out  unchanged where the extractor has no such space
 *   taken       out  the measures, for ig_evaluation_free */
ig_status ig_sweep_measure(const ig_sweep_columns *columns, size_t of,
                           const ig_extractor *extractor, const ig_set *set,
                           const ig_subject *subject, const ig_resampling *resampling,
                           ig_space space, ig_pool *pool, const atomic_bool *stop,
                           const ig_sweep_figures *figures, ig_evaluation *taken,
                           ig_error *error);

#endif
