/* The language probe, and what other probes share with it. */
#ifndef MEASURE_PROBE_H
#define MEASURE_PROBE_H

#include "measure/results.h"

/* Fit a linear probe on rows of the base and test it on others. λ is that of 1e-6 …
 * 1e-1, and of further ones up to 1e4 while the greatest wins, which reads most of the
 * rows of every tenth id among the fitting ones when fitted on the rest.
 *   label  in  (base rows) < labels     id  in  (base rows)
 * IG_OK (also when figures are NaN), IG_NOMEM, IG_VALUE (not finite) or IG_INTERRUPTED;
 * free it with ig_result_free. n·d² + d³/3 flops for n fitting rows. */
ig_status ig_probe_labels(ig_probe *probe, const ig_measure_input *in,
                          const uint16_t *label, size_t labels, const uint32_t *id,
                          ig_probe_split split, ig_error *error);

/* The share of the commonest language among n rows; NaN of none. */
double ig_probe_majority(const uint32_t *row, size_t n, const uint16_t *lang,
                         size_t languages);

#endif
