/* Where the vectors of a set come from: set.json beside set.npy, written by encoding
 * and read again by whoever asks the same encoder for more. It never holds a key. */
#ifndef ENCODE_ORIGIN_H
#define ENCODE_ORIGIN_H

#include <stdbool.h>

#include "base/memory.h"
#include "data/set.h"

/* Texts are of the arena; NULL where the file has none. A zeroed struct is none. */
typedef struct ig_origin {
    const char *encoder; /* as --encoder has it */
    const char *model;   /* of a server */
    const char *prefix;  /* before each text; "" is none */
    const char *date;    /* when the set was finished: 2026-11-22T01:02:03Z */
    const char *type;    /* "float16" */
    size_t rows, dims;
    size_t asked_dims; /* that the server was asked for (--encoder-dims), or 0 */
    ig_arena arena;
} ig_origin;

/* PATH with .json in place of its ending, in a block of its own, or NULL. */
char *ig_origin_path(const char *path);

/* Read the file; one that is not there, or is no such file at all (some other JSON),
 * gives an empty origin. IG_OK, IG_FORMAT (no JSON), IG_IO or IG_NOMEM. */
ig_status ig_origin_read(ig_origin *origin, const char *path, ig_error *error);

/* Write it, whole or not at all. */
ig_status ig_origin_write(const ig_origin *origin, const char *path, ig_error *error);

/* Now, as `date` has it. */
enum { IG_DATE_SIZE = 24 };
void ig_origin_date(char out[IG_DATE_SIZE]);

void ig_origin_free(ig_origin *origin);

#endif
