/* Asking for typed sentences. */
#pragma once

#include "explorer/app.h"

/* Encode and add a sentence, TEXT or LANG TEXT, as ":ask" does; a prompt for it. */
void ig_typed_ask_texts(ig_app *app, const char *typed);
void ig_typed_ask_open(ig_app *app);

/* Delete the typed sentence at a position of the list. */
void ig_typed_forget(ig_app *app, size_t i);

/* End the encoder's server, if it was started here; say when it answers (a tick). */
void ig_typed_stop_server(ig_app *app);
double ig_typed_tick(ig_app *app);
