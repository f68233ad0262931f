/* The grid of a sweep: all combinations of options with several values. */
#pragma once

#include "cli/options.h"

enum { IG_GRID_ORDERS = 5 };

typedef struct ig_grid {
    const ig_options *options; /* of all points; must outlive the grid */
    /* (axes) slowest first: method, version, dims, settings, seed */
    ig_axis axis[IG_AXES_MAX + 4];
    const char *fixed[IG_GRID_ORDERS]; /* values of method, dims and seed, which are
                                          axes even where they are not swept */
    size_t axes, points, seeds;        /* points of a group stand one after the other */
    ig_arena arena;
} ig_grid;

/* IG_OK, IG_USAGE (too many points) or IG_NOMEM; free the arena in any case. */
ig_status ig_grid_init(ig_grid *grid, const ig_options *options, ig_error *error);

/* The value of axis `axis` at a point, from 0; "": of dims that are not swept. */
const char *ig_grid_value(const ig_grid *grid, size_t point, size_t axis);

/* Options of a point, a shallow copy of the grid's, without weights of terms. */
void ig_grid_options(const ig_grid *grid, size_t point, ig_options *out);

/* A unique name that is valid for a directory: "seed-d64-s1". */
enum { IG_GRID_NAME_SIZE = 200 };
const char *ig_grid_name(const ig_grid *grid, size_t point,
                         char out[IG_GRID_NAME_SIZE]);
