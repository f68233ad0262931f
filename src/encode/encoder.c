/* The table of kinds, and what holds for all of them: the prefix, one length of
 * vectors, values that are finite. */
#include "encode/encoder.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "encode/encoder_kind.h"

static const ig_encoder_kind *const kinds[] = {&ig_encoder_http, &ig_encoder_lookup,
                                               &ig_encoder_coprocess};

enum { BATCH = 32, REQUESTS = 4, BLOCKS = 8 };

struct ig_encoder {
    const ig_encoder_kind *kind;
    void *state;
    ig_encoder_options options;
    ig_arena arena; /* of the options' texts */
    size_t dims;
};

static const ig_encoder_kind *kind_of(const char *name)
{
    size_t k = 0;

    while (kinds[k]->takes && !kinds[k]->takes(name))
        k++; /* the last kind takes any name */
    return kinds[k];
}

bool ig_encoder_is_harmless(const char *name)
{
    return kind_of(name)->harmless;
}

/* Copy a text of the options; NULL stays. */
static bool keep(ig_encoder *e, const char **text)
{
    if (*text)
        *text = ig_arena_text(&e->arena, *text, strlen(*text));
    return *text != NULL;
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
        if (*text[i] && !keep(e, text[i]))
            status = ig_fail_memory(error, "the encoder");
    if (status == IG_OK) {
        e->kind = kind_of(e->options.encoder);
        if (!e->options.batch)
            e->options.batch = BATCH;
        if (!e->options.requests)
            e->options.requests = REQUESTS;
        if (!(e->options.timeout > 0))
            e->options.timeout = e->kind->timeout;
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

/* One call, with what looks at the answers before the caller gets them. */
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

/* The texts with the prefix before each, in the arena, or NULL. */
static const ig_encoder_text *prefixed(ig_arena *arena, const ig_encoder_text *text,
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
        call.text = prefixed(&arena, text, n, e->options.prefix);
    status = call.text ? e->kind->encode(e->state, &call, error)
                       : ig_fail_memory(error, "the texts");
    ig_arena_free(&arena);
    return status;
}

size_t ig_encoder_dims(const ig_encoder *e)
{
    return e->dims;
}

size_t ig_encoder_asked_dims(const ig_encoder *e)
{
    return e->options.dims;
}

const char *ig_encoder_name(const ig_encoder *e)
{
    return e->options.encoder;
}

const char *ig_encoder_model(const ig_encoder *e)
{
    return e->kind->model ? e->kind->model(e->state) : NULL;
}

const char *ig_encoder_prefix(const ig_encoder *e)
{
    return e->options.prefix ? e->options.prefix : "";
}

size_t ig_encoder_block(const ig_encoder *e)
{
    return e->options.batch * e->options.requests * BLOCKS;
}
