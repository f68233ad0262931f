/* The advice for the set and the run of the screen (tui/advice.h). */
#ifndef TUI_ADVISING_H
#define TUI_ADVISING_H

#include "tui/advice.h"
#include "tui/app.h"

/* For the set; for a run that is over (NULL: none). How many. */
size_t ig_advising_set(const ig_app *app, char out[IG_ADVICE_MOST][IG_ADVICE_SIZE]);
size_t ig_advising_run(const ig_app *app, const ig_run_line *run,
                       char out[IG_ADVICE_MOST][IG_ADVICE_SIZE]);

#endif
