/* The card of a sentence: all that is known of it, over the panels. */
#ifndef TUI_INSPECT_H
#define TUI_INSPECT_H

#include "tui/app.h"

/* Show the card of the row that the panel with the keys is on, else of the cursor's;
 * it follows the cursor. */
void ig_inspect_open(ig_app *app);

#endif
