/* What an encoder is asked for, and how its vectors come. */
#ifndef ENCODE_ENCODER_OPTIONS_H
#define ENCODE_ENCODER_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* What was said about an encoder; zeros are not said. */
typedef struct ig_encoder_options {
    const char *encoder; /* a server (encode/address.h), "npy:SET", or a command */
    const char *model;   /* of a server; NULL: the only one it has */
    const char *prefix;  /* before each text, or NULL */
    const char *key;     /* of a server; it goes nowhere else, nor into messages */
    size_t batch;        /* texts of a request; 0: 32 */
    size_t requests;     /* in flight at a time; 0: 4 */
    double timeout;      /* seconds without an answer; ≤ 0: the kind's own */
    double pause;        /* seconds before the first try anew, doubled each time; ≤ 0:
                            0.5 */
    size_t dims;         /* that a server is asked for and all vectors have; 0: any */

    /* More headers of requests to a server, "NAME: VALUE"; in a value $NAME or ${NAME}
     * is what `variable` returns (not NULL, nor ""). Values are as secret as the key.
     * They must outlive the encoder. */
    const char *const *header; /* (headers) */
    size_t headers;
    const char *(*variable)(const char *name);

    const char *ca_file, *ca_dir; /* certificates to trust, or NULL: the system's */
    bool skip; /* a text that the encoder refuses is passed over: `take` gets NULL */

    /* Gets a sentence: a server is waited for, a text is passed over; or NULL. */
    void (*notice)(void *context, const char *sentence);
    void *notice_context;
} ig_encoder_options;

typedef struct ig_encoder_text {
    const char *text; /* UTF-8 */
    const char *lang; /* code, or NULL: not known */
    const char *file; /* where it stands, for messages, or NULL: nowhere */
    size_t line;
} ig_encoder_text;

/* Gets vectors in the order of their texts, as soon as the first ones are there.
 *   first   in  number of the first text of these
 *   vector  in  (count, dims) finite; dies with the call. NULL, where texts may be
 *               skipped: the encoder refused them (dims 0: not known yet)
 * Anything but IG_OK ends the encoding with it. */
typedef ig_status ig_encoder_take(void *context, size_t first, size_t count,
                                  const float *vector, size_t dims, ig_error *error);

#endif
