/* Copying a sentence into the clipboard of the user's terminal. */
#ifndef TUI_CLIPBOARD_H
#define TUI_CLIPBOARD_H

#include "explorer/app.h"

/* A text with its controls as the screen shows them (symbols, a tab as a blank), so
 * that pasting it types none into a shell; else as it is. ig_free it; NULL when memory
 * is short. */
char *ig_clipboard_text(const char *text);

/* Request copying of the current sentence (IG_APP_COPY, app->copied). */
void ig_copy(ig_app *app);

#endif
