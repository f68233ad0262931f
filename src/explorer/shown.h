/* The weights that are shown and the rows of their spaces, and what every job is
 * given. */
#ifndef WORKER_SHOWN_H
#define WORKER_SHOWN_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/pool.h"
#include "data/dataset.h"
#include "data/pairs.h"
#include "data/versions.h"
#include "explorer/request.h"
#include "train/extractor.h"

/* --- work ------------------------------------------------------------------------- */

/* What every job is given. */
typedef struct ig_work {
    const ig_dataset *set;
    const ig_pairs *pairs;
    ig_pool *pool;
    ig_rows originals;
    double cheap; /* flops that a frame may take during training */
} ig_work;

/* --- shown ------------------------------------------------------------------------ */

/* A version of the dataset, and its rows. */
typedef struct ig_version_rows {
    const ig_dataset *set;
    ig_rows originals;
} ig_version_rows;

/* Weights of a run on a version of the dataset, or that version alone; immutable and
 * shared by count between threads. */
typedef struct ig_shown {
    size_t version;
    const ig_version_rows *of;
    unsigned run; /* number of the run whose weights they are; 0: none */
    size_t epoch;
    bool weights;         /* false: only the originals */
    unsigned long serial; /* unique */
    ig_extractor x;       /* a copy */

    /* Private: rows, made when they are asked for first. */
    const ig_work *work;
    atomic_int users;
    pthread_mutex_t lock; /* while they are made */
    bool ready;
    float *cache[IG_SPACES]; /* (N, d) of meaning and language, or NULL */
    ig_rows originals;       /* of a run trained on the first columns alone: those */
    ig_space_rows space[IG_SPACES];
    ig_rows rows[IG_SPACES];
} ig_shown;

/* Weights with one user; x NULL: the originals alone. NULL when memory is short.
 *   of  in  the version; outlives it */
ig_shown *ig_shown_new(const ig_work *work, size_t version, const ig_version_rows *of,
                       unsigned run, const ig_extractor *x, size_t epoch,
                       unsigned long serial);

/* Identifies run and version, for keys of results. */
static inline uint64_t ig_shown_view(const ig_shown *shown)
{
    return shown->run | (uint64_t)shown->version << 32;
}

/* One user more, or less (NULL is accepted). */
void ig_shown_release(ig_shown *shown);

/* *held := shown, with one user more; what it held is released. */
void ig_shown_hold(ig_shown **held, ig_shown *shown);

/* The rows of a space, or NULL when it has none. */
const ig_rows *ig_shown_rows(ig_shown *shown, ig_space space);

/* Flops of a map of so many rows: computing rows of both spaces, and their moments. */
double ig_shown_flops(const ig_work *work, double rows);

/* Whether computing all rows is cheap enough during training. */
bool ig_shown_cheap(const ig_work *work);

#endif
