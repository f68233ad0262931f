/* Selected rows: by a box on the map, a text filter or a label; marked on the map,
 * listed, isolated, saved. */
#ifndef TUI_SELECTION_H
#define TUI_SELECTION_H

#include "explorer/app.h"

enum { IG_FILTER_SIZE = 1024, IG_SELECTION_TEXT = 160 };

typedef struct ig_selection {
    bool *row; /* (rows of the set), or NULL: nothing was ever selected */
    size_t count;
    bool isolated;      /* the others are hidden */
    const void *listed; /* items of the list of sentences that is this one's */

    bool waiting;                /* for the index of the texts, to find `filter` */
    char filter[IG_FILTER_SIZE]; /* typed last */
} ig_selection;

/* IG_OK or IG_NOMEM. */
ig_status ig_selection_new(ig_app *app, ig_error *error);
void ig_selection_delete(ig_selection *selection);

/* Isolate the selection, or show all rows; false (reported): nothing selected. */
bool ig_selection_isolate(ig_app *app);

/* Start a selection: returns its marks, (rows of the dataset), all false; NULL
 * (reported): out of memory. Then set them and apply: counted, listed and described. */
bool *ig_selection_begin(ig_app *app);
void ig_selection_take(ig_app *app);

/* Clear the selection. */
void ig_selection_clear(ig_app *app);

/* "lang=de", "topic=travel"; "topic": as the cursor's row; "none". */
void ig_selection_command(ig_app *app, const char *typed);

/* Select the rows whose texts contain something: while it is typed, or once. An empty
 * text selects nothing. */
void ig_filter_open(ig_app *app);
void ig_filter_typed(ig_app *app, const char *text);
/* Run a filter that waited for the text index. */
void ig_filter_update(ig_app *app);

/* Write the selected rows to a table: row,id,lang,text, the labels, and the measure
 * that colours the map. */
void ig_selection_put(const ig_app *app, ig_table_file *table);

/* Save the selected rows, or all if none, as a dataset with their original vectors:
 * .npz or .jsonl (data/dataset_writer.h). */
ig_status ig_selection_write_set(const ig_app *app, const char *path, ig_error *error);

#endif
