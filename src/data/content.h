/* What a file holds, as bytes: mapped where it lies, unpacked when it is gzip, gathered
 * when it comes through a pipe. */
#ifndef DATA_CONTENT_H
#define DATA_CONTENT_H

#include "base/file.h"
#include "data/reading.h"

/* A zeroed struct is empty and may be closed. */
typedef struct ig_content {
    const unsigned char *bytes;
    size_t size;
    /* What holds them; both empty when they are the caller's. */
    ig_mapping mapping;
    void *block;
} ig_content;

/* Have a file's bytes; "-" is standard input, read to its end. IG_OK, IG_IO, IG_NOMEM,
 * or IG_FORMAT: gzip that is damaged. The error names the file. */
ig_status ig_content_open(ig_content *content, const char *path, ig_error *error);

/* The same for somebody who waits (or NULL); IG_INTERRUPTED when he no longer does. */
ig_status ig_content_open_for(const ig_reading *reading, ig_content *content,
                              const char *path, ig_error *error);

void ig_content_close(ig_content *content);

/* Give them to somebody else: the content is empty then. */
ig_content ig_content_move(ig_content *content);

/* Whether a name has an ending (".csv"), or that and ".gz". */
bool ig_content_ends(const char *path, const char *ending);

#endif
