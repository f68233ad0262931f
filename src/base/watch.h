/* A long work that is watched from outside: it can be stopped, and tells how far it
 * is. */
#ifndef BASE_WATCH_H
#define BASE_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `tick` is called now and then, on the thread that called for the work, with the work
 * done so far. Units are the worker's (flops of matrix products in the measures). */
typedef struct ig_watch {
    const atomic_bool *stop; /* the work ends when it turns true; or NULL */
    void (*tick)(void *context, double done); /* or NULL */
    void *context;
    atomic_uint_least64_t done;
} ig_watch;

/* Whether the work is to end. A NULL watch never says so. */
static inline bool ig_watch_stopped(const ig_watch *watch)
{
    return watch && watch->stop &&
           atomic_load_explicit(watch->stop, memory_order_relaxed);
}

/* So much more is done (0: nothing, but this is a moment to look up); `member` of a
 * pool, 0 calls the tick. */
static inline void ig_watch_add(ig_watch *watch, double work, size_t member)
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

#endif
