/* CSLS re-ranking: decides whether any row outranks a known target when the rows of the
 * other side are penalised. Row j scores cosine − slope · penalty(j), which covers CSLS
 * and the ratio margin. Runs over a scan of similarity blocks of two lists. Exact for
 * any number of parts. Legend: n rows of a side. */
#ifndef LINEAR_CSLS_H
#define LINEAR_CSLS_H

#include "core/similarity_blocks.h"

/* The caller sets the first four members before a run. */
typedef struct ig_csls_side {
    const uint32_t *target; /* (n) the target of each row, a row of the other side;
                               UINT32_MAX: there is nothing to decide */
    const double *cosine;   /* (n) with the target */
    const double *slope;    /* (n) or NULL: 1 */
    const double *penalty;  /* (n) of this side as candidates of the other */

    /* (n) 1: another row outranks the target. A tie (within IG_COSINE_EQUAL) does not
     * count. */
    uint8_t *outranked;

    /* private */
    float *weight; /* (n) penalty minus that of row 0 */
    double spread; /* largest |weight| */
    float *least;  /* minimum weight of each 64 rows */
} ig_csls_side;

/* A zeroed struct may be freed. */
typedef struct ig_csls {
    const ig_similarity_blocks *of;
    ig_csls_side side[2];
    ig_arena arena; /* private */
} ig_csls;

/* Allocate for the rows of `of`. IG_OK or IG_NOMEM. */
ig_status ig_csls_init(ig_csls *csls, const ig_similarity_blocks *of, ig_error *error);

void ig_csls_free(ig_csls *csls);

/* The consumer for a scan of two lists. */
ig_consumer ig_csls_consumer(ig_csls *csls);

#endif
