/* Saving by file type: rows, a table of the focused panel or of the selection, a
 * picture, a report; a path without a file type is a run directory. Editing. */
#pragma once

#include "explorer/app.h"

/* Save to a typed path by its file type, after a question if it would replace a file
 * or a run. What cannot be saved, and an input file, are refused with a note. */
void ig_write_to(ig_app *app, const char *typed);

/* Prompt for the path, with a suggestion; the second saves the run of the question. */
void ig_write_open(ig_app *app);
void ig_write_open_run(ig_app *app);

/* At the end: close the jobs, and save unsaved runs in new directories. The error's
 * message says which run is where, or why not; "": none would be lost. */
void ig_write_unsaved(ig_app *app, ig_error *error);

/* Ask for a weight of the run shown on the command line, which lists its terms; set one
 * from the next epoch on: "TERM NUMBER", "TERM off", "TERM on". */
void ig_weights_open(ig_app *app);
void ig_weights_set(ig_app *app, const char *typed);

/* Term i, or NULL past the last; its weight and value. */
const char *ig_weights_term(const ig_app *app, size_t i, char about[IG_WORD_SIZE]);

/* Open the user's editor (VISUAL, EDITOR, else vi) on the file of a path, or a copy of
 * a preset; without one ("") on what was no objective the last time, else on that of
 * the run. Then train the saved text, or report the error and change nothing. */
void ig_external_editor_file(ig_app *app, const char *path);

/* Remove the copies, but a refused one with all others. */
void ig_editor_close(const ig_app *app);
