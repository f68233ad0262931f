/* A sweep: its grid of runs and its table of figures. */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include "cli/options.h"
#include "measure/evaluation.h"

/* --- the grid: options with several values, and all their combinations ------------ */

/* All combinations, numbered from 0. The version of DATA, of which there is an axis if
 * there are several, and dims vary slowest, because the dataset is reopened for them,
 * then the method, the other options in order, and the seed fastest. */
typedef struct ig_grid {
    const ig_options *options;        /* common options; must outlive the grid */
    const ig_axis *axis[IG_AXES_MAX]; /* slowest first */
    size_t axes;
    size_t points;
    size_t seeds; /* number of consecutive points that differ only in the seed */
} ig_grid;

/* IG_OK, or IG_USAGE: more than a million combinations. */
ig_status ig_grid_init(ig_grid *grid, const ig_options *options, ig_error *error);

/* The value of an axis at a point. */
const char *ig_grid_value(const ig_grid *grid, size_t point, const ig_axis *axis);

/* The axis of that key, or NULL. */
const ig_axis *ig_grid_axis(const ig_grid *grid, const char *key);

/* The version of DATA of a point, or NULL: there is one. */
const char *ig_grid_version(const ig_grid *grid, size_t point);

/* The method of a point: from the axis, --method, or the default. */
const char *ig_grid_method(const ig_grid *grid, size_t point);

/* Options of a point, a shallow copy of the grid's, without weights of terms. */
void ig_grid_options(const ig_grid *grid, size_t point, ig_options *out);

/* A unique name that is valid for a directory: "seed-d64-s1". */
enum { IG_GRID_NAME_SIZE = 200 };
const char *ig_grid_name(const ig_grid *grid, size_t point,
                         char out[IG_GRID_NAME_SIZE]);

/* --- the table -------------------------------------------------------------------- */

/* A column: a figure of the training, or a measure of a space of a dataset. */
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

typedef struct ig_sweep_table {
    ig_grid grid;
    size_t columns;
    ig_sweep_column *column; /* (columns) */
    unsigned *measures;      /* (1 + tests) IG_MEASURE_… of DATA and of each --test */
    ig_sweep_row *run;       /* (points) */
    ig_sweep_row *group;     /* (points / seeds) */
    float *draw;    /* (seeds, columns, IG_DRAWS) of the runs of a group, with --ci */
    size_t *units;  /* (columns) resampled units of a figure, with --ci */
    ig_arena arena; /* owns the arrays above */
} ig_sweep_table;

/* Set up the grid and the columns of --measures. Default columns: top-1, alignment and
 * uniformity of DATA, and correlations with scores if given; of a --test correlations
 * with its scores, or top-1. IG_OK, IG_USAGE or IG_NOMEM; free the table's arena in any
 * case. */
ig_status ig_sweep_table_init(ig_sweep_table *table, const ig_options *options,
                              ig_error *error);

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
ig_status ig_sweep_put_tables(const ig_sweep_table *table, size_t done, int format,
                              ig_error *error);

#endif
