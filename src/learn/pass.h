/* A pass over pairs: batches one after another, to train on them or to measure them,
 * each step handed out over the pool. */
#ifndef LEARN_PASS_H
#define LEARN_PASS_H

#include "learn/trainer_state.h"

/* Streams of one seed; the epoch's number is added in the bits above. */
enum {
    IG_STREAM_INIT,
    IG_STREAM_SHUFFLE,
    IG_STREAM_TRAIN,
    IG_STREAM_VALID,
    IG_STREAMS
};

/* Set up the trainer's pass over `count` pairs.
 *   train       in  or only measure
 *   short_last  in  take a last batch that is not full
 *   stream      in  chooses, with the epoch, the random numbers of the partners */
void ig_pass_begin(ig_trainer *trainer, const uint32_t *list, size_t count, bool train,
                   bool short_last, uint64_t stream);

/* Floats behind the gradient's block, for sums over processes. */
enum { IG_PASS_TAIL = 3 + 2 * IG_PLAN_TERMS };

/* The most pairs of a batch that this process takes. */
size_t ig_pass_most(const ig_trainer *trainer);

/* Go through the pairs that are left, batch by batch. IG_OK at the end, IG_INTERRUPTED
 * when `between` said so (call again to go on), IG_DIVERGED. */
ig_status ig_pass_run(ig_trainer *trainer, ig_between *between, void *context);

#endif
