/* Tabs: the names of the panels that share a place, in the line of its frame. */
#ifndef TUI_TABS_H
#define TUI_TABS_H

#include "tui/app.h"

/* Draw them into the upper line of a frame, `open` with its title in place of its name,
 * and a note ("": none) at the right. Where a panel is alone in its place there is its
 * title alone. Where there is little room a long note is left out, then the title is
 * cut to two thirds of the line, then names of others are left out. */
void ig_tabs_draw(ig_app *app, ig_rect frame, const ig_panel *open, const char *title,
                  const char *note);

#endif
