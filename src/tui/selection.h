/* Selected rows: by a box on the map, by what their texts contain, by a label; marked
 * on the map, listed, shown alone, written. */
#ifndef TUI_SELECTION_H
#define TUI_SELECTION_H

#include "tui/app.h"

enum { IG_FILTER_SIZE = 1024, IG_SELECTION_TEXT = 160 };

typedef struct ig_selection {
    bool *row; /* (rows of the set), or NULL: nothing was ever selected */
    size_t count;
    bool isolated;      /* the others are hidden */
    const void *listed; /* items of the list of sentences that is this one's */

    bool *before; /* (rows of the set) while a filter is typed: what was */
    bool waiting; /* for the index of the texts, to find `filter` */
    char filter[IG_FILTER_SIZE]; /* what was typed last */
} ig_selection;

/* IG_OK or IG_NOMEM. */
ig_status ig_selection_new(ig_app *app, ig_error *error);
void ig_selection_delete(ig_selection *selection);

/* Show the selection alone, or all rows again; false: nothing is selected, which is
 * said. */
bool ig_selection_isolate(ig_app *app);

/* Begin another selection: its marks, (rows of the set), all false; NULL: memory is
 * short, which is said. Then, with the marks set, take it over: it is counted, listed
 * and described in the footer. */
bool *ig_selection_begin(ig_app *app);
void ig_selection_take(ig_app *app);

/* Nothing is selected any more. */
void ig_selection_clear(ig_app *app);

/* "lang=de", "topic=travel"; "topic": as the cursor's row; "none". */
void ig_selection_command(ig_app *app, const char *typed);

/* Select the rows whose texts contain something: while it is typed, or once. An empty
 * text selects nothing. */
void ig_filter_open(ig_app *app);
void ig_filter_typed(ig_app *app, const char *text);
/* Do what waited for the index of the texts, once it is there. */
void ig_filter_update(ig_app *app);

/* Write the selected rows as a table: row,id,lang,text, the labels, and the measure
 * that the map is coloured by. */
ig_status ig_selection_write(const ig_app *app, const char *path, ig_error *error);

/* Write the selected rows, all when none is, as a set with their original vectors:
 * .npz or .jsonl (data/set_writer.h). */
ig_status ig_selection_write_set(const ig_app *app, const char *path, ig_error *error);

#endif
