/* The clipboard of the user's own terminal, wherever the program runs: OSC 52 carries
 * the text in base64, so that nothing of it is ever read as a control. A part of the
 * terminal's side: called by the screen thread alone, between two frames. */
#ifndef TUI_CLIPBOARD_H
#define TUI_CLIPBOARD_H

#include "explorer/app.h"

enum { IG_CLIPBOARD_MAX = 70000 /* bytes; many terminals take no more */ };

/* A text with its controls as the screen shows them (symbols, a tab as a blank), so
 * that pasting it types none into a shell; else as it is. ig_free it; NULL when memory
 * is short. */
char *ig_clipboard_text(const char *text);

/* The whole sequence for a text. ig_free it; NULL when memory is short. */
char *ig_clipboard_sequence(const char *text);

/* Send a text to the terminal on stdout; false: the write failed. */
bool ig_clipboard_send(const char *text);

/* Request copying of the current sentence (IG_APP_COPY, app->copied). */
void ig_copy(ig_app *app);

/* Note the result. */
void ig_copy_done(ig_app *app, bool sent);

#endif
