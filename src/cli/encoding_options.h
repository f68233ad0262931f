/* What commands that use an encoder say of it. */
#ifndef CLI_ENCODING_OPTIONS_H
#define CLI_ENCODING_OPTIONS_H

#include "cli/options.h"

/* The options of the encoder, with the key of ISOGLOSS_API_KEY. */
ig_encoder_options ig_encoder_said(const ig_options *options);

#endif
