/* The leakage panel: findings in sentences, a table of measures, or a matrix of
 * languages for a measure and a space. Enter leads from a finding to its figures and
 * from a cell to its sentences. */
#pragma once

#include "explorer/app.h"
#include "view/plane.h"

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

/* Add to a plane language pairs, or directions, by a measure (top-1) of the language
 * embeddings, where it leaks, along x and of the meaning embeddings along y: [oracle]
 * figures 3 and 4.
 *   from  in  of another run, where arrows begin; NULL: points
 *   to    in  language, meaning */
void ig_leakage_pairs(ig_plane *plane, const ig_dataset *set,
                      const ig_evaluation *const from[2],
                      const ig_evaluation *const to[2], const ig_measure *measure,
                      bool directions);

/* Show the next (1) or previous (-1) view; this view. */
void ig_leakage_step(ig_app *app, int step);
void ig_leakage_show(ig_app *app, size_t view);
