/* How many rows stand before known ones, over a pass over the products of two lists, or
 * of a list with itself: exact, whatever the number of parts. Legend: n rows of a side,
 * p probes of it. */
#ifndef LINEAR_RANKING_H
#define LINEAR_RANKING_H

#include "linear/products.h"

/* The probes are for the caller to set before a run, the rest is what the run finds. */
typedef struct ig_ranking_side {
    /* Row i asks how its probes first[i] … first[i + 1] − 1 rank; probe j is about row
     * truth[j] of the other side; of a list with itself, of any row but i. */
    const uint32_t *first, *truth; /* (n + 1), (p) */

    double *cosine;   /* (p) with the truth */
    uint32_t *better; /* (p) rows of the other side that are nearer than the truth */
    uint8_t *tied;    /* (p) whether any is just as near */
} ig_ranking_side;

/* A zeroed struct may be freed. */
typedef struct ig_ranking {
    const ig_products *of;
    ig_ranking_side side[2]; /* a list with itself: the first alone */
    size_t most;             /* private: probes that there is room for */
} ig_ranking;

/* Room for as many probes of each list of `of`. IG_OK or IG_NOMEM. */
ig_status ig_ranking_init(ig_ranking *ranking, const ig_products *of, size_t probes,
                          ig_error *error);

void ig_ranking_free(ig_ranking *ranking);

/* The consumer that counts. The lists have centres (linear/block.h). */
ig_consumer ig_ranking_consumer(ig_ranking *ranking);

#endif
