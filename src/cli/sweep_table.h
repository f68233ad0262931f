/* What a sweep prints: a line of CSV for each run or each group of seeds, or one JSON
 * document. */
#ifndef CLI_SWEEP_TABLE_H
#define CLI_SWEEP_TABLE_H

#include "cli/grid.h"
#include "cli/sweep_sets.h"

/* The figures that every run has, in the order of their columns; those of the measures
 * follow, and the seconds are the last. */
typedef enum ig_sweep_figure {
    IG_SWEEP_EPOCHS,
    IG_SWEEP_BEST,
    IG_SWEEP_TRAIN_LOSS,
    IG_SWEEP_VALID_LOSS,
    IG_SWEEP_ALIGNMENT,
    IG_SWEEP_UNIFORMITY,
    IG_SWEEP_MEANING,
    IG_SWEEP_LANGUAGE,
    IG_SWEEP_MEASURES
} ig_sweep_figure;

/* One run of the sweep. */
typedef struct ig_sweep_row {
    const char *status; /* "ok", "failed", …; static */
    size_t dims;        /* 0: the set could not be opened */
    double *figure;     /* (figures) NaN: there is none */

    /* With --ci: intervals of the figures, and the draws that they are made of, held
     * until the intervals of the mean over the seeds are known; else NULL. */
    ig_interval *interval; /* (figures) */
    float *draw;           /* (figures, IG_DRAWS) */
} ig_sweep_row;

/* The table, as far as it is known before the runs. */
typedef struct ig_sweep_table {
    const ig_grid *grid;
    const ig_sweep_columns *columns;
    ig_interval *mean; /* (groups of seeds, figures) with --ci: intervals of the means
                          over the seeds; or NULL */
} ig_sweep_table;

/* Figures of a row, and the number of the seconds. */
size_t ig_sweep_width(const ig_sweep_table *table);
size_t ig_sweep_seconds(const ig_sweep_table *table);

/* Whether a figure is measured, and so has an interval with --ci; the others are of the
 * training. */
bool ig_sweep_measured(const ig_sweep_table *table, size_t figure);

/* The intervals of the means over a group of seeds whose first point is `point`: a draw
 * of the mean is the mean of the runs' draws. table->mean, or nothing without it.
 *   scratch  out  (IG_DRAWS) */
void ig_sweep_take_means(const ig_sweep_table *table, size_t point,
                         const ig_sweep_row *rows, double *scratch);

/* The header, a run as it finishes, a group of seeds when its last run has. */
void ig_sweep_put_header(const ig_sweep_table *table, bool summary);
void ig_sweep_put_row(const ig_sweep_table *table, size_t point, const char *method,
                      const ig_sweep_row *row);
void ig_sweep_put_summary(const ig_sweep_table *table, size_t point, const char *method,
                          const ig_sweep_row *rows);

/* Runs 0 … done−1 as a document, with means over the seeds. method: of grids that do
 * not vary it. Returns an exit status. */
int ig_sweep_put_json(const ig_sweep_table *table, const char *method,
                      const ig_sweep_row *rows, size_t done);

/* Mean and standard deviation (n − 1) of a figure over the rows that have it; NaN where
 * there are too few. */
void ig_sweep_mean(const ig_sweep_row *rows, size_t count, size_t figure, double *mean,
                   double *deviation);

#endif
