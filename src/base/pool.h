/* A pool of threads that share one task at a time.
 *
 * One pool serves everything, BLAS included: OpenBLAS is held to one thread and each
 * thread of the pool calls it on its own chunk, so that no second pool competes for
 * the cores. Idle threads sleep.
 *
 * ig_pool_hand_out is a parallel loop. ig_pool_run calls one task on all threads, for
 * what keeps state by thread: it waits at each barrier for the slowest thread. */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <pthread.h>
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

/* A chunk of a step: items first … last−1 of it, done by a thread. */
typedef void ig_piece(void *context, size_t member, size_t first, size_t last);

/* Divide `count` items into chunks of equal size, which threads take by a counter, the
 * caller with them, and return when all are done. A thread that wakes late takes none,
 * and nobody waits for it.
 *   grain  in  a chunk is a multiple of it, but for the last one
 * The result of an item must not depend on who computes it, nor on the others in its
 * chunk: the bytes are then the same for any number of threads. The caller sums what
 * items left, in their order. A NULL pool has one chunk. Not inside a task, one caller
 * at a time. */
void ig_pool_hand_out(ig_pool *pool, size_t count, size_t grain, ig_piece *piece,
                      void *context);

/* The slice [first, last) of `count` items that belongs to a member of such a task, in
 * multiples of `grain` (but for the end): for what is short beside the task. */
void ig_pool_slice(size_t count, size_t grain, size_t member, size_t members,
                   size_t *first, size_t *last);

/* pthread_create for a thread that no signal of the process interrupts: only those
 * of its own faults are not blocked, so that handlers run in the thread that
 * installed them. 0 or an errno. */
int ig_thread_start(pthread_t *thread, void *(*run)(void *), void *context);

#endif
