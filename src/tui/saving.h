/* Saving the session: as it is told to, and when the program ends. */
#ifndef TUI_SAVING_H
#define TUI_SAVING_H

#include "tui/app.h"

/* The command: to a file, or to the one it was opened from or saved to; "": that, or
 * session.json. A name without an ending gets .json. What cannot be kept is said. */
void ig_save_typed(ig_app *app, const char *typed);

#endif
