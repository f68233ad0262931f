/* Texts: searching in them, from match to match; and glosses. */
#pragma once

#include "explorer/app.h"

/* NULL: out of memory. */
struct ig_search *ig_search_new(void);
void ig_search_delete(struct ig_search *search);

/* Open the search prompt: Enter selects the rows whose texts contain what was typed. */
void ig_search_open(ig_app *app);

/* Search a text from the cursor on; go to the next selected row, or the previous one if
 * `step` < 0. */
void ig_search_for(ig_app *app, const char *text);
void ig_search_step(ig_app *app, int step);

/* Whether the selection is that of the search. */
bool ig_search_selects(const ig_app *app);

/* The first position of the search text in a text; false: it is not found, or other
 * rows are selected. */
bool ig_search_find(const ig_app *app, const char *text, size_t *start, size_t *length);

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
