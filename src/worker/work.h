/* What all products of a session are made from, and how a long job attends to what
 * arrives meanwhile. */
#ifndef WORKER_WORK_H
#define WORKER_WORK_H

#include <stdatomic.h>

#include "base/pool.h"
#include "data/pairs.h"
#include "data/set.h"
#include "worker/request.h"
#include "worker/row_index.h"

typedef struct ig_work {
    const ig_set *set;
    const ig_pairs *pairs;
    ig_pool *pool;
    ig_rows originals;
    ig_row_index *index;            /* made when it is needed first */
    double cheap;                   /* flops that a frame may take beside training */
    const ig_view_request *request; /* the one being served */
    const atomic_bool *cancel;      /* ends the job under way */

    /* Called now and then amid a long job, `part` (0 … 1) of which is done: serves what
     * can be had at once, publishes, or cancels the job. */
    void (*attend)(void *session, double part);
    void *session;
} ig_work;

#endif
