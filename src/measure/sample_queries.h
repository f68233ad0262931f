/* What becomes of the queries of a sample of the rows (measure/query_sample.h), as a
 * part of the pass over the products of these with all rows: as measure/queries.h
 * has it of all queries, but for what needs the neighbourhoods of the candidates,
 * too (CSLS, margin ratios and what they pick): that is left open. Of a direction
 * whose queries and their translations all ask, in the sample or beside it, all
 * queries are taken, else those of the sample. */
#ifndef MEASURE_SAMPLE_QUERIES_H
#define MEASURE_SAMPLE_QUERIES_H

#include "measure/queries.h"

/* A zeroed struct may be freed. */
typedef struct ig_sample_queries {
    const ig_retrieval_plan *plan;
    const ig_pair_pass *pass;
    uint32_t *neighbours; /* (units, IG_OVERLAP_K) by the places of whole languages, of
                             those that ask: the groups of the nearest of the own
                             language, ascending */
    uint8_t *whole;       /* (2 · jobs) 1: all queries of the direction are taken */
    size_t *first;   /* (2 · jobs + 1) where the queries of each direction begin */
    ig_found *found; /* (first[2 · jobs]) by direction, within one in the order of the
                        pairs */
} ig_sample_queries;

/* Whether the rows of a plan are all rows that the pass has of their languages, and a
 * sample of them asks. */
bool ig_sample_queries_fit(const ig_retrieval_plan *plan, const ig_pair_pass *pass);

/* IG_OK or IG_NOMEM. Plan and pass must outlive it. */
ig_status ig_sample_queries_init(ig_sample_queries *queries,
                                 const ig_retrieval_plan *plan,
                                 const ig_pair_pass *pass, ig_error *error);

void ig_sample_queries_free(ig_sample_queries *queries);

/* Its part in the pass, whose rows fit. */
ig_pair_pass_handler ig_sample_queries_handler(ig_sample_queries *queries);

#endif
