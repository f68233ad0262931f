/* The grid of a sweep: all combinations of options with several values. */
#ifndef CLI_GRID_H
#define CLI_GRID_H

#include "cli/options.h"

/* Axes of lower order vary more slowly, because DATA is opened again for them. */
enum {
    IG_ORDER_VERSION,
    IG_ORDER_DIMS,
    IG_ORDER_METHOD,
    IG_ORDER_SETTING,
    IG_ORDER_SEED,
    IG_ORDERS
};

typedef struct ig_grid {
    const ig_options *options;      /* of all points; must outlive the grid */
    ig_axis method, seed;           /* that are not swept */
    ig_axis *axis[IG_AXES_MAX + 2]; /* (axes) slowest first */
    int order[IG_AXES_MAX + 2];     /* (axes) */
    const ig_axis *of[IG_ORDERS];   /* the axis of an order but SETTING, or NULL */
    size_t axes, points, seeds;     /* points of a group stand one after the other */
    ig_arena arena;
} ig_grid;

/* IG_OK, IG_USAGE (too many points) or IG_NOMEM; free the arena in any case. */
ig_status ig_grid_init(ig_grid *grid, ig_options *options, ig_error *error);

/* The value of an axis at a point, from 0. */
const char *ig_grid_value(const ig_grid *grid, size_t point, const ig_axis *axis);

/* Options of a point, a shallow copy of the grid's, without weights of terms. */
void ig_grid_options(const ig_grid *grid, size_t point, ig_options *out);

/* A unique name that is valid for a directory: "seed-d64-s1". */
enum { IG_GRID_NAME_SIZE = 200 };
const char *ig_grid_name(const ig_grid *grid, size_t point,
                         char out[IG_GRID_NAME_SIZE]);

#endif
