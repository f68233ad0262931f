/* Objectives as texts in the user's own editor: VISUAL or EDITOR name it, else vi.
 * Whoever drives the app lends it the terminal (IG_APP_EDITOR). */
#ifndef TUI_EXTERNAL_EDITOR_H
#define TUI_EXTERNAL_EDITOR_H

#include "learn/objective.h"
#include "tui/app.h"

typedef struct ig_external_editor ig_external_editor;

/* IG_OK or IG_NOMEM. */
ig_status ig_external_editor_new(ig_app *app, ig_error *error);
void ig_external_editor_delete(ig_external_editor *editor);

/* Ask for it on a new file with this objective, or preset. */
void ig_external_editor_objective(ig_app *app, const ig_objective *objective);
void ig_external_editor_preset(ig_app *app, size_t preset);

/* On the file of a path; without one ("") on what was no objective the last time, else
 * on the run's objective. */
void ig_external_editor_file(ig_app *app, const char *path);

/* Run it while the terminal is not ours; then start what was written, or say what is
 * wrong and leave run and file as they are. `app` is an ig_app. */
void ig_external_editor_run(void *app);

/* The file that it was on last. */
const char *ig_external_editor_path(const ig_app *app);

/* --- objective text --------------------------------------------------------------- */

/* The objective of the run as it is now, and as a text. */

/* The objective of the run shown as it was read, with its weights as they are; false
 * (and a note): it cannot be had. Free it with ig_objective_free. There is a run with
 * one (snapshot.objective). */
bool ig_objective_of_run(ig_app *app, ig_objective *objective);

/* An objective as text (ig_free), behind a comment; NULL when memory is short. */
char *ig_objective_text(const ig_objective *objective, const char *comment);

#endif
