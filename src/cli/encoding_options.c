/* The key of an encoder is read from the environment and nowhere else, so that it is
 * neither among the processes nor in the history of a shell. */
#include "cli/encoding_options.h"

#include <stdlib.h>

ig_encoder_options ig_encoder_said(const ig_options *options)
{
    ig_encoder_options said = options->encoder;
    const char *key = getenv("ISOGLOSS_API_KEY");

    said.key = key && *key ? key : NULL;
    return said;
}
