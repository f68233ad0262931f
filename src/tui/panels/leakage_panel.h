/* The leakage panel: what the figures say in sentences, a matrix of languages for a
 * measure and a space, or all measures as a table. Enter leads from a sentence to its
 * figures and from a cell to the sentences behind it. */
#ifndef TUI_LEAKAGE_PANEL_H
#define TUI_LEAKAGE_PANEL_H

#include "tui/leakage.h"

typedef struct ig_leakage_state {
    size_t view;
    ig_list_cursor verdict; /* among the sentences */
    ig_list_cursor row;     /* of the matrix: language of the selected cell, … */
    size_t col;             /* … and the other one */
    size_t col_offset;
    ig_list_cursor measure;     /* of the table, */
    size_t space;               /* and its column */
    ig_shown_evaluation versus; /* of two runs, made when it is asked for */
} ig_leakage_state;

extern const ig_panel ig_leakage_panel;

ig_leakage_state *ig_leakage_of(const ig_app *app);

/* Show its next view (1) or the one before (-1); the view of a name; the panel as it
 * is: "". */
void ig_leakage_step(ig_app *app, int step);
void ig_leakage_show(ig_app *app, const char *name);

/* Where the matrix stands on the screen. */
ig_rect ig_leakage_matrix(ig_app *app);

#endif
