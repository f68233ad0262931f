/* File contents as bytes: mapped, decompressed from gzip, or read from a pipe; progress
 * and cancellation of reading; lines of a text. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "core/file.h"

/* Progress and cancellation of reading. */
typedef struct ig_reading {
    const atomic_bool *stop; /* set to true: returns IG_INTERRUPTED; or NULL */
    /* Called on the reading thread. part: fraction done, or −1 if unknown. */
    void (*report)(void *context, const char *doing, const char *file, double part);
    void *context;
    int input; /* file descriptor of "-"; standard input may be the keyboard */
} ig_reading;

/* Report progress ("reading"), if reading is not NULL: IG_OK or IG_INTERRUPTED. */
ig_status ig_reading_report(const ig_reading *reading, const char *doing,
                            const char *file, double part, ig_error *error);

/* A zeroed struct is empty and may be closed. */
typedef struct ig_content {
    const unsigned char *bytes;
    size_t size;
    ig_mapping mapping; /* owners of the bytes; empty if the caller owns them */
    void *block;
} ig_content;

/* Read a file; "-" reads standard input to its end. `reading` may be NULL. IG_OK,
 * IG_IO, IG_NOMEM, IG_INTERRUPTED, or IG_FORMAT: damaged gzip. */
ig_status ig_content_open(ig_content *content, const char *path,
                          const ig_reading *reading, ig_error *error);
void ig_content_close(ig_content *content);

/* Whether a path ends with an extension (".csv"), optionally followed by ".gz". */
bool ig_content_ends(const char *path, const char *ending);

/* Inflate raw deflated bytes into `out`, which has `capacity` bytes. Returns their
 * number; *crc (optional) becomes their CRC-32 if they are all, else 0. */
size_t ig_inflate(const unsigned char *bytes, size_t size, unsigned char *out,
                  size_t capacity, uint32_t *crc);
uint32_t ig_crc32(const void *bytes, size_t size);

/* Whether a file is a page or picture of isogloss as it was written: it ends with the
 * mark, with the checksum of all before it. */
bool ig_content_is_own(const char *path);
#define IG_OWN_MARK "<!-- isogloss %08x -->\n"

/* Lines of a text in memory, without a byte order mark. */
typedef struct ig_lines {
    const char *at, *end;
    size_t number; /* of the last line returned, from 1 */
    char newline;  /* LF, or in a text without any CR */
} ig_lines;

ig_lines ig_lines_of(const void *bytes, size_t size);

/* Next line, which points into the text, without its line end. False after the last. */
bool ig_lines_next(ig_lines *lines, const char **line, size_t *length);
