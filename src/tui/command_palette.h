/* The palette: what is typed behind a colon, and above it a list of all that fits:
 * actions with their keys, commands, settings, methods, languages, runs, files. */
#ifndef TUI_COMMAND_PALETTE_H
#define TUI_COMMAND_PALETTE_H

#include "tui/app.h"

/* IG_OK or IG_NOMEM. */
ig_status ig_command_palette_new(ig_app *app, ig_error *error);
void ig_command_palette_delete(struct ig_command_palette *palette);

/* Let a command be typed. */
void ig_command_palette_open(ig_app *app);

/* Keep what is typed in a file, with what is there from sessions before; never a
 * failure. `path` may be NULL: it is forgotten. */
void ig_command_palette_recall(ig_app *app, const char *path);
void ig_command_palette_keep(ig_app *app, const char *path);

#endif
