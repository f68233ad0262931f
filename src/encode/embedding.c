/* Vectors and complaints in the answers of encoders. */
#include "encode/embedding.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "data/quote.h"

ig_status ig_embedding_add(const ig_json_value *array, const char *who, size_t number,
                           size_t *dims, ig_builder *out, ig_error *error)
{
    size_t length = ig_json_size(array);
    float *room;

    if (ig_json_kind_of(array) != IG_JSON_ARRAY || length == 0)
        return ig_fail(error, IG_FORMAT,
                       "%s: the answer to text %zu has %s for an embedding", who,
                       number,
                       ig_json_kind_of(array) == IG_JSON_ARRAY
                           ? "an empty list"
                           : ig_json_kind_name(ig_json_kind_of(array)));
    if (*dims && length != *dims)
        return ig_fail(error, IG_FORMAT,
                       "%s: %zu dimensions in the answer to text %zu, but %zu before",
                       who, length, number, *dims);
    *dims = length;
    room = (float *)(void *)ig_builder_room(out, length * sizeof *room);
    if (!room)
        return ig_fail_memory(error, "the answer");
    for (size_t i = 0; i < length; i++) {
        double value = ig_json_number_of(ig_json_at(array, i));

        room[i] = (float)value;
        if (isnan(value))
            return ig_fail(error, IG_FORMAT,
                           "%s: value %zu of the answer to text %zu is no number", who,
                           i + 1, number);
    }
    return IG_OK;
}

/* Put `key` away wherever it stands in text[0 … length). */
static void hide(char *text, size_t length, const char *key)
{
    size_t size = key ? strlen(key) : 0;

    for (size_t at = 0; size && at + size <= length; at++)
        if (memcmp(text + at, key, size) == 0)
            memset(text + at, '*', size);
}

const char *ig_embedding_said(char out[IG_SAID_SIZE], const char *text, size_t length,
                              const char *key)
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
    hide(copy, length, key);
    /* Piece by piece, for ig_quote cuts what is long. */
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
