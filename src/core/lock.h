/* A statically initialised mutex around foreign code that is not thread-safe. */
#ifndef BASE_LOCK_H
#define BASE_LOCK_H

#include <pthread.h>

/* Initialise with IG_LOCK_OPEN; needs no release. */
typedef struct ig_lock {
    pthread_mutex_t mutex;
} ig_lock;

#define IG_LOCK_OPEN                                                                   \
    {                                                                                  \
        PTHREAD_MUTEX_INITIALIZER                                                      \
    }

/* Acquire the lock, waiting if necessary. */
static inline void ig_lock_take(ig_lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
}

static inline void ig_lock_give(ig_lock *lock)
{
    pthread_mutex_unlock(&lock->mutex);
}

#endif
