/* The table of a sweep: all combinations of options with several values, and the
 * figures of their runs. */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include "cli/options.h"
#include "measure/evaluation.h"

/* A column of figures: of the training, or a measure of a space of a dataset. */
typedef struct ig_sweep_column {
    const char *name; /* "epochs", "pearson_meaning", of a --test "sts.pearson_…" */
    const ig_measure *measure; /* NULL: of the training */
    size_t set;                /* 0: DATA; 1 …: the --test sets */
    ig_space space;
} ig_sweep_column;

/* The first columns are of the training; the last is the time in seconds. */
enum {
    IG_SWEEP_EPOCHS,
    IG_SWEEP_BEST,
    IG_SWEEP_TRAIN_LOSS,
    IG_SWEEP_VALID_LOSS,
    IG_SWEEP_MEASURES
};

/* A figure of a run, or its mean over the seeds; NaN: none. */
typedef struct ig_sweep_cell {
    double value, low, high; /* ends: with --ci */
    double deviation;        /* of a mean: n − 1 in the denominator */
} ig_sweep_cell;

/* A run, or the runs of a group that differ in the seed alone. */
typedef struct ig_sweep_row {
    bool failed;         /* of a run */
    size_t dims;         /* 0: the dataset could not be opened */
    size_t n;            /* of a group: runs that did not fail */
    ig_sweep_cell *cell; /* (columns) */
} ig_sweep_row;

/* Points are numbered from 0. The version of DATA, if there are several, and dims vary
 * slowest, because the dataset is opened again for them, then the method, the other
 * options, and the seed fastest. */
typedef struct ig_sweep_table {
    const ig_options *options;            /* of all points; must outlive the table */
    ig_axis method, seed;                 /* that are not swept */
    const ig_axis *axis[IG_AXES_MAX + 2]; /* (axes) slowest first */
    const ig_axis *version, *dims;        /* or NULL */
    size_t axes, points;
    size_t seeds; /* points of a group, one after the other */
    size_t columns;
    ig_sweep_column *column; /* (columns) */
    unsigned *measures;      /* (1 + tests) IG_MEASURE_… of DATA and of each --test */
    ig_sweep_row *run;       /* (points) */
    ig_sweep_row *group;     /* (points / seeds) */
    float *draw;    /* (seeds, columns, IG_DRAWS) of the runs of a group, with --ci */
    size_t *units;  /* (columns) resampled units of a figure, with --ci */
    ig_arena arena; /* owns the arrays above */
} ig_sweep_table;

/* Set up the points and the columns of --measures. Default columns: top-1, alignment
 * and uniformity of DATA, and correlations with scores if given; of a --test
 * correlations with its scores, or top-1. IG_OK, IG_USAGE or IG_NOMEM; free the table's
 * arena in any case. */
ig_status ig_sweep_table_init(ig_sweep_table *table, const ig_options *options,
                              ig_error *error);

/* The value of an axis at a point; the method. */
const char *ig_sweep_value(const ig_sweep_table *table, size_t point,
                           const ig_axis *axis);
const char *ig_sweep_method(const ig_sweep_table *table, size_t point);

/* Options of a point, a shallow copy of the table's, without weights of terms. */
void ig_sweep_options(const ig_sweep_table *table, size_t point, ig_options *out);

/* A unique name that is valid for a directory: "seed-d64-s1". */
enum { IG_SWEEP_NAME_SIZE = 200 };
const char *ig_sweep_name(const ig_sweep_table *table, size_t point,
                          char out[IG_SWEEP_NAME_SIZE]);

/* The draws of a run: (columns, IG_DRAWS), or NULL without --ci. */
float *ig_sweep_draws(const ig_sweep_table *table, size_t point);

/* Copy the figures of a space of a dataset into the columns of a run. */
void ig_sweep_keep(const ig_sweep_table *table, size_t point, size_t set,
                   ig_space space, const ig_evaluation *evaluation);

/* Take the means of the group that starts at a point; their intervals include the
 * variance of the seeds (measure/differences.h). */
void ig_sweep_take_means(ig_sweep_table *table, size_t point);

/* Print the CSV line of a run, or with --summary that of a group after its last run; or
 * the header. */
void ig_sweep_put_line(const ig_sweep_table *table, size_t point, bool header);

/* Print runs 0 … done−1 as JSON, with means over the seeds. */
int ig_sweep_put_json(const ig_sweep_table *table, size_t done);

/* Print the groups of runs 0 … done−1, a row each: means and intervals (--ci) or
 * deviations, as a table for a terminal, Markdown or LaTeX. IG_OK or IG_NOMEM. */
ig_status ig_sweep_put_table(const ig_sweep_table *table, size_t done, int format,
                             ig_error *error);

#endif
