/* The ranks of a team within a batch: whose pairs, whose partners, and what is summed
 * over them. Without a team the whole batch is this rank's and nothing is summed. */
#ifndef LEARN_RANK_SHARE_H
#define LEARN_RANK_SHARE_H

#include "learn/trainer_state.h"

/* Learn how many pairs there are, of this rank and of all. Collective. IG_OK, IG_NOMEM,
 * or IG_VALUE: a method that needs all rows at once where they were dealt. */
ig_status ig_rank_count_pairs(ig_trainer *trainer, ig_error *error);

/* The most pairs of a batch that may be this rank's. */
size_t ig_rank_largest(const ig_trainer *trainer);

/* Where pairs are dealt, before a pass: how many each rank has of it, its part of
 * `some` pairs to train on, or for validation. Returns their sum. */
size_t ig_rank_deal(ig_trainer *trainer, bool valid, size_t some);

/* The random numbers of a rank that has pairs of its own: not those of the others. */
uint64_t ig_rank_stream(const ig_trainer *trainer, uint64_t stream);

/* A batch, and this rank's share of it. */
typedef struct ig_rank_share {
    size_t window; /* pairs of all ranks up to the next one */
    size_t whole;  /* those that are of it: as many, but for what each rank rounds */
    size_t from;   /* first of the list that is this rank's, */
    size_t size;   /* and how many are */
} ig_rank_share;

/* That of the batch which begins at `at`, and this rank's pairs before it. */
ig_rank_share ig_rank_share_at(const ig_pass *pass, size_t at);
size_t ig_rank_before(const ig_pass *pass, size_t at);

/* Draw partners from the batch of all ranks: those that are other ranks' rows are read
 * here, too, unless they lie in files of theirs. Returns how many rows are their own
 * partner. */
size_t ig_rank_partners(ig_pass *pass);

/* The gradients of some weights from all ranks. */
void ig_rank_sum(ig_trainer *trainer, size_t offset, size_t n);

/* The gradients of all ranks, and Adam's step by them; with a team.
 *   finite  in  whether this rank's loss is; else its part counts as 0 */
void ig_rank_step(ig_pass *pass, bool finite);

/* The batch's loss and values from all ranks. */
void ig_rank_close(ig_trainer *trainer, double *loss, double value[IG_PLAN_TERMS]);

#endif
