/* The trainer: one epoch a call (METHODS.md §4), so that the same code serves the
 * explorer, `isogloss train`, tests and benchmarks.
 *
 * Adam, mini-batches of parallel pairs, validation on held-out meanings, early
 * stopping, the best epoch kept. Same seed and machine: same bytes, with
 * any number of threads. */
#ifndef LEARN_TRAINER_H
#define LEARN_TRAINER_H

#include "base/pack.h"
#include "base/pool.h"
#include "data/pairs.h"
#include "learn/extractor.h"
#include "learn/train_options.h"

enum {
    IG_TERMS_MAX = 64,
    IG_PAIRS_BEFORE = 1 << 16 /* training pairs that epoch 0 is measured on, at most */
};

/* What one epoch was. Epoch 0 is the state before training. Losses and values are means
 * over pairs, values unweighted; NaN where there is nothing to compute. */
typedef struct ig_epoch {
    size_t epoch;
    double train_loss;
    double valid_loss;
    double value[IG_TERMS_MAX]; /* by term, on the training batches; NaN: struck out */
    double seconds;             /* of training, validation left out */
    double pairs_per_second;
    size_t self_partners; /* rows of the training batches that are their own partner */
    size_t rows;          /* rows of the training batches */
    bool best;            /* lowest validation loss so far (or the last, without any) */
} ig_epoch;

typedef enum ig_train_state {
    IG_TRAIN_RUNNING,
    IG_TRAIN_ALL_EPOCHS,
    IG_TRAIN_PATIENCE, /* no better epoch for `patience` epochs */
    IG_TRAIN_CLOSED,   /* nothing left to do: closed form, or nothing to learn */
    IG_TRAIN_DIVERGED  /* a loss that is not finite */
} ig_train_state;

typedef struct ig_trainer ig_trainer; /* below */

/* Asked between mini-batches, on the calling thread: true suspends the epoch there. */
typedef bool ig_between(void *context);

/* A trainer over the pairs of a split. All arguments but `initial` must outlive it.
 *   split     in  of `pairs`; batches come from its training pairs
 *   options   in  resolved
 *   initial   in  weights to start from, or NULL: random by the seed
 *   pool      in  or NULL; with a team, its ranks share each batch: all of them call
 *                 the same functions with the same arguments, `between` may answer
 *                 differently, and have the same weights at the end
 * The batch shrinks to the number of training pairs when there are fewer. IG_OK,
 * IG_NOMEM, IG_SHAPE (initial weights of another size) or IG_VALUE (nothing to train
 * on). */
ig_status ig_trainer_new(ig_trainer **trainer, const ig_set *set, const ig_pairs *pairs,
                         const ig_split *split, const ig_objective *objective,
                         const ig_train_options *options, const ig_extractor *initial,
                         ig_pool *pool, ig_error *error);

void ig_trainer_delete(ig_trainer *trainer);

/* Run the next epoch; the first call measures epoch 0 and trains nothing.
 *   between, context  in   or NULL
 *   epoch             out  filled with IG_OK only
 * IG_OK, IG_INTERRUPTED (`between` said so; the next call goes on with the same epoch,
 * or none comes and the best one stands), IG_DIVERGED (the error names epoch and batch;
 * the best one stands). No allocation. */
ig_status ig_trainer_epoch(ig_trainer *trainer, ig_between *between, void *context,
                           ig_epoch *epoch, ig_error *error);

/* RUNNING, or why there is no next epoch. */
ig_train_state ig_trainer_state(const ig_trainer *trainer);

/* The weights now, and those of the best epoch (whose number goes to *epoch). */
const ig_extractor *ig_trainer_extractor(const ig_trainer *trainer);
const ig_extractor *ig_trainer_best(const ig_trainer *trainer, size_t *epoch);

/* The first of the epochs that the best one is sought among: 0, or the last that began
 * with a changed objective: edited, or with a term of which it is the from=. Losses
 * before and after are not comparable, and a run does not end for want of patience
 * before the last of its terms began. */
size_t ig_trainer_best_since(const ig_trainer *trainer);

/* The epoch that a term with from= began with; 0: it counts from the start, or has not
 * begun (or was struck out then). */
size_t ig_trainer_stage(const ig_trainer *trainer, size_t term);

/* Pairs of a batch after shrinking, and mini-batches of an epoch. */
size_t ig_trainer_batch(const ig_trainer *trainer);
size_t ig_trainer_batches(const ig_trainer *trainer);

/* Mini-batches done of the running epoch, for a progress bar; any thread may ask. */
size_t ig_trainer_progress(const ig_trainer *trainer);

/* Languages without a training row, which a closed form serves as its row of
 * learn/kinds.h says (`unknown`). */
size_t ig_trainer_untrained_languages(const ig_trainer *trainer);

/* Loss and gradients of one batch of given pairs at the present weights, for tests and
 * the objective's editor.
 *   list      in   (n) pairs, n ≤ batch
 *   gradient  out  (weights) in the extractor's layout, or NULL
 *   value     out  (terms)
 * Partners by the `next` rule. */
double ig_trainer_evaluate(ig_trainer *trainer, const uint32_t *list, size_t n,
                           float *gradient, double *value);

/* Change a term's weight, or strike it out (on: false) and in again, from the next
 * epoch to begin on; an epoch under way ends as it began. By the thread that calls
 * ig_trainer_epoch alone. The best epoch is then sought anew among those with the new
 * objective, because losses of different objectives cannot be compared. IG_OK, or
 * IG_VALUE: no such term, a weight that is not finite, or no term left. */
ig_status ig_trainer_set_weight(ig_trainer *trainer, size_t term, double weight,
                                bool on, ig_error *error);

/* The weight that a term has from the next epoch on, and whether it counts (*on, or
 * NULL). */
double ig_trainer_weight(const ig_trainer *trainer, size_t term, bool *on);

/* The epoch from which on an edit made now holds. */
size_t ig_trainer_edits_from(const ig_trainer *trainer);

/* Write the state between two epochs into a pack, or take it up from one: weights,
 * those of the best epoch, Adam's moments and steps, and what is known of the epochs so
 * far. A trainer that takes it up must be of the same set, pairs, split, objective and
 * options, but for options.epochs; it then goes on as the other one would have, to the
 * byte. What the pack is not fit for leaves pack->failed: the trainer is then of no
 * use. */
void ig_trainer_pack(ig_trainer *trainer, ig_pack *pack);

/* Whether nothing trained a space's weights in an epoch: of the terms that counted,
 * those that see it are all 0 (hinges that are shut; under 1e-4), so that they pull
 * nowhere. False when the objective has no such term. */
bool ig_epoch_stands_still(const ig_epoch *epoch, const ig_objective *objective,
                           ig_space space);

/* The norm of one term's gradient by the extractor's weights, at the present ones, on
 * one batch from all over the training pairs. The term's own weight is left out, so
 * that shares under any weights follow: |W_i| norm_i / Σ |W_k| norm_k.
 *   term  in   its number; one that is struck out or waits for its epoch, too
 *   norm  out
 * Between batches or epochs, by the thread that trains; costs a batch. IG_OK or
 * IG_NOMEM. */
ig_status ig_trainer_norm(ig_trainer *trainer, size_t term, double *norm,
                          ig_error *error);

#endif
