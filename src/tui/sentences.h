/* A list of sentences to be walked through: those behind a cell of the leakage panel,
 * or a selection of the map. The list stays what it is, whatever is measured later,
 * until another takes its place. */
#ifndef TUI_SENTENCES_H
#define TUI_SENTENCES_H

#include <stddef.h>
#include <stdint.h>

#include "draw/layout.h"
#include "search/searcher.h"

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
    char title[96];      /* "en→de not found by meaning, epoch 14" */
    char value_name[24]; /* heading of the value: "rank" */
    char other_name[24]; /* what `other` is: "found" */
    char file[48]; /* to be written to, unless told otherwise: "leaks-en-de.csv" */
    bool whole;    /* values are whole numbers of few digits */
    int decimals;  /* of the values, so that all of them fit; ig_sentences_set */
    bool mixed;    /* of several languages; ig_sentences_set finds that out */
    ig_panel from; /* where Esc leads back to */
    size_t count;
    ig_sentence *item; /* (count) */
    size_t at;         /* the selected one */
    size_t offset;     /* the first one on the screen */
} ig_sentences;

#endif
