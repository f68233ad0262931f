/* Relative alignment: how near translations are, measured by how near other rows of the
 * same two languages are. Alignment alone is small where a space has collapsed to a
 * point; this is not. */
#ifndef MEASURE_RELATIVE_ALIGNMENT_H
#define MEASURE_RELATIVE_ALIGNMENT_H

#include "measure/measure_group.h"

/* A zeroed struct may be freed. */
typedef struct ig_relative_alignment {
    double alignment; /* mean ‖a − b‖² of the pairs, over the mean ‖a − b‖² of rows of
                           the same two languages that are no pair: 0 perfect, 1 chance;
                           NaN */
    double chance; /* 1 */
    size_t pairs;  /* that count: of two languages that have rows which are no pair */
    ig_item_values
        items; /* (pairs, 2) by the left row of each: ‖a − b‖², and its part in
                             the mean over rows that are no pair (METHODS.md) */
    const char *reason; /* why it is NaN ("no pairs of different languages"), or NULL;
                           static */
} ig_relative_alignment;

/* Measure the pairs of rows of a source. Rows are scaled to length 1, rows of length 0
 * stay zero. Of a pair of languages the rows are those that occur in its pairs; each
 * counts as much as it has pairs.
 *   watch  in  or NULL
 * IG_OK (also when it is NaN), IG_SHAPE, IG_NOMEM or IG_INTERRUPTED; *relative is empty
 * unless IG_OK. O(pairs · d) and
 * memory for the rows: the mean over all rows of two languages follows from their
 * sums. */
ig_status ig_relative_alignment_measure(ig_relative_alignment *relative,
                                        const ig_rows *rows,
                                        const ig_retrieval_pairs *pairs, ig_pool *pool,
                                        ig_progress *watch, ig_error *error);

void ig_relative_alignment_free(ig_relative_alignment *relative);

extern const ig_measure_group ig_relative_alignment_group;

#endif
