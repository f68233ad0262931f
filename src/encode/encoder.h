/* Encoders convert sentences to vectors: a server with OpenAI's /embeddings API, or a
 * dataset that contains the texts.
 *
 * Use an encoder from one thread at a time. The program must ignore SIGPIPE, as a
 * server may exit during a write. */
#pragma once

#include <stdatomic.h>
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

    /* Headers of requests to a server, "NAME: VALUE"; a $NAME that ends a value is
     * replaced by `variable` of it. The key of the server is the variable
     * ISOGLOSS_API_KEY, unless a header is Authorization. All these are sent only there
     * and never shown. */
    const char **header;                       /* ended by NULL; or NULL */
    const char *(*variable)(const char *name); /* or NULL */

    const char *ca_file, *ca_dir; /* certificates to trust, or NULL: the system's */

    /* Receives a message when waiting for a server; NULL: not for one that starts. */
    void (*notice)(void *context, const char *sentence);
    void *notice_context;
} ig_encoder_options;

typedef struct ig_encoder_text {
    const char *text; /* UTF-8 */
    const char *set;  /* its dataset and row, for messages; or NULL */
    size_t row;
} ig_encoder_text;

/* Receives the (count, dims) finite vectors of the next texts, as soon as they are
 * available, on the thread of the caller. Any status but IG_OK ends the encoding and is
 * returned. */
typedef ig_status ig_encoder_take(void *context, size_t count, const float *vector,
                                  size_t dims, ig_error *error);

typedef struct ig_encoder {
    ig_encoder_options options; /* with defaults filled in */
    const char *model;          /* of a server; NULL: not known */
    const char *server;         /* "http://host:8000" or "unix:/SOCKET", or NULL */
    struct ig_http *http;       /* the server, or … */
    struct ig_dataset *set;     /* … the dataset */
    const atomic_bool *stop;
} ig_encoder;

/* IG_OK if `name` is the address of a server or npy:SET, else IG_USAGE. */
ig_status ig_encoder_check(const char *name, ig_error *error);

/* Open an encoder: queries a server for its model if none is given.
 *   options  in  copied; their strings must outlive the encoder
 *   stop     in  setting it to true cancels this and later calls; or NULL
 * IG_USAGE, IG_IO, IG_FORMAT, IG_NOMEM or IG_INTERRUPTED with a message. */
ig_status ig_encoder_open(ig_encoder **encoder, const ig_encoder_options *options,
                          const atomic_bool *stop, ig_error *error);

/* Encode n texts. Retries temporary server errors with increasing pauses. IG_FORMAT:
 * vectors of different lengths, or fewer than texts. IG_OK, IG_IO, IG_FORMAT, IG_VALUE,
 * IG_NOMEM, IG_INTERRUPTED, or the status returned by `take`. Memory: the vectors of
 * the n texts, and the requests in flight with their answers. */
ig_status ig_encoder_encode(ig_encoder *encoder, const ig_encoder_text *text, size_t n,
                            ig_encoder_take *take, void *context, ig_error *error);

/* Close connections. NULL is accepted. */
void ig_encoder_close(ig_encoder *encoder);
