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

/* Writer of an archive of stored members. */
typedef struct ig_zip_writer {
    FILE *file; /* owned by the caller; seekable */
    struct ig_zip_entry {
        char name[128];
        uint64_t at, size;
        uint32_t crc;
    } * entry;
    size_t entries;
} ig_zip_writer;

/* Start an archive of up to max_members members. IG_OK or IG_NOMEM. */
ig_status ig_zip_writer_init(ig_zip_writer *zip, FILE *file, size_t max_members,
                             ig_error *error);

/* Free the writer's memory; a zeroed struct is accepted. */
void ig_zip_writer_free(ig_zip_writer *zip);

/* Begin a member with a name under 128 bytes; ig_zip_put appends its bytes. */
void ig_zip_begin(ig_zip_writer *zip, const char *name);
void ig_zip_put(ig_zip_writer *zip, const void *bytes, size_t size);
void ig_zip_end(ig_zip_writer *zip);

/* Write the directory. IG_OK or IG_IO; also reports errors of the calls above. */
ig_status ig_zip_finish(ig_zip_writer *zip, ig_error *error);

#endif
