/* The rows panel: the sentences of a leakage cell; or else the selected rows, or all,
 * as a table to sort. Map and neighbours follow its cursor. */
#pragma once

#include "explorer/provenance.h"

/* One line. Rows of the dataset, IG_NO_ROW: none. */
typedef struct ig_sentence {
    uint32_t row;
    uint32_t truth; /* its translation */
    uint32_t other; /* row found instead, or next best candidate */
    double value;   /* sort key; NaN: – */
    float cosine;   /* to the translation; NaN: unknown */
    float other_cosine;
} ig_sentence;

typedef struct ig_sentences {
    char title[96]; /* "en-de missed by meaning" */
    char source[IG_PROVENANCE];
    const char *value_name; /* heading of the value: "rank" */
    const char *other_name; /* what `other` is: "found instead" */
    size_t count;
    ig_sentence *item; /* (count) */
} ig_sentences;

extern const ig_panel ig_rows_panel;

/* List these by value, the greatest first and unknown ones last, equal ones by row, and
 * go to the first; takes ownership of the items. _open: show this list, the
 * selection, or all rows; _open_table: the selection, or all rows. */
void ig_rows_list(ig_app *app, const ig_sentences *list);
void ig_rows_open(ig_app *app);
void ig_rows_open_table(ig_app *app);

/* Go to the next (1) or previous (-1) row of what is listed, from any panel. */
void ig_rows_step(ig_app *app, int step);

/* Sort by a column; "-name": descending. */
void ig_rows_sort_named(ig_app *app, const char *name);
