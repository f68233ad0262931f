/* The objective of the run, edited while it is trained. */
#ifndef TUI_EDITOR_H
#define TUI_EDITOR_H

#include "tui/app.h"

typedef struct ig_editor ig_editor;

/* IG_OK or IG_NOMEM. */
ig_status ig_editor_new(ig_app *app, ig_error *error);
void ig_editor_delete(ig_editor *editor);

/* Open it over the panels; once the run that was just asked for is there. */
void ig_editor_open(ig_app *app);
void ig_editor_update(ig_app *app);

/* --- objective text --------------------------------------------------------------- */

/* The objective of the run as it is now, and as a text. */

/* The objective of the run shown as it was read, with its weights as they are; false
 * (and a note): it cannot be had. Free it with ig_objective_free. There is a run with
 * one (snapshot.objective). */
bool ig_objective_of_run(ig_app *app, ig_objective *objective);

/* An objective as text (ig_free), behind a comment; NULL when memory is short. */
char *ig_objective_text(const ig_objective *objective, const char *comment);

/* --- methods ---------------------------------------------------------------------- */

/* The choice of a method. */

/* Let the user choose one and start it. */
void ig_methods_open(ig_app *app);

#endif
