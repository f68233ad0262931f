/* What mining takes from a pass over all pairs of rows, where retrieval has not looked
 * at all rows of two languages. */
#ifndef MEASURE_MINING_H
#define MEASURE_MINING_H

#include "measure/results.h"

/* What rows of two languages each pick. A zeroed struct may be freed; do not move it
 * while the pass runs. */
typedef struct ig_mining_picks {
    const ig_pair_pass *pass;
    size_t *first;  /* (languages, languages) of lower and higher: where the picks of
                       the lower one's rows begin, and behind them the other's */
    uint8_t *found; /* (languages, languages) 1: they are found, 2: nearly all tie */
    uint32_t *pick; /* place within the other language … */
    float *ratio;   /* … and its margin ratio */
    ig_arena arena;
} ig_mining_picks;

/* Observe a pass by languages over the rows that are mined. IG_OK or IG_NOMEM. */
ig_status ig_mining_observe(ig_mining_picks *picks, ig_pair_pass *pass,
                            ig_error *error);

#endif
