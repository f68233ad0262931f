/* The table of actions. */
#ifndef TUI_ACTIONS_H
#define TUI_ACTIONS_H

#include "tui/app.h"
#include "tui/keymap.h"

/* All of them, ended by one without a name. */
extern const ig_action_entry ig_actions[];

/* --- quitting --------------------------------------------------------------------- */

/* Leaving the program: at once, or after a question that names what would be lost. */

/* Leave, unless something goes on or is not written: then ask. */
void ig_quit(ig_app *app);

#endif
