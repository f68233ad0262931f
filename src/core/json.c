/* JSON by jansson. */
#include "core/json.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"

json_t *ig_json_string(const char *text)
{
    char *mended = text ? ig_text_mend(text, strlen(text)) : NULL;
    json_t *value = text ? json_string(mended) : json_null();

    ig_free(mended);
    return value;
}

json_t *ig_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *ig_json_setting(const ig_setting *field, const void *record)
{
    char out[IG_SETTING_SIZE];
    const char *text = ig_setting_format(field, record, out);
    bool real = field->kind == IG_KIND_POSITIVE || field->kind == IG_KIND_WEIGHT ||
                field->kind == IG_KIND_FRACTION;

    if (field->kind == IG_KIND_FLAG)
        return json_boolean(strcmp(text, "yes") == 0);
    if (!strchr("-0123456789", *text))
        return ig_json_string(text);
    return json_loads(text, JSON_DECODE_ANY | (real ? JSON_DECODE_INT_AS_REAL : 0),
                      NULL);
}

json_t *ig_json_set(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) == 0)
        return object;
    json_decref(object);
    return NULL;
}

json_t *ig_json_append(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) == 0)
        return array;
    json_decref(array);
    return NULL;
}

/* Other than ASCII is in strings only. */
static int write_escaped(const char *text, size_t size, void *file)
{
    size_t from = 0;

    for (size_t i = 0, bytes = 1; i < size; i += bytes, bytes = 1) {
        bool plain = (unsigned char)text[i] < 0x7f;
        int32_t c = plain ? ' ' : ig_text_decode(text + i, size - i, &bytes);

        if (plain || !ig_text_is_control(c))
            continue;
        fwrite(text + from, 1, i - from, file);
        fprintf(file, "\\u%04X", (unsigned)c);
        from = i + bytes;
    }
    fwrite(text + from, 1, size - from, file);
    return 0;
}

bool ig_json_write(FILE *file, const json_t *value, size_t flags)
{
    if (!(flags & JSON_REAL_PRECISION(31)))
        flags |= JSON_REAL_PRECISION(9);
    return json_dump_callback(value, write_escaped, file, flags | JSON_ENCODE_ANY) == 0;
}
