/* Temporary names next to a file or directory that is being replaced, for base/
 * alone.
 *
 * * Who writes a file PATH fills PATH.tmp-PID and holds a lock (flock) on it; who
 * writes a directory holds PATH.lock (base/lock_file.h). Where two names cannot be
 * exchanged at once, the earlier PATH is called PATH.old-PID for a moment. A name of
 * this form that nobody has locked was left by a writer that was killed. */
#ifndef BASE_TEMPORARY_H
#define BASE_TEMPORARY_H

#include <stdbool.h>

#include "base/error.h"

/* "PATH: what the system says of errno `number`". IG_IO. */
ig_status ig_fail_io(ig_error *error, const char *path, int number);

/* "PATH.KIND-PID" in a block of its own, or NULL. */
char *ig_temporary_name(const char *path, const char *kind);

/* Whether `name` is BASE.tmp-PID or BASE.old-PID; *kept: the latter. BASE NULL: any. */
bool ig_temporary_is(const char *name, const char *base, bool *kept);

/* Lock an open file or directory, waiting for it; false when `path` no longer is it
 * (errno: ENOENT), or when that cannot be found out. */
bool ig_temporary_lock(int fd, const char *path);

/* Whether `path` names an open file or directory. */
bool ig_temporary_is_named(int fd, const char *path);

/* Call `found` with the folder of `path` and each name beside it that a killed writer
 * left; it is locked during the call. */
void ig_temporary_left(const char *path,
                       void (*found)(void *context, int folder, const char *name,
                                     bool kept),
                       void *context);

/* `path` with the links of its last name followed, in a block of its own, or NULL
 * (memory is short, or it is a circle of links). */
char *ig_path_follow_links(const char *path);

/* Sync the folder that holds `path`, so that a rename survives a power cut. */
void ig_temporary_sync(const char *path);

#endif
