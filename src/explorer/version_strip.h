/* Versions on the screen: stepping through them, the strip below the map that names
 * them, and the panel of their figures. */
#ifndef TUI_VERSION_STRIP_H
#define TUI_VERSION_STRIP_H

#include "explorer/app.h"

extern const ig_panel ig_versions_panel;

/* Show a version, and end a replay; a run of another one is no longer shown. Or the
 * version `by` places later. */
void ig_version_show(ig_app *app, size_t version);
void ig_version_step(ig_app *app, int by);

/* List the sentences whose ten neighbours differ most in the versions compared. */
void ig_movers_open(ig_app *app);

/* Name of a version, or NULL: there is none. */
const char *ig_version_name(const ig_app *app, size_t version);

/* Name of the version shown, or NULL: the dataset has no versions. */
const char *ig_version_shown(const ig_app *app);

/* What the map of the version shows, in a line; false: the dataset has no versions,
 * or a run is shown. */
bool ig_version_line(const ig_app *app, char *out, size_t size);

/* Draw the strip in a rectangle of one line; show the version at a column of it. */
void ig_version_strip_draw(ig_app *app, ig_rect at);
void ig_version_strip_click(ig_app *app, ig_rect at, int col);

#endif
