/* Results of each query of retrieval (ig_query_result), as a consumer of a scan over
 * all pairs of rows. A query is a row and a language that it is asked in (its
 * direction); its targets are its translations there. Candidates are the rows of that
 * language that are queries the other way round. Legend: n rows, L languages; direction
 * c = from · L + to. */
#ifndef MEASURE_QUERIES_H
#define MEASURE_QUERIES_H

#include "measure/evaluation.h"

enum {
    IG_MARGIN_K = 4, /* nearest candidates that xsim looks at */
    IG_CSLS_K = 10,  /* those whose mean corrects CSLS and the margin ratio over all */
    IG_OVERLAP_K = 5 /* same-language neighbours that overlap@5 compares */
};

typedef struct ig_queries {
    const ig_scan *scan;
    const ig_embeddings *e;
    const uint8_t *mark; /* (L, L) or NULL: there are targets */
    size_t *rows;        /* (L, L) queries of a direction … */
    size_t *first; /* (L · L + 1) … where the results of those that are drawn begin … */
    ig_query_result *found; /* … by row (of a sample without what takes the
                               neighbourhoods of candidates) */

    /* private */
    uint32_t *own; /* (queries of the scan, IG_CSLS_K) the nearest rows of the same
                      language, IG_NO_ID past the last */
    size_t *start; /* (L + 1) first query of the scan in each language */
    /* of a part */
    size_t *list_at, lists; /* (L, L) where the lists of a direction begin */
    struct ig_query_list *list;
    struct ig_query_means *means; /* (lists) */
    double *least;                /* (L, L) of the means `half` */
    uint32_t *near_start, *near; /* (lists + 2) a list's row is near to others: list · k
                                    and place of near[near_start[list]] … */
} ig_queries;

/* Let the translations of all rows be asked for.
 *   mark      in   (L, L) or NULL. Else every row is asked in each direction for which
 *                  it is 1, without targets: results are the picks alone
 *   keep      in   arena of the results
 *   scratch   in   arena of all else
 *   consumer  out  its state is an ig_queries
 * IG_OK or IG_NOMEM. What is given must outlive the scan. */
ig_status ig_queries_join(const ig_embeddings *e, const ig_scan *scan,
                          const uint8_t *mark, ig_arena *keep, ig_arena *scratch,
                          ig_consumer *consumer, ig_error *error);

/* Complete the results of translations after the scan. */
void ig_queries_finish(ig_queries *queries);

#endif
