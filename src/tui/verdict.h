/* What an evaluation says of leakage, in sentences: how well translations are found,
 * what the space gained and lost against the original, and what is still read from
 * where it should not be. Functions of the evaluation alone. */
#ifndef TUI_VERDICT_H
#define TUI_VERDICT_H

#include "worker/snapshot.h"

typedef enum ig_tone { IG_TONE_PLAIN, IG_TONE_GOOD, IG_TONE_BAD } ig_tone;

enum { IG_VERDICTS = 13 /* sentences, at most */ };

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

/* What sets a run apart from another one, measured on the same rows, in up to four
 * sentences: how much more it finds and whether that stands, the directions in which it
 * is ahead and behind most, and how many there are of each. 0: they cannot be compared.
 *   run, other  in  their labels: "2 seed", "1 centre" */
size_t ig_verdict_versus(ig_verdict out[IG_VERDICTS], const ig_shown_evaluation *mine,
                         const char *run, const ig_shown_evaluation *theirs,
                         const char *other, const char *const *language);

#endif
