/* The line above the panels (what is open, what runs) and the line below them (keys,
 * what is typed, news). */
#ifndef TUI_CHROME_H
#define TUI_CHROME_H

#include "tui/app.h"

void ig_header_draw(ig_app *app);

/* *row, *col: where the terminal's cursor stands while something is typed. */
void ig_footer_draw(ig_app *app, int *row, int *col);

#endif
