/* The runs of the session: showing, comparing, deleting one. */
#ifndef TUI_RUNS_PANEL_H
#define TUI_RUNS_PANEL_H

#include "tui/prompt.h"

extern const ig_panel ig_runs_panel;

/* Show a run of the session on the map and in the figures. */
void ig_runs_show(ig_app *app, const ig_run_line *line);

/* Put the selected run beside the one shown, or away. */
void ig_runs_compare(ig_app *app);

/* Delete the selected run, after a question when it is not written. */
void ig_runs_delete(ig_app *app);

/* Sort by the next column; by the one of a name, after "-" from the greatest on. */
void ig_runs_sort(ig_app *app);
void ig_runs_sort_named(ig_app *app, const char *name);

/* How they are sorted, as "-loss", or NULL: by number. The other way, which is silent:
 * false where there is no such column. */
enum { IG_RUNS_SORTING = 16 };
const char *ig_runs_sorting(const ig_app *app, char out[IG_RUNS_SORTING]);
bool ig_runs_set_sorting(ig_app *app, const char *name);

/* The names of the columns, for the palette of commands. */
const char *ig_runs_columns(const ig_app *app, size_t i, char out[IG_PROMPT_WORD]);

#endif
