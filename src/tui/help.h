/* Help: what one looks at, and all keys, commands and settings by topic, from the
 * tables that make them. */
#ifndef TUI_HELP_H
#define TUI_HELP_H

#include "tui/app.h"

/* Show it; what is typed filters it. There may be an app without panels: no set yet. */
void ig_help_open(ig_app *app);

/* Say what the focused panel shows, in three sentences. */
void ig_help_what(ig_app *app);

#endif
