/* What the probes share: a linear one of any labels, and its result. */
#ifndef MEASURE_PROBE_H
#define MEASURE_PROBE_H

#include "measure/results.h"

/* What a linear probe learns to read. */
typedef struct ig_probe_task {
    const uint16_t *label; /* (base rows) < labels */
    size_t labels;
    const uint32_t *id; /* (base rows) or IG_NO_ID, where λ is chosen */
    ig_probe_split split;
    size_t shuffles; /* of the labels to learn from, as a control */
    bool raw;        /* rows are not scaled */
} ig_probe_task;

/* Fit a linear probe on rows of the base and test it on others. Where the rows to learn
 * from are not measured, λ is that of 1e-6 … 1e-1, and of further ones up to 1e4 while
 * the greatest wins, which reads most of the rows of every tenth id among them when
 * fitted on the rest.
 * IG_OK (also when figures are NaN), IG_NOMEM, IG_VALUE (not finite) or IG_INTERRUPTED;
 * free it with ig_result_free. n·d² + d³/3 flops for n fitting rows. */
ig_status ig_probe_take(ig_probe *probe, const ig_measure_input *in,
                        const ig_probe_task *task, ig_error *error);

/* Set what is known before a probe is fitted, and why it cannot be. IG_OK or
 * IG_NOMEM. */
ig_status ig_probe_begin(ig_probe *probe, const ig_measure_input *in,
                         const ig_probe_task *task, ig_error *error);

/* Make room for what is read, all but the shuffles: `row` is set. IG_OK or IG_NOMEM. */
ig_status ig_probe_open(ig_probe *probe, const ig_measure_input *in,
                        const ig_probe_task *task, ig_error *error);

/* Read a label: that of the largest of K scores, the lower one of equal ones. *lead
 * gets the score of `own` less the largest of the others. False: a score is not
 * finite. */
bool ig_probe_read(const float *score, const double *offset, size_t k, size_t own,
                   uint16_t *label, float *lead);

/* Set the accuracy and the counts by what was read. */
void ig_probe_end(ig_probe *probe, const ig_probe_task *task);

/* Append the accuracy. */
void ig_probe_append(const ig_probe *probe, const char *measure, ig_figures *figures);

#endif
