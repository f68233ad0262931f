/* The state of a trainer, for the files that make it up and their tests alone: the pass
 * over pairs that is under way, and what lasts from epoch to epoch.
 *
 *     epochs.c        life, epochs, the best of them
 *     pass.c          a pass over pairs, batch by batch
 *     layers.c        gradients of the weights, Adam
 *     checkpoint.c    the state as a pack
 *     trainer_edit.c  weights of terms, changed while it trains */
#ifndef LEARN_TRAINER_STATE_H
#define LEARN_TRAINER_STATE_H

#include <stdatomic.h>

#include "learn/batch.h"
#include "learn/pair_order.h"
#include "learn/partner.h"
#include "learn/trainer.h"

/* A pass over pairs: batches one after another, whose steps (learn/batch.h) are handed
 * out over the pool. */
typedef struct ig_pass {
    struct ig_trainer *trainer;
    const uint32_t *list;
    size_t count;    /* of the list */
    bool train;      /* form gradients */
    bool step;       /* and change the weights by them */
    bool short_last; /* take a last batch that is not full */
    ig_between *between;
    void *context;
    bool next_partner;
    ig_random random; /* of partners */

    size_t at;       /* first pair of this batch, */
    size_t from;     /* and of this process's share of it */
    size_t expected; /* pairs from here on are not announced to the system yet */
    bool stop;
    bool ended;       /* all batches are done */
    bool wish;        /* `between` of this process asked to stop */
    bool interrupted; /* all stop; the rest waits */
    bool diverged;
    double loss; /* Σ loss · size */
    double value[IG_TERMS_MAX];
    size_t done; /* pairs */
    size_t alone;
    double seconds; /* of training, what `between` took left out */
} ig_pass;

struct ig_trainer {
    const ig_set *set;
    const ig_pairs *pairs;
    const ig_split *split;
    const ig_objective *objective;
    ig_train_options options;
    ig_pool *pool;
    ig_team *team; /* of the pool: the ranks that share each batch; or NULL */

    ig_plan plan;
    ig_batch batch;
    ig_partner_work partners;
    ig_extractor now, best;
    float *gradient;       /* (weights + IG_PASS_TAIL) ∂ */
    float *first, *second; /* (weights) Adam's two moments */
    ig_pair_order order;   /* of the training pairs in this epoch */
    size_t steps;          /* of Adam */
    size_t batch_size;     /* of all processes together, as the following */
    size_t largest;        /* pairs of a batch that is only measured */
    uint16_t *lang;        /* (2·largest) of the whole batch, its rows stacked */
    uint32_t *ghost;       /* (ghosts) with a team: their rows in the whole batch */
    size_t untrained;      /* languages without a training row (closed forms) */

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
    ig_pass pass;
    ig_epoch epoch; /* the one under way */
    atomic_size_t progress;
};

/* Say whether there is an epoch after this one, by what is known of it. */
void ig_trainer_decide(ig_trainer *trainer, size_t epoch);

#endif
