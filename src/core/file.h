/* Files: mapped for reading, and written atomically. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

#include "core/error.h"
#include "core/stream.h"

/* Fail with "PATH: strerror(number)". Returns IG_NOMEM for ENOMEM, else IG_IO. */
ig_status ig_fail_io(ig_error *error, const char *path, int number);

/* --- reading ---------------------------------------------------------------------- */

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

/* Drop the pages of a mapping from memory; they are read again when they are used. */
void ig_mapping_release(const ig_mapping *mapping);

/* Whether a file has its device, number, size and time of modification still. */
bool ig_file_unchanged(const struct stat *was, const struct stat *now);

/* Name of the mapped file that contains `address`, or NULL. For SIGBUS handlers: access
 * to a mapping of a truncated file raises SIGBUS. */
const char *ig_mapping_name(const void *address);

/* --- atomic writes ---------------------------------------------------------------- */

/* A file being written under a temporary name in its final directory. */
typedef struct ig_writer {
    FILE *file; /* of the stream */
    ig_stream *stream;
    char *shown;     /* name for messages, as given by the caller */
    char *path;      /* the file with symbolic links resolved; NULL: written directly */
    char *temporary; /* temporary name; NULL: written directly */
    struct ig_listed *listed;
} ig_writer;

/* Open `path` for writing as PATH.tmp-0, which is locked. Symbolic links are
 * followed. Existing files that are not regular (terminals, pipes), the file that
 * standard output already goes to (/dev/stdout), and "-" (standard output) are
 * written directly. What a killed writer left is overwritten. IG_OK, IG_NOMEM, or
 * IG_IO, also when another process writes it. */
ig_status ig_writer_open(ig_writer *writer, const char *path, ig_error *error);

/* Flush, sync and rename into place. On failure (disk full, for example) the temporary
 * file is removed and the existing file is kept. */
ig_status ig_writer_commit(ig_writer *writer, ig_error *error);

/* Commit if `status` is IG_OK, else abort and return `status`. A write error is
 * reported in either case and replaces the caller's message. */
ig_status ig_writer_end(ig_writer *writer, ig_status status, ig_error *error);

/* Close and remove the temporary file. A zeroed struct is accepted. */
void ig_writer_abort(ig_writer *writer);

/* Remove the temporary files of all writers. Async-signal-safe. */
void ig_writers_remove_unfinished(void);

/* --- resumable writes ------------------------------------------------------------- */

/* A file that grows as PATH.part over several runs and is renamed when complete. It
 * starts with a header of IG_PART_HEAD bytes from the caller: an identification while
 * it grows, the format's own header at the end. A zeroed struct may be closed. */
enum { IG_PART_HEAD = 128 };

typedef struct ig_part {
    FILE *file; /* of the stream, positioned after the kept data */
    ig_stream *stream;
    char *path;      /* the file with symbolic links resolved */
    char *temporary; /* PATH.part */
    char head[IG_PART_HEAD];
    size_t size; /* existing bytes after the header; SIZE_MAX: new file */
} ig_part;

/* Open or create PATH.part and lock it. IG_IO when another process holds the lock. Its
 * content does not change before ig_part_keep. IG_OK, IG_IO or IG_NOMEM. */
ig_status ig_part_open(ig_part *part, const char *path, ig_error *error);

/* Write a header, keep the first `size` bytes after it (at most part->size), and
 * continue from there. IG_OK or IG_IO. */
ig_status ig_part_keep(ig_part *part, const char head[IG_PART_HEAD], size_t size,
                       ig_error *error);

/* Flush buffered data. IG_OK or IG_IO, also for an earlier failure. */
ig_status ig_part_flush(ig_part *part, ig_error *error);

/* Write the final header, sync, and rename into place. Closes the file in any case; on
 * failure PATH.part is kept. IG_OK or IG_IO. */
ig_status ig_part_commit(ig_part *part, const char head[IG_PART_HEAD], ig_error *error);

/* Close and keep PATH.part for a later call; a file without data is removed. */
void ig_part_close(ig_part *part);

/* --- input files, protected from overwriting -------------------------------------- */

/* Input files, identified by device and inode number. A zeroed struct is empty. */
typedef struct ig_inputs {
    struct ig_input *file; /* (count) */
    size_t count, capacity;
} ig_inputs;

/* Add a file or directory; a missing one is ignored. NULL inputs are accepted. IG_OK or
 * IG_NOMEM. */
ig_status ig_inputs_add(ig_inputs *inputs, const char *path, ig_error *error);

/* IG_USAGE if `output` is one of the inputs, with both names in the message. NULL
 * inputs and a NULL output are accepted. */
ig_status ig_inputs_check(const ig_inputs *inputs, const char *output, ig_error *error);

/* Path of the file added last, or NULL. */
const char *ig_inputs_last(const ig_inputs *inputs);

void ig_inputs_free(ig_inputs *inputs);

/* --- names ------------------------------------------------------------------------ */

/* "DIR/NAME", allocated, or NULL. */
char *ig_path_join(const char *directory, const char *name);

/* printf into an allocated name, or NULL. */
char *ig_path_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* PATH with another extension (".csv"), also for ".npy.gz". Allocated, or NULL. */
char *ig_path_with(const char *path, const char *ending);

/* The name of a file without directory and extension; *length: its bytes. */
const char *ig_path_stem(const char *path, size_t *length);

/* True if a path is written directly: "-", an existing pipe or device, or the target of
 * standard output. */
bool ig_path_is_stream(const char *path);

/* True if a path ends in `ending` (".npy"), ignoring ASCII case. */
bool ig_path_ends(const char *path, const char *ending);

/* Resolve the symbolic links of the last component. Allocated, or NULL when memory is
 * short or the links form a cycle. */
char *ig_path_follow_links(const char *path);

/* Sync the directory of `path`, so that a rename survives a power failure. */
void ig_path_sync_folder(const char *path);

/* Write a table field, quoted if it contains a quote, the separator (comma or tab) or a
 * line break, or has a leading or trailing blank, which some readers strip. */
void ig_field_put(FILE *out, const char *text, char between);

/* --- locks ------------------------------------------------------------------------ */

/* Open or create a regular file and lock it (flock) without waiting, where the file
 * system supports it. Returns the descriptor, or −1 with errno; EWOULDBLOCK: another
 * process holds the lock. */
int ig_lock_open(const char *path);

#endif
