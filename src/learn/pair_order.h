/* The order in which an epoch visits the training pairs (METHODS.md §4): as they stand,
 * shuffled, or in shuffled blocks, which reads a file that is larger than memory in
 * runs. Legend: n pairs. */
#ifndef LEARN_PAIR_ORDER_H
#define LEARN_PAIR_ORDER_H

#include "base/random.h"
#include "data/pairs.h"
#include "data/set.h"

enum {
    IG_BLOCK_PAIRS = 128,   /* that follow one another by their rows: read as a run */
    IG_BLOCKS_AT_ONCE = 256 /* blocks that are in memory together, shuffled as one */
};

/* A zeroed one may be freed. */
typedef struct ig_pair_order {
    const ig_set *set;
    const ig_pairs *pairs;
    const uint32_t *given; /* (n) the pairs, as they stand */
    size_t n;
    uint32_t *pair;   /* (n) in the order of the epoch */
    uint32_t *by_row; /* (n) of blocks: by their left rows */
    uint32_t *block;  /* (blocks) of blocks: their order in the epoch */
} ig_pair_order;

/* The pairs as they stand. `blocks`: room for ig_pair_order_blocks. All arguments must
 * outlive it. IG_OK or IG_NOMEM. O(n + rows). */
ig_status ig_pair_order_init(ig_pair_order *order, const ig_set *set,
                             const ig_pairs *pairs, const uint32_t *given, size_t n,
                             bool blocks, ig_error *error);

void ig_pair_order_free(ig_pair_order *order);

/* Pairs as they stand; all shuffled; in shuffled blocks: blocks of pairs in the order
 * of their rows are shuffled, and the pairs of IG_BLOCKS_AT_ONCE of them among one
 * another. */
void ig_pair_order_plain(ig_pair_order *order);
void ig_pair_order_shuffle(ig_pair_order *order, ig_random *random);
void ig_pair_order_blocks(ig_pair_order *order, ig_random *random);

/* Instead of all pairs, some that are spread evenly over them: pair[0 … some−1]. */
void ig_pair_order_spread(ig_pair_order *order, size_t some);

/* Tell the system that the rows of pairs are wanted soon, so that it reads them beside
 * training: what is asked for so is read as it is, where a fault would read far around
 * it.
 *   at    in  of blocks: where a group of them begins; the next group is meant, too
 *   list  in  (n) any pairs */
void ig_pair_order_expect(const ig_pair_order *order, size_t at);
void ig_pair_order_expect_list(const ig_pair_order *order, const uint32_t *list,
                               size_t n);

#endif
