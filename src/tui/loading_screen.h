/* The screen while the data are read: how far that is, the keys of the help, and a way
 * out. */
#ifndef TUI_LOADING_SCREEN_H
#define TUI_LOADING_SCREEN_H

#include "tui/app.h"
#include "tui/terminal.h"
#include "worker/loading.h"

/* Draw it: what is done, and which part of it (0 … 1; −1: nobody knows). The app has
 * its canvas, actions and remapped keys, and no set yet. IG_OK or IG_NOMEM. */
ig_status ig_loading_draw(ig_app *app, int rows, int cols, const char *text,
                          double part, ig_error *error);

/* A key: IG_APP_QUIT, what the terminal is to do, or IG_APP_NOTHING. */
ig_key_result ig_loading_key(ig_app *app, ig_key key);

#endif
