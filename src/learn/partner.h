/* Partners: for each row of a batch another row of the same side and language
 * (METHODS.md §1). */
#ifndef LEARN_PARTNER_H
#define LEARN_PARTNER_H

#include "base/random.h"
#include "learn/batch.h"

/* Working space for languages × sides; zeroed is empty. */
typedef struct ig_partner_work {
    uint32_t *start; /* (languages + 1) */
    uint32_t *row;   /* (capacity) rows by language */
    uint32_t *place; /* (capacity) where each row stands in `row` */
    uint32_t *drawn; /* (2·capacity) partners in the whole of a shared batch */
    uint32_t *ghost; /* (2·capacity) stacked row of a ghost; UINT32_MAX: no ghost */
    size_t languages;
} ig_partner_work;

ig_status ig_partner_init(ig_partner_work *work, size_t languages, size_t capacity,
                          ig_error *error);
void ig_partner_free(ig_partner_work *work);

/* Fill partner, first and user of a batch from its size and lang. `random` NULL: the
 * `next` rule. Returns the rows that are their own partner. O(B + K). */
size_t ig_partner_draw(ig_partner_work *work, ig_batch *batch, ig_random *random);

/* The same for a batch that is a share of a larger one, whose partners are drawn as
 * those of the larger one: the share's ghosts, too, are found.
 *   lang   in   (2·whole) of the larger one
 *   from   in   its pair that is the share's first
 *   ghost  out  (ghosts) rows of the larger one
 * Returns the rows of the larger one that are their own partner. */
size_t ig_partner_draw_share(ig_partner_work *work, ig_batch *batch,
                             const uint16_t *lang, size_t from, ig_random *random,
                             uint32_t *ghost);

#endif
