/* What becomes of each query of retrieval: where its translation ranks among the rows
 * of the other language, and what stands before it. Nothing is summed up here. */
#ifndef MEASURE_RETRIEVAL_QUERIES_H
#define MEASURE_RETRIEVAL_QUERIES_H

#include "measure/retrieval_plan.h"
#include "measure/units.h"

enum {
    IG_MARGIN_K = 4, /* nearest candidates that the margin ratio looks at */
    IG_OVERLAP_K = 5 /* neighbours of the own language that overlap@5 compares */
};

/* One query of one direction. Rows are those of the source that was measured; once an
 * evaluation has it, rows of the set (`row` of its input has told which). */
typedef struct ig_found {
    uint32_t query, truth; /* rows */
    uint32_t rank;         /* of truth: 1 + the candidates of greater cosine */
    uint32_t other; /* the best candidate but truth (ties: the lower row); the query
                       itself when there is none */
    uint32_t pick;  /* what margin-ratio retrieval finds */
    float cosine, other_cosine; /* NaN: there is no other */
    float ratio, pick_ratio;    /* margin ratios of truth and of pick */
    bool tied;                  /* truth ties with another candidate */
    bool
        wrong_pick; /* pick is not the truth, nor of its group (a row of the same id) */
    int8_t common;  /* groups that the neighbours of query and of truth, each in its own
                        language, have in common; -1: a language has too few rows */
    double margin;  /* cosine less other_cosine; NaN: there is no other */
} ig_found;

/* Find all of them.
 *   found  out     (2 · plan->pairs) queries of job and direction s at job->query[s] …
 *   units  in/out  the rows of plan, finite; moved to the centres of their languages
 *   watch  in      or NULL; its work is counted in flops
 * IG_OK, IG_NOMEM or IG_INTERRUPTED. The same bytes whatever the number of members. */
ig_status ig_retrieval_find(ig_found *found, const ig_retrieval_plan *plan,
                            ig_units *units, ig_pool *pool, ig_watch *watch,
                            ig_error *error);

#endif
