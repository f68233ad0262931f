/* Rows that are compared by cosine with rows of the same or another block: scaled to
 * length 1, then moved so that their mean lies at the origin.
 *
 * The cosine of rows a = a' + A and b = b' + B of blocks with centres A, B is
 * <a', b'> + <a', B> + <A, b'> + <A, B>. Of rows that lie close together, the products
 * <a', b'> are small, and so is what floats make wrong in them: neighbours can be told
 * apart where cosines differ by less than a float of 1 resolves. */
#ifndef LINEAR_BLOCK_H
#define LINEAR_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct ig_block {
    size_t count;        /* n */
    const float *row;    /* (n, d) less the centre; rows of length 0 are zeros */
    const float *single; /* (n, d) the same, for who takes single rows of a file; NULL:
                            they lie in memory */
    float *centre;       /* (d) the mean of those that are not; NULL: not moved */
    double reach;        /* the greatest length of a row that lies here */
    double distance;     /* of the centre from the origin */
    const uint8_t *zero; /* (n) 1: of length 0; NULL: there are none */
    uint32_t *same;      /* (n) the lowest row identical to each; NULL: they differ */
} ig_block;

/* Look at the rows of a block, once each: their centre, which of them are identical.
 *   from  in  (…, d) rows of length 1 or 0
 *   list  in  (n) those of the block among them; NULL: the first n
 *   zero  in  (n), or out with `marks`; must outlive the block
 *   key   out (n) for ig_block_same
 * The block has no rows yet. IG_OK or IG_NOMEM. O(n·d). */
ig_status ig_block_init(ig_block *block, const float *from, const uint32_t *list,
                        size_t n, size_t d, uint8_t *zero, bool marks, uint64_t *key,
                        ig_error *error);

/* Rows first … first + n − 1 of those, less the centre; the caller lets block->row and
 * block->reach tell of all of them.
 *   zero  in   (n) of these
 *   out   out  (n, d), which may be where they lie
 * Returns the greatest length of one. */
double ig_block_move(const ig_block *block, const float *from, const uint32_t *list,
                     size_t first, size_t n, size_t d, const uint8_t *zero, float *out);

/* Which rows of a list, as above, are identical: *same gets (n) as in a block, or NULL
 * where all differ; free it with ig_free.
 *   key  in  (n) equal for rows that are identical; rows are read again where it is
 * IG_OK or IG_NOMEM. */
ig_status ig_block_same(const float *from, const uint32_t *list, const uint64_t *key,
                        size_t n, size_t d, uint32_t **same, ig_error *error);

void ig_block_free(ig_block *block);

/* The rows for who takes single ones. */
static inline const float *ig_block_single(const ig_block *block)
{
    return block->single ? block->single : block->row;
}

#endif
