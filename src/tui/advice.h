/* What can be done where a set or a run does not go well: conditions and sentences, in
 * one table. Functions of the facts alone. */
#ifndef TUI_ADVICE_H
#define TUI_ADVICE_H

#include <stdbool.h>
#include <stddef.h>

enum { IG_ADVICE_MOST = 4, IG_ADVICE_SIZE = 160 };

/* What is known. */
typedef struct ig_advice_facts {
    size_t rows, dims, languages;
    size_t pairs; /* to train on; SIZE_MAX: not known */

    /* Of a run that is over; without one `epochs` is 0. */
    bool failed;
    size_t epochs, most, best; /* seen, asked for, the best of them */
    double lr;
    double first, least; /* losses: before training, and of the best epoch; NaN */
} ig_advice_facts;

/* The advice for a set, and for a run on it, the most helpful first; how many. */
size_t ig_advice_for_set(const ig_advice_facts *facts,
                         char out[IG_ADVICE_MOST][IG_ADVICE_SIZE]);
size_t ig_advice_for_run(const ig_advice_facts *facts,
                         char out[IG_ADVICE_MOST][IG_ADVICE_SIZE]);

#endif
