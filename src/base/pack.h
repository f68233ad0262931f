/* The state of something as bytes, to go on with later: one sequence of calls writes it
 * and reads it, so that both cannot differ. Numbers stand as this machine has them; a
 * file from another kind of machine, of another version, or cut off, is refused. */
#ifndef BASE_PACK_H
#define BASE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/builder.h"
#include "base/error.h"
#include "base/file.h"

/* A zeroed one writes; ig_pack_open makes one that reads. */
typedef struct ig_pack {
    bool reading;
    bool failed; /* memory was short, or what was read is not what was written */
    ig_builder bytes;
    ig_mapping file; /* what is read … */
    size_t at;       /* … so far */
} ig_pack;

/* Forget what was written, to write anew into the same block. */
void ig_pack_reset(ig_pack *pack);

/* Write a value, or read it. A failure is kept in the pack, and what is read is then 0.
 */
void ig_pack_count(ig_pack *pack, size_t *value);
void ig_pack_flag(ig_pack *pack, bool *value);
void ig_pack_double(ig_pack *pack, double *value);
void ig_pack_floats(ig_pack *pack, float *values, size_t n);

/* Write a text, or append what is read to an empty one. */
void ig_pack_text(ig_pack *pack, ig_builder *text);

/* Write a count that the reader knows, too: another one is a failure there. */
void ig_pack_agree(ig_pack *pack, size_t value);

/* A checksum that goes on over further bytes: FNV-1a by words of 8 bytes instead of
 * bytes, of which no single one may change unnoticed; gigabytes a second. What is left
 * of the last word of a piece counts as zeros. */
#define IG_CHECKSUM_BEGIN 14695981039346656037u
#define IG_CHECKSUM_PRIME 1099511628211u
uint64_t ig_checksum(uint64_t sum, const void *bytes, size_t length);

/* What was written, with a head and a checksum. IG_OK; failures of writing are the
 * stream's. */
ig_status ig_pack_put(const ig_pack *pack, FILE *file);

/* Read a file that ig_pack_put wrote. IG_OK, IG_IO, IG_NOMEM or IG_FORMAT (the file is
 * none, of another version, or damaged). */
ig_status ig_pack_open(ig_pack *pack, const char *path, ig_error *error);

/* A zeroed one is accepted. */
void ig_pack_free(ig_pack *pack);

#endif
