/* The line above the panels (what is open, what runs) and the line below them (keys,
 * what is typed, news). */
#pragma once

#include "explorer/app.h"

void ig_header_draw(ig_app *app);

void ig_footer_draw(ig_app *app);

/* Choose the message of a frame, before its panels are drawn. */
void ig_message_choose(ig_app *app);

/* --- tabs ------------------------------------------------------------------------- */

/* Tabs: the names of the panels that share a place, in the line of its frame. */

/* Draw them into the upper line of a frame, `open` with its title in place of its name,
 * and a note ("": none) at the right. Where a panel is alone in its place there is its
 * title alone. Where there is little room the title is cut to two thirds of the line,
 * or to the name of its panel if it begins with it; then a long note is left out, then
 * the names of the others. */
void ig_tabs_draw(ig_app *app, ig_rect frame, const ig_panel *open, const char *title,
                  const char *note);
