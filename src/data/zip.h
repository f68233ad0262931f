/* Zip archives in memory: reading stored or deflated members, writing stored ones. */
#ifndef DATA_ZIP_H
#define DATA_ZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/error.h"

/* Reader of an archive. Owns nothing. */
typedef struct ig_zip {
    const char *path; /* for messages */
    const unsigned char *bytes;
    size_t size;
    size_t at;   /* position of the next directory entry */
    size_t left; /* entries left */
    size_t end;  /* end of the previous member */
} ig_zip;

typedef struct ig_zip_member {
    char name[128];             /* "vectors.npy", truncated if longer */
    const unsigned char *bytes; /* (packed) stored bytes */
    size_t packed, size;
    bool deflated;
    uint32_t crc;
} ig_zip_member;

/* Find the directory of an archive. IG_OK, or IG_FORMAT: none found. */
ig_status ig_zip_open(ig_zip *zip, const char *path, const unsigned char *bytes,
                      size_t size, ig_error *error);

/* Next member; *any is false past the last. IG_OK, or IG_FORMAT: an entry outside the
 * file, overlapping the previous one, encrypted, or with an unsupported compression. */
ig_status ig_zip_next(ig_zip *zip, ig_zip_member *member, bool *any, ig_error *error);

/* First bytes of a member into `out`, at most max_bytes. Returns their number; 0 also
 * if they are damaged. */
size_t ig_zip_head(const ig_zip_member *member, unsigned char *out, size_t max_bytes);

/* Contents of a member: *bytes (size) in the archive if stored, else in *block, for
 * ig_free. IG_OK, IG_NOMEM, or IG_FORMAT: damaged. */
ig_status ig_zip_unpack(const ig_zip *zip, const ig_zip_member *member,
                        const unsigned char **bytes, void **block, ig_error *error);

#endif
