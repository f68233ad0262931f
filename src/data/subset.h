/* A subset of a dataset's meanings, with rows and pairs, on which measures are
 * computed: everything, the held-out ids of a run, or a sample of either. */
#ifndef DATA_SUBSET_H
#define DATA_SUBSET_H

#include "core/memory.h"
#include "data/pairs.h"

/* A zeroed struct may be freed. */
typedef struct ig_subset {
    size_t rows, of_rows; /* of_rows: before selection */
    uint32_t *row;        /* (rows) ascending; NULL: all rows of the set */
    size_t pairs;
    uint32_t *left, *right, *group; /* (pairs) */
    size_t meanings, of_meanings;   /* groups with pairs, kept and in total */
    ig_arena memory;                /* of the arrays */
} ig_subset;

/* Select a subset of the pairs of a dataset.
 *   only   in  (rows of the dataset) keep pairs with both rows marked 1, and marked
 *              rows without pairs; NULL: all rows
 *   limit  in  maximum number of meanings, drawn at random by `seed`, in which case
 *              only rows of their pairs are kept; 0: all
 * IG_OK (zero pairs is valid) or IG_NOMEM. O(rows + pairs). */
ig_status ig_subset_take(ig_subset *subset, const ig_dataset *set,
                         const ig_pairs *pairs, const uint8_t *only, size_t limit,
                         uint64_t seed, ig_error *error);

/* Keep `limit` random rows, drawn by `seed`; pairs are unchanged. IG_OK or IG_NOMEM.
 * O(rows). */
ig_status ig_subset_thin(ig_subset *subset, size_t limit, uint64_t seed,
                         ig_error *error);

void ig_subset_free(ig_subset *subset);

#endif
