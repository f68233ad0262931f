/* Results of each query of retrieval (measure/results.h), as a consumer of a scan over
 * all pairs of rows. A query is a row and a language that it is asked in (its
 * direction); its targets are its translations there. Candidates are the rows of that
 * language that are queries the other way round. Legend: n rows, L languages; direction
 * c = from · L + to. */
#ifndef MEASURE_QUERIES_H
#define MEASURE_QUERIES_H

#include "core/nearest.h"
#include "measure/measure_group.h"

enum {
    IG_MARGIN_K = 4, /* nearest candidates that xsim looks at */
    IG_CSLS_K = 10,  /* those whose mean corrects CSLS and the margin ratio over all */
    IG_OVERLAP_K = 5 /* same-language neighbours that overlap@5 compares */
};

/* What the margin ratio picks for a query. */
typedef struct ig_pick {
    uint32_t query, row;
    float ratio;
    uint32_t tied; /* 1: the two nearest candidates tie */
} ig_pick;

/* A zeroed struct may be freed. */
typedef struct ig_queries {
    const ig_scan *scan;
    const ig_embeddings *e;
    const uint8_t *mark; /* (L, L) or NULL: there are targets */
    size_t *rows;        /* (L, L) queries of a direction … */
    size_t *first; /* (L · L + 1) … where the results of those that are drawn begin … */
    ig_query_result *found; /* … by row (of a sample without what takes the
                               neighbourhoods of candidates); or … */
    ig_pick *pick;          /* … what is picked for them */

    /* private */
    ig_near *own;  /* (queries of the scan) the nearest rows of the same language */
    size_t *start; /* (L + 1) first query of the scan in each language */
    /* of a part */
    size_t *list_at, lists; /* (L, L) where the lists of a direction begin */
    struct ig_query_list *list;
    struct ig_query_means *means; /* (lists) */
    double *least;                /* (L, L) of the means `half` */
    uint32_t *near_start, *near; /* (lists + 2) a list's row is near to others: list · k
                                    and place of near[near_start[list]] … */
    ig_arena part, arena;
} ig_queries;

/* The translations of all rows.
 *   mark  in  (L, L) or NULL. Else every row is asked in each direction for which it is
 *             1, without targets
 * IG_OK or IG_NOMEM. What is given must outlive it. */
ig_status ig_queries_init(ig_queries *queries, const ig_scan *scan,
                          const ig_embeddings *e, const uint8_t *mark, ig_error *error);

void ig_queries_free(ig_queries *queries);

ig_consumer ig_queries_consumer(ig_queries *queries);

/* Complete the results after the scan. */
void ig_queries_finish(ig_queries *queries);

#endif
