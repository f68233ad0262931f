/* The leakage panel: findings in sentences, a table of measures, or a matrix of
 * languages for a measure and a space. Enter leads from a finding to its figures and
 * from a cell to its sentences. */
#pragma once

#include "explorer/app.h"

extern const ig_panel ig_leakage_panel;

/* The views, ended by one without a name. */
typedef struct ig_leakage_view {
    const char *name; /* as the command knows it: "probe-meaning" */
    const char *title;
    ig_space space;
    const char *measure; /* of its cells, or NULL: no matrix */
    int behind;          /* the list that Enter opens */
} ig_leakage_view;

extern const ig_leakage_view ig_leakage_views[];

/* Show the next (1) or previous (-1) view; this view. */
void ig_leakage_step(ig_app *app, int step);
void ig_leakage_show(ig_app *app, size_t view);
