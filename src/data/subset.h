/* A subset of a set: some of its meanings, with their rows and pairs. What measures
 * are taken of: everything, the held-out ids of a run, or a sample of either. */
#ifndef DATA_SUBSET_H
#define DATA_SUBSET_H

#include "data/pairs.h"

/* A zeroed struct may be freed. */
typedef struct ig_subset {
    size_t rows, of_rows; /* of so many */
    uint32_t *row;        /* (rows) ascending; NULL: all rows of the set */
    size_t pairs;
    uint32_t *left, *right, *group; /* (pairs) */
    size_t meanings,
        of_meanings; /* groups with pairs, of so many: fewer are a sample */
} ig_subset;

/* Take a subset of the pairs of a set.
 *   only   in  (rows of the set) pairs with both rows marked 1 count, and so do the
 *              marked rows without pairs; NULL: all rows
 *   most   in  meanings at most, drawn at random by `seed`; rows are then those of
 *              their pairs alone; 0: all
 * IG_OK (no pairs is none) or IG_NOMEM. O(rows + pairs). */
ig_status ig_subset_take(ig_subset *subset, const ig_set *set, const ig_pairs *pairs,
                         const uint8_t *only, size_t most, uint64_t seed,
                         ig_error *error);

/* Leave `most` of its rows, drawn at random by `seed`; its pairs stay. IG_OK or
 * IG_NOMEM, with the subset as it was. O(rows). */
ig_status ig_subset_thin(ig_subset *subset, size_t most, uint64_t seed,
                         ig_error *error);

void ig_subset_free(ig_subset *subset);

#endif
