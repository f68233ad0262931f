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

/* How a probe is fitted and how it reads n rows. Fitting sets *reason when it is
 * impossible. */
typedef ig_status ig_probe_fit(void *state, const char **reason, ig_error *error);
typedef ig_status ig_probe_reader(void *state, const uint32_t *list, size_t n,
                                  uint16_t *read, float *lead, ig_error *error);

/* Fit any probe, test it and count. Returns as above. */
ig_status ig_probe_run(ig_probe *probe, const ig_measure_input *in,
                       const ig_probe_task *task, ig_probe_fit *fit,
                       ig_probe_reader *reader, void *state, ig_error *error);

/* Read a label: that of the largest of K scores, the lower one of equal ones. *lead
 * gets the score of `own` less the largest of the others. False: a score is not
 * finite. */
bool ig_probe_read(const float *score, const double *offset, size_t k, size_t own,
                   uint16_t *label, float *lead);

/* Append the accuracy. */
void ig_probe_append(const ig_probe *probe, const char *measure, ig_figures *figures);

#endif
