/* Encoding sentences into a set: OUT.npy with OUT.csv and OUT.json beside it. The
 * matrix grows on the disk, as OUT.npy.part, and one that was stopped goes on where it
 * was; all three files appear whole, the matrix last. */
#ifndef ENCODE_ENCODING_H
#define ENCODE_ENCODING_H

#include "base/part.h"
#include "base/watch.h"
#include "encode/encoder.h"
#include "encode/text_files.h"

typedef struct ig_encoding_options {
    const char *out; /* ends with .npy */
    bool half;       /* float16 instead of float32 */
    bool overwrite;  /* replace NAME.csv and NAME.json of somebody else */
    /* Gets the place of each text that the encoder refused, at the end; or NULL. */
    void (*refused)(void *context, const char *file, size_t line);
    void *context; /* of refused */
} ig_encoding_options;

typedef struct ig_encoding_result {
    size_t rows, dims;
    size_t resumed; /* rows that were there already */
    size_t refused; /* texts that have no row, as the encoder refused them */
    size_t zeros;   /* rows of length 0 */
} ig_encoding_result;

/* Encode all sentences.
 *   tick  in  called with the rows that are written, first with those that were there
 *             already; or NULL
 * IG_OK; IG_USAGE: OUT has another ending, or OUT.npy.part was begun with other texts,
 * another encoder or type; IG_VALUE: a value too large for float16; else as the encoder
 * and the files say. What is written stays for another time, unless
 * it is IG_USAGE. */
ig_status ig_encoding_run(ig_encoding_result *result, ig_encoder *encoder,
                          const ig_text_files *sentences,
                          const ig_encoding_options *options,
                          void (*tick)(void *context, size_t rows), void *context,
                          ig_error *error);

/* Names of the files next to OUT.npy, checked: for who must know what will be written.
 * Blocks of the caller's. IG_OK, IG_USAGE or IG_NOMEM. */
ig_status ig_encoding_names(const char *out, char **table, char **origin,
                            ig_error *error);

/* Refuse to replace a table or an origin that no encoding wrote: the origin must be one
 * (encode/origin.h), and the table not newer than it. ig_encoding_run checks this
 * before it commits; call it before the work begins. IG_OK or IG_USAGE. */
ig_status ig_encoding_check(const char *table, const char *origin, ig_error *error);

#endif
