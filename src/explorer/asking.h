/* Typed sentences on the screen: asked for, and listed. */
#pragma once

#include "explorer/app.h"

/* The argument of ":ask": TEXT, or LANG TEXT. The sentence is encoded and added. And a
 * prompt for it. */
void ig_typed_ask_texts(ig_app *app, const char *typed);
void ig_typed_ask_open(ig_app *app);

/* End the encoder's server, if it was started here. */
void ig_typed_stop_server(ig_app *app);

/* List them on the command line; show the neighbours of one, delete one, by its place
 * in the list. */
void ig_typed_open(ig_app *app);
void ig_typed_show(ig_app *app, size_t i);
void ig_typed_delete(ig_app *app, size_t i);
