/* The neighbours of the row under the cursor in every space, in all languages or some.
 *
 * New weights cost a large dataset a pass over all rows for their norms: seconds, where
 * a query takes milliseconds. So the searchers keep weights of their own: when the
 * cursor moves they answer under these, and they are renewed when the weights shown
 * change. */
#ifndef WORKER_NEIGHBOURS_H
#define WORKER_NEIGHBOURS_H

#include "explorer/job.h"
#include "explorer/results.h"
#include "measure/searcher.h"

/* Zeroed except `work`, `index` and `shown`: no neighbours yet. */
typedef struct ig_neighbourhood {
    const ig_work *work;
    ig_row_index *index;
    ig_shown *shown;       /* held: the weights shown */
    bool without_original; /* of a compared run: they are those of the run shown */

    ig_shown *under;                  /* held: the weights of the searchers, or NULL */
    size_t version;                   /* of the searcher of the original space */
    ig_searcher *searcher[IG_SPACES]; /* NULL: there is no such space */
    uint8_t *to;                      /* (languages) the filter */
    unsigned long serials;
} ig_neighbourhood;

/* Find the neighbours of the row of the request and report them (explorer/job.h); of a
 * large dataset in parts, if `parts`.
 *   newest  in  under the weights shown, else under those of the searchers, if they are
 *               of the same run
 * IG_OK, IG_INTERRUPTED or IG_NOMEM. */
ig_status ig_neighbourhood_search(ig_neighbourhood *hood, bool newest, bool parts,
                                  ig_job *job, ig_error *error);

/* Make the searchers of all spaces, likewise. */
ig_status ig_neighbourhood_prepare(ig_neighbourhood *hood, bool newest,
                                   ig_error *error);

void ig_neighbourhood_free(ig_neighbourhood *hood);

#endif
