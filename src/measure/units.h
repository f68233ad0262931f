/* The rows that occur in some pairs, scaled to length 1 and held together, in memory or
 * in a file: what most measures work on. They may be moved about the centres of their
 * languages, as blocks (linear/block.h) have them. */
#ifndef MEASURE_UNITS_H
#define MEASURE_UNITS_H

#include "base/error.h"
#include "base/pool.h"
#include "base/spill.h"
#include "base/watch.h"
#include "linear/block.h"
#include "linear/rows.h"

/* A zeroed struct may be freed. */
typedef struct ig_units {
    size_t count;     /* R: distinct rows; of ig_units_init, ascending */
    size_t dims;      /* d */
    size_t zero_rows; /* of length 0, left zero */
    uint32_t *row;    /* (R) their numbers in the source */
    float *unit;      /* (R, d); those in a file are not to be written to */
    uint8_t *zero;    /* (R) 1: of length 0 */
    size_t odd_rows;  /* that are not finite, left as they are */

    /* for the caller to set before they are gathered */
    const char *directory; /* of a file to lie in; NULL: they lie in memory */
    const uint32_t *turn; /* (R) units in the order in which ig_units_gather reads their
                              rows; NULL: as they lie */

    ig_spill held; /* private: `unit` */
} ig_units;

/* Gathering counts no work, but whoever watches is called.
 *
 * Gather the distinct rows among list[0 … n). IG_OK, IG_SHAPE (a row that is not
 * there), IG_NOMEM or IG_INTERRUPTED. N bytes and R·d floats. */
ig_status ig_units_init(ig_units *u, const ig_rows *rows, const uint32_t *list,
                        size_t n, ig_pool *pool, ig_watch *watch, ig_error *error);

/* Gather rows list[0 … n), all of the source, in their order; list NULL: rows first …
 * first + n − 1. IG_OK, IG_NOMEM or IG_INTERRUPTED. */
ig_status ig_units_init_chunk(ig_units *u, const ig_rows *rows, const uint32_t *list,
                              size_t first, size_t n, ig_pool *pool, ig_watch *watch,
                              ig_error *error);

/* Gather the rows u->row[0 … u->count), which the caller has set, in any order and all
 * of the source. They belong to u in any case. IG_OK, IG_NOMEM, IG_IO (the file) or
 * IG_INTERRUPTED; u is empty unless IG_OK. */
ig_status ig_units_gather(ig_units *u, const ig_rows *rows, ig_pool *pool,
                          ig_watch *watch, ig_error *error);

/* The same, each less the centre of its block.
 *   first   in   (blocks + 1) of the rows of each block, one block after the other
 *   block   out  (blocks) zeroed; the caller frees them in any case
 *   same    out  which of all rows are identical, as in a block; or NULL
 *   offset  out  (R) <row, the centre of its block>; or NULL
 * Where a row is not finite, blocks mean nothing. */
ig_status ig_units_gather_blocks(ig_units *u, const ig_rows *rows,
                                 const uint32_t *first, size_t blocks, ig_block *block,
                                 uint32_t **same, double *offset, ig_pool *pool,
                                 ig_watch *watch, ig_error *error);

/* Groups of blocks that follow one another, of so many rows in all as half a square of
 * products has (IG_SQUARE_BYTES): who goes over pairs of blocks by pairs of groups
 * seldom reads a row again.
 *   first  in   (blocks + 1)
 *   group  out  (blocks) */
void ig_units_group(const uint32_t *first, size_t blocks, size_t dims, size_t *group);

void ig_units_free(ig_units *u);

/* Position of a row among units in ascending order, which must be one of them.
 * O(log R). */
size_t ig_units_find(const ig_units *u, uint32_t row);

#endif
