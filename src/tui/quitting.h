/* Leaving the program: at once, or after a question that names what would be lost. */
#ifndef TUI_QUITTING_H
#define TUI_QUITTING_H

#include "tui/app.h"

/* Leave, unless something goes on or is not written: then ask. */
void ig_quit(ig_app *app);

#endif
