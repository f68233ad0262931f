/* Standard errors of what a sample of the meanings tells of all of them
 * (measure/query_sample.h).
 *
 * A figure is a mean over the strata (of retrieval the directions) of Σ S / Σ C, S and
 * C the sums of a meaning's values and their number, or follows from such means.
 * Without meaning u it moves by z_u = mean over the strata of
 * (S_u − θ C_u) / (Σ C − C_u), and of n meanings that are drawn out of M without
 * replacement its variance is, by the jackknife, (1 − n/M) (n − 1)/n Σ (z_u − z̄)².
 * Medians are drawn anew instead, with replacement. */
#ifndef MEASURE_STANDARD_ERROR_H
#define MEASURE_STANDARD_ERROR_H

#include "measure/family.h"
#include "measure/query_sample.h"

/* Those of a family; NaN: none. A zeroed struct has none, and may be freed. */
typedef struct ig_standard_errors {
    size_t entries, strata, languages;
    double *figure;  /* (entries) */
    double *stratum; /* (entries, strata) */
    double
        *language[2]; /* (entries, languages) of the mean over the directions out of a
                            language, and into it */
} ig_standard_errors;

/* Of the figures of a result that a sample estimates (ig_measure_entry.sampled).
 *   unit  in  (rows of the source) as ig_query_sample_draw has it
 * IG_OK or IG_NOMEM, with none. O(items) and (units that were drawn) · strata
 * doubles. */
ig_status ig_standard_errors_take(ig_standard_errors *errors, const ig_family *family,
                                  const void *result, const ig_query_sample *sample,
                                  const uint32_t *unit, ig_error *error);

void ig_standard_errors_free(ig_standard_errors *errors);

#endif
