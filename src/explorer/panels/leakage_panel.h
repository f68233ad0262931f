/* The leakage panel: findings in sentences, a table of measures, a matrix of languages
 * for a measure and a space, or the plane of language pairs. Enter leads from a finding
 * to its figures and from a cell to its sentences. */
#pragma once

#include "explorer/app.h"
#include "view/heat.h"
#include "view/plane.h"

extern const ig_panel ig_leakage_panel;

/* What a view shows; of a matrix the sentences that Enter lists. */
typedef enum ig_leakage_kind {
    IG_LEAKAGE_FINDINGS,
    IG_LEAKAGE_PLANE,
    IG_LEAKAGE_MAIN, /* measures */
    IG_LEAKAGE_ALL,
    IG_LEAKAGE_MISSED,
    IG_LEAKAGE_MISPICKED,
    IG_LEAKAGE_LEAKED,
    IG_LEAKAGE_READ /* none: it counts rows of the row's language */
} ig_leakage_kind;

/* The views, ended by one without a name. */
typedef struct ig_leakage_view {
    const char *name; /* as the command knows it: "probe-meaning" */
    const char *title;
    ig_space space;
    const char *measure; /* of its cells, or NULL: no matrix */
    ig_leakage_kind kind;
} ig_leakage_view;

extern const ig_leakage_view ig_leakage_views[];

/* Add to a plane language pairs, or directions, by a measure (top-1) of the language
 * embeddings, where it leaks, along x and of the meaning embeddings along y: [oracle]
 * figures 3 and 4. Those with few candidates are left out, unless all have.
 *   to  in  language, meaning; from: of another run, where arrows begin, or NULL */
void ig_leakage_pairs(ig_plane *plane, const ig_dataset *set,
                      const ig_evaluation *const from[2],
                      const ig_evaluation *const to[2], const ig_measure *measure,
                      bool directions);

/* Show the next (1) or previous (-1) view; this view. */
void ig_leakage_step(ig_app *app, int step);
void ig_leakage_show(ig_app *app, size_t view);

typedef struct ig_leakage_figures {
    ig_app *app;
    const ig_leakage_view *view;
    ig_list_cursor row;                       /* the selected row … */
    size_t col;                               /* … and column of a matrix */
    const ig_measure *measure[IG_CHOICE_MAX]; /* (measures) of the table */
    size_t measures;
    ig_heat heat;   /* the matrix as last drawn … */
    ig_rect matrix; /* … here */
    unsigned marks; /* that are drawn: bits by tone, then of none and of all */
} ig_leakage_figures;

/* The evaluation of a space of what is compared, or NULL; a side (ig_side_label). */
const ig_evaluation *ig_leakage_compared(const ig_app *app, ig_space space);
const char *ig_leakage_side(const ig_app *app, int side, int cols, char *out);

/* The space of the view, or the original; whether two sides are compared in it. */
ig_space ig_leakage_space(const ig_leakage_figures *f);
bool ig_leakage_differs(const ig_leakage_figures *f);

/* Follow a change of the view or of what is measured; draw what the view shows. */
void ig_leakage_update(ig_leakage_figures *f);
void ig_leakage_draw(ig_leakage_figures *f, ig_rect in);

/* Describe the matrix in `heat`; false: the view has none. */
bool ig_leakage_matrix(ig_leakage_figures *f);

/* Draw the mark of a tone; what the marks drawn mean, at the end: its lines. */
void ig_leakage_mark(ig_leakage_figures *f, int row, int col, int tone);
int ig_leakage_legend(const ig_leakage_figures *f, ig_rect in);

/* Move the selection (false: not a move); press a cell (true: it was selected). */
bool ig_leakage_act(ig_leakage_figures *f, ig_action action);
bool ig_leakage_press(ig_leakage_figures *f, ig_key key);

/* List the sentences behind the selected cell, of the greatest value first:
 *   meaning, original   translations not found, by rank
 *   language            translations found, without ties, by their lead in cosine */
void ig_leakage_list(const ig_leakage_figures *f);

/* To a file: measures by label and shares in % for papers (.tex, .md), else by name and
 * as fractions; missing figures are empty. */
void ig_leakage_put(ig_leakage_figures *f, ig_table *t);
