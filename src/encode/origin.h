/* Origin of a dataset's vectors: set.json, written by encode and read to use the same
 * encoder again. Never contains a key. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"

/* Strings belong to the document; NULL if absent. Zeroed: empty. */
typedef struct ig_origin {
    const char *encoder; /* as given to --encoder */
    const char *model;   /* of a server */
    const char *prefix;  /* before each text; "": none */
    const char *date;    /* completion time: 2026-11-22T01:02:03Z */
    size_t rows, dims;   /* written, not read */
    size_t asked_dims;   /* requested from the server (--encoder-dims), or 0 */
    bool keeps_table;    /* set.csv is of its user, who encoded it */
    struct json_t *document;
} ig_origin;

/* Read the file; a missing file or other JSON gives an empty origin. Write atomically,
 * with the current time as its date. IG_OK, IG_FORMAT (not JSON), IG_IO or IG_NOMEM. */
ig_status ig_origin_read(ig_origin *origin, const char *path, ig_error *error);
ig_status ig_origin_write(const ig_origin *origin, const char *path, ig_error *error);
void ig_origin_free(ig_origin *origin);
