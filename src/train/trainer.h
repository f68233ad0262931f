/* The trainer: one epoch per call (METHODS.md §4), shared by the explorer, `isogloss
 * train`, tests and benchmarks.
 *
 * Adam on mini-batches of parallel pairs, validation on held-out meanings, early
 * stopping, the best epoch kept. Bitwise reproducible for a seed and machine, with any
 * number of threads. */
#ifndef LEARN_TRAINER_H
#define LEARN_TRAINER_H

#include "core/pool.h"
#include "data/pairs.h"
#include "train/extractor.h"
#include "train/train_options.h"

enum {
    IG_TERMS_MAX = 64,
    IG_PAIRS_BEFORE = 1 << 16 /* maximum number of training pairs in epoch 0 */
};

/* Figures of one epoch. Epoch 0 is the state before training. Losses and values are
 * means over pairs, values unweighted; NaN if not computed. */
typedef struct ig_epoch {
    size_t epoch;
    double train_loss;
    double valid_loss;
    double value[IG_TERMS_MAX]; /* by term, on the training batches; NaN: disabled */
    double seconds;             /* of training, without validation */
    double pairs_per_second;
    size_t self_partners; /* rows of the training batches that are their own partner */
    size_t rows;          /* rows of the training batches */
    bool best;            /* lowest validation loss so far (or the last, without any) */
} ig_epoch;

typedef enum ig_train_state {
    IG_TRAIN_RUNNING,
    IG_TRAIN_ALL_EPOCHS,
    IG_TRAIN_PATIENCE, /* no better epoch for `patience` epochs */
    IG_TRAIN_CLOSED,   /* closed form, or nothing to learn */
    IG_TRAIN_DIVERGED  /* a loss that is not finite */
} ig_train_state;

typedef struct ig_trainer ig_trainer; /* below */

/* Polled between mini-batches on the calling thread; true suspends the epoch. */
typedef bool ig_between(void *context);

/* Create a trainer over the pairs of a split. All arguments but `initial` must outlive
 * it.
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
                         const ig_objective *objective, const ig_train_options *options,
                         const ig_extractor *initial, ig_pool *pool, ig_error *error);

void ig_trainer_delete(ig_trainer *trainer);

/* Run the next epoch; the first call measures epoch 0 without training.
 *   between, context  in   or NULL
 *   epoch             out  filled with IG_OK only
 * IG_OK, IG_INTERRUPTED (by `between`; the next call resumes the epoch), IG_DIVERGED
 * (the error names epoch and batch). The best epoch stays available in any case. No
 * allocation. */
ig_status ig_trainer_epoch(ig_trainer *trainer, ig_between *between, void *context,
                           ig_epoch *epoch, ig_error *error);

/* RUNNING, or why there is no next epoch. */
ig_train_state ig_trainer_state(const ig_trainer *trainer);

/* Current weights, and those of the best epoch (its number in *epoch). */
const ig_extractor *ig_trainer_extractor(const ig_trainer *trainer);
const ig_extractor *ig_trainer_best(const ig_trainer *trainer, size_t *epoch);

/* First epoch considered for the best: 0, or the last that started with a changed
 * objective (edited, or a term's from=). Losses before and after are not comparable.
 * Patience does not end a run before the last of its terms has started. */
size_t ig_trainer_best_since(const ig_trainer *trainer);

/* Epoch in which a term with from= started; 0: active from the start, or not started
 * (or disabled then). */
size_t ig_trainer_stage(const ig_trainer *trainer, size_t term);

/* Effective batch size in pairs, and mini-batches per epoch. */
size_t ig_trainer_batch(const ig_trainer *trainer);
size_t ig_trainer_batches(const ig_trainer *trainer);

/* Mini-batches done in the current epoch, for a progress bar; thread-safe. */
size_t ig_trainer_progress(const ig_trainer *trainer);

/* Number of languages without a training row; for their treatment by closed forms see
 * `unknown` in train/objective.h. */
size_t ig_trainer_untrained_languages(const ig_trainer *trainer);

/* Loss and gradients of one batch of given pairs at the current weights, for tests and
 * the objective editor.
 *   list      in   (n) pairs, n ≤ batch
 *   gradient  out  (weights) in the extractor's layout, or NULL
 *   value     out  (terms)
 * Partners by the `next` rule. */
double ig_trainer_evaluate(ig_trainer *trainer, const uint32_t *list, size_t n,
                           float *gradient, double *value);

/* Change a term's weight, or disable (on: false) or enable it, from the next epoch on;
 * the current epoch is not affected. Call only from the thread of ig_trainer_epoch.
 * Restarts the search for the best epoch, as losses of different objectives are not
 * comparable. IG_OK, or IG_VALUE: no such term, a weight that is not finite, or no term
 * left. */
ig_status ig_trainer_set_weight(ig_trainer *trainer, size_t term, double weight,
                                bool on, ig_error *error);

/* Weight of a term from the next epoch on, and whether it is enabled (*on, or NULL). */
double ig_trainer_weight(const ig_trainer *trainer, size_t term, bool *on);

/* Epoch from which an edit made now takes effect. */
size_t ig_trainer_edits_from(const ig_trainer *trainer);

/* Whether a space's weights received no gradient in an epoch: all active terms that use
 * it are 0 (closed hinges; below 1e-4). False if the objective has no such term. */
bool ig_epoch_stands_still(const ig_epoch *epoch, const ig_objective *objective,
                           ig_space space);

/* Gradient norm of one term by the extractor's weights at the current ones, on one
 * batch spread over the training pairs. Computed at weight 1, so that shares under any
 * weights follow: |W_i| norm_i / Σ |W_k| norm_k.
 *   term  in   its number; may be disabled or not started
 *   norm  out
 * Call between batches or epochs from the training thread; costs one batch. IG_OK or
 * IG_NOMEM. */
ig_status ig_trainer_norm(ig_trainer *trainer, size_t term, double *norm,
                          ig_error *error);

#endif
