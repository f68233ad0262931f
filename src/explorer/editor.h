/* The objective of the run, edited while it is trained. */
#ifndef TUI_EDITOR_H
#define TUI_EDITOR_H

#include "explorer/app.h"

typedef struct ig_editor ig_editor;

/* NULL: out of memory. */
ig_editor *ig_editor_new(void);
void ig_editor_delete(ig_editor *editor);

/* Open it over the panels. */
void ig_editor_open(ig_app *app);

/* --- external editor -------------------------------------------------------------- */

/* Objectives as texts in the user's own editor: VISUAL or EDITOR name it, else vi. */

/* Open it on the file of a path, or a copy of a preset; without one ("") on what was no
 * objective the last time, else on the run's objective. Then train the saved text, or
 * report the error and leave run and file unchanged. */
void ig_external_editor_file(ig_app *app, const char *path);

#endif
