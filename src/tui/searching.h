/* Searching in the texts: as one types, from match to match. */
#ifndef TUI_SEARCHING_H
#define TUI_SEARCHING_H

#include "tui/app.h"

/* IG_OK or IG_NOMEM; app->search is freed with ig_free. */
ig_status ig_search_new(ig_app *app, ig_error *error);

/* Ask for the index of the texts, also where it could not be made before. */
void ig_search_want_texts(ig_app *app);

/* The same, and say that it will come, or why it did not. */
void ig_search_await_texts(ig_app *app);

/* Let a text be typed and searched. */
void ig_search_open(ig_app *app);

/* Search a text from the cursor on; the last one again. */
void ig_search_for(ig_app *app, const char *text);
void ig_search_again(ig_app *app, bool backward);

/* The text whose matches are shown: that which is typed, or was sought last, until it
 * is left (false: none was shown). NULL: none. */
const char *ig_search_shown(const ig_app *app);
bool ig_search_leave(ig_app *app);

/* Search what was typed before the index of the texts was made, once it is. */
void ig_search_update(ig_app *app);

#endif
