/* Writing: a table of the panel with the focus or of the selection, a picture or
 * coordinates of the map, a report, all by the path's ending; else the run as a
 * directory. */
#ifndef TUI_WRITING_H
#define TUI_WRITING_H

#include "base/file.h"
#include "tui/app.h"

/* Let `write` write to a path as it was typed: at once, or after a question when there
 * is a file or a run of that name. Not at all, but for a note, when it is a file that
 * is read. */
void ig_write_checked(ig_app *app, const char *typed,
                      void (*write)(ig_app *app, const char *path));

/* Write what the ending of a path means, likewise. */
void ig_write_to(ig_app *app, const char *typed);

/* Ask for the path, with one to begin with; of this run. */
void ig_write_open(ig_app *app);
void ig_write_open_run(ig_app *app, unsigned number);

/* The endings of kind i of what is written, ended by NULL (of a run: none), or NULL
 * past the last kind. */
const char *const *ig_write_endings(size_t i);

/* --- map file --------------------------------------------------------------------- */

/* What the map shows, written to a file: a picture (.svg, .pdf, .png) or coordinates
 * (.csv), by the path's ending. What is hidden is left out, and groups are those of the
 * map's colours. */

/* Whether a path has one of these endings. */
bool ig_map_file_is(const char *path);

/* There is a map. IG_OK, or why it was not written. */
ig_status ig_map_file_write(const ig_app *app, const char *path, ig_error *error);

#endif
