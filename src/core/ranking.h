/* Exact ranks of known targets, over a scan of two lists or of a list with itself: how
 * many rows of the other side are nearer than the nearest target of a row. Independent
 * of the number of parts. Legend: n rows of a side, p targets of all of them. */
#ifndef LINEAR_RANKING_H
#define LINEAR_RANKING_H

#include "core/similarity_blocks.h"

/* The caller sets the targets before a run; the other members are results. */
typedef struct ig_ranking_side {
    /* The targets of row i, distinct, are rows target[first[i]] … target[first[i + 1] −
     * 1] of the other side, or any rows but i of a list with itself. A row without
     * targets has no rank. */
    const uint32_t *first, *target; /* (n + 1), (p) */

    double *cosine; /* (p) with each target */
    uint32_t *best; /* (n) place in `target` of the nearest one, of equals the first */
    uint32_t *better; /* (n) rows of the other side nearer than that */
    uint8_t *tied;    /* (n) 1: a row that is no target is as near */
} ig_ranking_side;

/* A zeroed struct may be freed. */
typedef struct ig_ranking {
    const ig_similarity_blocks *of;
    ig_ranking_side side[2]; /* a list with itself uses side[0] only */
    size_t most[2];          /* private: allocated rows, … */
    ig_arena arena;          /* … and what they take */
} ig_ranking;

/* Allocate for `targets` targets of each list of `of`. IG_OK or IG_NOMEM. */
ig_status ig_ranking_init(ig_ranking *ranking, const ig_similarity_blocks *of,
                          size_t targets, ig_error *error);

void ig_ranking_free(ig_ranking *ranking);

/* The consumer that counts. */
ig_consumer ig_ranking_consumer(ig_ranking *ranking);

#endif
