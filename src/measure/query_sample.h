/* A sample of the rows that are measured: whole meanings, drawn at random, whose rows
 * ask in place of all rows. All rows stay candidates, so that what a mean over the
 * sample estimates is the mean over all, and not that of a smaller and easier task. */
#ifndef MEASURE_QUERY_SAMPLE_H
#define MEASURE_QUERY_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "measure/family.h"

typedef struct ig_query_sample {
    size_t rows, of_rows; /* that ask, of so many that are measured; rows 0: all ask */
    size_t meanings, of_meanings; /* drawn, without replacement (a row without a meaning
                                     is one by itself) */
    size_t beside;                /* rows more that ask, of languages with few pairs */
    uint64_t seed;
} ig_query_sample;

/* Draw about `wanted` rows: so many meanings as have these in the mean, 2 at least. All
 * of them where there are no more: then nobody is left out. Of two languages with few
 * pairs a sample would say little or nothing: all of their rows that are paired ask
 * beside it, in place of at most half of what is wanted.
 *   pairs  in   whose retrieval is measured, or NULL
 *   unit   in   (rows) the meaning of each row, < units; IG_NO_ID: it is not measured
 *   asks   out  (rows) IG_ASKS_DRAWN, IG_ASKS_BESIDE (measure/pair_pass.h), or 0
 * IG_OK or IG_NOMEM. O(rows + units + pairs + languages²). */
ig_status ig_query_sample_draw(ig_query_sample *sample, uint8_t *asks,
                               const ig_retrieval_pairs *pairs, const uint32_t *unit,
                               size_t rows, size_t units, size_t wanted, uint64_t seed,
                               ig_error *error);

#endif
