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

/* A zeroed struct may be freed. */
typedef struct ig_queries {
    const ig_scan *scan;
    const ig_embeddings *e;
    ig_pool *pool;
    bool picks; /* there are no targets: only what the margin ratio picks is found */
    uint32_t *rows; /* (L, L) queries of a direction … */
    size_t
        *first; /* (L · L + 1) … where those that are taken begin: of a sample some */
    uint32_t *query; /* (first[L · L]) their places, ascending in each direction, … */
    ig_query_result *found; /* (first[L · L]) … and their results; of a sample without
                               what takes the neighbourhoods of candidates */

    /* private */
    uint32_t
        *near[2]; /* (queries of the scan, IG_OVERLAP_K) the meanings of the nearest
                          rows of the same language, ascending; (first[L · L], …) of
                          those that are candidates in the direction, or NULL */
    uint32_t *cross, *own; /* (L, L) runs of the part, from 1 */
    struct ig_query_run *run;
    struct ig_query_list *list;
    struct ig_query_means *means; /* (lists) */
    size_t runs, lists;
    ig_arena part, arena;
} ig_queries;

/* The translations of all rows.
 *   mark  in  (L, L) or NULL. Else every row is asked in each other language for which
 *             it is 1 from the lower to the higher one, without targets; found are only
 *             `pick`, `pick_ratio` and `tied`: the two nearest candidates tie
 * IG_OK or IG_NOMEM. What is given must outlive it. */
ig_status ig_queries_init(ig_queries *queries, const ig_scan *scan,
                          const ig_embeddings *e, const uint8_t *mark, ig_pool *pool,
                          ig_error *error);

void ig_queries_free(ig_queries *queries);

ig_consumer ig_queries_consumer(ig_queries *queries);

/* Complete the results after the scan. */
void ig_queries_finish(ig_queries *queries);

#endif
