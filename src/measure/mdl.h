/* Minimum description length of the language by online coding: how many bits a row's
 * language costs when it is sent block by block, each block coded by a classifier
 * trained on the blocks before it [Voita, Titov 2020]. Accuracy saturates where the
 * code length does not (METHODS.md). */
#ifndef MEASURE_MDL_H
#define MEASURE_MDL_H

#include "measure/measure_group.h"

/* A zeroed struct may be freed. */
typedef struct ig_mdl {
    double bits;        /* a row; NaN */
    double compression; /* log2 K / bits; NaN */
    double uniform;     /* log2 K: the bits of a row without any model */
    size_t rows;
    const char *reason; /* why they are NaN, or NULL; static */
} ig_mdl;

/* Code the languages of rows.
 *   x          in  (n, d) unit rows in the order of their ids
 *   lang       in  (n) < languages
 *   end        in  (ids) rows of the first i + 1 ids, ascending; the last is n
 *   watch      in  or NULL; counts no work
 * IG_OK, IG_NOMEM or IG_INTERRUPTED. About 10^4·n·d·K flops, on the pool; the same
 * bytes for any number of threads. */
ig_status ig_mdl_code(ig_mdl *mdl, ig_matrix x, const uint16_t *lang, size_t languages,
                      const size_t *end, size_t ids, ig_pool *pool, ig_progress *watch,
                      ig_error *error);

extern const ig_measure_group ig_mdl_group;

#endif
