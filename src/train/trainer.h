/* The trainer: one epoch per call (METHODS.md §4). Adam on mini-batches of parallel
 * pairs, validation on held-out meanings, early stopping, the best epoch kept. Bitwise
 * reproducible for a seed and machine, with any number of threads. */
#pragma once

#include <stdatomic.h>

#include "data/pairs.h"
#include "train/batch.h"
#include "train/train_options.h"

/* Figures of one epoch; 0: before training. Losses and values are means over pairs,
 * values unweighted; NaN if not computed. */
typedef struct ig_epoch {
    size_t epoch;
    double train_loss;
    double valid_loss;
    double value[IG_TERMS_MAX]; /* by term, on the training batches; NaN: disabled */
    double seconds;             /* of training, without validation */
    double pairs_per_second;
    size_t self_partners; /* rows of the training batches that are their own partner */
    bool best;            /* lowest validation loss so far (or the last, without any) */
    uint64_t changed; /* bits of the terms whose edit it is the first to train with */
} ig_epoch;

/* A pass over pairs, batch by batch. */
typedef struct ig_pass {
    const uint32_t *list; /* (count) pairs */
    size_t count;
    bool valid;       /* validation: no training, and also a short last batch */
    ig_random random; /* for partners */
    size_t at;        /* first pair of the next batch */
    double value[IG_TERMS_MAX + 1]; /* Σ by pairs of the terms, and of the loss */
    size_t alone;
    double seconds; /* excluding `between` */
} ig_pass;

/* Other code reads the members up to `batches`; `progress` from any thread. */
typedef struct ig_trainer {
    const char *ending;     /* why no epoch follows; NULL: one does */
    ig_extractor now, best; /* weights: current, and of the best epoch */
    size_t best_epoch;      /* whose weights are kept */
    /* First epoch considered for the best: 0, or the last that started with a changed
     * objective (edited, or a term's from=), whose losses are others. */
    size_t best_since;
    double weight[IG_TERMS_MAX];   /* edits, for the objective of the next epoch */
    bool on[IG_TERMS_MAX], edited; /* an epoch began with an edit */
    size_t untrained;              /* languages without a training row (closed forms) */
    size_t fewest;          /* pairs of a rotated language with the pivot, or 0 */
    atomic_size_t progress; /* mini-batches done in the current epoch */
    size_t batch_size; /* pairs, over all processes; limited to the training pairs */
    size_t batches;    /* of an epoch; closed forms: 0 */

    const ig_dataset *set;
    const ig_pairs *pairs;
    const ig_split *split;
    ig_objective *objective; /* as the current epoch is trained */
    ig_train_options options;
    ig_pool *pool;
    ig_comm *comm; /* communicator of the processes that share each batch, or NULL */
    ig_arena arena;

    ig_batch batch;
    float *first, *second; /* (weights) Adam's two moments */
    size_t steps;          /* of Adam */
    uint32_t *order;       /* (training pairs) those of this epoch, in its order */
    size_t largest;        /* pairs in an evaluation batch, over all processes */

    /* Of the whole batch, x before y, to draw partners. */
    uint32_t *row;    /* (2·largest) of the dataset */
    uint32_t *drawn;  /* (2·largest) partner of each row */
    uint32_t *start;  /* (languages + 2) start of each language within a side */
    uint32_t *sorted; /* (largest) rows of the side by language */

    bool anew;        /* restart the search for the best epoch with the current one */
    size_t next;      /* number of the next epoch, … */
    bool begun;       /* … which was interrupted */
    double best_loss; /* of validation, … */
    size_t improved;  /* … of this epoch */
    ig_pass pass;
    ig_epoch epoch; /* the current one */
} ig_trainer;

/* Polled between mini-batches on the calling thread; true suspends the epoch. */
typedef bool ig_between(void *context);

/* Create a trainer. All arguments but `initial` must outlive it.
 *   split     in  of `pairs`; batches come from its training pairs
 *   options   in  resolved
 *   initial   in  initial weights, or NULL: random by the seed
 *   pool      in  or NULL; with a communicator its processes share each batch: all call
 *                 the same functions with the same arguments (`between` may differ),
 *                 and end with the same weights
 * The batch size is limited to the number of training pairs. IG_OK, IG_NOMEM, IG_SHAPE
 * (initial weights of another size) or IG_VALUE (nothing to train on). */
ig_status ig_trainer_new(ig_trainer **trainer, const ig_dataset *set,
                         const ig_pairs *pairs, const ig_split *split,
                         ig_objective *objective, const ig_train_options *options,
                         const ig_extractor *initial, ig_pool *pool, ig_error *error);

void ig_trainer_delete(ig_trainer *trainer);

/* Run the next epoch; the first call measures epoch 0 without training.
 *   between, context  in   or NULL
 *   epoch             out  filled with IG_OK only
 * IG_OK, IG_INTERRUPTED (by `between`; the next call resumes the epoch), IG_DIVERGED
 * (the error names epoch and batch). The best epoch stays available. No allocation. */
ig_status ig_trainer_epoch(ig_trainer *trainer, ig_between *between, void *context,
                           ig_epoch *epoch, ig_error *error);

/* Fit the weights of a closed form (closed.c) to the rows of the training pairs, or to
 * all rows if there are none. IG_OK, IG_VALUE (too few rows, languages or pairs, or
 * invalid k), IG_NOMEM or IG_INTERRUPTED; the weights may be partially updated. About
 * N·d² flops for a covariance in double precision, plus several d³. */
ig_status ig_closed_fit(ig_trainer *trainer, ig_between *between, void *context,
                        ig_error *error);

/* Loss, values (terms), and gradients in batch.gradient of n ≤ batch pairs at the
 * current weights; partners by the `next` rule. */
double ig_trainer_evaluate(ig_trainer *trainer, const uint32_t *list, size_t n,
                           double *value);

/* Change a term's weight (finite), or disable (on: false) or enable it, from the next
 * epoch on, which restarts the search for the best one. From the thread of
 * ig_trainer_epoch. IG_OK, or IG_VALUE: no term would be left. */
ig_status ig_trainer_set_weight(ig_trainer *trainer, size_t term, double weight,
                                bool on, ig_error *error);
