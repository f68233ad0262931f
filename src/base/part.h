/* A file that is written by more than one call of the program: it grows as PATH.part
 * and takes its name at once when it is whole. Its first IG_PART_HEAD bytes are a head
 * of the caller's: who it belongs to while it grows, the format's own header at the
 * end. */
#ifndef BASE_PART_H
#define BASE_PART_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "base/stream.h"

enum { IG_PART_HEAD = 128 };

/* A zeroed struct may be closed. */
typedef struct ig_part {
    FILE *file; /* of the stream, at the end of what is kept */
    ig_stream *stream;
    char *path;      /* the file itself, links followed */
    char *temporary; /* PATH.part */
    char head[IG_PART_HEAD];
    size_t size; /* bytes after the head that were there; SIZE_MAX: it is new */
} ig_part;

/* Open PATH.part, or make it, and hold it: IG_IO when another program does. Nothing in
 * it is changed before ig_part_keep. IG_OK, IG_IO or IG_NOMEM. */
ig_status ig_part_open(ig_part *part, const char *path, ig_error *error);

/* Write a head, and keep the first `size` bytes after it (at most part->size): writing
 * goes on there. IG_OK or IG_IO. */
ig_status ig_part_keep(ig_part *part, const char head[IG_PART_HEAD], size_t size,
                       ig_error *error);

/* Write what was put into it, so that it stays whatever comes. IG_OK or IG_IO, with the
 * reason of what could not be written before, too. */
ig_status ig_part_flush(ig_part *part, ig_error *error);

/* Write the last head, sync, and give the file its name. It is then closed, also on
 * failure: what was written stays as PATH.part. IG_OK or IG_IO. */
ig_status ig_part_commit(ig_part *part, const char head[IG_PART_HEAD], ig_error *error);

/* Leave PATH.part for another time; a new one without a byte after its head is
 * removed. */
void ig_part_close(ig_part *part);

#endif
