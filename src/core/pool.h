/* A pool of threads that share one parallel loop at a time. One pool serves everything,
 * BLAS included, which has one thread and is called by each thread of the pool on its
 * own chunk: no second pool competes for the cores. Idle threads sleep. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/comm.h"
#include "core/error.h"

/* Resources granted to this process: containers, batch jobs and taskset grant less than
 * the machine has. Reads no environment variables. */
typedef struct ig_machine {
    size_t processors; /* of the machine, at least 1 */
    size_t affinity;   /* processors this process may run on; 0: unknown */
    double quota;      /* of processors, of a container (cgroup v2); 0: unlimited */
    size_t share;      /* of several MPI processes, set by cli/machine.h; 0: single */
} ig_machine;

/* Detect the resources. `root` is a prefix of /sys; "" except in tests. */
ig_machine ig_machine_find(const char *root);

/* Processors granted: the affinity, capped by the quota rounded up. At least 1. */
size_t ig_machine_threads(const ig_machine *machine);

/* Whether the memory of the process is limited (ulimit -v, -d). */
bool ig_machine_limits_memory(void);

typedef struct ig_pool ig_pool;

/* Start a pool of `threads` threads (0: as many as granted), fewer if the system allows
 * no more. The caller of a loop is thread 0. IG_OK or IG_NOMEM. */
ig_status ig_pool_new(ig_pool **pool, size_t threads, ig_error *error);

/* Stop and join the threads; their number, including the caller. NULL: 1 thread. */
void ig_pool_delete(ig_pool *pool);
size_t ig_pool_threads(const ig_pool *pool);

/* Attach the processes that share the work given to this pool, each with its own; NULL,
 * the default: none. Functions that share work say so; all processes must call them. */
void ig_pool_join(ig_pool *pool, ig_comm *team);
ig_comm *ig_pool_comm(const ig_pool *pool);

/* One chunk of a parallel loop: items first … last−1. */
typedef void ig_parallel_task(void *context, size_t member, size_t first, size_t last);

/* Parallel loop: threads and the caller claim chunks of `count` items; their sizes are
 * multiples of the grain, except the last. The result of an item must not depend on its
 * thread or chunk, and the caller adds sums in item order: the same bytes for any
 * number of threads. A NULL pool, or one that is busy with another caller, runs a
 * single chunk without waiting. Not to be called inside a chunk. */
void ig_parallel_for(ig_pool *pool, size_t count, size_t grain, ig_parallel_task *piece,
                     void *context);

/* pthread_create with all signals blocked but those of faults. 0 or an errno. */
int ig_thread_start(pthread_t *thread, void *(*run)(void *), void *context);
