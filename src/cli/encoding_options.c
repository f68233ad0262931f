/* Encoder options from the environment. The API key is read only from there, so that it
 * appears neither in the process list nor in the history of a shell. */
#include "cli/encoding_options.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* A variable that is not empty, or NULL. */
static const char *read_variable(const char *name)
{
    const char *value = getenv(name);

    return value && *value ? value : NULL;
}

ig_encoder_options ig_encoder_said(const ig_options *options)
{
    static const char *const files[] = {"CURL_CA_BUNDLE", "SSL_CERT_FILE",
                                        "REQUESTS_CA_BUNDLE"};
    ig_encoder_options encoder = options->encoder;

    encoder.variable = read_variable;
    for (size_t i = 0; i < sizeof files / sizeof *files && !encoder.ca_file; i++)
        encoder.ca_file = read_variable(files[i]);
    encoder.ca_dir = read_variable("SSL_CERT_DIR");
    return encoder;
}

ig_status ig_origin_of_data(ig_origin *origin, const ig_options *options,
                            ig_error *error)
{
    const char *data = options->words ? options->word[0] : "";
    const char *equals = strchr(data, '=');
    char *path = ig_path_with(equals ? equals + 1 : data, ".json");
    ig_status status = path ? ig_origin_read(origin, path, error)
                            : ig_fail_memory(error, "a file name");

    ig_free(path);
    return status;
}

ig_status ig_encoder_of_dataset(ig_encoder_options *encoder, ig_origin *origin,
                                const ig_options *options, ig_error *error)
{
    ig_status status = ig_origin_of_data(origin, options, error);

    *encoder = ig_encoder_said(options);
    if (status == IG_OK && !encoder->encoder && origin->encoder) {
        encoder->encoder = origin->encoder;
        encoder->variable = NULL; /* secrets go only to a server that the user named */
        encoder->headers = 0;
    }
    if (status == IG_OK && !encoder->dims)
        encoder->dims = origin->asked_dims;
    if (status == IG_OK && !encoder->model)
        encoder->model = origin->model;
    if (status == IG_OK && !encoder->prefix && origin->prefix && *origin->prefix)
        encoder->prefix = origin->prefix;
    return status;
}
