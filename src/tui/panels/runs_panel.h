/* The runs of the session: showing, comparing, deleting one. */
#ifndef TUI_RUNS_PANEL_H
#define TUI_RUNS_PANEL_H

#include "tui/app.h"

extern const ig_panel ig_runs_panel;

/* Show a run of the session on the map and in the figures. */
void ig_runs_show(ig_app *app, const ig_run_line *line);

/* Put the selected run beside the one shown, or away. */
void ig_runs_compare(ig_app *app);

/* Delete the selected run, after a question when it is not written. */
void ig_runs_delete(ig_app *app);

#endif
