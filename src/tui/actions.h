/* The table of actions. */
#ifndef TUI_ACTIONS_H
#define TUI_ACTIONS_H

#include "tui/keymap.h"

/* All of them, ended by one without a name. */
extern const ig_action_entry ig_actions[];

#endif
