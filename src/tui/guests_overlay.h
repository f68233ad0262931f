/* Guests on the screen: asked for, marked on the map, listed with what is near them. */
#ifndef TUI_GUESTS_OVERLAY_H
#define TUI_GUESTS_OVERLAY_H

#include "tui/app.h"

/* What is typed after ":ask": TEXT, or LANG TEXT. The sentence is encoded and becomes a
 * guest. And a line to type it in. */
void ig_guests_ask_typed(ig_app *app, const char *typed);
void ig_guests_ask_open(ig_app *app);

/* Whether there is an encoder to ask. */
bool ig_guests_can_ask(const ig_app *app);

/* ":forget N", ":rename N NAME". */
void ig_guests_forget_typed(ig_app *app, const char *typed);
void ig_guests_rename_typed(ig_app *app, const char *typed);

/* ":guests": the list of them, with their nearest rows in every space; ":guests FILE"
 * writes them as a set. */
void ig_guests_typed(ig_app *app, const char *typed);
void ig_guests_open(ig_app *app);

#endif
