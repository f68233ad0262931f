/* A sweep: its grid of runs and its table of figures. */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include "cli/options.h"
#include "measure/differences.h"
#include "measure/measure_group.h"

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
    const char
        *name; /* "epochs", "pearson_meaning", of a --test "sts.pearson_meaning" */
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

typedef enum ig_sweep_state {
    IG_SWEEP_OK,
    IG_SWEEP_FAILED,
    IG_SWEEP_UNWRITTEN /* trained and measured, but not saved */
} ig_sweep_state;

/* One run. */
typedef struct ig_sweep_row {
    ig_sweep_state state;
    size_t dims;   /* 0: the dataset could not be opened */
    double *value; /* (columns) NaN: missing */

    /* With --ci, else NULL; the draws of one group of seeds at a time. */
    ig_interval *interval; /* (columns) */
    float *draw;           /* (columns, IG_DRAWS) */
} ig_sweep_row;

typedef struct ig_sweep_table {
    ig_grid grid;
    size_t columns;
    ig_sweep_column *column; /* (columns) */
    unsigned *measures;      /* (1 + tests) IG_MEASURE_… of DATA and of each --test */
    ig_sweep_row *row;       /* (points) */
    ig_interval *mean; /* (points / seeds, columns) with --ci, else NULL: intervals of
                          the means over the seeds */
    size_t *units;     /* (columns) resampled units of a figure, with --ci */
    ig_arena arena;    /* owns the arrays above */
} ig_sweep_table;

/* Set up the grid and the columns of --measures. Default columns: top-1, alignment and
 * uniformity of DATA, and correlations with scores if given; of a --test correlations
 * with its scores, or top-1. IG_OK, IG_USAGE or IG_NOMEM; free the table in any
 * case. */
ig_status ig_sweep_table_init(ig_sweep_table *table, const ig_options *options,
                              ig_error *error);
void ig_sweep_table_free(ig_sweep_table *table);

/* Copy the figures of a space of a dataset into the columns of a row. */
void ig_sweep_keep(const ig_sweep_table *table, ig_sweep_row *row, size_t set,
                   ig_space space, const ig_evaluation *evaluation);

/* Compute intervals of the means over the seeds, for the group starting at `point`:
 * they include the variance of the seeds (measure/differences.h). */
void ig_sweep_take_means(const ig_sweep_table *table, size_t point);

/* Print the CSV header; a run, or with --summary a group of seeds after its last
 * run. */
void ig_sweep_put_header(const ig_sweep_table *table);
void ig_sweep_put_point(const ig_sweep_table *table, size_t point);

/* Print runs 0 … done−1 as JSON, with means over the seeds. */
int ig_sweep_put_json(const ig_sweep_table *table, size_t done);

/* Print the groups of seeds of runs 0 … done−1, a row each: means and intervals (--ci)
 * or deviations, as a table for a terminal, Markdown or LaTeX. IG_OK or IG_NOMEM. */
ig_status ig_sweep_put_tables(const ig_sweep_table *table, size_t done, int format,
                              ig_error *error);

/* Mean and standard deviation (n − 1) of a column over `count` rows from `first`,
 * without missing values; NaN if there are too few. */
void ig_sweep_mean(const ig_sweep_table *table, size_t first, size_t count,
                   size_t column, double *mean, double *deviation);

#endif
