/* Zip archives in memory: their members, stored or deflated; and written, stored. */
#ifndef DATA_ZIP_H
#define DATA_ZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/* An archive that is read. It owns nothing. */
typedef struct ig_zip {
    const char *path; /* for messages */
    const unsigned char *bytes;
    size_t size;
    size_t at;   /* of the directory's next entry */
    size_t left; /* entries */
    size_t end;  /* of the member before */
} ig_zip;

typedef struct ig_zip_member {
    char name[128];             /* "vectors.npy", cut when it is longer */
    const unsigned char *bytes; /* (packed), as they lie in the archive */
    size_t packed, size;
    bool deflated;
    uint32_t crc;
} ig_zip_member;

/* Find the directory of an archive. IG_OK, or IG_FORMAT: it has none. */
ig_status ig_zip_open(ig_zip *zip, const char *path, const unsigned char *bytes,
                      size_t size, ig_error *error);

/* The next member; *any is false past the last. IG_OK, or IG_FORMAT: an entry that is
 * outside the file, overlaps the one before, or is encrypted or packed otherwise. */
ig_status ig_zip_next(ig_zip *zip, ig_zip_member *member, bool *any, ig_error *error);

/* The first bytes of a member, at most `most`, into `out`. Returns their number; 0 also
 * where they are damaged. */
size_t ig_zip_head(const ig_zip_member *member, unsigned char *out, size_t most);

/* What a member holds: *bytes (size) in the archive where it is stored, else in *block,
 * for ig_free. IG_OK, IG_NOMEM, or IG_FORMAT: it is damaged. */
ig_status ig_zip_unpack(const ig_zip *zip, const ig_zip_member *member,
                        const unsigned char **bytes, void **block, ig_error *error);

/* An archive that is written: members one after another, stored. */
typedef struct ig_zip_writer {
    FILE *file; /* the caller's; it can seek */
    struct ig_zip_entry {
        char name[128];
        uint64_t at, size;
        uint32_t crc;
    } * entry;
    size_t entries;
} ig_zip_writer;

/* An archive of up to `most` members. IG_OK or IG_NOMEM. */
ig_status ig_zip_writer_init(ig_zip_writer *zip, FILE *file, size_t most,
                             ig_error *error);

/* Release what it holds; a zeroed struct is accepted. */
void ig_zip_writer_free(ig_zip_writer *zip);

/* Begin a member; its bytes follow by ig_zip_put. Its name has less than 128 bytes. */
void ig_zip_begin(ig_zip_writer *zip, const char *name);
void ig_zip_put(ig_zip_writer *zip, const void *bytes, size_t size);
void ig_zip_end(ig_zip_writer *zip);

/* Write the directory. IG_OK or IG_IO; nothing above fails before. */
ig_status ig_zip_finish(ig_zip_writer *zip, ig_error *error);

#endif
