/* The weights that are shown, and the rows of their spaces. A comparison has a second
 * of them. */
#ifndef WORKER_SHOWN_H
#define WORKER_SHOWN_H

#include "learn/extractor.h"
#include "worker/work.h"

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
