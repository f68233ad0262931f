/* Work on one term of the batch, done by all members of the pool together.
 *
 * A kind's `batch` function is called by every member at the same time; members take
 * their slice of the rows and meet at barriers. When it is called, the operands are
 * there; when it returns, what it wrote is complete and every member has the same
 * value. Legend: B pairs, w width of the vectors, K languages. */
#ifndef LEARN_GROUP_H
#define LEARN_GROUP_H

#include "base/pool.h"
#include "learn/batch.h"

typedef struct ig_group {
    ig_batch *batch;
    ig_pool *pool;
    size_t member, members;
    size_t first, last; /* the member's rows, by ig_gemm_slice */
    const ig_plan_term *term;
    bool gradients;
    ig_matrix a, b;   /* (B, w) operands */
    ig_matrix da, db; /* (B, w) where the weighted gradients by them go */
} ig_group;

/* Values of all terms of the batch that are on, into batch->value; their gradients when
 * `gradients`. Called by all members, after ig_batch_values and a barrier. */
void ig_group_run(ig_batch *batch, ig_pool *pool, bool gradients, size_t member,
                  size_t members);

/* The discriminator's own step: cross-entropy of every `confuse` operand against its
 * language, and its gradient into batch->classifier_gradient [meat]. Called by all
 * members; returns the loss. */
double ig_group_discriminate(ig_batch *batch, ig_pool *pool, size_t member,
                             size_t members);

#endif
