/* Saving by file type: rows, a table of the focused panel or of the selection, a
 * picture, a report; a path without a file type is a run directory. */
#pragma once

#include "explorer/app.h"

/* Save to a typed path by its file type, after a question if it would replace a file
 * or a run. What cannot be saved, and an input file, are refused with a note. */
void ig_write_to(ig_app *app, const char *typed);

/* Prompt for the path, with a suggestion; the second saves this run. */
void ig_write_open(ig_app *app);
void ig_write_open_run(ig_app *app, unsigned number);

/* At the end: close the jobs, and save unsaved runs in new directories. The error's
 * message says which run is where, or why not; "": none would be lost. */
void ig_write_unsaved(ig_app *app, ig_error *error);
