/* Atomic writes of directories: filled under a temporary name in the same parent, then
 * renamed into place. Files of other programs are neither replaced nor deleted. */
#ifndef BASE_DIR_H
#define BASE_DIR_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "core/error.h"

/* The content of a kind of directory. */
typedef struct ig_dir_kind {
    const char *what;   /* "run", for messages */
    const char *marker; /* a file in all directories of this kind; NULL: only absent or
                           empty directories are accepted */
    bool (*owns)(const char *name); /* true for file names that the program writes */
} ig_dir_kind;

/* A directory locked for writing. PATH.lock is locked (flock) and names the process,
 * its host and start time. A zeroed struct holds no lock. */
typedef struct ig_dir {
    const ig_dir_kind *kind;
    char *path; /* the directory with symbolic links resolved */
    char *lock; /* PATH.lock; NULL: not locked */
    int lock_fd;
    struct stat marker; /* of the existing directory; st_ino 0: none */
} ig_dir;

/* Lock `path` for writing without waiting, and clean up after a killed writer.
 * IG_NOMEM, or IG_IO when another process holds the lock ("PATH: process 12 on node1
 * has been writing it since 2026-01-31T12:00:00Z (PATH.lock)"), when the path exists
 * and is neither an empty directory nor of this kind, or when it has a directory,
 * link or device under a name the program writes. File systems without flock lock
 * nothing. */
ig_status ig_dir_open(ig_dir *dir, const char *path, const ig_dir_kind *kind,
                      ig_error *error);

/* Unlock and remove the lock file. */
void ig_dir_close(ig_dir *dir);

/* A directory being filled. */
typedef struct ig_dir_writer {
    ig_dir *dir;
    char *temporary; /* PATH.tmp-0 */
} ig_dir_writer;

/* Create an empty directory PATH.tmp-0 to fill. `dir` must stay open until the writer
 * ends. */
ig_status ig_dir_writer_open(ig_dir_writer *writer, ig_dir *dir, ig_error *error);

/* Write and sync one file: `put` receives the open stream and `context`. IG_OK, the
 * status of `put`, IG_NOMEM, or IG_IO with "DIR/NAME: …", naming the final
 * directory. */
ig_status ig_dir_writer_put(ig_dir_writer *writer, const char *name,
                            ig_status (*put)(FILE *file, void *context,
                                             ig_error *error),
                            void *context, ig_error *error);

/* Move the directory to `path`; the previous one is called PATH.old-0 in between.
 * Its files of the program are deleted, other files move into the new one. If `path`
 * changed since ig_dir_open or the last commit, it is kept: IG_IO, and the new files
 * stay in PATH.tmp-0 until it is written again. */
ig_status ig_dir_writer_commit(ig_dir_writer *writer, ig_error *error);

/* Remove the temporary directory with the program's files in it. A zeroed struct is
 * accepted. */
void ig_dir_writer_abort(ig_dir_writer *writer);

/* Recover from a killed writer of `path`: restore a directory it had renamed away if
 * `path` is absent, and remove its other leftovers except the lock file, which the next
 * writer reports. Call it before reading a directory. */
void ig_dir_recover(const char *path, const ig_dir_kind *kind);

/* True for temporary names, which listings of directories omit. */
bool ig_dir_is_temporary(const char *name);

#endif
