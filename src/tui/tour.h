/* A tour of two minutes: steps that say what is seen and what to press. */
#ifndef TUI_TOUR_H
#define TUI_TOUR_H

#include "tui/app.h"

/* Begin it, or end it. */
void ig_tour_toggle(ig_app *app);

/* A key while nothing lies over the panels: true: it was for the tour. */
bool ig_tour_key(ig_app *app, ig_key key);

/* Go on where what a step asks for has been done. */
void ig_tour_update(ig_app *app);

void ig_tour_draw(ig_app *app);

#endif
