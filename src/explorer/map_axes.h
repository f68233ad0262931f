/* The axes of the map: their names, and the command for custom axes. */
#ifndef TUI_MAP_AXES_H
#define TUI_MAP_AXES_H

#include "explorer/app.h"
#include "explorer/prompt.h"

/* Name of axis 0 (horizontal) or 1 (vertical) of a map: "PC1", "axis 1" for rotated
 * components, "en → de", "⊥PC1" next to a custom axis. */
enum { IG_MAP_AXES_NAME = IG_MAP_AXIS_SIZE + 8 };
const char *ig_map_axes_name(const ig_app *app, const ig_map *map, int which,
                             char out[IG_MAP_AXES_NAME]);

/* "axis x FROM TO", "axis y probe de", "axis off". */
void ig_map_axes_command(ig_app *app, const char *typed);

/* Show the next component on the horizontal (1) or vertical (2) axis, replacing a
 * custom axis. */
void ig_map_axes_next(ig_app *app, int number);

#endif
