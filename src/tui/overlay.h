/* What lies over the panels: a framed rectangle. */
#ifndef TUI_OVERLAY_H
#define TUI_OVERLAY_H

#include "tui/app.h"

/* A rectangle in the middle of the canvas, blanked and framed; its inside. */
ig_rect ig_overlay_box(ig_app *app, int rows, int cols, const char *title);

/* Close it by the keys that close most; false: the action is none of these. */
bool ig_overlay_leave(ig_app *app, ig_action action);

#endif
