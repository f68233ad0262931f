/* Encoder options from the environment. The API key is read only from there, so that it
 * appears neither in the process list nor in the history of a shell. */
#include "cli/encoding_options.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/memory.h"

static const char *read_variable(const char *name)
{
    return getenv(name);
}

static const char *first_set(const char *const *name)
{
    const char *value = NULL;

    while (*name && !(value && *value))
        value = getenv(*name++);
    return value && *value ? value : NULL;
}

/* Certificates, from the variables of curl, OpenSSL and Python's requests. */
static void find_certificates(ig_encoder_options *encoder)
{
    static const char *const files[] = {"CURL_CA_BUNDLE", "SSL_CERT_FILE",
                                        "REQUESTS_CA_BUNDLE", NULL};
    static const char *const dirs[] = {"SSL_CERT_DIR", NULL};
    struct stat info;

    encoder->ca_file = first_set(files);
    encoder->ca_dir = first_set(dirs);
    if (encoder->ca_file && stat(encoder->ca_file, &info) == 0 &&
        S_ISDIR(info.st_mode)) {
        encoder->ca_dir = encoder->ca_file;
        encoder->ca_file = NULL;
    }
}

ig_encoder_options ig_encoder_said(const ig_options *options)
{
    ig_encoder_options encoder = options->encoder;

    encoder.variable = read_variable;
    find_certificates(&encoder);
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
