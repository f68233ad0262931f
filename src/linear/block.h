/* Rows that are compared by cosine with rows of the same or another block: scaled to
 * length 1, then moved so that their mean lies at the origin.
 *
 * The cosine of rows a = a' + A and b = b' + B of blocks with centres A, B is
 * <a', b'> + <a', B> + <A, b'> + <A, B>. Of rows that lie close together, the products
 * <a', b'> are small, and so is what floats make wrong in them: neighbours can be told
 * apart where cosines differ by less than a float of 1 resolves. */
#ifndef LINEAR_BLOCK_H
#define LINEAR_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct ig_block {
    size_t count;        /* n */
    const float *row;    /* (n, d) less the centre; rows of length 0 are zeros */
    float *centre;       /* (d) the mean of those that are not; NULL: not moved */
    double reach;        /* the greatest length of a row that lies here */
    double distance;     /* of the centre from the origin */
    const uint8_t *zero; /* (n) 1: of length 0; NULL: there are none */
    uint32_t *same;      /* (n) the lowest row identical to each; NULL: they differ */
} ig_block;

/* Make a block of rows, where they lie.
 *   row   in/out  (n, d) of length 1 or 0; must outlive the block, and so must zero
 *   zero  in      (n)
 * IG_OK or IG_NOMEM. O(n·d). */
ig_status ig_block_init(ig_block *block, float *row, size_t n, size_t d,
                        const uint8_t *zero, ig_error *error);

/* Which rows of a list are identical: *same gets (n) as in a block, or NULL where all
 * differ; free it with ig_free. IG_OK or IG_NOMEM. O(n·d). */
ig_status ig_block_same(const float *row, size_t n, size_t d, uint32_t **same,
                        ig_error *error);

void ig_block_free(ig_block *block);

#endif
