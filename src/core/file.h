/* Files mapped for reading, inputs and names. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

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

/* A file mapped for reading. A zeroed struct is an empty one. */
typedef struct ig_mapping {
    const unsigned char *bytes;
    size_t size;
    struct ig_listed *listed; /* entry in the list for signal handlers */
} ig_mapping;

/* Map a whole file read-only; an empty file gives size 0. IG_OK, IG_NOMEM or IG_IO
 * ("PATH: …", also for directories, pipes and devices). */
ig_status ig_mapping_open(ig_mapping *mapping, const char *path, ig_error *error);
void ig_mapping_close(ig_mapping *mapping);

/* Drop the pages of mapped bytes; they are read again when they are used. */
void ig_pages_release(const void *bytes, size_t size);

/* Whether a file has its device, number, size and time of modification still. */
bool ig_file_unchanged(const struct stat *was, const struct stat *now);

/* List a mapping, or with NULL bytes an unfinished file, for signal handlers. NULL if
 * the list is full: they do not know this file. */
struct ig_listed *ig_listed_add(const char *path, const void *bytes, size_t size);
void ig_listed_remove(struct ig_listed *entry);

/* For handlers of SIGBUS, which access to a truncated file raises: the name of the
 * mapped file that contains `address`, or NULL. */
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

/* Add a file or directory; a missing one and NULL inputs are ignored. */
void ig_inputs_add(ig_inputs *inputs, const char *path);

/* IG_USAGE if `output` is one of the inputs by device and inode, with both names in the
 * message; IG_NOMEM if one could not be added. Both may be NULL. */
ig_status ig_inputs_check(const ig_inputs *inputs, const char *output, ig_error *error);

/* printf into an allocated name, or NULL; "DIR/NAME"; PATH with another extension
 * (".csv"), also for ".npy.gz". */
char *ig_path_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *ig_path_join(const char *directory, const char *name);
char *ig_path_with(const char *path, const char *ending);

/* The name of a file without directory, extension and ".gz"; *length: its bytes. */
const char *ig_path_stem(const char *path, size_t *length);

/* True for standard output ("-"), an existing pipe or device: written directly. */
bool ig_path_is_stream(const char *path);

/* True if a path ends in `ending` (".npy"), ignoring ASCII case. */
bool ig_path_ends(const char *path, const char *ending);

/* Write a table field, quoted if it contains a quote, the separator (comma or tab) or a
 * line break, or has a leading or trailing blank, which some readers strip. */
void ig_field_put(FILE *out, const char *text, char between);

#endif
