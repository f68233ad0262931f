/* What the environment says of encoders. The key is read from there and nowhere else,
 * so that it is neither among the processes nor in the history of a shell. */
#include "cli/encoding_options.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "encode/encoder.h"

static const char *variable(const char *name)
{
    return getenv(name);
}

/* The first of these variables that is said, or NULL. */
static const char *first_said(const char *const *name)
{
    const char *value = NULL;

    while (*name && !(value && *value))
        value = getenv(*name++);
    return value && *value ? value : NULL;
}

/* Certificates as curl, OpenSSL and Python's requests find them. */
static void find_certificates(ig_encoder_options *said)
{
    static const char *const files[] = {"CURL_CA_BUNDLE", "SSL_CERT_FILE",
                                        "REQUESTS_CA_BUNDLE", NULL};
    static const char *const dirs[] = {"SSL_CERT_DIR", NULL};
    struct stat info;

    said->ca_file = first_said(files);
    said->ca_dir = first_said(dirs);
    if (said->ca_file && stat(said->ca_file, &info) == 0 && S_ISDIR(info.st_mode)) {
        said->ca_dir = said->ca_file;
        said->ca_file = NULL;
    }
}

/* What only an address that the user named gets. */
static void forget_secrets(ig_encoder_options *said)
{
    said->key = NULL;
    said->headers = 0;
}

ig_encoder_options ig_encoder_said(const ig_options *options)
{
    ig_encoder_options said = options->encoder;
    const char *key = getenv("ISOGLOSS_API_KEY");

    said.key = key && *key ? key : NULL;
    said.variable = variable;
    find_certificates(&said);
    return said;
}

ig_status ig_origin_of_data(ig_origin *origin, const ig_options *options,
                            ig_error *error)
{
    const char *data = options->words ? options->word[0] : "";
    const char *equals = strchr(data, '=');
    char *path = ig_origin_path(equals ? equals + 1 : data);
    ig_status status = path ? ig_origin_read(origin, path, error)
                            : ig_fail_memory(error, "a file name");

    ig_free(path);
    return status;
}

ig_status ig_encoder_of_set(ig_encoder_options *said, ig_origin *origin,
                            const ig_options *options, ig_error *error)
{
    ig_status status = ig_origin_of_data(origin, options, error);

    *said = ig_encoder_said(options);
    if (status == IG_OK && !said->encoder && origin->encoder) {
        said->encoder = origin->encoder;
        forget_secrets(said);
        if (!ig_encoder_is_harmless(origin->encoder))
            status = ig_fail(error, IG_USAGE,
                             "%s was encoded by a command, as its .json says: %s; a "
                             "command is run where --encoder says it",
                             options->word[0], origin->encoder);
    }
    if (status == IG_OK && !said->dims)
        said->dims = origin->asked_dims;
    if (status == IG_OK && !said->model)
        said->model = origin->model;
    if (status == IG_OK && !said->prefix && origin->prefix && *origin->prefix)
        said->prefix = origin->prefix;
    return status;
}
