/* The panels. A new one is its file and its line in panels.c. */
#ifndef TUI_PANELS_H
#define TUI_PANELS_H

#include "tui/app.h"

/* All panels in the order in which Tab walks through them; the first of a role is there
 * when nothing else was asked for. */
extern const ig_panel *const ig_panels[];
extern const size_t ig_panels_count;

#endif
