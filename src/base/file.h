/* Files: mapped for reading, and written so that they are complete or absent. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* A file mapped for reading. A zeroed struct is an empty one. */
typedef struct ig_mapping {
    const unsigned char *bytes;
    size_t size;
} ig_mapping;

/* Map a whole file read-only; an empty file gives size 0. IG_OK or IG_IO ("PATH: …",
 * also for directories, pipes and devices). */
ig_status ig_mapping_open(ig_mapping *mapping, const char *path, ig_error *error);

void ig_mapping_close(ig_mapping *mapping);

/* A file being written under a temporary name in its final folder. */
typedef struct ig_writer {
    FILE *file;
    char *path;      /* final name */
    char *temporary; /* name while it is written */
} ig_writer;

/* Open `path` for writing under a temporary name. What exists and is no regular file (a
 * terminal, /dev/stdout) is written directly. IG_OK, IG_IO or IG_NOMEM. */
ig_status ig_writer_open(ig_writer *writer, const char *path, ig_error *error);

/* Flush, sync and rename into place; on any failure (a full disk, say) the temporary
 * file is removed, what stood at `path` stays, and the error says why. */
ig_status ig_writer_commit(ig_writer *writer, ig_error *error);

/* Give up: close and remove the temporary file. A zeroed struct is accepted. */
void ig_writer_abort(ig_writer *writer);

/* A field of a table, in double quotes where it must be: it holds one, `between` (the
 * comma or tab that parts the fields) or the end of a line, or has a blank at an end,
 * which readers may strip. */
void ig_field_put(FILE *out, const char *text, char between);

/* A directory being filled under a temporary name beside its final one. */
typedef struct ig_dir_writer {
    char *path;
    char *temporary;
} ig_dir_writer;

/* Make an empty directory PATH.tmp-PID to fill. IG_IO when `path` exists and is neither
 * an isogloss run (a directory holding run.json) nor an empty directory, so that
 * nothing of the user's is replaced. */
ig_status ig_dir_writer_open(ig_dir_writer *writer, const char *path, ig_error *error);

/* Sync its files and itself and rename it into place, replacing an earlier run. */
ig_status ig_dir_writer_commit(ig_dir_writer *writer, ig_error *error);

/* Remove it with what is in it. */
void ig_dir_writer_abort(ig_dir_writer *writer);

/* "DIR/NAME" in a block of its own, or NULL. */
char *ig_path_join(const char *directory, const char *name);

/* True when a path ends in `ending` (".npy"), in any case of ASCII letters. */
bool ig_path_ends(const char *path, const char *ending);

#endif
