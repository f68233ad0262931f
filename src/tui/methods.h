/* The choice of a method. */
#ifndef TUI_METHODS_H
#define TUI_METHODS_H

#include "tui/app.h"

/* Let the user choose one and start it. */
void ig_methods_open(ig_app *app);

#endif
