/* A team: the ranks of an MPI job that run one command together. Each is a process with
 * a pool of threads of its own; every rank goes through the same steps, and what is
 * called collective here is called by all of them, in the same order.
 *
 * One rank is no team: ig_team_start gives NULL then, and every function takes NULL for
 * it and does nothing that costs. The program is built with one of two sources: MPI is
 * behind team_mpi.c (`make MPI=1`), and without it team_one.c knows only NULL.
 *
 * Calls are made by the thread that started the team: member 0 of its pool. Sums are
 * made in an order that depends on the number of ranks and of items alone: same ranks,
 * same bytes, and the same on every rank. */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct ig_team ig_team;

/* The library that ranks talk through ("Open MPI 4.1.4"), or NULL: built without. */
const char *ig_team_library(void);

/* Become a rank of the job that the process was started in. *team is NULL when it is
 * alone. IG_OK, IG_NOMEM or IG_IO. */
ig_status ig_team_start(ig_team **team, ig_error *error);

/* Leave the job; all ranks do. NULL is accepted. */
void ig_team_leave(ig_team *team);

/* End the whole job at once, with this exit status. */
void ig_team_abort(ig_team *team, int status);

/* This rank among all, and among those of its machine. */
size_t ig_team_rank(const ig_team *team);
size_t ig_team_ranks(const ig_team *team);
size_t ig_team_host_ranks(const ig_team *team);

/* The name of a rank's machine; inside the team. */
const char *ig_team_host(const ig_team *team, size_t rank);

/* Whether this rank speaks and writes for all: the first one does. */
bool ig_team_speaks(const ig_team *team);

/* The items [first, last) of `count` that are a rank's, in multiples of `grain` (but
 * for the end). */
void ig_team_share(const ig_team *team, size_t rank, size_t count, size_t grain,
                   size_t *first, size_t *last);

/* --- collective ------------------------------------------------------------------- */

/* Replace numbers by their sums over all ranks; the last: by the largest. */
void ig_team_sum(ig_team *team, double *value, size_t n);
void ig_team_sum_floats(ig_team *team, float *value, size_t n);
void ig_team_largest(ig_team *team, double *value, size_t n);

/* The same of whole numbers; bits: those that any rank has. */
void ig_team_sum32(ig_team *team, uint32_t *value, size_t n);
void ig_team_sum64(ig_team *team, int64_t *value, size_t n);
void ig_team_join_bits(ig_team *team, uint8_t *bits, size_t n);

/* Whether any rank says so. */
bool ig_team_any(ig_team *team, bool said);

/* Give the bytes of one rank to all. */
void ig_team_give(ig_team *team, size_t from, void *bytes, size_t n);

/* Give each rank's share (ig_team_share) of `count` items of `size` bytes to all. */
void ig_team_collect_shares(ig_team *team, void *items, size_t count, size_t grain,
                            size_t size);

/* What one rank could not do, none has done: the status and sentence of the first that
 * failed, named with its machine, to all. For steps that may fail on one rank alone. */
ig_status ig_team_agree(ig_team *team, ig_status status, ig_error *error);

/* Wait until all ranks have come here, for `seconds` at most (infinite: INFINITY).
 * Returns whether they have. For the end of a command, to which each may come from
 * anywhere; of what is collective only ig_team_agree may follow. */
bool ig_team_meet(ig_team *team, double seconds);

/* --- from one to one -------------------------------------------------------------- */

/* Send bytes to a rank, which takes as many of this one, in the order of sending. */
void ig_team_send(ig_team *team, size_t to, const void *bytes, size_t n);
void ig_team_take(ig_team *team, size_t from, void *bytes, size_t n);

#endif
