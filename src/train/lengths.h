/* Norms of the rows of a run's space, cached in its directory. Computing them takes one
 * product per row, 2·N·d² flops; with them, a search or map in a linear space reads
 * only the original rows (core/rows.h).
 *
 * The file caches one space for the dataset used last, with checksums of all dataset
 * values and of the weights. A file that does not match, is damaged or has another
 * version is ignored and replaced. Failures to write (read-only directory, full disk)
 * are ignored. Legend: N rows, d dims. */
#ifndef RUNS_LENGTHS_H
#define RUNS_LENGTHS_H

#include <stdatomic.h>

#include "core/error.h"
#include "core/pool.h"
#include "train/extractor.h"

/* Minimum flops for caching: about a quarter of a second. */
#define IG_LENGTHS_WORTH 1e10

typedef struct ig_lengths_of {
    const char *directory; /* run directory */
    const ig_extractor *extractor;
    ig_space space;
    const ig_rows *rows; /* (N, d) of the space, computed */
    uint64_t values;     /* ig_dataset_check_sum of the set */
    double worth;        /* minimum flops for caching: IG_LENGTHS_WORTH */
} ig_lengths_of;

/* Read the norms from the cache, or compute and cache them.
 *   scale  out  (N) 1/norm; 0 for a row of norm 0
 *   stop   in   or NULL
 * IG_OK, IG_INTERRUPTED, IG_NOMEM, or IG_VALUE: a norm outside 1e-30 … 1e30. */
ig_status ig_lengths_find(const ig_lengths_of *of, ig_pool *pool,
                          const atomic_bool *stop, float *scale, ig_error *error);

/* Whether a file name in a run directory is such a cache. */
bool ig_lengths_owns(const char *name);

#endif
