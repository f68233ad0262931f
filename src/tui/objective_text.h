/* The objective of the run as it is now, and as a text. */
#ifndef TUI_OBJECTIVE_TEXT_H
#define TUI_OBJECTIVE_TEXT_H

#include "tui/app.h"

/* The objective of the run shown as it was read, with its weights as they are; false
 * (and a note): it cannot be had. Free it with ig_objective_free. There is a run with
 * one (snapshot.objective). */
bool ig_objective_of_run(ig_app *app, ig_objective *objective);

/* An objective as text (ig_free), behind a comment; NULL when memory is short. */
char *ig_objective_text(const ig_objective *objective, const char *comment);

#endif
