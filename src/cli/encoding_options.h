/* What commands that use an encoder say of it. */
#ifndef CLI_ENCODING_OPTIONS_H
#define CLI_ENCODING_OPTIONS_H

#include "cli/options.h"
#include "encode/origin.h"

/* The options of the encoder, with the key of ISOGLOSS_API_KEY and the variables that
 * headers name, which are not sent to an address that a session names, and the
 * certificates of CURL_CA_BUNDLE, SSL_CERT_FILE, REQUESTS_CA_BUNDLE, SSL_CERT_DIR. */
ig_encoder_options ig_encoder_said(const ig_options *options);

/* What the .json beside DATA (its first argument) says of its encoder; as
 * ig_origin_read. */
ig_status ig_origin_of_data(ig_origin *origin, const ig_options *options,
                            ig_error *error);

/* The encoder for sentences that are to stand beside the rows of DATA: that of
 * --encoder, else the one that DATA's .json names (`origin`, which the result points
 * into), with the model and the prefix of the set where none are said. The key is not
 * sent to an address that a file names. said->encoder is NULL where there is none;
 * IG_USAGE when the file, or a session, names a command, which is not run because a
 * file says so. */
ig_status ig_encoder_of_set(ig_encoder_options *said, ig_origin *origin,
                            const ig_options *options, ig_error *error);

#endif
