/* Where intervals come from (measure/intervals.h). */
#ifndef MEASURE_BOOTSTRAP_H
#define MEASURE_BOOTSTRAP_H

#include <stdatomic.h>

#include "measure/evaluation.h"

/* What is drawn with what: the rows of a subject by meaning, rows without any each by
 * itself. A zeroed struct may be freed. */
typedef struct ig_resampling {
    size_t rows;
    uint32_t *unit; /* (rows of the source) IG_NO_ID: the row is not measured */
    size_t units;
    uint64_t seed;
    float *weight; /* (IG_DRAWS, units) how often each is drawn, or NULL: they are drawn
                      anew, so many at a time */
    const atomic_bool *stop; /* NULL, to be set by the caller: when it turns true,
                                ig_bootstrap_take ends with IG_INTERRUPTED */
} ig_resampling;

/* IG_OK or IG_NOMEM. O(rows + pairs) and the draws. */
ig_status ig_resampling_init(ig_resampling *resampling, size_t rows,
                             const ig_subject *subject, uint64_t seed, ig_pool *pool,
                             ig_error *error);

void ig_resampling_free(ig_resampling *resampling);

/* The intervals of an evaluation of that subject: evaluation->intervals, replaced.
 * IG_OK, or IG_NOMEM or IG_INTERRUPTED, with none.
 * O(draws · meanings · strata · figures). */
ig_status ig_bootstrap_take(ig_evaluation *evaluation, const ig_resampling *resampling,
                            ig_pool *pool, ig_error *error);

#endif
