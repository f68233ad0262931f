/* What the mouse can press beside the panels' own: hints, tabs, lines of overlays. Each
 * frame notes them as it draws them. */
#ifndef TUI_HOTSPOTS_H
#define TUI_HOTSPOTS_H

#include "tui/app.h"

/* A rectangle that presses a key, or gives a panel the keys. Those beyond IG_HOTSPOTS
 * are left out; a later one lies over an earlier one. */
void ig_hotspot_key(ig_app *app, ig_rect rect, ig_key key);
void ig_hotspot_panel(ig_app *app, ig_rect rect, const ig_panel *panel);

/* A list without a header, drawn into a rectangle, with its cursor. */
void ig_hotspot_list(ig_app *app, ig_rect rect, ig_list_cursor *cursor, size_t lines);

/* A rectangle that leads to a row of the set. */
void ig_hotspot_row(ig_app *app, ig_rect rect, uint32_t row);

/* The one at a cell, or NULL. */
const ig_hotspot *ig_hotspot_at(const ig_app *app, int row, int col);

#endif
