/* npy:SET, an encoder that looks each text up in a set that has it with its vector: for
 * tests and for trying things out without a model. Knows no other text. */
#include "encode/encoder_kind.h"

#include <string.h>

#include "data/names.h"
#include "data/quote.h"
#include "data/set.h"

static const char begin[] = "npy:";

typedef struct lookup {
    const ig_encoder_options *options;
    const atomic_bool *stop;
    ig_set *set;
    ig_names texts;
    uint32_t *row; /* (texts) the first row that has it */
} lookup;

static void close_lookup(void *state)
{
    lookup *l = state;

    if (!l)
        return;
    ig_set_free(l->set);
    ig_names_free(&l->texts);
    ig_free(l->row);
    ig_free(l);
}

static ig_status open_lookup(void **state, const ig_encoder_options *options,
                             const atomic_bool *stop, ig_error *error)
{
    const char *path = options->encoder + sizeof begin - 1;
    lookup *l = ig_alloc(1, sizeof *l);
    ig_status status;

    if (!l)
        return ig_fail_memory(error, "the encoder");
    *state = l;
    l->options = options;
    l->stop = stop;
    status = ig_set_open(&l->set, &path, 1, NULL, error);
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

static bool takes(const char *name)
{
    return strncmp(name, begin, sizeof begin - 1) == 0;
}

static ig_status encode(void *state, const ig_encoder_call *call, ig_error *error)
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
                ig_set_rows(l->set, l->row[number], 1, block + (i - first) * dims,
                            dims);
        }
        if (status == IG_OK && i == first) /* a text to be skipped */
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

const ig_encoder_kind ig_encoder_lookup = {.takes = takes,
                                           .harmless = true,
                                           .timeout = 60,
                                           .open = open_lookup,
                                           .encode = encode,
                                           .close = close_lookup};
