/* A list of sentences to be walked through: those behind a cell of the leakage panel,
 * or a selection of the map. The list stays what it is, whatever is measured later,
 * until another takes its place. */
#ifndef TUI_SENTENCES_PANEL_H
#define TUI_SENTENCES_PANEL_H

#include "search/searcher.h"
#include "tui/app.h"

/* One line. Rows are the set's, IG_NO_ROW: none. */
typedef struct ig_sentence {
    uint32_t row;
    uint32_t truth; /* its translation */
    uint32_t other; /* what was found instead, or stands next to it */
    double value;   /* by which the list is ordered; NaN: – */
    float cosine;   /* to truth; NaN: not known */
    float other_cosine;
} ig_sentence;

/* A zeroed struct is an empty list. */
typedef struct ig_sentences {
    char title[96];         /* "en→de not found by meaning, epoch 14" */
    const char *value_name; /* heading of the value: "rank"; NULL: there are none */
    const char *other_name; /* what `other` is: "found instead" */
    char file[48]; /* to be written to, unless told otherwise: "leakage-en-de.csv" */
    bool whole;    /* values are whole numbers of few digits */
    int decimals;  /* of the values, so that all of them fit; ig_sentences_set */
    bool mixed;    /* of several languages; ig_sentences_set finds that out */
    const ig_panel *from; /* where Esc leads back to; NULL: the main panel */
    /* How it is written as a table, where its own way says less; or NULL. */
    ig_status (*write)(const ig_app *app, const char *path, ig_error *error);
    size_t count;
    ig_sentence *item; /* (count) */
    ig_list_cursor cursor;
} ig_sentences;

extern const ig_panel ig_sentences_panel;

/* The list there is. */
ig_sentences *ig_sentences_of(const ig_app *app);

/* Put a list in place of the one there is, and take over its items. */
void ig_sentences_set(ig_app *app, const ig_sentences *list);
void ig_sentences_free(ig_sentences *list);

/* Show the list, and go to its selected sentence. */
void ig_sentences_open(ig_app *app);

/* To the next sentence of the list (1) or the one before (-1), from any panel. */
void ig_sentences_step(ig_app *app, int step);

#endif
