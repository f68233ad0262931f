/* What happens in the demo and what to press next, in a line for each phase of its
 * run. */
#ifndef TUI_NARRATION_H
#define TUI_NARRATION_H

#include "tui/app.h"

/* Tell it, or no more. */
void ig_narration_toggle(ig_app *app);

/* The line for what is on the screen; false: there is nothing to tell. */
bool ig_narration_line(const ig_app *app, char *out, size_t size);

#endif
