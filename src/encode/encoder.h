/* Encoders convert sentences to vectors: a server with OpenAI's /embeddings API, or a
 * dataset that contains the texts.
 *
 * Use an encoder from one thread at a time. The program must ignore SIGPIPE, as a
 * server may exit during a write. */
#ifndef ENCODE_ENCODER_H
#define ENCODE_ENCODER_H

#include <stdatomic.h>

#include "encode/encoder_options.h"

typedef struct ig_encoder {
    ig_encoder_options options; /* with defaults filled in */
    const char *model;          /* of a server; NULL: not known */
    const char *server;         /* "http://host:8000" or "unix:/SOCKET", or NULL */
    struct ig_http *http;       /* the server, or … */
    struct ig_dataset *set;     /* … the dataset */
    const atomic_bool *stop;
} ig_encoder;

/* Whether `name` is the name of an encoder: a server's address or npy:SET. IG_OK or
 * IG_USAGE. */
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

/* Number of texts per call that keeps the encoder busy. */
size_t ig_encoder_block(const ig_encoder *encoder);

/* Close connections. NULL is accepted. */
void ig_encoder_close(ig_encoder *encoder);

#endif
