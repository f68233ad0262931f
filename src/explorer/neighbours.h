/* The neighbours of the row under the cursor in every space, in all languages or some.
 *
 * New weights cost a large dataset a pass over all rows for their norms: seconds, where
 * a query takes milliseconds. So the searchers keep weights of their own: when the
 * cursor moves they answer under these, and they are renewed when the weights shown
 * change. */
#ifndef EXPLORER_NEIGHBOURS_H
#define EXPLORER_NEIGHBOURS_H

#include "explorer/job.h"
#include "explorer/results.h"
#include "measure/searcher.h"

/* Searchers of a view; zeroed: none yet. Used on IG_LANE_NEIGHBOURS. */
typedef struct ig_neighbourhood {
    ig_shown *under;                  /* held: the weights of the searchers, or NULL */
    size_t version;                   /* of the searcher of the original space */
    ig_searcher *searcher[IG_SPACES]; /* NULL: there is no such space */
    unsigned long serials;
} ig_neighbourhood;

/* Make the searchers of all spaces: under the weights of the job if it follows them,
 * else under their own, if these are of the same run. IG_OK, IG_INTERRUPTED or
 * IG_NOMEM. */
ig_status ig_neighbourhood_prepare(ig_neighbourhood *hood, ig_job *job);

void ig_neighbourhood_free(ig_neighbourhood *hood);

#endif
