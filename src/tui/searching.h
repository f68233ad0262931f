/* Searching in the texts: as one types, from match to match. */
#ifndef TUI_SEARCHING_H
#define TUI_SEARCHING_H

#include "search/textsearch.h"
#include "tui/app.h"

/* IG_OK or IG_NOMEM. */
ig_status ig_search_new(ig_app *app, ig_error *error);
void ig_search_delete(struct ig_search *search);

/* Ask for the index of the texts, also where it could not be made before. */
void ig_search_want_texts(ig_app *app);

/* The same, and say that it will come, or why it did not. */
void ig_search_await_texts(ig_app *app);

/* Let a text be typed and searched. */
void ig_search_open(ig_app *app);

/* Search a text from the cursor on; the last one again. */
void ig_search_for(ig_app *app, const char *text);
void ig_search_again(ig_app *app, bool backward);

/* The matches that are shown: of what is typed, or was sought last, until they are left
 * (false: none were shown). */
typedef struct ig_matches {
    unsigned long serial; /* of these matches; 0: none are shown */
    size_t count;
    const uint32_t *row; /* (count) ascending */
} ig_matches;
ig_matches ig_search_matches(const ig_app *app);
bool ig_search_leave(ig_app *app);

/* Move among them as in a list; false: there are none, or it is no way to move. */
bool ig_search_move(ig_app *app, ig_action action, size_t page);

/* What is sought, and where it first stands in a text; false: nowhere. */
const char *ig_search_text(const ig_app *app);
bool ig_search_find(const ig_app *app, const char *text, size_t *start, size_t *length);

/* How accents are held against texts, here and in filters; and another way. */
ig_accents ig_search_accents(const ig_app *app);
void ig_search_set_accents(ig_app *app, ig_accents accents);

/* Search what was typed before the index of the texts was made, once it is. */
void ig_search_update(ig_app *app);

#endif
