/* Options of an encoder, its texts, and how it delivers vectors. */
#ifndef ENCODE_ENCODER_OPTIONS_H
#define ENCODE_ENCODER_OPTIONS_H

#include <stddef.h>

#include "core/error.h"

/* Encoder options; zeros mean defaults. */
typedef struct ig_encoder_options {
    const char *encoder; /* a server or "npy:SET" */
    const char *model;   /* of a server; NULL: its only model */
    const char *prefix;  /* before each text, or NULL */
    size_t batch;        /* texts of a request; 0: 32 */
    size_t requests;     /* in flight at a time; 0: 4 */
    double timeout;      /* seconds without an answer; ≤ 0: 60 */
    double pause; /* seconds before the first retry, doubled each time; ≤ 0: 0.5 */
    size_t dims;  /* requested from a server and required; 0: any */

    /* Headers of requests to a server, "NAME: VALUE"; $NAME or ${NAME} in a value is
     * replaced by the result of `variable` (not NULL, nor ""). The key of the server is
     * the variable ISOGLOSS_API_KEY, if it is set and no header is Authorization. All
     * these values are sent only there and never shown. */
    const char *const *header; /* (headers) */
    size_t headers;
    const char *(*variable)(const char *name); /* or NULL */

    const char *ca_file, *ca_dir; /* certificates to trust, or NULL: the system's */

    /* Receives a message when waiting for a server; or NULL. */
    void (*notice)(void *context, const char *sentence);
    void *notice_context;
} ig_encoder_options;

typedef struct ig_encoder_text {
    const char *text; /* UTF-8 */
    const char *file; /* its file, for messages, or NULL */
    size_t line;
} ig_encoder_text;

/* Receives the (count, dims) finite vectors of the next texts, as soon as they are
 * available, on the thread of the caller. Any status but IG_OK ends the encoding and is
 * returned. */
typedef ig_status ig_encoder_take(void *context, size_t count, const float *vector,
                                  size_t dims, ig_error *error);

#endif
