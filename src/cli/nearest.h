/* The nearest rows of one row, with all that is told of them. */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

#include "base/pool.h"
#include "data/set.h"
#include "linear/rows.h"

typedef struct ig_nearest_row {
    uint32_t row;
    float cosine;
    float margin; /* cosine over the mean of both neighbourhoods; NaN without any */
    bool translation;
} ig_nearest_row;

/* A zeroed struct may be freed. */
typedef struct ig_nearest {
    size_t count;
    ig_nearest_row *near; /* (count) best first */
    size_t *rank; /* (languages) of the query's translation among the rows of its
                     language, the best of several; 0: there is none, or … */
    bool *tied; /* (languages) … its rows are all equally near: a rank says nothing */
    bool flat;  /* all rows that were looked for are equally near */
} ig_nearest;

/* Find the k nearest rows of row `query` of a set.
 *   rows  in  (N, d) the space to search: every row is looked at
 *   to    in  (languages) 1 for those the neighbours may have
 * Margins as in search/searcher.h. IG_OK or IG_NOMEM. A pass over the rows, and one
 * over those of the query's language. */
ig_status ig_nearest_find(ig_nearest *nearest, const ig_set *set, const ig_rows *rows,
                          uint32_t query, const uint8_t *to, size_t k, ig_pool *pool,
                          ig_error *error);

void ig_nearest_free(ig_nearest *nearest);

#endif
