/* Vectors in JSON, as encoders answer them. */
#ifndef ENCODE_EMBEDDING_H
#define ENCODE_EMBEDDING_H

#include <stddef.h>

#include "base/builder.h"
#include "base/error.h"
#include "base/json.h"
#include "encode/encoder_options.h"

/* Bounds of answers, so that no encoder takes memory or time without end. Dimensions
 * count as IG_EMBEDDING_DIMS until the first vector has come. */
enum { IG_EMBEDDING_DIMS = 65536 };

/* The most bytes that the answer to `count` texts may have. */
size_t ig_embedding_bytes(size_t count, size_t dims);

/* Read the answer to `count` texts; one that has more lists, objects or values than
 * these need is not parsed: IG_SHAPE. Else as ig_json_read. */
ig_status ig_embedding_read(ig_json **document, const char *text, size_t length,
                            size_t count, size_t dims, ig_error *error);

/* Append an embedding to a block of floats: an array of numbers, or the bytes of floats
 * (little-endian) as base64, where the encoder was asked for these.
 *   who     in      the encoder, for messages
 *   number  in      of the text it answers, from 1, for messages
 *   dims    in/out  its length; 0: any, and then its own
 *   out     in/out  floats one after another, as bytes
 * IG_OK, IG_FORMAT (neither, no number, another length) or IG_NOMEM. */
ig_status ig_embedding_add(const ig_json_value *value, const char *who, size_t number,
                           size_t *dims, ig_builder *out, ig_error *error);

/* What a message of an encoder may show of its own: the beginning of `text`, controls
 * and bytes that are no UTF-8 as '?', secrets (NULL at their end; or NULL) as '***'.
 * Returns `out`. */
enum { IG_SAID_SIZE = 400 };
const char *ig_embedding_said(char out[IG_SAID_SIZE], const char *text, size_t length,
                              const char *const *secret);

/* "en.txt:14", or "text 3" of a text that stands in no file. Returns `out`. */
const char *ig_embedding_where(char out[IG_SAID_SIZE], const ig_encoder_text *text,
                               size_t number);

/* Give the notice that such a text is passed over. */
void ig_embedding_skipped(const ig_encoder_options *options,
                          const ig_encoder_text *text, size_t number, const char *why);

#endif
