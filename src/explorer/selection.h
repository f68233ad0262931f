/* Selected rows: by a box on the map, a text filter or a label; marked on the map,
 * listed, isolated, saved. */
#ifndef TUI_SELECTION_H
#define TUI_SELECTION_H

#include "explorer/app.h"
#include "explorer/row_query.h"
#include "view/scatter.h"

/* What sets rows apart: a word, language or label that is more frequent among them than
 * in the other rows. */
typedef struct ig_trait {
    const char *column; /* of a label or "lang"; "": a word */
    const char *name;
    double z;        /* measure/distinctive_words.h */
    double in, rest; /* share of the rows that have it, and of the others … */
    double all;      /* … and of all */
    uint32_t count;  /* selected rows that have it */
} ig_trait;
enum { IG_TRAITS_MAX = 24 };

typedef struct ig_selection {
    ig_row_set set;
    bool isolated; /* the other rows are hidden */

    ig_trait trait[IG_TRAITS_MAX]; /* (traits) by descending z */
    size_t traits;
    bool described; /* … which are up to date */

} ig_selection;

/* Isolate the selection, or show all rows; false (reported): nothing selected. */
bool ig_selection_isolate(ig_app *app);

/* Select the rows marked in has[rows of the dataset], which it takes ownership of;
 * NULL: none, memory was short. ig_selection_clear: no rows. */
void ig_selection_take(ig_app *app, bool *has);
void ig_selection_clear(ig_app *app);

/* Find what sets the selection apart, once the words of the texts are there; draw it in
 * at most `most` lines, and return these. */
void ig_selection_describe(ig_app *app);
int ig_selection_draw_traits(ig_app *app, ig_rect in, int most);

/* Find the islands of a layout and their names: the label or language of most of their
 * rows, and their most distinctive words, "travel: hotel ticket". None: it is no
 * layout, the words are not there yet, or memory is short. O(rows · islands). */
void ig_islands_find(const ig_app *app, const ig_map *map, ig_named_places *places);

/* "lang=de", "topic=travel rank>10 text~silk" (explorer/row_query.h); "topic": as the
 * cursor's row; "none". */
void ig_selection_command(ig_app *app, const char *typed);

/* Select the rows whose texts contain something, or that meet conditions: while it is
 * typed, or once. An empty text selects nothing. */
void ig_filter_open(ig_app *app);
void ig_filter_typed(ig_app *app, const char *text);

/* Save the selected rows, or all if none, as a dataset with their original vectors:
 * .jsonl (data/dataset_writer.h). */
ig_status ig_selection_write_set(const ig_app *app, const char *path, ig_error *error);

#endif
