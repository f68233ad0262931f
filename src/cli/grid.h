/* The grid of a sweep: options with several values, and every combination of them. */
#ifndef CLI_GRID_H
#define CLI_GRID_H

#include "cli/options.h"

/* All combinations, numbered from 0: dims varies slowest, for the set is opened anew
 * for it, then the method, then the others as they came, and the seed fastest. */
typedef struct ig_grid {
    const ig_options *options;        /* what is common to all; must outlive the grid */
    const ig_axis *axis[IG_AXES_MAX]; /* slowest first */
    size_t axes;
    size_t points;
    size_t seeds; /* points in a row that differ in the seed alone */
} ig_grid;

/* IG_OK, or IG_USAGE when there are more combinations than can be meant. */
ig_status ig_grid_init(ig_grid *grid, const ig_options *options, ig_error *error);

/* The value of an axis at a point. */
const char *ig_grid_value(const ig_grid *grid, size_t point, const ig_axis *axis);

/* The axis of that key, or NULL. */
const ig_axis *ig_grid_axis(const ig_grid *grid, const char *key);

/* Options of a point: a shallow copy that ends with the grid's options. Weights are not
 * options, see ig_grid_value. */
void ig_grid_options(const ig_grid *grid, size_t point, ig_options *out);

/* A name that no other point has and that may name a directory: "seed-d64-s1". */
enum { IG_GRID_NAME_SIZE = 200 };
const char *ig_grid_name(const ig_grid *grid, size_t point, const char *method,
                         char out[IG_GRID_NAME_SIZE]);

#endif
