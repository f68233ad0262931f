/* The axes of the map: what they are called, and the command that lays one. */
#ifndef TUI_MAP_AXES_H
#define TUI_MAP_AXES_H

#include "tui/app.h"
#include "tui/prompt.h"

/* What axis 0 (across) or 1 (upward) of a map is: "PC1", "axis 1" where the components
 * were turned, "en → de", "⊥PC1" beside one that is laid. */
enum { IG_MAP_AXES_NAME = IG_MAP_AXIS_SIZE + 8 };
const char *ig_map_axes_name(const ig_app *app, const ig_map *map, int which,
                             char out[IG_MAP_AXES_NAME]);

/* The same for a column of a table: "pc1", "axis1", "en to de". */
const char *ig_map_axes_column(const ig_app *app, const ig_map *map, int which,
                               char out[IG_MAP_AXES_NAME]);

/* "axis x FROM TO", "axis y probe de", "axis off". */
void ig_map_axes_command(ig_app *app, const char *typed);

/* Words after "axis ", for completion. */
const char *ig_map_axes_words(const ig_app *app, size_t i, char out[IG_PROMPT_WORD]);

/* The next component across (1) or upward (2), in place of what was laid there. */
void ig_map_axes_next(ig_app *app, int number);

#endif
