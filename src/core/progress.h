/* Progress and cancellation of long operations, and the monotonic clock. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* `tick` is called at intervals on the thread that started the operation, with the work
 * done so far, in the operation's unit (flops of matrix products in the measures). */
typedef struct ig_progress {
    const atomic_bool *stop; /* cancels the operation when it becomes true; or NULL */
    void (*tick)(void *context, double done); /* or NULL */
    void *context;
    atomic_uint_least64_t done;
} ig_progress;

/* True if the operation is cancelled. Never for NULL. */
static inline bool ig_progress_cancelled(const ig_progress *watch)
{
    return watch && watch->stop &&
           atomic_load_explicit(watch->stop, memory_order_relaxed);
}

/* Report completed work (0: only poll). Only thread 0 calls the tick. */
static inline void ig_progress_add(ig_progress *watch, double work, size_t member)
{
    double done;

    if (!watch)
        return;
    done = (double)atomic_fetch_add_explicit(&watch->done, (uint_least64_t)work,
                                             memory_order_relaxed) +
           work;
    if (member == 0 && watch->tick)
        watch->tick(watch->context, done);
}

/* Monotonic seconds, for measuring only: no result depends on them. */
static inline double ig_clock_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
