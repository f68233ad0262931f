/* The table of encoder kinds, and what they share: the prefix, and checks of dimensions
 * and finite values. */
#include "encode/encoder.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "data/dataset.h"
#include "data/names.h"
#include "encode/encoder_kind.h"

enum { BATCH = 32, REQUESTS = 4, BLOCKS = 8, TIMEOUT = 60 };

/* --- npy:SET ---------------------------------------------------------------------- */

/* Looks texts up in a dataset that contains them with their vectors, for tests and for
 * use without a model. Fails for other texts. */
static const char lookup_prefix[] = "npy:";

typedef struct lookup {
    const ig_encoder_options *options;
    const atomic_bool *stop;
    ig_dataset *set;
    ig_names texts;
    uint32_t *row; /* (texts) first row with the text */
} lookup;

static void close_lookup(void *state)
{
    lookup *l = state;

    if (!l)
        return;
    ig_dataset_free(l->set);
    ig_names_free(&l->texts);
    IG_FREE(l->row, l);
}

static ig_status open_lookup(void **state, const ig_encoder_options *options,
                             const atomic_bool *stop, ig_error *error)
{
    const char *path = options->encoder + strlen(lookup_prefix);
    lookup *l = ig_alloc(1, sizeof *l);
    ig_status status;

    if (!l)
        return ig_fail_memory(error, "the encoder");
    *state = l;
    l->options = options;
    l->stop = stop;
    status = ig_dataset_open(&l->set, &path, 1, NULL, error);
    if (status == IG_OK && !l->set->has_text)
        status = ig_fail(error, IG_VALUE, "%s: the set has no texts to look up",
                         options->encoder);
    if (status == IG_OK && !(l->row = ig_alloc(l->set->rows, sizeof *l->row)))
        status = ig_fail_memory(error, "the texts");
    for (uint32_t i = 0; status == IG_OK && i < l->set->rows; i++) {
        size_t before = l->texts.count;
        const char *text = l->set->text[i];
        uint32_t number;

        status = ig_names_add(&l->texts, text, strlen(text), &number, error);
        if (l->texts.count > before)
            l->row[number] = i;
    }
    return status;
}

static bool is_lookup(const char *name)
{
    return strncmp(name, lookup_prefix, strlen(lookup_prefix)) == 0;
}

static ig_status encode_by_lookup(void *state, const ig_encoder_call *call,
                                  ig_error *error)
{
    lookup *l = state;
    size_t dims = l->set->dims, most = l->options->batch;
    float *block = ig_alloc(most, dims * sizeof *block);
    ig_status status = block ? IG_OK : ig_fail_memory(error, "the vectors");

    for (size_t i = 0; i < call->count && status == IG_OK;) {
        size_t first = i;

        for (; i < call->count && i - first < most && status == IG_OK; i++) {
            const char *text = call->text[i].text;
            uint32_t number = ig_names_find(&l->texts, text, strlen(text));
            char quoted[IG_QUOTE_SIZE];

            if (number == UINT32_MAX && l->options->skip)
                break;
            if (number == UINT32_MAX)
                status = ig_fail(error, IG_VALUE, "%s: the set has no text '%s'",
                                 l->options->encoder,
                                 ig_quote(quoted, text, strlen(text)));
            else
                ig_dataset_rows(l->set, l->row[number], 1, block + (i - first) * dims,
                                dims);
        }
        if (status == IG_OK && i == first) /* a skipped text */
            status = call->take(call->context, i++, 1, NULL, dims, error);
        else if (status == IG_OK)
            status = call->take(call->context, first, i - first, block, dims, error);
        if (status == IG_OK && l->stop && atomic_load(l->stop))
            status =
                ig_fail(error, IG_INTERRUPTED, "%s: interrupted", l->options->encoder);
    }
    ig_free(block);
    return status;
}

static const ig_encoder_kind lookup_kind = {.takes = is_lookup,
                                            .open = open_lookup,
                                            .encode = encode_by_lookup,
                                            .close = close_lookup};

/* --- encoders --------------------------------------------------------------------- */

static const ig_encoder_kind *const kinds[] = {&ig_encoder_http, &lookup_kind};

struct ig_encoder {
    const ig_encoder_kind *kind;
    void *state;
    ig_encoder_options options;
    ig_arena arena; /* strings of the options */
    size_t dims;
};

