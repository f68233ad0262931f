/* Encoders: what turns sentences into vectors, by one interface. Three kinds stand
 * behind it (encode/encoder_kind.h): a server that speaks OpenAI's /embeddings, a
 * program of the user's that speaks JSON Lines, and a set that knows its own texts.
 *
 * An encoder belongs to one thread at a time. The program must ignore SIGPIPE: a server
 * or a coprocess may end while something is written to it. */
#ifndef ENCODE_ENCODER_H
#define ENCODE_ENCODER_H

#include <stdatomic.h>

#include "encode/encoder_options.h"

typedef struct ig_encoder ig_encoder;

/* Open an encoder: a coprocess is started, a server asked for its model if none is
 * named. `stop` (optional), when it turns true, ends that and any later work; it must
 * outlive the encoder. The options are copied. IG_OK, or a sentence: IG_USAGE, IG_IO,
 * IG_FORMAT, IG_NOMEM, IG_INTERRUPTED. */
ig_status ig_encoder_open(ig_encoder **encoder, const ig_encoder_options *options,
                          const atomic_bool *stop, ig_error *error);

/* Encode n texts. Answers that are not of one length, not finite, or fewer than the
 * texts: IG_FORMAT. What a server cannot do at the moment is tried again, a little
 * later each time. IG_OK, IG_IO, IG_FORMAT, IG_VALUE, IG_NOMEM, IG_INTERRUPTED, or what
 * `take` returned. Memory: the texts of so many requests as are in flight, and their
 * answers. */
ig_status ig_encoder_encode(ig_encoder *encoder, const ig_encoder_text *text, size_t n,
                            ig_encoder_take *take, void *context, ig_error *error);

/* Floats of a vector; 0 before the first answer. */
size_t ig_encoder_dims(const ig_encoder *encoder);

/* What it was asked for (ig_encoder_options.dims); 0: nothing. */
size_t ig_encoder_asked_dims(const ig_encoder *encoder);

/* How it was called, and the model that a server uses (NULL where that is not known).
 */
const char *ig_encoder_name(const ig_encoder *encoder);
const char *ig_encoder_model(const ig_encoder *encoder);
const char *ig_encoder_prefix(const ig_encoder *encoder); /* "" when there is none */

/* Texts that keep it busy, when so many are given at a time. */
size_t ig_encoder_block(const ig_encoder *encoder);

/* Close connections, end the coprocess. NULL is accepted. */
void ig_encoder_close(ig_encoder *encoder);

/* Whether an encoder of that name may be used because a file says so: one that only
 * asks a server or reads. A command never is. */
bool ig_encoder_is_harmless(const char *name);

#endif
