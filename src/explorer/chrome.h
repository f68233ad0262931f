/* The lines above and below the panels, the message in a frame, and tabs. */
#pragma once

#include "explorer/app.h"

void ig_header_draw(ig_app *app);

void ig_footer_draw(ig_app *app);

/* Choose the message of a frame, before its panels are drawn. */
void ig_message_choose(ig_app *app);

/* Draw the names of the panels that share a place into the upper line of its frame,
 * `open` with its title in place of its name, and a note ("": none) at the right. Where
 * there is little room the title is cut to two thirds of the line, or to the name that
 * it begins with; then a long note is left out, then the names of the others. */
void ig_tabs_draw(ig_app *app, ig_rect frame, const ig_panel *open, const char *title,
                  const char *note);
