/* The leakage panel: findings in sentences, a matrix of languages for a measure and a
 * space, or a table of measures. Enter leads from a finding to its figures and from a
 * cell to its sentences. */
#ifndef TUI_LEAKAGE_PANEL_H
#define TUI_LEAKAGE_PANEL_H

#include "explorer/leakage.h"

extern const ig_panel ig_leakage_panel;

/* Show the next (1) or previous (-1) view; this view. */
void ig_leakage_step(ig_app *app, int step);
void ig_leakage_show(ig_app *app, size_t view);

#endif
