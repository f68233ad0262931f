/* Whether any row comes before known ones when the rows of the other side are
 * handicapped, over a pass over the products of two lists: row j counts by its cosine
 * with the query less slope · handicap(j). CSLS and the margin ratio are such orders.
 * Exact, whatever the number of parts. Legend: n rows of a side, p probes of it. */
#ifndef LINEAR_CONTEST_H
#define LINEAR_CONTEST_H

#include "linear/products.h"

/* The first six are for the caller to set before a run. */
typedef struct ig_contest_side {
    const uint32_t *first, *truth; /* (n + 1), (p) as in linear/ranking.h … */
    const double *cosine;          /* (p) … which found these */
    const double *slope;           /* (p) or NULL: 1 */
    const uint8_t *open;           /* (p) 1: to be found out; 0: passed over */
    const double *handicap; /* (n) of the rows of this side, when the other one asks */

    /* (p) Of the open ones, 1: another row comes before the truth. One that is equal
     * (to IG_COSINE_EQUAL) does not. */
    uint8_t *beaten;

    /* private */
    float *weight; /* (n) handicap, less that of row 0 */
    double spread; /* the greatest of them, without its sign */
    float *least;  /* the least of each IG_TILE_BAND rows */
} ig_contest_side;

/* A zeroed struct may be freed. */
typedef struct ig_contest {
    const ig_products *of;
    ig_contest_side side[2];
    size_t most; /* private: probes that there is room for */
} ig_contest;

/* Room for as many probes of each list of `of`. IG_OK or IG_NOMEM. */
ig_status ig_contest_init(ig_contest *contest, const ig_products *of, size_t probes,
                          ig_error *error);

void ig_contest_free(ig_contest *contest);

/* The consumer that finds out. The lists have centres (linear/block.h), and are two. */
ig_consumer ig_contest_consumer(ig_contest *contest);

#endif
