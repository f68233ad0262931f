/* Glosses: beside a sentence in a language one cannot read, its translation by id into
 * one that one can. */
#ifndef TUI_GLOSS_H
#define TUI_GLOSS_H

#include "tui/app.h"

/* No gloss yet. IG_OK or IG_NOMEM. */
ig_status ig_gloss_new(ig_app *app, ig_error *error);
void ig_gloss_delete(struct ig_gloss *gloss);

/* On in the language that was last chosen (at first English, else the set's first), or
 * off. */
void ig_gloss_toggle(ig_app *app);

/* The command: a language, or `off`; "": on or off. */
void ig_gloss_command(ig_app *app, const char *language);

/* The code of the language of glosses, or NULL: they are off. */
const char *ig_gloss_language(const ig_app *app);

/* The row whose text glosses this one, or IG_NO_ROW: it is in that language itself, has
 * no translation into it, or glosses are off. */
uint32_t ig_gloss_row(const ig_app *app, uint32_t row);

/* What a list shows of a row: its gloss, where there is one, or ig_row_text. */
const char *ig_gloss_text(const ig_app *app, uint32_t row, char out[IG_ROW_TEXT_SIZE]);

/* ", in en" for a title, "" while they are off. */
const char *ig_gloss_title(const ig_app *app, char out[32]);

#endif
