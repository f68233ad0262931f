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
    ig_scores scores;               /* zeroed: none; names of the given ones */
    ig_arena memory;                /* of the arrays */
} ig_subset;

/* Largest sizes of a sample, drawn at random; 0: no limit. */
typedef struct ig_subset_limits {
    size_t meanings; /* only rows of their pairs are kept */
    size_t rows;     /* pairs are unchanged */
} ig_subset_limits;

/* Select a subset of the pairs, scores and rows of a dataset.
 *   scores  in  or NULL; must outlive the subset
 *   only    in  (rows of the dataset) keep pairs and scores with both rows marked 1,
 *               and marked rows without pairs; NULL: all rows
 * IG_OK (zero pairs is valid) or IG_NOMEM. O(rows + pairs). */
ig_status ig_subset_take(ig_subset *subset, const ig_dataset *set,
                         const ig_pairs *pairs, const ig_scores *scores,
                         const uint8_t *only, ig_subset_limits limits, uint64_t seed,
                         ig_error *error);

void ig_subset_free(ig_subset *subset);

#endif
