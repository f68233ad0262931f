/* The probes: whether a label is read from rows, by ridge regression or by a net with
 * one hidden layer. */
#ifndef MEASURE_PROBE_H
#define MEASURE_PROBE_H

#include "measure/measure_group.h"

/* What a row of the embeddings is for. */
enum { IG_PROBE_IGNORE, IG_PROBE_FIT, IG_PROBE_TEST };

/* What is learned, and what was read. Arrays are by place. */
typedef struct ig_probe_task {
    const ig_embeddings *e;
    size_t labels;
    bool raw;         /* rows are not scaled */
    bool hidden;      /* a net, not ridge regression */
    size_t shuffles;  /* of the labels to learn from, as a control */
    uint16_t *label;  /* (all) < labels */
    uint8_t *role;    /* (all) IG_PROBE_… */
    uint32_t *number; /* (all) random ones that rows of one meaning share: number % 2
                         halves the measured rows, every tenth number / 2 chooses λ */

    uint16_t *read;        /* out (n) the label; of equal scores the lower one */
    float *certainty;      /* out (n) score of the own label less the best other one */
    size_t fitted;         /* out: rows learned from */
    size_t control, right; /* out: rows that shuffles read, and those read right */
    const char *reason;    /* out: why nothing is read, or NULL */
} ig_probe_task;

/* Make the arrays: labels are languages, roles IG_PROBE_IGNORE. IG_OK or IG_NOMEM. */
ig_status ig_probe_init(ig_probe_task *task, ig_arena *arena, ig_error *error);

/* Learn from the rows to fit, of more than 65,536 an even sample, and read the others.
 * λ is that of 1e-6 … 1e-1, and of further powers of 10 up to 1e4 while the greatest
 * wins, which reads most of every tenth meaning when fitted on the rest; of equal ones
 * the smallest. IG_OK (also when nothing can be learned), IG_NOMEM, IG_VALUE (not
 * finite) or IG_INTERRUPTED. n·d² + 4·d³ flops. */
ig_status ig_probe_learn(ig_probe_task *task, ig_error *error);

#endif
