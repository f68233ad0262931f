/* What a search has found: the nearest rows, and where translations stand. */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

typedef struct ig_near_row {
    uint64_t row; /* of the whole set */
    uint16_t lang;
    const char *text; /* or NULL: there are none */
    float cosine;
    float margin; /* cosine over the mean of both neighbourhoods; NaN without any */
    bool translation;
} ig_near_row;

/* A zeroed struct may be freed. */
typedef struct ig_nearest {
    size_t count;
    ig_near_row *near; /* (count) best first */
    size_t *rank;      /* (languages) of the query's translation among the rows of its
                     language, the best of several; 0: there is none, or … */
    bool *tied; /* (languages) … its rows are all equally near: a rank says nothing */
    bool flat;  /* all rows that were looked for are equally near */
    ig_arena texts; /* those that other ranks have */
} ig_nearest;

/* Where a translation stands among the rows of its language, for ig_nearest. */
static inline void ig_nearest_rank(ig_nearest *found, uint16_t lang, size_t rank,
                                   bool tells)
{
    if (!tells)
        found->tied[lang] = true;
    else if (found->rank[lang] == 0 || rank < found->rank[lang])
        found->rank[lang] = rank;
}

#endif
