/* Kinds of encoders: a row each of the table in encode/encoder.c. */
#ifndef ENCODE_ENCODER_KIND_H
#define ENCODE_ENCODER_KIND_H

#include <stdatomic.h>

#include "encode/encoder_options.h"

/* What every kind is given. Texts have their prefix already. */
typedef struct ig_encoder_call {
    const ig_encoder_text *text; /* (count) */
    size_t count;
    ig_encoder_take *take; /* checks what it gets */
    void *context;
} ig_encoder_call;

typedef struct ig_encoder_kind {
    bool (*takes)(const char *name); /* NULL: any other name */
    bool harmless;                   /* may be used because a file names it */
    double timeout;                  /* seconds, where none is said */

    /* Open it: *state is then the kind's own. The options live as long as it. */
    ig_status (*open)(void **state, const ig_encoder_options *options,
                      const atomic_bool *stop, ig_error *error);
    ig_status (*encode)(void *state, const ig_encoder_call *call, ig_error *error);
    const char *(*model)(const void *state); /* or NULL: it has none to tell */
    void (*close)(void *state);              /* takes NULL */
} ig_encoder_kind;

extern const ig_encoder_kind ig_encoder_http;
extern const ig_encoder_kind ig_encoder_coprocess;
extern const ig_encoder_kind ig_encoder_lookup;

#endif
