/* Files: mapped for reading, and written so that they are complete or absent. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "base/stream.h"

/* A file mapped for reading. A zeroed struct is an empty one. */
typedef struct ig_mapping {
    const unsigned char *bytes;
    size_t size;
    struct ig_mapped *listed; /* its place in the list of what is mapped */
} ig_mapping;

/* Map a whole file read-only; an empty file gives size 0. IG_OK, IG_NOMEM or IG_IO
 * ("PATH: …", also for directories, pipes and devices). */
ig_status ig_mapping_open(ig_mapping *mapping, const char *path, ig_error *error);

void ig_mapping_close(ig_mapping *mapping);

/* Tell the system that bytes of a mapping are wanted soon, so that it reads them beside
 * other work. They may be outside of it: then nothing is done. */
void ig_mapping_expect(const ig_mapping *mapping, const void *bytes, size_t size);

/* Tell the system that the mapping is read here and there (or no longer so): then it
 * does not read far around what is wanted. */
void ig_mapping_scattered(const ig_mapping *mapping, bool scattered);

/* The name of the mapped file that holds `address`, or NULL. For a handler of SIGBUS,
 * which a mapping raises whose file became shorter. */
const char *ig_mapping_name(const void *address);

/* A file being written under a temporary name in its final folder. */
typedef struct ig_writer {
    FILE *file; /* of the stream */
    ig_stream *stream;
    char *shown;     /* name that the caller gave, for messages */
    char *path;      /* the file itself, links followed; NULL: written directly */
    char *temporary; /* name while it is written; NULL: written directly */
    struct ig_unfinished *listed; /* its place in the list of what is unfinished */
} ig_writer;

/* Open `path` for writing under a temporary name beside it. A link is followed: the
 * file that it names is written. What exists and is no regular file (a terminal, a
 * pipe), what standard output goes to already (/dev/stdout), and "-", standard output
 * itself, are written directly. Temporary files that a killed writer of `path` left are
 * removed. IG_OK, IG_IO or IG_NOMEM. */
ig_status ig_writer_open(ig_writer *writer, const char *path, ig_error *error);

/* Flush, sync and rename into place; on any failure (a full disk, say) the temporary
 * file is removed, what stood at `path` stays, and the error says why. */
ig_status ig_writer_commit(ig_writer *writer, ig_error *error);

/* Commit what is complete, `status` being IG_OK, else give up and return `status`. What
 * could not be written is told with its reason in any case, in place of the sentence of
 * those who noticed. */
ig_status ig_writer_end(ig_writer *writer, ig_status status, ig_error *error);

/* Give up: close and remove the temporary file. A zeroed struct is accepted. */
void ig_writer_abort(ig_writer *writer);

/* Remove the temporary files of all writers, for a handler of a signal that ends the
 * process at once. May be called in a signal handler. */
void ig_writers_remove_unfinished(void);

/* A field of a table, in double quotes where it must be: it holds one, `between` (the
 * comma or tab that parts the fields) or the end of a line, or has a blank at an end,
 * which readers may strip. */
void ig_field_put(FILE *out, const char *text, char between);

/* "DIR/NAME" in a block of its own, or NULL. */
char *ig_path_join(const char *directory, const char *name);

/* Whether a path is written directly whatever its name is: "-", a pipe or device that
 * exists, or what standard output goes to. */
bool ig_path_is_stream(const char *path);

/* True when a path ends in `ending` (".npy"), in any case of ASCII letters. */
bool ig_path_ends(const char *path, const char *ending);

#endif
