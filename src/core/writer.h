/* Files and directories written whole or not at all: under a temporary name in the same
 * parent, synced and renamed into place. Writers of one name exclude each other (flock,
 * where the file system supports it), and the next one removes what a killed one
 * left. */
#ifndef CORE_WRITER_H
#define CORE_WRITER_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include "core/file.h"

/* Open or create a regular file and lock it without waiting. Returns the descriptor, or
 * −1 with errno for ig_fail_io. */
int ig_open_locked(const char *path);

/* A target, longer than the system accepts, and the names made of it. */
enum { IG_TARGET_SIZE = PATH_MAX + 1, IG_NAME_SIZE = PATH_MAX + 256 };

typedef struct ig_writer {
    FILE *file;
    char shown[2 * PATH_MAX]; /* name for messages */
    char path[2 * PATH_MAX];  /* final name, of the target of a symbolic link */
    char temporary[2 * PATH_MAX + 16]; /* "": written directly */
    struct ig_listed *listed;
} ig_writer;

/* Open `path` for writing as PATH.tmp-0. Existing files that are not regular
 * (terminals, pipes), and "-" (standard output) are written directly. IG_OK or
 * IG_IO, also when another process writes it. */
ig_status ig_writer_open(ig_writer *writer, const char *path, ig_error *error);

/* End writing. With IG_OK: flush, sync and rename into place; otherwise or on failure
 * remove the temporary file and keep the existing one. Returns `status`, or IG_IO with
 * "PATH: …" for a write error, which replaces the caller's message. */
ig_status ig_writer_end(ig_writer *writer, ig_status status, ig_error *error);

/* A kind of directory that is replaced as a whole. */
typedef struct ig_dir_kind {
    const char *marker;  /* a file in all of this kind; NULL: none is replaced */
    const char *refusal; /* of a directory with other content, for messages */
    bool (*owns)(const char *name); /* true for file names that the program writes */
} ig_dir_kind;

/* A directory locked for writing. A zeroed struct holds no lock. */
typedef struct ig_dir {
    const ig_dir_kind *kind;
    char path[IG_TARGET_SIZE];    /* the directory with symbolic links resolved */
    char temporary[IG_NAME_SIZE]; /* PATH.tmp-0, which is filled */
    char earlier[IG_NAME_SIZE];   /* PATH.old-0, the previous one between two renames */
    char lock[IG_NAME_SIZE];      /* PATH.lock; "": not locked */
    int lock_fd;
    bool exists; /* with its marker, when it was opened */
} ig_dir;

/* Lock `path` for writing without waiting, and clean up after a killed writer. IG_IO
 * when another process holds the lock, or when the path exists and is neither an empty
 * directory nor of this kind. Closing removes the lock. */
ig_status ig_dir_open(ig_dir *dir, const char *path, const ig_dir_kind *kind,
                      ig_error *error);
void ig_dir_close(ig_dir *dir);

/* Open a file of the new content, in PATH.tmp-0; messages name DIR/NAME. */
ig_status ig_dir_file(const ig_dir *dir, ig_writer *writer, const char *name,
                      ig_error *error);

/* End a content, and return `status` or IG_IO. With IG_OK, move it to `path`: the
 * program's files in the previous directory are deleted, other files move into the new
 * one. Then another content may be written. */
ig_status ig_dir_end(ig_dir *dir, ig_status status, ig_error *error);

#endif
