/* Texts: searching in them, as one types, from match to match; and glosses. */
#pragma once

#include "explorer/app.h"
#include "explorer/row_query.h"

typedef void ig_search_repeat(ig_app *app, const char *text);

/* NULL: out of memory. */
struct ig_search *ig_search_new(void);
void ig_search_delete(struct ig_search *search);

/* Request the text index, also after a failure. */
void ig_search_want_texts(ig_app *app);

/* Request it, report its progress or failure, and call `again` with the text once it is
 * there, unless something else is to be called by then; NULL: nothing. */
void ig_search_wait(ig_app *app, ig_search_repeat *again, const char *text);

/* Open the search prompt. */
void ig_search_open(ig_app *app);

/* Search a text from the cursor on; the last one again, backward if `step` < 0. */
void ig_search_for(ig_app *app, const char *text);
void ig_search_again(ig_app *app, int step);

/* The displayed matches, of the prompt or the last search, and their text; NULL: none
 * are shown, or there is no index yet. ig_search_leave ends them; false: none shown. */
const ig_row_set *ig_search_matches(const ig_app *app);
const char *ig_search_text(const ig_app *app);
bool ig_search_leave(ig_app *app);

/* Report which match the cursor is on. */
void ig_search_report(ig_app *app);

/* The first position of the search text in a text; false: not found. */
bool ig_search_find(const ig_app *app, const char *text, size_t *start, size_t *length);

/* Call what waited for the text index. */
void ig_search_update(ig_app *app);

/* --- glosses ---------------------------------------------------------------------- */

/* Glosses: the translation, by id, of a sentence into a language the user reads.
 * Show them in a language, `off`; "" or ig_gloss_toggle: on or off. */
void ig_gloss_toggle(ig_app *app);
void ig_gloss_command(ig_app *app, const char *language);

/* The row whose text glosses this one, or IG_NO_ROW: it is in that language itself, has
 * no translation into it, or glosses are off. */
uint32_t ig_gloss_row(const ig_app *app, uint32_t row);

/* What a list shows of a row: its gloss, where there is one, or ig_row_text. */
const char *ig_gloss_text(const ig_app *app, uint32_t row, char out[IG_ROW_TEXT_SIZE]);

/* ", in en" for a title, "" while they are off. */
const char *ig_gloss_title(const ig_app *app, char out[32]);
