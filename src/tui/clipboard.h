/* The clipboard of the user's own terminal, wherever the program runs: OSC 52 carries
 * the text in base64, so that nothing of it is ever read as a control. A part of the
 * terminal's side: called by the screen thread alone, between two frames. */
#ifndef TUI_CLIPBOARD_H
#define TUI_CLIPBOARD_H

#include "tui/app.h"

/* Whether terminals of this type (TERM, or NULL) take such a sequence, or pass over it.
 * Those not known to would show it as text. */
bool ig_clipboard_has(const char *type);

enum { IG_CLIPBOARD_MOST = 70000 /* bytes; many terminals take no more */ };

/* A text with its controls as the screen shows them (symbols, a tab as a blank), so
 * that pasting it types none into a shell; else as it is. ig_free it; NULL when memory
 * is short. */
char *ig_clipboard_text(const char *text);

/* The whole sequence for a text. ig_free it; NULL when memory is short. */
char *ig_clipboard_sequence(const char *text);

/* Send a text to the terminal on stdout; false when it was not taken. */
bool ig_clipboard_send(const char *text);

/* Ask for the sentence that is looked at to be copied (IG_APP_COPY, app->copied). */
void ig_copy(ig_app *app);

/* Say what became of it. */
void ig_copy_done(ig_app *app, bool sent);

#endif
