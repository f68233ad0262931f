/* How much of the language is left after rounds of iterative nullspace projection
 * [inlp]: a linear probe is trained, what it reads is removed, and the next probe is
 * trained on the rest (METHODS.md). */
#ifndef MEASURE_INLP_H
#define MEASURE_INLP_H

#include "measure/measure_group.h"

enum { IG_INLP_ROUNDS = 16 };

/* A zeroed struct may be freed. */
typedef struct ig_inlp {
    double accuracy[IG_INLP_ROUNDS]; /* on the tested rows, of the probe trained after
                                        1, 2, … rounds; NaN: no dimension is left */
    double majority; /* share of the language with most rows among the tested ones */
    size_t tested;
    uint32_t *row;      /* (tested) of the source */
    uint16_t *right;    /* (tested) bit r: the language is read after r + 1 rounds */
    const char *reason; /* why there are no figures, or NULL; static */
} ig_inlp;

extern const ig_measure_group ig_inlp_group;

#endif
