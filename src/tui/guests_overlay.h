/* Guests on the screen: asked for by a command, marked on the map, listed with what is
 * near them. */
#ifndef TUI_GUESTS_OVERLAY_H
#define TUI_GUESTS_OVERLAY_H

#include "tui/app.h"

/* ":ask TEXT", ":ask de TEXT": the sentence is encoded and becomes a guest. */
void ig_guests_ask_typed(ig_app *app, const char *typed);

/* ":forget N". */
void ig_guests_forget_typed(ig_app *app, const char *typed);

/* ":guests": the list of them, with their nearest rows in every space. */
void ig_guests_open(ig_app *app, const char *ignored);

#endif
