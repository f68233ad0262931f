/* What becomes of each query of retrieval (measure/retrieval.h), as a part of the pass
 * over all pairs of rows. */
#ifndef MEASURE_QUERIES_H
#define MEASURE_QUERIES_H

#include "linear/knn.h"
#include "measure/pair_pass.h"
#include "measure/retrieval_plan.h"

enum {
    IG_MARGIN_K = 4, /* nearest candidates that xsim looks at */
    IG_CSLS_K = 10,  /* those whose mean corrects CSLS and the margin ratio over all */
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
    int8_t common;      /* groups that the neighbours of query and of truth, each in its
                           own language, have in common; -1: a language has too few */
    int8_t ratio_first; /* truth comes first by the margin ratio: 1 or 0; −1: it does
                           not count */
    bool csls_first : 1; /* … by CSLS */
    bool tied : 1;       /* truth ties with another candidate */
    bool wrong_pick : 1; /* pick is not the truth, nor of its group (a row of the same
                            id) */
    double margin;       /* cosine less other_cosine; NaN: there is no other */
} ig_found;

/* A zeroed struct may be freed. */
typedef struct ig_queries {
    const ig_retrieval_plan *plan;
    const ig_pair_pass *pass;
    uint32_t *neighbours; /* (units, IG_OVERLAP_K) of the units of whole languages: the
                             groups of the nearest of the own language, ascending */
    ig_found *found; /* (2 · plan->pairs) filled in: queries of a job and direction
                             s at job->query[s] … */
} ig_queries;

/* Whether the rows of a plan are all rows that the pass has of their languages. */
bool ig_queries_fit(const ig_retrieval_plan *plan, const ig_pair_pass *pass);

/* IG_OK or IG_NOMEM. Plan, pass and found must outlive it. */
ig_status ig_queries_init(ig_queries *queries, const ig_retrieval_plan *plan,
                          const ig_pair_pass *pass, ig_found *found, ig_error *error);

void ig_queries_free(ig_queries *queries);

/* Its part in the pass, whose rows fit. */
ig_pair_pass_handler ig_queries_handler(ig_queries *queries);

/* What margin-ratio retrieval picks for a row, k = IG_MARGIN_K or fewer where knn has
 * fewer: a row of the other side, which has one at least.
 *   ratio  out  its margin ratio */
uint32_t ig_retrieval_pick(const ig_knn_side *here, const ig_knn_side *there,
                           size_t query, double *ratio);

/* The groups of rows' nearest of their own language, ascending, for overlap@5.
 *   unit     in   (n) units of the rows that `nearest` names
 *   nearest  in   (n, IG_OVERLAP_K), of which rows first … last−1 are taken
 *   groups   out  (n, IG_OVERLAP_K) */
void ig_overlap_groups(const ig_retrieval_plan *plan, const uint32_t *unit,
                       const ig_candidate *nearest, size_t first, size_t last,
                       uint32_t *groups);

/* Common members of two such lists, each used once. */
int ig_overlap_common(const uint32_t *a, const uint32_t *b);

#endif
