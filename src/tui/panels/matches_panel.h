/* The matches of a search: each with what was sought lit up, and its gloss beside it
 * where glosses are on. The cursor is the app's. */
#ifndef TUI_MATCHES_PANEL_H
#define TUI_MATCHES_PANEL_H

#include "tui/app.h"

extern const ig_panel ig_matches_panel;

#endif
