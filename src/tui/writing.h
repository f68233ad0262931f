/* Writing: a table of the panel with the focus or of the selection, a picture or
 * coordinates of the map, a report, all by the path's ending; else the run as a
 * directory. */
#ifndef TUI_WRITING_H
#define TUI_WRITING_H

#include "tui/app.h"

/* A path as a shell would read it: ~ is the home folder. False (and a note): it is too
 * long, or empty. */
bool ig_write_path(ig_app *app, char *out, size_t size, const char *typed);

/* A path to be written to; false (and a note) also when it is a file that is read. */
bool ig_write_target(ig_app *app, char path[IG_PATH_SIZE], const char *typed);

/* Write to a path as it was typed. */
void ig_write_to(ig_app *app, const char *typed);

/* Ask for the path, with one to begin with. */
void ig_write_open(ig_app *app);

#endif
