/* State of a trainer, private to these files and their tests.
 *
 *     epochs.c        creation, epochs, the best epoch, edits
 *     pass.c          a pass over pairs, batch by batch: partners, layers, Adam */
#ifndef LEARN_TRAINER_STATE_H
#define LEARN_TRAINER_STATE_H

#include <stdatomic.h>

#include "core/random.h"
#include "train/batch.h"
#include "train/trainer.h"

/* --- a pass over pairs ------------------------------------------------------------ */

/* Runs batches in order; their steps (train/batch.h) are parallel loops. */
typedef struct ig_pass {
    struct ig_trainer *trainer;
    const uint32_t *list;
    size_t count;    /* of pairs in the list */
    bool train;      /* compute gradients */
    bool step;       /* and update the weights */
    bool short_last; /* include a partial last batch */
    bool next_partner;
    ig_random random; /* for partners */

    size_t at;   /* first pair of this batch */
    size_t from; /* first pair of this process's share */
    double loss; /* Σ loss · size */
    double value[IG_TERMS_MAX];
    size_t done; /* pairs */
    size_t alone;
    double seconds; /* of training, excluding `between` */
} ig_pass;

/* Random streams of one seed; the epoch number is added in the upper bits. */
enum {
    IG_STREAM_INIT,
    IG_STREAM_SHUFFLE,
    IG_STREAM_TRAIN,
    IG_STREAM_VALID,
    IG_STREAMS
};

/* Set up the trainer's pass over `count` pairs.
 *   train       in  false: only evaluate
 *   short_last  in  include a partial last batch
 *   stream      in  random stream of the partners, with the epoch */
void ig_pass_begin(struct ig_trainer *trainer, const uint32_t *list, size_t count,
                   bool train, bool short_last, uint64_t stream);

/* Process the remaining pairs batch by batch. IG_OK at the end, IG_INTERRUPTED by
 * `between` (call again to continue), IG_DIVERGED. */
ig_status ig_pass_run(struct ig_trainer *trainer, ig_between *between, void *context);

/* Floats after the gradient in its block, for sums over processes. */
enum { IG_PASS_TAIL = 3 + 2 * IG_PLAN_TERMS };

/* --- the trainer ------------------------------------------------------------------ */

struct ig_trainer {
    const ig_dataset *set;
    const ig_pairs *pairs;
    const ig_split *split;
    const ig_objective *objective;
    ig_train_options options;
    ig_pool *pool;
    ig_comm *comm; /* communicator of the processes that share each batch, or NULL */

    ig_plan plan;
    ig_batch batch;
    ig_extractor now, best;
    float *gradient;       /* (weights + IG_PASS_TAIL) ∂ */
    float *first, *second; /* (weights) Adam's two moments */
    uint32_t *order;       /* (training pairs) those of this epoch, in its order */
    size_t steps;          /* of Adam */
    size_t batch_size;     /* over all processes; so is `largest` */
    size_t largest;        /* pairs in an evaluation batch */
    size_t untrained;      /* languages without a training row (closed forms) */

    /* Of the whole batch's stacked rows, to draw partners. */
    uint16_t *lang;  /* (2·largest) */
    uint32_t *drawn; /* (2·largest) partner of each row */
    uint32_t *stack; /* (2·largest) index of a ghost in this process's batch */
    uint32_t *ghost; /* (ghosts) rows of the whole batch held by other processes */
    uint32_t *start; /* (languages + 2) start of each language within a side */
    uint32_t *row;   /* (largest) rows of the side, sorted by language */
    uint32_t *place; /* (largest) position of each row in `row` */

    /* Weights from the next epoch on; `edited`: they differ from the plan's. */
    double weight[IG_TERMS_MAX];
    bool on[IG_TERMS_MAX];
    bool edited;

    size_t stage[IG_TERMS_MAX]; /* epoch in which a term with from= started, or 0 */
    bool anew;         /* restart the search for the best epoch with the current one */
    size_t best_since; /* first epoch considered for the best */

    size_t next; /* number of the next epoch */
    size_t best_epoch;
    double best_loss;
    ig_train_state state;
    enum { IG_AT_START, IG_IN_TRAIN, IG_IN_VALID } phase; /* of the current epoch */
    ig_pass pass;
    ig_epoch epoch; /* the current one */
    atomic_size_t progress;
};

#endif
