/* What an evaluation says of leakage, in sentences: how well translations are found,
 * what the space gained and lost against the original, and what is still read from
 * where it should not be. Functions of the evaluation alone. */
#ifndef TUI_VERDICT_H
#define TUI_VERDICT_H

#include "worker/snapshot.h"

typedef enum ig_tone { IG_TONE_PLAIN, IG_TONE_GOOD, IG_TONE_BAD } ig_tone;

enum { IG_VERDICTS = 9 /* sentences, at most */ };

typedef struct ig_verdict {
    char text[256];
    ig_tone tone;
    const char *view; /* of the leakage panel, which shows more of it, or NULL */
    bool has_cell;    /* … at the cell of these languages */
    uint16_t from, to;
} ig_verdict;

/* The sentences of an evaluation, the most telling first; returns how many there are.
 *   measured  in  of the original space alone, or of a run's as well
 *   language  in  (languages of the set) names
 * A difference below half a point is none. */
size_t ig_verdict_make(ig_verdict out[IG_VERDICTS], const ig_shown_evaluation *measured,
                       const char *const *language);

#endif
