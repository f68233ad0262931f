/* Encoders behind HTTP. */
#ifndef ENCODE_HTTP_H
#define ENCODE_HTTP_H

#include <stdatomic.h>
#include <stdbool.h>

#include "encode/encoder_options.h"

typedef struct ig_http ig_http;

/* Whether a name is the address of a server: SCHEME://…, HOST:PORT[/PATH] or
 * unix:/SOCKET[:/PATH]. */
bool ig_http_takes(const char *name);

/* Open the server that the options name; close it in any case. They outlive it.
 *   server  out  its address without path, valid until it is closed
 *   model   out  the model given, or the only one of the server, or NULL */
ig_status ig_http_open(ig_http **http, const ig_encoder_options *options,
                       const atomic_bool *stop, const char **server, const char **model,
                       ig_error *error);
ig_status ig_http_encode(ig_http *http, const ig_encoder_text *text, size_t count,
                         ig_encoder_take *take, void *context, ig_error *error);
void ig_http_close(ig_http *http);

#endif
