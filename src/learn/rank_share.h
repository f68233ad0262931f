/* The ranks of a team within a batch: whose pairs, whose partners, and what is summed
 * over them. Without a team the whole batch is this rank's and nothing is summed. */
#ifndef LEARN_RANK_SHARE_H
#define LEARN_RANK_SHARE_H

#include "learn/trainer_state.h"

/* Pairs of the batch that begins at `at`, all ranks together. */
size_t ig_rank_whole(const ig_pass *pass, size_t at);

/* This rank's share of it: pairs from *from on. */
size_t ig_rank_share(const ig_pass *pass, size_t whole, size_t *from);

/* Draw partners from the batch of all ranks: those that are other ranks' rows are read
 * here, too. Returns how many rows are their own partner. */
size_t ig_rank_partners(ig_pass *pass);

/* Member 0: the gradients of some weights from all ranks. */
void ig_rank_sum(ig_trainer *trainer, size_t offset, size_t n);

/* The gradients of all ranks, and Adam's step by them; by all members, with a team.
 *   finite  in  whether this rank's loss is; else its part counts as 0 */
void ig_rank_step(ig_pass *pass, bool finite, size_t member, size_t members);

/* Member 0: the batch's loss and values from all ranks. */
void ig_rank_close(ig_trainer *trainer, double *loss, double value[IG_PLAN_TERMS]);

#endif
