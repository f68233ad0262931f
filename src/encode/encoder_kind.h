/* Kinds of encoders, listed in encode/encoder.c, and shared parsing of vectors and
 * error messages in JSON. */
#ifndef ENCODE_ENCODER_KIND_H
#define ENCODE_ENCODER_KIND_H

#include <stdatomic.h>

#include "core/array.h"
#include "core/json.h"
#include "encode/encoder_options.h"

/* Arguments of a call. Texts already have their prefix. */
typedef struct ig_encoder_call {
    const ig_encoder_text *text; /* (count) */
    size_t count;
    ig_encoder_take *take; /* receives and checks the vectors */
    void *context;
} ig_encoder_call;

typedef struct ig_encoder_kind {
    bool (*takes)(const char *name);

    /* Open it; sets *state. The options outlive it. */
    ig_status (*open)(void **state, const ig_encoder_options *options,
                      const atomic_bool *stop, ig_error *error);
    ig_status (*encode)(void *state, const ig_encoder_call *call, ig_error *error);
    const char *(*model)(const void *state); /* or NULL: no model */
    void (*close)(void *state);              /* accepts NULL */
} ig_encoder_kind;

extern const ig_encoder_kind ig_encoder_http;

/* --- answers ---------------------------------------------------------------------- */

/* Bounds on answers, so that no encoder uses unlimited memory or time.
 * IG_EMBEDDING_DIMS applies until the first vector has arrived. */
enum { IG_EMBEDDING_DIMS = 65536 };

/* Maximum size of the answer to `count` texts, in bytes. */
size_t ig_embedding_bytes(size_t count, size_t dims);

/* Parse the answer to `count` texts. IG_SHAPE: more lists, objects or values than
 * needed (rejected before parsing); else as ig_json_read. */
ig_status ig_embedding_read(ig_json **document, const char *text, size_t length,
                            size_t count, size_t dims, ig_error *error);

/* Append an embedding, an array of numbers, to a block of floats.
 *   who     in      the encoder, for messages
 *   number  in      of the text, from 1, for messages
 *   dims    in/out  required length; 0: any, then set
 *   out     in/out  floats as bytes
 * IG_OK, IG_FORMAT (no array, not a number, another length) or IG_NOMEM. */
ig_status ig_embedding_add(const ig_json_value *value, const char *who, size_t number,
                           size_t *dims, ig_builder *out, ig_error *error);

/* Text from an encoder for a message: the start of `text`, with control characters and
 * invalid UTF-8 as '?', and secrets (NULL-terminated, or NULL) as '***'. Returns
 * `out`. */
enum { IG_SAID_SIZE = 400 };
const char *ig_embedding_said(char out[IG_SAID_SIZE], const char *text, size_t length,
                              const char *const *secret);

/* "en.txt:14", or "text 3" for a text that is in no file. Returns `out`. */
const char *ig_embedding_where(char out[IG_SAID_SIZE], const ig_encoder_text *text,
                               size_t number);

/* Give the notice that a text is skipped. */
void ig_embedding_skipped(const ig_encoder_options *options,
                          const ig_encoder_text *text, size_t number, const char *why);

#endif
