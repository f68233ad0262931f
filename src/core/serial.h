/* Serialised state, for resuming. One sequence of calls both writes and reads, so that
 * the two cannot diverge. Numbers are in native byte order; files from another
 * architecture or version, or truncated ones, are rejected. */
#ifndef BASE_PACK_H
#define BASE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/array.h"
#include "core/error.h"
#include "core/file.h"

/* A zeroed struct writes; ig_serial_open makes one that reads. */
typedef struct ig_serial {
    bool reading;
    bool failed; /* out of memory, or the content does not match */
    ig_builder bytes;
    ig_mapping file; /* the file being read … */
    size_t at;       /* … and the position in it */
} ig_serial;

/* Discard what was written and reuse the block. */
void ig_serial_reset(ig_serial *pack);

/* Write or read a value. Failures are remembered; reads then give 0. */
void ig_serial_count(ig_serial *pack, size_t *value);
void ig_serial_flag(ig_serial *pack, bool *value);
void ig_serial_double(ig_serial *pack, double *value);
void ig_serial_bytes(ig_serial *pack, void *bytes, size_t n);

/* Write a count that the reader can check: a different value is a failure. */
void ig_serial_agree(ig_serial *pack, size_t value);

/* An incremental checksum: FNV-1a over 8-byte words instead of bytes; detects any
 * change of a single word; gigabytes per second. The last word of a chunk is padded
 * with zeros. */
#define IG_CHECKSUM_BEGIN 14695981039346656037u
#define IG_CHECKSUM_PRIME 1099511628211u
uint64_t ig_checksum(uint64_t sum, const void *bytes, size_t length);

/* Write the header, the content and the checksum. IG_OK; write errors are reported by
 * the stream. */
ig_status ig_serial_put(const ig_serial *pack, FILE *file);

/* Open a file written by ig_serial_put. IG_OK, IG_IO, IG_NOMEM or IG_FORMAT (wrong type
 * or version, or damaged). */
ig_status ig_serial_open(ig_serial *pack, const char *path, ig_error *error);

/* A zeroed struct is accepted. */
void ig_serial_free(ig_serial *pack);

#endif
