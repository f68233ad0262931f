/* Work on one term of the batch: a kind's `batch` function is a chain of steps, each
 * handed out over the pool by rows. When it is called, the operands are there. Legend:
 * B pairs, w width of the vectors, K languages. */
#ifndef LEARN_GROUP_H
#define LEARN_GROUP_H

#include "base/pool.h"
#include "learn/batch.h"

typedef struct ig_group {
    ig_batch *batch;
    ig_pool *pool;
    const ig_plan_term *term;
    bool gradients;
    ig_matrix a, b;   /* (B, w) operands */
    ig_matrix da, db; /* (B, w) where the weighted gradients by them go */
} ig_group;

/* Values of all terms of the batch that are on, into batch->value; their gradients when
 * `gradients`. After ig_batch_values. */
void ig_group_run(ig_batch *batch, ig_pool *pool, bool gradients);

/* The discriminator's own step: cross-entropy of every `confuse` operand against its
 * language, and its gradient into batch->classifier_gradient [meat]. Returns the
 * loss. */
double ig_group_discriminate(ig_batch *batch, ig_pool *pool);

#endif
