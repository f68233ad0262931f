/* Saving by file type: rows, a table of the focused panel or of the selection, a
 * picture or the coordinates of the map, a report; a path without a file type is a run
 * directory. */
#pragma once

#include "core/file.h"
#include "explorer/app.h"

/* Expand a typed path and pass it to `write`, after a question if it would replace a
 * file or a run. A path of an input file is refused with a note. */
void ig_write_checked(ig_app *app, const char *typed,
                      void (*write)(ig_app *app, const char *path));

/* Save to a path by its file type, with the same checks. */
void ig_write_to(ig_app *app, const char *typed);

/* Prompt for the path, with a suggestion; the second saves this run. */
void ig_write_open(ig_app *app);
void ig_write_open_run(ig_app *app, unsigned number);
