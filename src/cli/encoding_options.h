/* Encoder options from the command line, the environment and the dataset. */
#pragma once

#include "cli/options.h"
#include "encode/origin.h"

/* The options of the command line, with the key of ISOGLOSS_API_KEY, the variables
 * named in headers, and the certificates of CURL_CA_BUNDLE, SSL_CERT_FILE,
 * REQUESTS_CA_BUNDLE and SSL_CERT_DIR. */
ig_encoder_options ig_encoder_said(const ig_options *options);

/* Read the encoder from the .json file of DATA (its first argument); returns as
 * ig_origin_read. */
ig_status ig_origin_of_data(ig_origin *origin, const ig_options *options,
                            ig_error *error);

/* The encoder for new sentences of DATA: that of --encoder, else the one named in
 * DATA's .json (`origin`, which the result points into); model and prefix default to
 * those of the dataset. The key is not sent to a server named in a file.
 * encoder->encoder is NULL if none is known. Returns as ig_origin_read. */
ig_status ig_encoder_of_dataset(ig_encoder_options *encoder, ig_origin *origin,
                                const ig_options *options, ig_error *error);
