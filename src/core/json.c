/* JSON documents, by jansson. */
#include "core/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "core/array.h"
#include "core/file.h"
#include "core/text.h"

enum { LINE = 88, INDENT = 2 };
enum { FLAGS = JSON_ENCODE_ANY | JSON_REAL_PRECISION(15) };

struct ig_json {
    json_t *value;
    bool failed; /* some content is missing: out of memory */
};

static ig_json *wrap_value(json_t *value)
{
    ig_json *json = value ? ig_alloc(1, sizeof *json) : NULL;

    if (json)
        json->value = value;
    else
        json_decref(value);
    return json;
}

ig_json *ig_json_object(void)
{
    return wrap_value(json_object());
}

ig_json *ig_json_array(void)
{
    return wrap_value(json_array());
}

/* Copy with U+FFFD for each byte that is not valid UTF-8. */
static json_t *mend_text(const char *text, size_t length)
{
    size_t size = 0;
    char *copy = ig_text_mend(text, length, &size);
    json_t *value = copy ? json_stringn(copy, size) : NULL;

    ig_free(copy);
    return value;
}

ig_json *ig_json_text(const char *text)
{
    size_t length = text ? strlen(text) : 0;

    if (!text)
        return wrap_value(json_null());
    return wrap_value(ig_text_valid(text, length) == length ? json_stringn(text, length)
                                                            : mend_text(text, length));
}

ig_json *ig_json_real(double value)
{
    return wrap_value(isfinite(value) ? json_real(value) : json_null());
}

ig_json *ig_json_figure(double value)
{
    char text[40];

    snprintf(text, sizeof text, "%.9g", value);
    return ig_json_real(isfinite(value) ? strtod(text, NULL) : value);
}

ig_json *ig_json_count(size_t value)
{
    return wrap_value(json_integer((json_int_t)value));
}

ig_json *ig_json_bool(bool value)
{
    return wrap_value(json_boolean(value));
}

ig_json *ig_json_setting(const ig_setting *field, const void *record)
{
    char out[IG_SETTING_SIZE];
    const char *text = ig_setting_format(field, record, out);

    if (!ig_setting_is_set(field, record))
        return wrap_value(json_null());
    switch (field->kind) {
    case IG_KIND_FLAG:
        return ig_json_bool(strcmp(text, "yes") == 0);
    case IG_KIND_CHOICE:
    case IG_KIND_TEXT:
        return ig_json_text(text);
    case IG_KIND_POSITIVE:
    case IG_KIND_WEIGHT:
    case IG_KIND_FRACTION:
        return ig_json_real(strtod(text, NULL));
    default:
        return wrap_value(json_integer(strtoll(text, NULL, 10)));
    }
}

static void note_added(ig_json *to, ig_json *value, bool put)
{
    if (to)
        to->failed |= !put || value->failed;
    ig_json_delete(value);
}

void ig_json_put(ig_json *object, const char *key, ig_json *value)
{
    note_added(object, value,
               object && value &&
                   json_object_set(object->value, key, value->value) == 0);
}

void ig_json_lead(ig_json *object, const char *key, ig_json *value)
{
    json_t *members = object ? json_copy(object->value) : NULL;
    size_t size = object ? json_object_size(object->value) : 0;
    bool added = object && !json_object_get(object->value, key);

    /* Where memory is short jansson leaves out members that it copies. */
    if (object && (!members || json_object_size(members) != size ||
                   json_object_clear(object->value) != 0))
        object->failed = true;
    ig_json_put(object, key, value);
    if (members && (json_object_update_missing(object->value, members) != 0 ||
                    json_object_size(object->value) != size + added))
        object->failed = true;
    json_decref(members);
}

void ig_json_push(ig_json *array, ig_json *value)
{
    note_added(array, value,
               array && value && json_array_append(array->value, value->value) == 0);
}

