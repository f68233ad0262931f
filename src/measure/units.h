/* The rows that occur in some pairs, scaled to length 1 and held together: what most
 * measures work on. */
#ifndef MEASURE_UNITS_H
#define MEASURE_UNITS_H

#include "base/error.h"
#include "base/pool.h"
#include "base/watch.h"
#include "linear/rows.h"

/* A zeroed struct may be freed. */
typedef struct ig_units {
    size_t count;     /* R: distinct rows; of ig_units_init, ascending */
    size_t dims;      /* d */
    size_t zero_rows; /* of length 0, left zero */
    uint32_t *row;    /* (R) their numbers in the source */
    float *unit;      /* (R, d) */
    uint8_t *zero;    /* (R) 1: of length 0 */
    size_t odd_rows;  /* that are not finite, left as they are */
} ig_units;

/* Gathering counts no work, but whoever watches is called.
 *
 * Gather the distinct rows among list[0 … n). IG_OK, IG_SHAPE (a row that is not
 * there), IG_NOMEM or IG_INTERRUPTED. N bytes and R·d floats. */
ig_status ig_units_init(ig_units *u, const ig_rows *rows, const uint32_t *list,
                        size_t n, ig_pool *pool, ig_watch *watch, ig_error *error);

/* Gather the rows u->row[0 … u->count), which the caller has set, in any order and all
 * of the source. They belong to u in any case. IG_OK, IG_NOMEM or IG_INTERRUPTED; u is
 * empty unless IG_OK. */
ig_status ig_units_gather(ig_units *u, const ig_rows *rows, ig_pool *pool,
                          ig_watch *watch, ig_error *error);

void ig_units_free(ig_units *u);

/* Position of a row among units in ascending order, which must be one of them.
 * O(log R). */
size_t ig_units_find(const ig_units *u, uint32_t row);

#endif
