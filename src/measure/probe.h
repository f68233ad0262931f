/* What the probes share: what is read, by which rows, and how well; and the linear
 * probe of any labels. */
#ifndef MEASURE_PROBE_H
#define MEASURE_PROBE_H

#include "measure/chunk.h"
#include "measure/measure_group.h"

/* Rows that a probe learns from: of more an even sample. A prime, so that the step
 * through rows that alternate by language meets all of them. */
enum { IG_PROBE_ROWS = 65521 };

/* What a probe learns to read. */
typedef struct ig_probe_task {
    const uint16_t *label; /* (base rows) < labels */
    size_t labels;
    const uint32_t *id; /* (base rows) or IG_NO_ID: every tenth chooses λ */
    ig_probe_split split;
    size_t shuffles; /* of the labels to learn from, as a control */
    bool raw;        /* rows are not scaled */
} ig_probe_task;

/* Make room for the answers, or set the reason why there are none. IG_OK or
 * IG_NOMEM. */
ig_status ig_probe_init(ig_probe *probe, const ig_embeddings *e,
                        const ig_probe_task *task, ig_error *error);

/* Fit ridge regression to one-hot labels on some rows of the base and read others.
 * Where the rows to learn from are not measured, λ is that of 1e-6 … 1e-1, and of
 * further ones up to 1e4 while the greatest wins, which reads most of the rows of every
 * tenth id among them when fitted on the rest; of equal ones the smallest.
 * IG_OK (also when nothing can be read), IG_NOMEM, IG_VALUE (not finite) or
 * IG_INTERRUPTED; the arena is the caller's. n·d² + d³/3 flops for n fitting rows. */
ig_status ig_probe_take(ig_probe *probe, const ig_embeddings *e,
                        const ig_probe_task *task, ig_error *error);

/* Read a label: that of the largest of K scores and offsets (or NULL), the lower one of
 * equal ones. *lead gets the score of `own` less the largest of the others. False: a
 * score is not finite. */
bool ig_probe_read(const float *score, const double *offset, size_t k, size_t own,
                   uint16_t *label, float *lead);

/* The share of the commonest label among the tested rows; NaN: none, or no memory. */
double ig_probe_majority(const ig_probe_task *task);

/* Append the accuracy. IG_OK or IG_NOMEM. */
ig_status ig_probe_append(const ig_probe *probe, const ig_embeddings *e,
                          const ig_probe_task *task, const char *measure,
                          ig_figures *figures, ig_error *error);

#endif
