/* Results of each query of retrieval (measure/results.h), computed in the pass over
 * all pairs of rows. */
#ifndef MEASURE_QUERIES_H
#define MEASURE_QUERIES_H

#include "core/knn.h"
#include "measure/pair_pass.h"
#include "measure/results.h"
#include "measure/retrieval_plan.h"

enum {
    IG_MARGIN_K = 4, /* nearest candidates that xsim looks at */
    IG_CSLS_K = 10,  /* those whose mean corrects CSLS and the margin ratio over all */
    IG_OVERLAP_K = 5 /* same-language neighbours that overlap@5 compares */
};

/* A zeroed struct may be freed. */
typedef struct ig_queries {
    const ig_retrieval_plan *plan;
    const ig_pair_pass *pass;
    uint32_t *neighbours; /* (units, IG_OVERLAP_K) of the rows of whole languages that
                             ask: the groups of the nearest of the same language,
                             ascending */
    uint8_t *whole; /* (2 · jobs) 1: all queries of the direction are taken; of a sample
                        only where these and their translations all ask */
    size_t *first;  /* (2 · jobs + 1) where the queries of each direction begin */
    ig_query_result
        *found; /* (first[2 · jobs]) by direction, within one in the order of their
                   first pairs. Of a sample without what takes the neighbourhoods of
                        candidates (CSLS, margin ratios and what they pick) */
    ig_arena arena;
} ig_queries;

/* Whether the rows of a plan are all rows that the pass has of their languages. */
bool ig_queries_fit(const ig_retrieval_plan *plan, const ig_pair_pass *pass);

/* IG_OK or IG_NOMEM. Plan and pass must outlive it. */
ig_status ig_queries_init(ig_queries *queries, const ig_retrieval_plan *plan,
                          const ig_pair_pass *pass, ig_error *error);

void ig_queries_free(ig_queries *queries);

/* Its part in the pass, whose rows fit. */
ig_pair_pass_handler ig_queries_handler(ig_queries *queries);

/* What margin-ratio retrieval picks for a row, k = IG_MARGIN_K or fewer where knn has
 * fewer: a row of the other side, which has one at least.
 *   ratio  out  its margin ratio */
uint32_t ig_retrieval_pick(const ig_knn_side *here, const ig_knn_side *there,
                           size_t query, double *ratio);

#endif
