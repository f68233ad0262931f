/* The weights that are shown, and the rows of their spaces. A comparison has a second
 * of them. */
#ifndef WORKER_SHOWN_H
#define WORKER_SHOWN_H

#include <stdatomic.h>

#include "base/pool.h"
#include "data/pairs.h"
#include "data/set.h"
#include "learn/extractor.h"
#include "worker/request.h"

/* --- row index -------------------------------------------------------------------- */

/* The rows of a set by id and by language: lists that are made once. */

/* A zeroed struct is not made yet. Those of key k are row[first[k]] … row[first[k + 1]
 * − 1], ascending. */
typedef struct ig_row_index {
    uint32_t *id_first, *id_row;
    uint32_t *language_first, *language_row;
} ig_row_index;

/* Make what is not made; false when memory is short. */
bool ig_row_index_make(ig_row_index *index, const ig_set *set);

void ig_row_index_free(ig_row_index *index);

/* Rows of an id (IG_NO_ID: none), and of a language. */
const uint32_t *ig_row_index_id(const ig_row_index *index, uint32_t id, size_t *n);
const uint32_t *ig_row_index_language(const ig_row_index *index, size_t language,
                                      size_t *n);

/* --- work ------------------------------------------------------------------------- */

/* What all products of a session are made from, and how a long job attends to what
 * arrives meanwhile. */

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

/* --- shown ------------------------------------------------------------------------ */

/* A struct with `work` alone shows none. */
typedef struct ig_shown {
    const ig_work *work;
    unsigned run; /* number of the run whose weights they are */
    size_t epoch;
    unsigned long serial;  /* grows with every change; 0: none, the originals alone */
    unsigned long serials; /* handed out */
    ig_extractor x;        /* a copy */

    /* Rows made from them, brought up to date when they are asked for. */
    unsigned long cached;    /* serial that they are of */
    float *cache[IG_SPACES]; /* (N, d) of meaning and language, or NULL */
    ig_rows_narrow narrow;   /* of a run trained on the first columns alone: */
    ig_rows narrowed;        /* those of the originals */
    ig_space_rows space[IG_SPACES];
    ig_rows rows[IG_SPACES];
    unsigned long layout[IG_SPACES]; /* grows when rows are read in another way */
} ig_shown;

/* Show these weights from now on; false when memory is short: then those before. */
bool ig_shown_put(ig_shown *shown, unsigned run, const ig_extractor *x, size_t epoch);

/* Show none. */
void ig_shown_clear(ig_shown *shown);

void ig_shown_free(ig_shown *shown);

/* The rows of a space, or NULL when it has none. */
const ig_rows *ig_shown_rows(ig_shown *shown, ig_space space);

/* Whether the rows of all spaces are up to date. */
bool ig_shown_is_cached(const ig_shown *shown);

/* Flops of a map of so many rows: computing rows of both spaces, and their moments. */
double ig_shown_flops(const ig_work *work, double rows);

/* Whether all rows can be had beside training at little cost. */
bool ig_shown_cheap(const ig_work *work);

#endif
