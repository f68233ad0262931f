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

/* --- methods ---------------------------------------------------------------------- */

/* The choice of a method. */

/* Let the user choose one and start it. */
void ig_methods_open(ig_app *app);

#endif