static const ig_encoder_kind *find_kind(const char *name)
{
    return kinds[0]->takes(name) ? kinds[0] : kinds[1]->takes(name) ? kinds[1] : NULL;
}

ig_status ig_encoder_check(const char *name, ig_error *error)
{
    return find_kind(name)
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
    ig_encoder *e = ig_alloc(1, sizeof *e);
    const char **text[] = {&e->options.encoder, &e->options.model,
                           &e->options.prefix,  &e->options.key,
                           &e->options.ca_file, &e->options.ca_dir};
    ig_status status = IG_OK;

    *encoder = NULL;
    if (!e)
        return ig_fail_memory(error, "the encoder");
    e->options = *options;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        if (*text[i] &&
            !(*text[i] = ig_arena_text(&e->arena, *text[i], strlen(*text[i]))))
            status = ig_fail_memory(error, "the encoder");
    if (status == IG_OK)
        status = ig_encoder_check(e->options.encoder, error);
    if (status == IG_OK) {
        e->kind = find_kind(e->options.encoder);
        if (!e->options.batch)
            e->options.batch = BATCH;
        if (!e->options.requests)
            e->options.requests = REQUESTS;
        if (!(e->options.timeout > 0))
            e->options.timeout = TIMEOUT;
        if (!(e->options.pause > 0))
            e->options.pause = 0.5;
        status = e->kind->open(&e->state, &e->options, stop, error);
    }
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
    if (e->kind)
        e->kind->close(e->state);
    ig_arena_free(&e->arena);
    ig_free(e);
}

/* --- encoding --------------------------------------------------------------------- */

/* One call: checks the answers before the caller gets them. */
typedef struct check {
    ig_encoder *encoder;
    ig_encoder_take *take;
    void *context;
} check;

static ig_status look(void *context, size_t first, size_t count, const float *vector,
                      size_t dims, ig_error *error)
{
    check *c = context;
    ig_encoder *e = c->encoder;

    if (!vector)
        return c->take(c->context, first, count, NULL, e->dims, error);
    if (e->options.dims && dims != e->options.dims)
        return ig_fail(error, IG_SHAPE,
                       "%s: answered %zu dimensions, where --encoder-dims asks for %zu",
                       e->options.encoder, dims, e->options.dims);
    if (dims == 0 || (e->dims && dims != e->dims))
        return ig_fail(error, IG_FORMAT,
                       "%s: an answer of %zu dimensions, where those before had %zu",
                       e->options.encoder, dims, e->dims);
    for (size_t i = 0; i < count * dims; i++)
        if (!isfinite(vector[i]))
            return ig_fail(error, IG_VALUE,
                           "%s: value %zu of the answer to text %zu is not finite",
                           e->options.encoder, i % dims + 1, first + i / dims + 1);
    e->dims = dims;
    return c->take(c->context, first, count, vector, dims, error);
}

static const ig_encoder_text *add_prefix(ig_arena *arena, const ig_encoder_text *text,
                                         size_t n, const char *prefix)
{
    ig_encoder_text *out = ig_arena_alloc(arena, n * sizeof *out);
    size_t before = strlen(prefix);

    for (size_t i = 0; i < n && out; i++) {
        size_t length = strlen(text[i].text);
        char *joined = ig_arena_alloc(arena, before + length + 1);

        if (!joined)
            return NULL;
        memcpy(joined, prefix, before);
        memcpy(joined + before, text[i].text, length);
        out[i] = text[i];
        out[i].text = joined;
    }
    return out;
}

ig_status ig_encoder_encode(ig_encoder *e, const ig_encoder_text *text, size_t n,
                            ig_encoder_take *take, void *context, ig_error *error)
{
    check c = {e, take, context};
    ig_encoder_call call = {text, n, look, &c};
    ig_arena arena = {0};
    ig_status status = IG_OK;

    if (n == 0)
        return IG_OK;
    if (e->options.prefix)
        call.text = add_prefix(&arena, text, n, e->options.prefix);
    status = call.text ? e->kind->encode(e->state, &call, error)
                       : ig_fail_memory(error, "the texts");
    ig_arena_free(&arena);
    return status;
}

const ig_encoder_options *ig_encoder_asked(const ig_encoder *e)
{
    return &e->options;
}

const char *ig_encoder_model(const ig_encoder *e)
{
    return e->kind->model ? e->kind->model(e->state) : NULL;
}

size_t ig_encoder_block(const ig_encoder *e)
{
    return e->options.batch * e->options.requests * BLOCKS;
}
