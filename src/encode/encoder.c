/* Opening an encoder, and datasets as encoders. */
#include "encode/encoder.h"

#include <string.h>

#include "core/memory.h"
#include "data/dataset.h"
#include "data/names.h"
#include "encode/http.h"

enum { BATCH = 32, REQUESTS = 4, BLOCKS = 8, TIMEOUT = 60 };

/* --- npy:SET ---------------------------------------------------------------------- */

/* Looks texts up in a dataset that contains them with their vectors, for tests and for
 * use without a model. Fails for other texts. */
static const char lookup_prefix[] = "npy:";

static ig_status open_lookup(ig_encoder *e, ig_error *error)
{
    const char *path = e->options.encoder + strlen(lookup_prefix);
    ig_status status = ig_dataset_open(&e->set, &path, 1, NULL, error);

    return status != IG_OK || e->set->has_text
               ? status
               : ig_fail(error, IG_VALUE, "%s: the set has no texts to look up",
                         e->options.encoder);
}

/* The first row with a text after the prefix; the number of rows: none. */
static size_t find_text(const ig_encoder *e, const char *text)
{
    const char *prefix = e->options.prefix ? e->options.prefix : "";
    size_t length = strlen(prefix), row = 0;

    while (row < e->set->rows && (strncmp(e->set->text[row], prefix, length) != 0 ||
                                  strcmp(e->set->text[row] + length, text) != 0))
        row++;
    return row;
}

static ig_status look_up(const ig_encoder *e, const ig_encoder_text *text, size_t n,
                         ig_encoder_take *take, void *context, ig_error *error)
{
    size_t dims = e->set->dims;
    float *vector = ig_alloc(dims, sizeof *vector);
    ig_status status = vector ? IG_OK : ig_fail_memory(error, "a vector");

    for (size_t i = 0; i < n && status == IG_OK; i++) {
        size_t row = find_text(e, text[i].text);
        char quoted[IG_QUOTE_SIZE];

        if (e->stop && atomic_load(e->stop))
            status =
                ig_fail(error, IG_INTERRUPTED, "%s: interrupted", e->options.encoder);
        else if (row == e->set->rows)
            status = ig_fail(error, IG_VALUE, "%s: the set has no text '%s'",
                             e->options.encoder,
                             ig_quote(quoted, text[i].text, strlen(text[i].text)));
        if (status != IG_OK)
            break;
        ig_dataset_rows(e->set, row, 1, vector, dims);
        status = take(context, 1, vector, dims, error);
    }
    ig_free(vector);
    return status;
}

/* --- opening ---------------------------------------------------------------------- */

static bool is_lookup(const char *name)
{
    return strncmp(name, lookup_prefix, strlen(lookup_prefix)) == 0;
}

ig_status ig_encoder_check(const char *name, ig_error *error)
{
    return is_lookup(name) || ig_http_takes(name)
               ? IG_OK
               : ig_fail(error, IG_USAGE,
                         "the encoder '%s' is no URL, HOST:PORT, unix:/SOCKET or "
                         "npy:SET; instead of a command start a server, such as "
                         "assets/encode.py, and pass its URL to --encoder",
                         name);
}

ig_status ig_encoder_open(ig_encoder **encoder, const ig_encoder_options *options,
                          const atomic_bool *stop, ig_error *error)
{
    const char *const word[] = {options->encoder, options->model, options->prefix};
    ig_status status = ig_encoder_check(options->encoder, error);
    ig_encoder *e = NULL;

    *encoder = NULL;
    for (size_t i = 0; i < sizeof word / sizeof *word && status == IG_OK; i++)
        if (word[i] && !ig_quote_is_text(word[i], strlen(word[i])))
            status = ig_fail(error, IG_USAGE, "the encoder, its model or prefix %s",
                             IG_NOT_UTF8);
    if (status == IG_OK && !(e = ig_alloc(1, sizeof *e)))
        status = ig_fail_memory(error, "the encoder");
    if (status != IG_OK)
        return status;
    *e = (ig_encoder){*options, .stop = stop};
    e->options.batch = options->batch ? options->batch : BATCH;
    e->options.requests = options->requests ? options->requests : REQUESTS;
    e->options.timeout = options->timeout > 0 ? options->timeout : TIMEOUT;
    e->options.pause = options->pause > 0 ? options->pause : 0.5;
    status = is_lookup(options->encoder) ? open_lookup(e, error)
                                         : ig_http_open(&e->http, &e->options, stop,
                                                        &e->server, &e->model, error);
    if (status == IG_OK)
        *encoder = e;
    else
        ig_encoder_close(e);
    return status;
}

void ig_encoder_close(ig_encoder *e)
{
    if (!e)
        return;
    if (e->set)
        ig_dataset_free(e->set);
    ig_http_close(e->http);
    ig_free(e);
}

ig_status ig_encoder_encode(ig_encoder *e, const ig_encoder_text *text, size_t n,
                            ig_encoder_take *take, void *context, ig_error *error)
{
    for (size_t i = 0; i < n; i++)
        if (!ig_quote_is_text(text[i].text, strlen(text[i].text)))
            return ig_fail(error, IG_VALUE, "text %zu %s", i + 1, IG_NOT_UTF8);
    return e->set ? look_up(e, text, n, take, context, error)
                  : ig_http_encode(e->http, text, n, take, context, error);
}

size_t ig_encoder_block(const ig_encoder *e)
{
    return e->options.batch * e->options.requests * BLOCKS;
}
