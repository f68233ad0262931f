/* The table of actions. */
#ifndef TUI_ACTIONS_H
#define TUI_ACTIONS_H

#include "explorer/app.h"
#include "explorer/keymap.h"

/* All actions, ended by an entry without a name. */
extern const ig_action_entry ig_actions[];

/* --- quitting --------------------------------------------------------------------- */

/* Quit; ask first, naming what would be lost, if a run, a report or an encoding is in
 * progress or a run is not saved. */
void ig_quit(ig_app *app);

#endif
