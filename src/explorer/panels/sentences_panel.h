/* The sentences panel: a list from a leakage cell or a selection; cursor, map and
 * neighbours follow it. It stays unchanged until another list replaces it. While a
 * search is shown, the panel has its matches instead, highlighted, at the cursor of the
 * app. */
#ifndef TUI_SENTENCES_PANEL_H
#define TUI_SENTENCES_PANEL_H

#include "explorer/app.h"
#include "measure/searcher.h"

/* One line. Rows of the dataset, IG_NO_ROW: none. */
typedef struct ig_sentence {
    uint32_t row;
    uint32_t truth; /* its translation */
    uint32_t other; /* row found instead, or next best candidate */
    double value;   /* sort key; NaN: – */
    float cosine;   /* to the translation; NaN: unknown */
    float other_cosine;
} ig_sentence;

/* A zeroed struct is an empty list. */
typedef struct ig_sentences {
    char title[96];         /* "en→de not found by meaning, epoch 14" */
    const char *value_name; /* heading of the value: "rank"; NULL: no values */
    const char *truth_name; /* what `truth` is; NULL: "translation" */
    const char *other_name; /* what `other` is: "found instead" */
    char file[48];          /* default file name: "leakage-en-de.csv" */
    bool whole;             /* values are whole numbers of few digits */
    int decimals;           /* decimals that fit all values; see ig_sentences_set */
    bool mixed;             /* more than one language; set by ig_sentences_set */
    const ig_panel *from;   /* panel that Esc returns to; NULL: the main panel */
    /* Custom table writer, or NULL. */
    void (*put)(const ig_app *app, ig_table_file *table);
    /* Draw something above the list, in at most `most` lines; returns them. Or NULL. */
    int (*above)(ig_app *app, ig_rect in, int most);
    size_t count;
    ig_sentence *item; /* (count) */
    ig_list_cursor cursor;
    ig_list_cursor match; /* in the matches of a search */
} ig_sentences;

extern const ig_panel ig_sentences_panel;

/* The current list. */
ig_sentences *ig_sentences_of(const ig_app *app);

/* Replace the current list; takes ownership of the items. */
void ig_sentences_set(ig_app *app, const ig_sentences *list);
void ig_sentences_free(ig_sentences *list);

/* Sort by value, the greatest first and unknown ones last; equal ones by row. */
void ig_sentences_sort(ig_sentences *list);

/* Show the list, and go to its selected sentence. */
void ig_sentences_open(ig_app *app);

/* Go to the next (1) or previous (-1) sentence of the list, from any panel. */
void ig_sentences_step(ig_app *app, int step);

/* --- rows of a table file --------------------------------------------------------- */

/* These fields of a row; empty where there is no row. */
#define IG_ROW_TITLES "row id lang text"
void ig_put_row(ig_table_file *table, const ig_dataset *set, uint32_t row,
                bool with_id);

#endif
