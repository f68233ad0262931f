/* A pool of threads that share one task at a time.
 *
 * One pool serves everything, BLAS included: OpenBLAS is held to one thread and each
 * member of the pool calls it on its own piece, so that no second pool competes for
 * the cores. Members that have nothing to do sleep.
 *
 * A step of work is handed out in pieces (ig_pool_hand_out). A task that all members
 * run side by side (ig_pool_run) is for what keeps something by member from step to
 * step: it waits at each barrier for the slowest of them. */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/team.h"

typedef struct ig_pool ig_pool;

/* A task: called once on every member with its number (0 is the calling thread) and the
 * number of members. */
typedef void ig_task(void *context, size_t member, size_t members);

/* Start a pool of `threads` members (0: as the machine grants, see
 * base/machine.h); the caller of
 * ig_pool_run is the first of them. IG_OK, IG_NOMEM or IG_IO. */
ig_status ig_pool_new(ig_pool **pool, size_t threads, ig_error *error);

/* Stop and join the members. NULL is accepted. */
void ig_pool_delete(ig_pool *pool);

/* Members, the caller included. A NULL pool has one. */
size_t ig_pool_threads(const ig_pool *pool);

/* The ranks that share the work of whoever is given this pool (base/team.h), each with
 * a pool of its own; NULL, and so from the start: nobody. What shares with them, says
 * so; all ranks then call it. */
void ig_pool_join(ig_pool *pool, ig_team *team);
ig_team *ig_pool_team(const ig_pool *pool);

/* Run `task` on all members and return when all have finished. A NULL pool runs it on
 * the caller alone. Not reentrant: one caller at a time. */
void ig_pool_run(ig_pool *pool, ig_task *task, void *context);

/* Inside a task: wait until every member that runs it has come here. */
void ig_pool_barrier(ig_pool *pool);

/* A piece of a step: items first … last−1 of it, done by a member. */
typedef void ig_piece(void *context, size_t member, size_t first, size_t last);

/* Hand out `count` items in pieces, which members take as they come, the caller among
 * them, and return when all are done. A member that the system has put aside, or that
 * wakes late, takes none, and nobody waits for it; for one that is put aside while it
 * has a piece all wait, but pieces are small (see ig_pool_set_way).
 *   grain  in  items of a piece, or a multiple of it; what is left over goes with the
 *              last one
 * What comes of an item must not depend on who takes it, nor on which others are taken
 * with it: it is then the same for any number of members. Sums are made by the caller
 * from what items left, in their order. A NULL pool has one piece. Not inside a task,
 * one caller at a time. */
void ig_pool_hand_out(ig_pool *pool, size_t count, size_t grain, ig_piece *piece,
                      void *context);

/* Who takes pieces from now on, and how large they are: the first `members` (1 …
 * threads), and about one for each of them (`whole`) or smaller and smaller ones. All
 * members and small pieces at first. Between tasks. */
void ig_pool_set_way(ig_pool *pool, size_t members, bool whole);

/* Seconds that members have waited for others to finish their pieces so far, all
 * together. */
double ig_pool_waited(const ig_pool *pool);

/* The slice [first, last) of `count` items that belongs to a member of such a task, in
 * multiples of `grain` (but for the end): for what is short beside the task. */
void ig_pool_slice(size_t count, size_t grain, size_t member, size_t members,
                   size_t *first, size_t *last);

#endif
