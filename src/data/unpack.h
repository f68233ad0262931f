/* Packed bytes: gzip and deflate, by zlib, and the checksum of zip archives. */
#ifndef DATA_UNPACK_H
#define DATA_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/reading.h"

/* Whether bytes begin as a gzip file does. */
bool ig_unpack_is_gzip(const unsigned char *bytes, size_t size);

/* Unpack a whole gzip file, of one or more members.
 *   reading in   hears how much it is, and stops it; or NULL
 *   name   in   of the file, for the error
 *   block  out  what it holds, for ig_free; *got gets its size
 * IG_OK, IG_NOMEM, IG_INTERRUPTED, or IG_FORMAT: cut short, or damaged. */
ig_status ig_unpack_gzip(const ig_reading *reading, const char *name,
                         const unsigned char *bytes, size_t size, void **block,
                         size_t *got, ig_error *error);

/* Unpack a deflated member of an archive whose size is known.
 *   name   in   of the file, `member` within it: for the error
 *   block  out  (expected) for ig_free
 * IG_OK, IG_NOMEM, or IG_FORMAT: damaged, or of another size. No more is allocated than
 * the packed bytes can hold. */
ig_status ig_unpack_deflate(const char *name, const char *member,
                            const unsigned char *bytes, size_t size, size_t expected,
                            void **block, ig_error *error);

/* The first bytes of a deflated member, at most `most`, into `out`; returns their
 * number, which is 0 where they are damaged. */
size_t ig_unpack_head(const unsigned char *bytes, size_t size, unsigned char *out,
                      size_t most);

/* CRC-32 of bytes that follow those with the checksum `crc`; 0 at first. */
uint32_t ig_unpack_crc(uint32_t crc, const void *bytes, size_t size);

#endif
