/* Glosses: the translation, by id, of a sentence into a language the user reads. */
#pragma once

#include "explorer/app.h"

/* Show them in a language; show or hide them. */
void ig_gloss_show(ig_app *app, size_t language);
void ig_gloss_toggle(ig_app *app);

/* The row whose text glosses this one, or IG_NO_ROW: it is in that language itself, has
 * no translation into it, or glosses are off. */
uint32_t ig_gloss_row(const ig_app *app, uint32_t row);

/* What a list shows of a row: its gloss, where there is one, or ig_row_text. */
const char *ig_gloss_text(const ig_app *app, uint32_t row, char out[IG_ROW_TEXT_SIZE]);