ig_json *ig_json_pack(ig_json *object, const char *members, ...)
{
    va_list list;

    object = object ? object : ig_json_object();
    va_start(list, members);
    while (*members) {
        size_t length = strcspn(members, ":");
        char name[64], kind = members[length + 1];
        ig_json *value;

        snprintf(name, sizeof name, "%.*s", (int)length, members);
        value = kind == 'n'   ? ig_json_count(va_arg(list, size_t))
                : kind == 'd' ? ig_json_real(va_arg(list, double))
                : kind == 'g' ? ig_json_figure(va_arg(list, double))
                : kind == 'b' ? ig_json_bool(va_arg(list, int) != 0)
                : kind == 's' ? ig_json_text(va_arg(list, const char *))
                              : va_arg(list, ig_json *);
        ig_json_put(object, name, value);
        members += length + 2;
        members += *members == ' ';
    }
    va_end(list);
    return object;
}

void ig_json_delete(ig_json *value)
{
    if (value)
        json_decref(value->value);
    ig_free(value);
}

/* --- as text ---------------------------------------------------------------------- */

/* On one line; `size` from json_dumpb. */
static void put_flat(ig_builder *out, const json_t *value, size_t size)
{
    char *room = ig_builder_room(out, size);

    if (room)
        out->failed |= json_dumpb(value, room, size, FLAGS) != size;
}

static void put_value(ig_builder *out, const json_t *value, size_t indent);

static void put_members(ig_builder *out, const json_t *value, size_t indent)
{
    bool first = true;
    const char *key;
    json_t *child;
    size_t i;

    json_array_foreach(value, i, child)
    {
        ig_builder_add(out, "%s\n%*s", i ? "," : "", (int)indent, "");
        put_value(out, child, indent);
    }
    json_object_foreach((json_t *)value, key, child)
    {
        json_t *name = json_string(key);

        ig_builder_add(out, "%s\n%*s", first ? "" : ",", (int)indent, "");
        put_value(out, name, indent);
        ig_builder_put(out, ": ", 2);
        put_value(out, child, indent);
        json_decref(name);
        first = false;
    }
}

static void put_value(ig_builder *out, const json_t *value, size_t indent)
{
    size_t size = json_dumpb(value, NULL, 0, FLAGS); /* 0 on failure */
    bool object = json_is_object(value);

    if (size == 0) {
        out->failed = true;
    } else if (indent + size <= LINE || !(object || json_is_array(value))) {
        put_flat(out, value, size);
    } else {
        ig_builder_put(out, object ? "{" : "[", 1);
        put_members(out, value, indent + INDENT);
        ig_builder_add(out, "\n%*s%s", (int)indent, "", object ? "}" : "]");
    }
}

char *ig_json_format(ig_json *document)
{
    ig_builder out = {0};

    if (document && !document->failed) {
        put_value(&out, document->value, 0);
        ig_builder_put(&out, "\n", 1);
    } else {
        out.failed = true;
    }
    ig_json_delete(document);
    return ig_builder_take(&out);
}

void ig_json_put_text(FILE *file, const char *text)
{
    size_t length = strlen(text), bytes;

    fputc('"', file);
    for (size_t i = 0; i < length; i += bytes) {
        int32_t c = ig_text_decode(text + i, length - i, &bytes);

        if (c < 0)
            fputs("\xef\xbf\xbd", file);
        else if (c == '"' || c == '\\')
            fprintf(file, "\\%c", (int)c);
        else if (c < 0x20)
            fprintf(file, "\\u%04x", (unsigned)c);
        else
            fwrite(text + i, 1, bytes, file);
    }
    fputc('"', file);
}

char *ig_json_line(ig_json *document)
{
    ig_builder out = {0};

    if (document && !document->failed)
        put_flat(&out, document->value, json_dumpb(document->value, NULL, 0, FLAGS));
    else
        out.failed = true;
    ig_json_delete(document);
    return ig_builder_take(&out);
}

/* --- reading ---------------------------------------------------------------------- */

/* A value is jansson's own pointer with its type hidden. */
static const json_t *inner(const ig_json_value *value)
{
    return (const json_t *)(const void *)value;
}

static const ig_json_value *outer(const json_t *value)
{
    return (const ig_json_value *)(const void *)value;
}

