/* The demo as a talk: the original map stands, training is paced, and the last frame is
 * a finding and what to try next; one line of narration for each phase. */
#ifndef TUI_NARRATION_H
#define TUI_NARRATION_H

#include <stdbool.h>
#include <stddef.h>

#include "explorer/app.h"

/* Turn it on or off. */
void ig_narration_toggle(ig_app *app);

/* The line for the current phase; false: none. */
bool ig_narration_line(const ig_app *app, char *out, size_t size);

/* --- the talk --------------------------------------------------------------------- */

/* Begin with the original map; training follows after some seconds or at a key. */
void ig_talk_open(ig_app *app);

/* A key is pressed; true: it only ended the waiting. */
bool ig_talk_key(ig_app *app, ig_key key);

/* Let paced training run at full speed; false: it is not paced. */
bool ig_talk_hurry(ig_app *app);

/* Go to the next (1) or previous (-1) sentence whose neighbours change most, or to the
 * first (0); false: no narration, or not measured yet. */
bool ig_talk_step(ig_app *app, int by);

/* Seconds until something happens by itself, or -1; do it: true where it happened;
 * the session has changed. */
double ig_talk_waits(const ig_app *app);
bool ig_talk_tick(ig_app *app);
void ig_talk_update(ig_app *app);

/* The keys to try next at the end, as ig_overlay.keys; false: not there yet. */
bool ig_talk_menu(const ig_app *app, char *out, size_t size);

/* --- advice ----------------------------------------------------------------------- */

/* Advice for a dataset or a run: conditions and sentences in one table. Pure functions
 * of the facts. */

enum { IG_ADVICE_MAX = 4, IG_ADVICE_SIZE = 160 };

/* Facts about dataset and run. */
typedef struct ig_advice_facts {
    size_t rows, dims, languages;
    size_t pairs; /* to train on; SIZE_MAX: not known */

    /* Of a finished run; without one `epochs` is 0. */
    bool failed;
    size_t epochs, most, best; /* seen, asked for, the best */
    double lr;
    double first, least; /* losses: before training, and of the best epoch; NaN */
} ig_advice_facts;

/* The advice for a set, and for a run on it, the most helpful first; how many. */
size_t ig_advice_for_set(const ig_advice_facts *facts,
                         char out[IG_ADVICE_MAX][IG_ADVICE_SIZE]);
size_t ig_advice_for_run(const ig_advice_facts *facts,
                         char out[IG_ADVICE_MAX][IG_ADVICE_SIZE]);

/* The advice for the screen's set; for a run that is over (NULL: none). How many. */
size_t ig_advising_set(const ig_app *app, char out[IG_ADVICE_MAX][IG_ADVICE_SIZE]);
size_t ig_advising_run(const ig_app *app, const ig_run_line *run,
                       char out[IG_ADVICE_MAX][IG_ADVICE_SIZE]);

#endif
