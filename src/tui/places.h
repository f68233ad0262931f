/* Where the cursor has been: what leads to another sentence can be gone back and
 * forth. */
#ifndef TUI_PLACES_H
#define TUI_PLACES_H

#include "tui/app.h"

/* Go to a row, and remember the one before. */
void ig_places_go(ig_app *app, uint32_t row);

/* The cursor has come here from a row. */
void ig_places_left(ig_app *app, uint32_t row);

/* One back (-1) or forth (1); where there is none, that is said. */
void ig_places_step(ig_app *app, int step);

#endif
