/* What a sweep prints: a line of CSV for each run or each group of seeds, or one JSON
 * document. */
#ifndef CLI_SWEEP_TABLE_H
#define CLI_SWEEP_TABLE_H

#include "cli/grid.h"

/* The figures of a run, in the order of their columns. */
typedef enum ig_sweep_figure {
    IG_SWEEP_EPOCHS,
    IG_SWEEP_BEST,
    IG_SWEEP_TRAIN_LOSS,
    IG_SWEEP_VALID_LOSS,
    IG_SWEEP_ALIGNMENT,
    IG_SWEEP_UNIFORMITY,
    IG_SWEEP_MEANING,
    IG_SWEEP_LANGUAGE,
    IG_SWEEP_SECONDS,
    IG_SWEEP_FIGURES
} ig_sweep_figure;

/* One run of the sweep. */
typedef struct ig_sweep_row {
    const char *status;              /* "ok", "failed", …; static */
    size_t dims;                     /* 0: the set could not be opened */
    double figure[IG_SWEEP_FIGURES]; /* NaN: there is none */
} ig_sweep_row;

/* The header, a run as it finishes, a group of seeds when its last run has. */
void ig_sweep_put_header(const ig_grid *grid, bool summary);
void ig_sweep_put_row(const ig_grid *grid, size_t point, const char *method,
                      const ig_sweep_row *row);
void ig_sweep_put_summary(const ig_grid *grid, size_t point, const char *method,
                          const ig_sweep_row *rows);

/* Runs 0 … done−1 as a document, with means over the seeds. method: of grids that do
 * not vary it. Returns an exit status. */
int ig_sweep_put_json(const ig_grid *grid, const char *method, const ig_sweep_row *rows,
                      size_t done);

/* Mean and standard deviation (n − 1) of a figure over the rows that have it; NaN where
 * there are too few. */
void ig_sweep_mean(const ig_sweep_row *rows, size_t count, ig_sweep_figure figure,
                   double *mean, double *deviation);

#endif
