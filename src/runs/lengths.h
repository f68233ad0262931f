/* Lengths of the rows of a space of a run, kept beside it. To find them takes a product
 * a row, 2·N·d² flops, while with them a search or a map of a linear space reads the
 * original rows alone (linear/image.h).
 *
 * A file of the run directory holds those of one space and of the last set that asked
 * for them, with checksums of every value of the set and of the weights: one that does
 * not fit, is damaged, or is of another version, is as none, and replaced. To write it
 * is no duty: where that cannot be done (a directory that may not be written, a full
 * disk), or is not worth a file, nothing is said. Legend: N rows, d dims. */
#ifndef RUNS_LENGTHS_H
#define RUNS_LENGTHS_H

#include <stdatomic.h>

#include "base/error.h"
#include "base/pool.h"
#include "learn/extractor.h"

/* Flops of the lengths from which on they are kept: about a quarter of a second. */
#define IG_LENGTHS_WORTH 1e10

typedef struct ig_lengths_of {
    const char *directory; /* of the run */
    const ig_extractor *extractor;
    ig_space space;
    const ig_rows *rows; /* (N, d) of the space, computed */
    uint64_t values;     /* ig_set_check_sum of the set */
    double worth;        /* flops: IG_LENGTHS_WORTH */
} ig_lengths_of;

/* Read the lengths, or find them and keep them.
 *   scale  out  (N) 1/length; 0 for a row of length 0
 *   stop   in   or NULL
 * IG_OK, IG_INTERRUPTED, IG_NOMEM, or IG_VALUE: a length is beyond 1e-30 … 1e30, and is
 * not told in this way. */
ig_status ig_lengths_find(const ig_lengths_of *of, ig_pool *pool,
                          const atomic_bool *stop, float *scale, ig_error *error);

/* Whether a name of a run directory is that of such a file. */
bool ig_lengths_owns(const char *name);

#endif
