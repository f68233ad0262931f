/* Help: the focused panel, and all keys, commands and settings, generated from their
 * tables. */
#ifndef TUI_HELP_H
#define TUI_HELP_H

#include "explorer/app.h"

/* Show it; typing filters it. */
void ig_help_open(ig_app *app);

#endif
