/* Parses vectors and error messages in the answers of encoders. */
#include "encode/encoder_kind.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "data/names.h"

enum {
    NUMBER = 40,   /* maximum bytes of a number in JSON, with comma and indentation */
    ITEM = 4096,   /* bytes of an item without its numbers */
    ANSWER = 65536 /* bytes of an answer without its items */
};

size_t ig_embedding_bytes(size_t count, size_t dims)
{
    return ANSWER + count * (ITEM + (dims ? dims : IG_EMBEDDING_DIMS) * NUMBER);
}

ig_status ig_embedding_read(ig_json **document, const char *text, size_t length,
                            size_t count, size_t dims, ig_error *error)
{
    size_t nested = 0, values = 0;

    *document = NULL;
    for (size_t i = 0; i < length; i++) {
        nested += text[i] == '[' || text[i] == '{';
        values += text[i] == ',';
    }
    dims = dims ? dims : IG_EMBEDDING_DIMS;
    if (nested > 64 + 8 * count || values > 256 + count * (dims + 32))
        return ig_fail(error, IG_SHAPE,
                       "answer: more lists or values than %zu vector%s of at most %zu "
                       "dimensions need",
                       count, count == 1 ? "" : "s", dims);
    return ig_json_read(document, "answer", 1, text, length, error);
}

ig_status ig_embedding_add(const ig_json_value *value, const char *who, size_t number,
                           size_t *dims, ig_builder *out, ig_error *error)
{
    size_t size = ig_json_size(value);
    float *room;

    if (ig_json_kind_of(value) != IG_JSON_ARRAY || size == 0)
        return ig_fail(error, IG_FORMAT,
                       "%s: the answer to text %zu has %s for an embedding", who,
                       number,
                       ig_json_kind_of(value) == IG_JSON_ARRAY
                           ? "an empty list"
                           : ig_json_kind_name(ig_json_kind_of(value)));
    if (*dims && size != *dims)
        return ig_fail(error, IG_FORMAT,
                       "%s: %zu dimensions in the answer to text %zu, but %zu before",
                       who, size, number, *dims);
    *dims = size;
    room = (float *)(void *)ig_builder_room(out, size * sizeof *room);
    if (!room)
        return ig_fail_memory(error, "the answer");
    for (size_t i = 0; i < size; i++) {
        double one = ig_json_number_of(ig_json_at(value, i));

        room[i] = (float)one;
        if (isnan(one))
            return ig_fail(error, IG_FORMAT,
                           "%s: value %zu of the answer to text %zu is no number", who,
                           i + 1, number);
    }
    return IG_OK;
}

/* Mask `key` wherever it occurs in text[0 … length), unless it is too short to be a
 * secret. */
static void mask_key(char *text, size_t length, const char *key)
{
    size_t size = strlen(key);

    for (size_t at = 0; size > 3 && at + size <= length; at++)
        if (memcmp(text + at, key, size) == 0)
            memset(text + at, '*', size);
}

const char *ig_embedding_where(char out[IG_SAID_SIZE], const ig_encoder_text *text,
                               size_t number)
{
    if (text->file)
        snprintf(out, IG_SAID_SIZE, "%s:%zu", text->file, text->line);
    else
        snprintf(out, IG_SAID_SIZE, "text %zu", number);
    return out;
}

void ig_embedding_skipped(const ig_encoder_options *options,
                          const ig_encoder_text *text, size_t number, const char *why)
{
    char sentence[3 * IG_SAID_SIZE], where[IG_SAID_SIZE];

    snprintf(sentence, sizeof sentence, "skipped %s: %s",
             ig_embedding_where(where, text, number), why);
    if (options->notice)
        options->notice(options->notice_context, sentence);
}

const char *ig_embedding_said(char out[IG_SAID_SIZE], const char *text, size_t length,
                              const char *const *secret)
{
    ig_builder whole = {0};
    size_t used = 0;
    char *copy;

    while (length && strchr(" \t\r\n", text[length - 1]) && text[length - 1])
        length--;
    ig_builder_put(&whole, text, length);
    copy = ig_builder_take(&whole);
    *out = '\0';
    if (!copy)
        return out;
    for (; secret && *secret; secret++)
        mask_key(copy, length, *secret);
    /* In chunks, as ig_quote truncates long text. */
    for (size_t at = 0; at < length && used + IG_QUOTE_SIZE < IG_SAID_SIZE;) {
        char quoted[IG_QUOTE_SIZE];
        size_t n = 0;

        while (at + n < length && n < 32) {
            size_t bytes;

            ig_text_decode(copy + at + n, length - at - n, &bytes);
            n += bytes;
        }
        ig_quote(quoted, copy + at, n);
        memcpy(out + used, quoted, strlen(quoted) + 1);
        used += strlen(quoted);
        at += n;
    }
    ig_free(copy);
    return out;
}
