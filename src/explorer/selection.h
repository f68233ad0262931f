/* Selected rows: by a box on the map, a text filter or a label; marked on the map,
 * listed, isolated, saved. */
#pragma once

#include "explorer/app.h"
#include "explorer/row_query.h"
#include "view/scatter.h"

typedef void ig_texts_user(ig_app *app, const char *text);

typedef struct ig_selection {
    ig_row_set set;
    bool isolated;        /* the other rows are hidden */
    ig_texts_user *again; /* waits for the index of the texts, with a text; or NULL */
    char waiting[IG_PROMPT_SIZE];
} ig_selection;

/* Request the index of the texts, also after a failure; _wait: report its progress or
 * failure, and call `again` with the text once it is there, unless something else is to
 * be called by then (NULL: nothing); _update: call what waited. */
void ig_texts_want(ig_app *app);
void ig_texts_wait(ig_app *app, ig_texts_user *again, const char *text);
void ig_texts_update(ig_app *app);

/* Show the selection alone, or all rows again; a note: nothing is selected. */
void ig_selection_isolate(ig_app *app);

/* Select the rows marked in has[rows of the dataset], which it takes ownership of;
 * NULL: none, memory was short. _match: but with no row marked keep the selection, note
 * "no match", and return false. ig_selection_clear: no rows. */
void ig_selection_take(ig_app *app, bool *has);
bool ig_selection_match(ig_app *app, bool *has);
void ig_selection_clear(ig_app *app);

/* "lang=de", "topic=travel rank>10 text~silk" (explorer/row_query.h); "none". */
void ig_selection_command(ig_app *app, const char *typed);

/* Select the rows whose texts contain something, or that meet conditions. */
void ig_filter_typed(ig_app *app, const char *text);

/* Save the selected rows, or all if none, as a dataset with their original vectors:
 * .jsonl (data/dataset.h). */
ig_status ig_selection_write_set(const ig_app *app, const char *path, ig_error *error);
