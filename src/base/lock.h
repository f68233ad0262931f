/* A lock around what a foreign library does in one thread at a time only. */
#ifndef BASE_LOCK_H
#define BASE_LOCK_H

#include <pthread.h>

/* Static: IG_LOCK_OPEN is its first value, and nothing need be released. */
typedef struct ig_lock {
    pthread_mutex_t mutex;
} ig_lock;

#define IG_LOCK_OPEN                                                                   \
    {                                                                                  \
        PTHREAD_MUTEX_INITIALIZER                                                      \
    }

/* Wait until no other thread has the lock, and take it. */
static inline void ig_lock_take(ig_lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
}

static inline void ig_lock_give(ig_lock *lock)
{
    pthread_mutex_unlock(&lock->mutex);
}

#endif
