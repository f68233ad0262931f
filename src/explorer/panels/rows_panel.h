/* The rows panel: all rows as a table to sort and filter; or a list of rows, that of a
 * leakage cell, the selection, or what moved between versions; or the matches of a
 * search while it is shown. Map and neighbours follow its cursor. */
#ifndef TUI_ROWS_PANEL_H
#define TUI_ROWS_PANEL_H

#include "explorer/app.h"

/* One line. Rows of the dataset, IG_NO_ROW: none. */
typedef struct ig_sentence {
    uint32_t row;
    uint32_t truth; /* its translation */
    uint32_t other; /* row found instead, or next best candidate */
    double value;   /* sort key; NaN: – */
    float cosine;   /* to the translation; NaN: unknown */
    float other_cosine;
} ig_sentence;

/* What a list has above it, and in its file. */
typedef enum ig_sentences_of {
    IG_OF_CELL,
    IG_OF_SELECTION,
    IG_OF_MOVERS
} ig_sentences_of;

/* A zeroed struct is an empty list. */
typedef struct ig_sentences {
    ig_sentences_of of;
    char title[96];         /* "en→de not found by meaning, epoch 14" */
    const char *value_name; /* heading of the value: "rank"; NULL: no values */
    const char *truth_name; /* what `truth` is, and … */
    const char *other_name; /* … what `other` is: "found instead" */
    char file[48];          /* default file name: "leakage-en-de.csv" */
    const ig_panel *from;   /* panel that Esc returns to; NULL: the main panel */
    size_t count;
    ig_sentence *item; /* (count) */
} ig_sentences;

extern const ig_panel ig_rows_panel;

/* List these, and take ownership of the items; none: the panel is left. `sorts`: by
 * value, the greatest first and unknown ones last, equal ones by row. */
void ig_rows_list(ig_app *app, const ig_sentences *list, bool sorts);

/* Show the list, and go to its selected sentence; show the table. */
void ig_rows_open(ig_app *app);
void ig_rows_open_table(ig_app *app);

/* Go to the next (1) or previous (-1) sentence of the list, from any panel. */
void ig_rows_step(ig_app *app, int step);

#endif
