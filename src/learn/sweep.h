/* The trainer's state, and a pass over pairs. A sweep is one task of the pool: its
 * members go through the batches together, with barriers between the steps
 * (learn/batch.h), so that threads start and stop once an epoch. */
#ifndef LEARN_SWEEP_H
#define LEARN_SWEEP_H

#include <stdatomic.h>

#include "learn/batch.h"
#include "learn/partner.h"
#include "learn/trainer.h"

/* Streams of one seed; the epoch's number is added in the bits above. */
enum {
    IG_STREAM_INIT,
    IG_STREAM_SHUFFLE,
    IG_STREAM_TRAIN,
    IG_STREAM_VALID,
    IG_STREAMS
};

/* A pass over pairs, shared by the members of the pool. Fields after `barrier` change
 * between barriers only, by member 0. */
typedef struct ig_sweep {
    struct ig_trainer *trainer;
    const uint32_t *list;
    size_t count;
    bool train;      /* form gradients */
    bool step;       /* and change the weights by them */
    bool short_last; /* take a last batch that is not full */
    ig_between *between;
    void *context;
    bool next_partner;
    ig_random random; /* of partners */

    size_t at; /* first pair of this batch */
    bool stop;
    bool interrupted; /* `between` asked for it; the rest waits */
    bool diverged;
    double loss; /* Σ loss · size */
    double value[IG_TERMS_MAX];
    size_t done; /* pairs */
    size_t alone;
    double seconds; /* of training, what `between` took left out */
} ig_sweep;

struct ig_trainer {
    const ig_set *set;
    const ig_pairs *pairs;
    const ig_split *split;
    const ig_objective *objective;
    ig_train_options options;
    ig_pool *pool;

    ig_plan plan;
    ig_batch batch;
    ig_partner_work partners;
    ig_extractor now, best;
    float *gradient, *first, *second; /* (weights): ∂, and Adam's two moments */
    uint32_t *order;                  /* (train) pairs in the order of this epoch */
    size_t steps;                     /* of Adam */
    size_t batch_size;
    size_t untrained; /* languages without a training row (closed forms) */

    /* Weights from the next epoch on; `edited`: they differ from the plan's. */
    double weight[IG_TERMS_MAX];
    bool on[IG_TERMS_MAX];
    bool edited;

    size_t stage[IG_TERMS_MAX]; /* the epoch that a term with from= began with, or 0 */
    bool anew;         /* the best epoch is sought from the epoch under way on */
    size_t best_since; /* the first of those it is sought among */

    size_t next; /* number of the next epoch */
    size_t best_epoch;
    double best_loss;
    ig_train_state state;
    enum { IG_AT_START, IG_IN_TRAIN, IG_IN_VALID } phase; /* of the epoch under way */
    ig_sweep sweep;
    ig_epoch epoch; /* the one under way */
    atomic_size_t progress;
};

/* Set up the trainer's sweep over `count` pairs; train, or only measure. `stream` and
 * the epoch choose the random numbers of the partners. */
void ig_sweep_begin(ig_trainer *trainer, const uint32_t *list, size_t count, bool train,
                    bool short_last, uint64_t stream);

/* Go through the pairs that are left, batch by batch. IG_OK at the end, IG_INTERRUPTED
 * when `between` said so (call again to go on), IG_DIVERGED. */
ig_status ig_sweep_run(ig_trainer *trainer, ig_between *between, void *context);

#endif
