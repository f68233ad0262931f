/* Selected rows: by a box on the map, by what their texts contain, by a label; marked
 * on the map, listed, shown alone, written. */
#ifndef TUI_SELECTION_H
#define TUI_SELECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "draw/canvas.h"
#include "tui/keymap.h"

struct ig_app;

enum { IG_FILTER_SIZE = 1024, IG_SELECTION_TEXT = 160 };

typedef struct ig_selection {
    bool *row; /* (rows of the set), or NULL: nothing was ever selected */
    size_t count;
    bool isolated;      /* the others are hidden */
    bool fitted;        /* and the map is fitted to these */
    const void *listed; /* items of the list of sentences that is this one's */

    bool *before;        /* (rows of the set) while a filter is typed: what was */
    size_t count_before; /* selected then */
    bool waiting;        /* for the index of the texts, to find `filter` */
    char filter[IG_FILTER_SIZE]; /* what was typed last */
} ig_selection;

/* A box being drawn, in cells of the map's plane. */
typedef struct ig_box {
    bool on;
    bool pulled;        /* with the mouse */
    int row, col;       /* the corner that stays */
    int to_row, to_col; /* the one that moves */
} ig_box;

void ig_selection_free(ig_selection *selection);

/* Begin a box at the cursor's point; while there is one, let the other corner move. */
void ig_box_open(struct ig_app *app);

/* What an action, and the mouse, does with a box; false: nothing. The second button
 * begins one anywhere on the map. */
bool ig_box_act(struct ig_app *app, ig_action action);
bool ig_box_mouse(struct ig_app *app, ig_key key);

/* Its frame on the map, if there is a box, and in the footer how to go on. */
void ig_box_draw(struct ig_app *app);
void ig_box_describe(struct ig_app *app, char *out, size_t size);

/* Show the selection alone, or all rows again. */
void ig_selection_isolate(struct ig_app *app);

/* Begin another selection: its marks, (rows of the set), all false; NULL: memory is
 * short, which is said. Then, with the marks set, take it over: it is counted, listed
 * and described in the footer. */
bool *ig_selection_begin(struct ig_app *app);
void ig_selection_take(struct ig_app *app);

/* Nothing is selected any more. */
void ig_selection_clear(struct ig_app *app);

/* "lang=de", "topic=travel"; "topic": as the cursor's row; "none". */
void ig_selection_command(struct ig_app *app, char *typed);

/* Select the rows whose texts contain something: while it is typed (begin, each change,
 * the end), or once. An empty text selects nothing. */
void ig_filter_open(struct ig_app *app);
void ig_filter_typed(struct ig_app *app, const char *text);
void ig_filter_end(struct ig_app *app, bool keep);
/* Do what waited for the index of the texts, once it is there. */
void ig_filter_late(struct ig_app *app);

/* "312 rows: en 40, de 38, …", the languages by number. */
const char *ig_selection_describe(const struct ig_app *app,
                                  char out[IG_SELECTION_TEXT]);

/* Write the selected rows as a table: row,id,lang,text, the labels, and the measure
 * that the map is coloured by; whether a path means that: .csv or .tsv, while there is
 * a selection and no panel with tables of its own has the keys. */
bool ig_selection_writes(const struct ig_app *app, const char *path);
ig_status ig_selection_write(const struct ig_app *app, const char *path,
                             ig_error *error);

#endif
