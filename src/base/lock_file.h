/* A lock on a name: while a process holds PATH, PATH.lock is locked (flock) and says
 * which process, on which machine and since when. */
#ifndef BASE_LOCK_FILE_H
#define BASE_LOCK_FILE_H

#include <stdbool.h>

#include "base/error.h"

enum { IG_LOCK_HOLDER = 384 };

/* A zeroed struct holds nothing. */
typedef struct ig_lock_file {
    char *path; /* PATH.lock; NULL: not held */
    int fd;
    char left[IG_LOCK_HOLDER]; /* a killed holder whose lock this was, or "" */
} ig_lock_file;

/* Lock `path`, which need not exist, without waiting. IG_IO when another process
 * holds it ("SHOWN: process 12 on node1 has been writing it since
 * 2026-01-31T12:00:00Z (PATH.lock)"), or the lock cannot be made; IG_NOMEM. On a
 * file system without flock the content decides: a process of another machine then
 * counts as alive. */
ig_status ig_lock_file_take(ig_lock_file *lock, const char *path, const char *shown,
                            ig_error *error);

/* Whether PATH.lock is still the one that was taken: nobody removed or replaced it. */
bool ig_lock_file_held(const ig_lock_file *lock);

/* Remove PATH.lock and unlock it. */
void ig_lock_file_release(ig_lock_file *lock);

/* Lock what a killed holder of `path` left, without a change to it; the descriptor,
 * to be closed, or -1: nothing is left, or its holder is alive. */
int ig_lock_file_left(const char *path);

#endif