ig_status ig_json_read(ig_json **document, const char *name, size_t line,
                       const char *bytes, size_t size, ig_error *error)
{
    json_error_t problem;
    json_t *value =
        json_loadb(bytes, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &problem);

    *document = NULL;
    if (!value && json_error_code(&problem) == json_error_out_of_memory)
        return ig_fail_memory(error, name);
    if (!value)
        return ig_fail(error, IG_FORMAT, "%s:%zu:%d: invalid JSON: %s", name,
                       line + (size_t)(problem.line > 0 ? problem.line - 1 : 0),
                       problem.column, problem.text);
    *document = wrap_value(value);
    return *document ? IG_OK : ig_fail_memory(error, name);
}

ig_status ig_json_read_file(ig_json **document, const char *path, ig_error *error)
{
    ig_mapping file;
    ig_status status = ig_mapping_open(&file, path, error);

    *document = NULL;
    if (status == IG_OK) /* an empty file has a NULL pointer */
        status = ig_json_read(document, path, 1,
                              file.size ? (const char *)file.bytes : "", file.size,
                              error);
    ig_mapping_close(&file);
    return status;
}

const ig_json_value *ig_json_root(const ig_json *document)
{
    return document ? outer(document->value) : NULL;
}

ig_json_kind ig_json_kind_of(const ig_json_value *value)
{
    if (!value)
        return IG_JSON_NULL;
    switch (json_typeof(inner(value))) {
    case JSON_OBJECT:
        return IG_JSON_OBJECT;
    case JSON_ARRAY:
        return IG_JSON_ARRAY;
    case JSON_STRING:
        return IG_JSON_TEXT;
    case JSON_INTEGER:
    case JSON_REAL:
        return IG_JSON_NUMBER;
    case JSON_TRUE:
    case JSON_FALSE:
        return IG_JSON_BOOL;
    case JSON_NULL:
        break;
    }
    return IG_JSON_NULL;
}

const char *ig_json_kind_name(ig_json_kind kind)
{
    static const char *const names[] = {"null",   "true or false", "a number",
                                        "a text", "a list",        "an object"};

    return names[kind];
}

const ig_json_value *ig_json_get(const ig_json_value *object, const char *key)
{
    return outer(json_object_get(inner(object), key));
}

const ig_json_value *ig_json_at(const ig_json_value *array, size_t i)
{
    return outer(json_array_get(inner(array), i));
}

size_t ig_json_size(const ig_json_value *value)
{
    /* Each returns 0 for other types. */
    return json_object_size(inner(value)) + json_array_size(inner(value));
}

bool ig_json_next(const ig_json_value *object, void **at, const char **key,
                  const ig_json_value **value)
{
    /* jansson's iterator takes a non-const pointer. */
    json_t *of = (json_t *)(uintptr_t)inner(object);

    *at = *at ? json_object_iter_next(of, *at) : json_object_iter(of);
    if (!*at)
        return false;
    *key = json_object_iter_key(*at);
    *value = outer(json_object_iter_value(*at));
    return true;
}

const char *ig_json_text_of(const ig_json_value *value, size_t *length)
{
    if (length)
        *length = json_string_length(inner(value));
    return json_string_value(inner(value));
}

double ig_json_number_of(const ig_json_value *value)
{
    return json_is_number(inner(value)) ? json_number_value(inner(value)) : (double)NAN;
}

bool ig_json_count_of(const ig_json_value *value, size_t *count)
{
    json_int_t number = json_integer_value(inner(value));

    if (!json_is_integer(inner(value)) || number < 0)
        return false;
    *count = (size_t)number;
    return true;
}

void ig_json_said(const ig_json_value *value, char *out, size_t size)
{
    const json_t *of = inner(value);

    if (json_is_integer(of))
        snprintf(out, size, "%" JSON_INTEGER_FORMAT, json_integer_value(of));
    else if (json_is_real(of))
        snprintf(out, size, "%.17g", json_real_value(of));
    else if (json_is_boolean(of))
        snprintf(out, size, "%s", json_is_true(of) ? "yes" : "no");
    else
        snprintf(out, size, "%s", json_is_string(of) ? json_string_value(of) : "");
}

bool ig_json_is_true(const ig_json_value *value)
{
    return json_is_true(inner(value));
}
