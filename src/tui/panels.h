/* The panels. A new one is a file, src/tui/panels/NAME_panel.c, which defines `const
 * ig_panel ig_NAME_panel` (tui/app.h tells what its functions are for, data_panel.c
 * is a short one to begin from), and a line of panels.c. */
#ifndef TUI_PANELS_H
#define TUI_PANELS_H

#include "tui/app.h"

/* All panels in the order in which Tab walks through them; the first of a role is there
 * when nothing else was asked for. */
extern const ig_panel *const ig_panels[];
extern const size_t ig_panels_count;

#endif
