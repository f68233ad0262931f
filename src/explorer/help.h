/* Help: the focused panel, and all keys, commands and settings, generated from their
 * tables. */
#ifndef TUI_HELP_H
#define TUI_HELP_H

#include "explorer/app.h"

/* Show it; typing filters it. */
void ig_help_open(ig_app *app);

/* --- tour ------------------------------------------------------------------------- */

/* A tour of two minutes: steps that explain the screen and name the next key. */

/* Start or end it. */
void ig_tour_toggle(ig_app *app);

/* Handle a key without an overlay; true: the tour used it. */
bool ig_tour_key(ig_app *app, ig_key key);

/* Advance when the step's action has been done. */
void ig_tour_update(ig_app *app);

void ig_tour_draw(ig_app *app);

#endif
