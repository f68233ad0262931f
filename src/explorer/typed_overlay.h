/* Typed sentences on the screen: encoded, marked on the map, listed with their
 * neighbours. */
#ifndef TUI_TYPED_SENTENCES_OVERLAY_H
#define TUI_TYPED_SENTENCES_OVERLAY_H

#include "explorer/app.h"

/* The argument of ":ask": TEXT, or LANG TEXT. The sentence is encoded and added. And a
 * prompt for it. */
void ig_typed_ask_texts(ig_app *app, const char *typed);
void ig_typed_ask_open(ig_app *app);

/* End the encoder's server, if it was started here. */
void ig_typed_stop_server(ig_app *app);

/* ":forget N". */
void ig_typed_forget_texts(ig_app *app, const char *typed);

/* List them with their nearest language in every space. */
void ig_typed_open(ig_app *app);

/* A new answer becomes the current sentence: the neighbours panel shows it. At each
 * update. */
void ig_typed_follow(ig_app *app);

#endif
