/* Rows of a batch, read from the set into its stacked rows: x of the pairs, y, and rows
 * of other ranks behind them. Scaled to length 1 where the options say so. */
#ifndef LEARN_GATHER_H
#define LEARN_GATHER_H

#include "learn/trainer_state.h"

/* Stacked rows first … last−1 of the batch under way, less those that lie there already
 * (pass->gathered). */
void ig_gather_rows(ig_pass *pass, size_t first, size_t last);

/* Stacked rows first … last−1 of `size` pairs that are this rank's own.
 *   own             in  (size) pairs
 *   going, context  in  called now and then while it reads; or NULL */
void ig_gather_own(ig_pass *pass, const uint32_t *own, size_t size, size_t first,
                   size_t last, ig_between *going, void *context);

#endif
