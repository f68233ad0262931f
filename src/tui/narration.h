/* What happens in the demo and what to press next, in a line for each phase of its
 * run. */
#ifndef TUI_NARRATION_H
#define TUI_NARRATION_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/app.h"

/* Tell it, or no more. */
void ig_narration_toggle(ig_app *app);

/* The line for what is on the screen; false: there is nothing to tell. */
bool ig_narration_line(const ig_app *app, char *out, size_t size);

/* --- advice ----------------------------------------------------------------------- */

/* What can be done where a set or a run does not go well: conditions and sentences, in
 * one table. Functions of the facts alone. */

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

/* The advice for the screen's set; for a run that is over (NULL: none). How many. */
size_t ig_advising_set(const ig_app *app, char out[IG_ADVICE_MOST][IG_ADVICE_SIZE]);
size_t ig_advising_run(const ig_app *app, const ig_run_line *run,
                       char out[IG_ADVICE_MOST][IG_ADVICE_SIZE]);

#endif
