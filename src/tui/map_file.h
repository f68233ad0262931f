/* What the map shows, written to a file: a picture (.svg, .pdf, .png) or coordinates
 * (.csv), by the path's ending. What is hidden is left out, and groups are those of the
 * map's colours. */
#ifndef TUI_MAP_FILE_H
#define TUI_MAP_FILE_H

#include "tui/app.h"

/* Whether a path has one of these endings. */
bool ig_map_file_is(const char *path);

/* There is a map. IG_OK, or why it was not written. */
ig_status ig_map_file_write(const ig_app *app, const char *path, ig_error *error);

#endif
