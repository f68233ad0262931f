/* Files: mapped for reading; names; and written whole or not at all, under a temporary
 * name, then renamed. Writers of one name exclude each other (flock, where the file
 * system has it), and the next one removes what a killed one left. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

#include "core/error.h"
#include "core/memory.h"

/* Fail with "PATH: strerror(number)"; EWOULDBLOCK: another process holds its lock.
 * Returns IG_NOMEM for ENOMEM, else IG_IO. */
ig_status ig_fail_io(ig_error *error, const char *path, int number);

/* Flush a stream. 0, or an errno: of its first failed write, if it still fails. */
int ig_file_flush(FILE *file);

/* A file in memory: a copy up to 64 MB, so that its replacement harms nothing, else
 * mapped. A zeroed struct is an empty one. */
typedef struct ig_mapping {
    const unsigned char *bytes;
    size_t size;
    struct ig_listed *listed; /* entry in the list for signal handlers */
} ig_mapping;

/* Read or map a whole file. IG_OK, IG_NOMEM or IG_IO (also a directory or device). */
ig_status ig_mapping_open(ig_mapping *mapping, const char *path, ig_error *error);
void ig_mapping_close(ig_mapping *mapping);

/* IG_IO: the mapped file was written since; one that took its name does not matter. */
ig_status ig_mapping_check(const ig_mapping *mapping, ig_error *error);

/* Whether a file has its device, number, size and time of modification still. */
bool ig_file_unchanged(const struct stat *was, const struct stat *now);

/* For handlers of SIGBUS, which access to a truncated file raises: the mapped file that
 * contains `address`, or NULL. */
const char *ig_mapping_name(const void *address);

/* Remove the temporary files of all writers. Async-signal-safe. */
void ig_writers_remove_unfinished(void);

/* Input files, protected from overwriting. A zeroed struct is empty;
 * ig_arena_free(&inputs.arena) releases it. */
typedef struct ig_inputs {
    ig_arena arena;
    const struct ig_input {
        const struct ig_input *before;
        char path[];
    } * last; /* the file added last, or NULL */
} ig_inputs;

/* Add a file or directory; a missing one and NULL are ignored. */
void ig_inputs_add(ig_inputs *inputs, const char *path);

/* printf into an allocated text, or NULL; "DIR/NAME"; PATH with another extension
 * (".csv"), also for ".npy.gz". */
char *ig_path_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *ig_path_join(const char *directory, const char *name);
char *ig_path_with(const char *path, const char *ending);

/* The name of a file without directory, extension and ".gz"; *length: its bytes. */
const char *ig_path_stem(const char *path, size_t *length);

/* True for standard output ("-"), devices, and pipes of /dev: written directly. */
bool ig_path_is_stream(const char *path);

/* True if a path ends in `ending` (".npy"), ignoring ASCII case. */
bool ig_path_ends(const char *path, const char *ending);

/* Write a table field, quoted if it contains a quote, the separator (comma or tab) or a
 * line break, or has a leading or trailing blank, which some readers strip. */
void ig_field_put(FILE *out, const char *text, char between);

/* --- writing ---------------------------------------------------------------------- */

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

/* Open `path` for writing as PATH.tmp-0; a stream is written directly. IG_OK or IG_IO,
 * also when another process writes it. */
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

/* The rule for all that is written: directories of a kind, files (kind NULL). IG_USAGE:
 * it is an input, or with `overwrite` a directory that has one; or without it a file
 * with content or a directory with its marker. IG_IO: something else is there. */
ig_status ig_output_check(const char *output, const ig_dir_kind *kind,
                          const ig_inputs *inputs, bool overwrite, ig_error *error);

/* A directory locked for writing. A zeroed struct holds no lock. */
typedef struct ig_dir {
    const ig_dir_kind *kind;
    char path[IG_TARGET_SIZE];    /* the directory with symbolic links resolved */
    char temporary[IG_NAME_SIZE]; /* PATH.tmp-0, which is filled */
    char earlier[IG_NAME_SIZE];   /* PATH.old-0, the previous one between two renames */
    char lock[IG_NAME_SIZE];      /* PATH.isogloss-lock; "": not locked */
    int lock_fd;
} ig_dir;

/* Lock `path` without waiting, and clean up after a killed writer. IG_IO when another
 * process holds the lock, or the path is neither an empty directory nor of this kind.
 * Closing removes the lock. */
ig_status ig_dir_open(ig_dir *dir, const char *path, const ig_dir_kind *kind,
                      ig_error *error);
void ig_dir_close(ig_dir *dir);

/* Open a file of the new content, in PATH.tmp-0; messages name DIR/NAME. */
ig_status ig_dir_file(const ig_dir *dir, ig_writer *writer, const char *name,
                      ig_error *error);

/* End a content, and return `status` or IG_IO. With IG_OK it moves to `path`, and files
 * of others from the previous directory into it. Another may then be written. */
ig_status ig_dir_end(ig_dir *dir, ig_status status, ig_error *error);
