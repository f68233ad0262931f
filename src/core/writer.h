/* Files and directories written atomically: under a temporary name in the same parent,
 * synced and renamed into place. Writers of one name exclude each other (flock, where
 * the file system supports it), and the next one removes what a killed one left. */
#ifndef CORE_WRITER_H
#define CORE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/file.h"

/* --- streams ---------------------------------------------------------------------- */

/* A stream for writing that keeps the reason of its first failure, after which writes
 * are dropped. It must not move while it is open. */
typedef struct ig_stream {
    FILE *file; /* fileno is not supported */
    int fd;     /* descriptor that it writes, which stays open */
    int (*put)(const char *bytes, size_t length); /* instead, or NULL; 0 or an errno */
    int why;                                      /* errno of the first failure, or 0 */
} ig_stream;

/* Open the stream of a descriptor or function that is set. False with errno. */
bool ig_stream_open(ig_stream *stream);

/* Flush. 0, or the errno of the first failure. */
int ig_stream_flush(ig_stream *stream);

/* --- files ------------------------------------------------------------------------ */

typedef struct ig_writer {
    FILE *file; /* of the stream */
    ig_stream stream;
    char *shown;     /* name for messages */
    char *path;      /* final name, of the target of a symbolic link */
    char *temporary; /* NULL: written directly */
    struct ig_listed *listed;
} ig_writer;

/* Open `path` for writing as PATH.tmp-0. Existing files that are not regular
 * (terminals, pipes), the file that standard output already goes to (/dev/stdout), and
 * "-" (standard output) are written directly. IG_OK, IG_NOMEM, or IG_IO, also when
 * another process writes it. */
ig_status ig_writer_open(ig_writer *writer, const char *path, ig_error *error);

/* End writing. With IG_OK: flush, sync and rename into place; otherwise or on failure
 * (disk full, for example) remove the temporary file and keep the existing one. Returns
 * `status`, or IG_IO with "PATH: …" for a write error, which replaces the caller's
 * message. */
ig_status ig_writer_end(ig_writer *writer, ig_status status, ig_error *error);

/* Discard. A zeroed struct is accepted. */
void ig_writer_abort(ig_writer *writer);

/* --- resumable files -------------------------------------------------------------- */

/* PATH.part, which grows over several runs. It starts with a header of IG_PART_HEAD
 * bytes from the caller. A zeroed struct may be closed. */
enum { IG_PART_HEAD = 128 };

typedef struct ig_part {
    FILE *file; /* of the stream, positioned after the kept data */
    ig_stream stream;
    char *temporary; /* PATH.part */
    char head[IG_PART_HEAD];
    size_t size; /* existing bytes after the header; SIZE_MAX: new file */
} ig_part;

/* Open or create PATH.part and lock it. Its content does not change before
 * ig_part_keep. IG_OK, IG_NOMEM, or IG_IO, also when another process holds the lock. */
ig_status ig_part_open(ig_part *part, const char *path, ig_error *error);

/* Write a header, keep the first `size` bytes after it (at most part->size), and
 * continue from there. IG_OK or IG_IO. */
ig_status ig_part_keep(ig_part *part, const char head[IG_PART_HEAD], size_t size,
                       ig_error *error);

/* Flush buffered data. IG_OK or IG_IO, also for an earlier failure. */
ig_status ig_part_flush(ig_part *part, ig_error *error);

/* Close and keep PATH.part for a later call; a file without data is removed. */
void ig_part_close(ig_part *part);

/* --- directories ------------------------------------------------------------------ */

/* The content of a kind of directory. */
typedef struct ig_dir_kind {
    const char *what;   /* "run", for messages */
    const char *marker; /* a file in all directories of this kind; NULL: only absent or
                           empty directories are accepted */
    bool (*owns)(const char *name); /* true for file names that the program writes */
} ig_dir_kind;

/* A directory locked for writing. A zeroed struct holds no lock. */
typedef struct ig_dir {
    const ig_dir_kind *kind;
    char *path;      /* the directory with symbolic links resolved */
    char *temporary; /* PATH.tmp-0, which is filled */
    char *earlier;   /* PATH.old-0, the previous directory between two renames */
    char *lock;      /* PATH.lock */
    int lock_fd;
    bool exists;              /* with its marker, when it was opened */
    struct ig_listed *listed; /* between begin and end */
} ig_dir;

/* Lock `path` for writing without waiting, and clean up after a killed writer.
 * IG_NOMEM, or IG_IO when another process holds the lock, or when the path exists and
 * is neither an empty directory nor of this kind. */
ig_status ig_dir_open(ig_dir *dir, const char *path, const ig_dir_kind *kind,
                      ig_error *error);

/* Unlock and remove the lock file. */
void ig_dir_close(ig_dir *dir);

/* Begin a new content in an empty PATH.tmp-0. IG_OK or IG_IO. */
ig_status ig_dir_begin(ig_dir *dir, ig_error *error);

/* Open a file of the new content; messages name DIR/NAME. As ig_writer_open. */
ig_status ig_dir_file(const ig_dir *dir, ig_writer *writer, const char *name,
                      ig_error *error);

/* End a content, and return `status` or IG_IO. With IG_OK, move it to `path`: the
 * program's files in the previous directory are deleted, other files move into the new
 * one. */
ig_status ig_dir_end(ig_dir *dir, ig_status status, ig_error *error);

/* True for temporary names, which listings of directories omit. */
bool ig_dir_is_temporary(const char *name);

#endif
