/* The runs of the session: showing, comparing, deleting one. */
#ifndef TUI_RUNS_PANEL_H
#define TUI_RUNS_PANEL_H

#include "tui/app.h"
#include "tui/prompt.h"
#include "tui/properties.h"

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

/* The names of the columns, for the palette of commands. */
const char *ig_runs_columns(const ig_app *app, size_t i, char out[IG_PROMPT_WORD]);

/* --- run properties --------------------------------------------------------------- */

/* What is told of a run of the session, a property a line. */

/* Of the one that is shown, as far as it has come. */
void ig_run_properties_shown(const ig_app *app, ig_property_line *line);

/* Of another one, beside the one that is shown. */
void ig_run_properties_selected(const ig_app *app, const ig_run_line *run,
                                ig_property_line *line);

#endif
