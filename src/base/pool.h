/* A pool of threads that share one task at a time.
 *
 * One pool serves everything, BLAS included: OpenBLAS is held to one thread and each
 * member of the pool calls it on its own slice, so that no second pool competes for the
 * cores. Members that have nothing to do sleep. */
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

/* The same on the first `members` of them (1 … threads); the others sleep on. */
void ig_pool_run_some(ig_pool *pool, size_t members, ig_task *task, void *context);

/* Inside a task: wait until every member that runs it has come here. */
void ig_pool_barrier(ig_pool *pool);

/* Seconds that members have waited in barriers so far, all together. */
double ig_pool_waited(const ig_pool *pool);

/* The items of one step, which members take in pieces as they come: nobody waits longer
 * than a piece takes for one whose processor is slower, or busy with something else. */
typedef struct ig_pieces {
    atomic_size_t taken; /* items */
    size_t members;      /* who take them */
    bool fine;           /* small pieces; else about one for each member */
} ig_pieces;

/* Let all be taken anew. By one member, between two barriers in which nobody takes. */
void ig_pieces_reset(ig_pieces *pieces, size_t members, bool fine);

/* Take the next piece [first, last) of `count` items, in multiples of `grain` but for
 * the end. False: none is left. What comes of an item must not depend on who takes it,
 * nor on which others are taken with it. */
bool ig_pieces_take(ig_pieces *pieces, size_t count, size_t grain, size_t *first,
                    size_t *last);

/* The slice [first, last) of `count` items that belongs to a member, in multiples of
 * `grain` (but for the end). */
void ig_pool_slice(size_t count, size_t grain, size_t member, size_t members,
                   size_t *first, size_t *last);

#endif
