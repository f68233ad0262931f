/* Reversibility: whether a sentence is the sum of its meaning and its language, and
 * still is when either is taken from elsewhere [seed eq.6] (METHODS.md). */
#ifndef MEASURE_REVERSIBILITY_H
#define MEASURE_REVERSIBILITY_H

#include "measure/measure_group.h"

/* Result of one row; NaN if it or its sum has length 0, or no other row exists. */
typedef struct ig_reversed {
    uint32_t row; /* of the source */
    float cosine, error;
    float language_cosine, language_error;
    float meaning_cosine, meaning_error;
    float overlap;
} ig_reversed;

/* Means over the rows. A zeroed struct may be freed. */
typedef struct ig_reversibility {
    double cosine, error; /* cos(e, m + l), ‖e − m − l‖/‖e‖ */
    double language_cosine, language_error; /* with l of another row of the language */
    double meaning_cosine, meaning_error;   /* with m of a translation */
    double overlap;                         /* |cos(m, l)| */
    size_t rows;
    ig_reversed *found; /* (rows) */
    const char *reason; /* why there are no figures, or NULL; static */
} ig_reversibility;

/* Measure some rows of three sources, as they are, not scaled. Of each one other row of
 * its language and one translation are drawn.
 *   original, meaning, language  in  (N, d)
 *   row      in  (n) their rows, or NULL: all
 *   lang     in  (n)
 *   same     in  (n) rows of one meaning share a number; IG_NO_ID: of none
 *   seed     in  of the draws
 * IG_OK, IG_SHAPE (of other dimensions), IG_NOMEM, IG_VALUE or IG_INTERRUPTED;
 * *reversibility is filled only with IG_OK. Reads five rows a row. */
ig_status ig_reversibility_measure(ig_reversibility *reversibility,
                                   const ig_rows *original, const ig_rows *meaning,
                                   const ig_rows *language, const uint32_t *row,
                                   size_t n, const uint16_t *lang, size_t languages,
                                   const uint32_t *same, uint64_t seed, ig_pool *pool,
                                   ig_progress *watch, ig_error *error);

void ig_reversibility_free(ig_reversibility *reversibility);

extern const ig_measure_group ig_reversibility_group;

#endif
