/* The command line. */
#ifndef TUI_COMMAND_H
#define TUI_COMMAND_H

#include "tui/app.h"

/* Let a command be typed: "set lr 1e-3", "row 7", an action's name or its beginning. */
void ig_command_open(ig_app *app);

#endif
