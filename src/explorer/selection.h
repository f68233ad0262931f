/* Selected rows: by a box on the map, a text filter or a label; marked on the map,
 * listed, isolated, saved. */
#ifndef TUI_SELECTION_H
#define TUI_SELECTION_H

#include "explorer/app.h"

enum { IG_FILTER_SIZE = 1024, IG_SELECTION_TEXT = 160 };

/* What sets the selection apart: a word, punctuation character, language, label or
 * length that is more frequent in it than in the other rows. */
typedef struct ig_trait {
    char name[64];    /* "?", "how", "lang ja", "topic travel" */
    double z;         /* measure/distinctive_words.h; at least 1.96 */
    bool significant; /* … among all that were compared */
    double share;     /* of the selected rows that have it … */
    double of_all;    /* … and of all rows */
} ig_trait;
enum { IG_TRAITS_MAX = 24 };

typedef struct ig_selection {
    bool *row; /* (rows of the set), or NULL: nothing was ever selected */
    size_t count;
    bool isolated;      /* the others are hidden */
    const void *listed; /* items of the list of sentences that is this one's */

    ig_trait trait[IG_TRAITS_MAX]; /* (traits) by descending z */
    size_t traits;
    bool described; /* … which are up to date */

    bool waiting;                /* for the index of the texts, to find … */
    char filter[IG_FILTER_SIZE]; /* … these conditions */
} ig_selection;

/* Isolate the selection, or show all rows; false (reported): nothing selected. */
bool ig_selection_isolate(ig_app *app);

/* Start a selection: returns its marks, (rows of the dataset), all false; NULL
 * (reported): out of memory. Then set them and apply: counted, listed and described. */
bool *ig_selection_begin(ig_app *app);
void ig_selection_take(ig_app *app);

/* Clear the selection. */
void ig_selection_clear(ig_app *app);

/* Find what sets the selection apart, once the words of the texts are there. */
void ig_selection_describe(ig_app *app);

/* The names of a layout's islands: the label or language of most of its rows, and its
 * most distinctive words by class-based TF-IDF, "travel: hotel ticket". False: the
 * words are not there yet, or memory is short.
 *   name  out  (islands) */
enum { IG_ISLAND_NAME = 64 };
struct ig_map;
bool ig_islands_name(const ig_app *app, const struct ig_map *map,
                     char (*name)[IG_ISLAND_NAME]);

/* "lang=de", "topic=travel rank>10 text~silk" (explorer/row_query.h); "topic": as the
 * cursor's row; "none". */
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
 * .jsonl (data/dataset_writer.h). */
ig_status ig_selection_write_set(const ig_app *app, const char *path, ig_error *error);

#endif
