/* JSON records: {"lang": "en", "text": "…", "embedding": [0.1, …]}, one object per line
 * or all in one array. A key "id" is the id; other keys with strings, numbers or
 * booleans are labels; null or missing values are empty; nested values are ignored.
 *
 * Most of such a file is numbers, so vectors are parsed here, and jansson gets the
 * record with null in place of the vector. If parsing here fails, jansson gets the
 * whole record and reports the error. */
#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "core/decimal.h"
#include "core/json.h"
#include "data/content.h"
#include "data/format.h"
#include "data/number.h"

typedef struct reading {
    const ig_source *source;
    bool vectors;         /* records have a vector */
    const char *at, *end; /* unread part of the file */
    size_t line;          /* of the record */
    bool array;           /* records are elements of an array, not lines */
    bool has_keys;        /* `key` is set */
    const char *key[IG_COLUMN_VECTOR + 1]; /* by ig_column_role */
    size_t dims;                           /* 0: no row yet */
    size_t rows;
    float *values; /* (rows, dims) */
    size_t capacity;
    char *rest; /* a record without its vector */
    size_t rest_capacity;
} reading;

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && is_space(*at))
        at++;
    return at;
}

static bool looks_as_jsonl(const unsigned char *bytes, size_t size,
                           const ig_dataset_options *options)
{
    const char *end = (const char *)bytes + size;
    size_t mark = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    const char *at = skip_space((const char *)bytes + mark, end);

    (void)options;
    if (at < end && *at == '[')
        at = skip_space(at + 1, end);
    if (at == end || *at != '{')
        return false;
    at = skip_space(at + 1, end);
    return at < end && (*at == '"' || *at == '}');
}

/* Convert a string, number or boolean to text; false for anything else. */
static bool format_scalar(const ig_json_value *value, char number[IG_FLOAT_SIZE],
                          const char **text, size_t *length)
{
    size_t count;

    switch (ig_json_kind_of(value)) {
    case IG_JSON_TEXT:
        *text = ig_json_text_of(value, length);
        return true;
    case IG_JSON_NUMBER:
        if (ig_json_count_of(value, &count))
            snprintf(number, IG_FLOAT_SIZE, "%zu", count);
        else
            snprintf(number, IG_FLOAT_SIZE, "%.9g", ig_json_number_of(value));
        *text = number;
        break;
    case IG_JSON_BOOL:
        *text = ig_json_is_true(value) ? "true" : "false";
        break;
    default:
        return false;
    }
    *length = strlen(*text);
    return true;
}

static ig_status fail_line(const reading *r, ig_error *error, const char *what,
                           const char *key)
{
    return ig_fail(error, IG_FORMAT, "%s:%zu: %s%s", r->source->path, r->line, what,
                   key);
}

static ig_status append_row(reading *r, const ig_json_value *root, ig_error *error)
{
    const char *key = r->key[IG_COLUMN_LANG], *default_code = r->source->options->lang;
    const char *code = default_code, *record_code = NULL;
    char number[IG_FLOAT_SIZE];
    size_t length = default_code ? strlen(default_code) : 0, record_length;
    uint32_t language = r->source->language;
    ig_status status = IG_OK;

    if (language == UINT32_MAX &&
        format_scalar(ig_json_get(root, key), number, &record_code, &record_length)) {
        code = record_code;
        length = record_length;
    }
    if (language == UINT32_MAX && (!code || length == 0))
        return ig_fail(error, IG_FORMAT,
                       "%s:%zu: no language in '%s'; --lang CODE gives one to all "
                       "lines, --column lang=KEY names another key",
                       r->source->path, r->line, key);
    if (language == UINT32_MAX)
        status =
            ig_columns_language(r->source->columns, code, length, &language, error);
    return status == IG_OK ? ig_columns_append(r->source->columns, language, error)
                           : status;
}

static ig_status read_columns(reading *r, const ig_json_value *root, ig_error *error)
{
    ig_columns *c = r->source->columns;
    const ig_json_value *value;
    const char *key, *text;
    char number[IG_FLOAT_SIZE];
    ig_status status = IG_OK;
    void *at = NULL;
    size_t length, label;

    while (status == IG_OK && ig_json_next(root, &at, &key, &value)) {
        if (strcmp(key, r->key[IG_COLUMN_LANG]) == 0 ||
            strcmp(key, r->key[IG_COLUMN_VECTOR]) == 0 ||
            !format_scalar(value, number, &text, &length))
            continue;
        if (strcmp(key, r->key[IG_COLUMN_TEXT]) == 0) {
            c->has_text = true;
            status = ig_columns_text(c, text, length, error);
        } else if (strcmp(key, r->key[IG_COLUMN_ID]) == 0) {
            status = ig_columns_id(c, text, length, error);
        } else {
            status = ig_columns_add_label(c, key, strlen(key), &label, error);
            if (status == IG_OK)
                status = ig_columns_label(c, label, text, length, error);
        }
    }
    return status;
}

static ig_status find_keys(reading *r, const ig_json_value *root, ig_error *error)
{
    ig_columns *c = r->source->columns;
    size_t count = ig_json_size(root), n = 0;
    const char **name = ig_alloc(count, sizeof *name);
    const ig_json_value *value;
    void *at = NULL;

    if (!name)
        return ig_fail_memory(error, r->source->path);
    while (ig_json_next(root, &at, &name[n], &value) && ++n < count)
        continue;
    for (int k = 0; k <= IG_COLUMN_ID; k++) {
        size_t i = ig_columns_find(c, r->source->options, (ig_column_role)k, name, n);

        r->key[k] = i < n ? ig_texts_add(&c->texts, name[i], strlen(name[i]))
                          : ig_column_name(r->source->options, (ig_column_role)k);
    }
    ig_free(name);
    r->has_keys = true;
    return r->key[0] && r->key[1] && r->key[2] ? IG_OK
                                               : ig_fail_memory(error, r->source->path);
}

/* Append the vector parsed by jansson. */
static ig_status read_vector(reading *r, const ig_json_value *root, ig_error *error)
{
    const char *key = r->key[IG_COLUMN_VECTOR];
    const ig_json_value *list = ig_json_get(root, key);
    size_t dims = ig_json_size(list);
    ig_status status;

    if (list && ig_json_kind_of(list) != IG_JSON_ARRAY)
        return ig_fail(error, IG_FORMAT, "%s:%zu: %s is %s, not a list of numbers",
                       r->source->path, r->line, key,
                       ig_json_kind_name(ig_json_kind_of(list)));
    if (!list)
        return ig_fail(error, IG_FORMAT,
                       "%s:%zu: no list of numbers in '%s'; --column vector=KEY names "
                       "another key",
                       r->source->path, r->line, key);
    if (dims == 0)
        return fail_line(r, error, "expected numbers, got an empty list in ", key);
    status = ig_array_grow(&r->values, &r->capacity, (r->rows + 1) * dims,
                           sizeof *r->values, r->source->path, error);
    for (size_t i = 0; i < dims && status == IG_OK; i++) {
        const ig_json_value *value = ig_json_at(list, i);

        if (ig_json_kind_of(value) != IG_JSON_NUMBER)
            return ig_fail(error, IG_FORMAT, "%s:%zu: %s: number %zu of %zu is %s",
                           r->source->path, r->line, key, i + 1, dims,
                           ig_json_kind_name(ig_json_kind_of(value)));
        if (!r->dims || i < r->dims)
            r->values[r->rows * (r->dims ? r->dims : dims) + i] =
                (float)ig_json_number_of(value);
    }
    if (status == IG_OK && r->dims && dims != r->dims)
        return ig_fail(error, IG_SHAPE,
                       "%s:%zu: %s has %zu numbers, the rows before have %zu",
                       r->source->path, r->line, key, dims, r->dims);
    r->dims = dims;
    return status;
}

static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\';
    return at < end ? at + 1 : NULL;
}

/* Parse the list of numbers at `at` as the next row. Returns the position after it, or
 * NULL if it is anything else, has another length, or memory runs out. */
static const char *scan_vector(reading *r, const char *at, const char *end)
{
    size_t n = 0;

    do {
        const char *number = skip_space(at + 1, end);

        for (at = number;
             at < end && ((unsigned)(*at - '0') < 10 || (*at && strchr("+-.eE", *at)));)
            at++;
        if ((r->dims && n == r->dims) ||
            (r->rows * r->dims + n >= r->capacity &&
             ig_array_grow(&r->values, &r->capacity, r->rows * r->dims + n + 1,
                           sizeof *r->values, r->source->path, NULL) != IG_OK) ||
            !ig_number_float(number, (size_t)(at - number),
                             &r->values[r->rows * r->dims + n++]))
            return NULL;
        at = skip_space(at, end);
    } while (at < end && *at == ',');
    if (at == end || *at != ']' || (r->dims && n != r->dims))
        return NULL;
    r->dims = n;
    return at + 1;
}

/* Find and parse the vector of a record. True: list[0 … *length) is its extent in the
 * record, and its numbers are the next row. */
static bool scan_record(reading *r, const char *record, const char *end,
                        const char **list, size_t *length)
{
    const char *key = r->key[IG_COLUMN_VECTOR], *at = record;
    size_t key_length = strlen(key), depth = 0;

    while (at && at < end) {
        const char *begin = at, *after;

        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        at = *at == '"' ? skip_string(at, end) : at + 1;
        if (*begin != '"' || depth != 1 || !at ||
            (size_t)(at - begin) != key_length + 2 ||
            memcmp(begin + 1, key, key_length) != 0)
            continue;
        after = skip_space(at, end);
        if (after == end || *after != ':')
            continue; /* a value, not a key */
        *list = skip_space(after + 1, end);
        at = *list < end && **list == '[' ? scan_vector(r, *list, end) : NULL;
        *length = at ? (size_t)(at - *list) : 0;
        return at != NULL;
    }
    return false;
}

/* Parse the record with jansson, without its vector if that was parsed (*scanned). */
static ig_status read_document(reading *r, const char *record, size_t length,
                               ig_json **document, bool *scanned, ig_error *error)
{
    static const char nothing[] = "null";
    const char *path = r->source->path, *list;
    size_t cut, before;
    ig_error unused;
    ig_status status;

    r->key[IG_COLUMN_VECTOR] = ig_column_name(r->source->options, IG_COLUMN_VECTOR);
    *scanned = r->vectors && scan_record(r, record, record + length, &list, &cut);
    if (*scanned) {
        before = (size_t)(list - record);
        status = ig_array_grow(&r->rest, &r->rest_capacity, length + sizeof nothing, 1,
                               path, error);
        if (status != IG_OK)
            return status;
        memcpy(r->rest, record, before);
        memcpy(r->rest + before, nothing, sizeof nothing - 1);
        memcpy(r->rest + before + sizeof nothing - 1, list + cut,
               length - before - cut);
        if (ig_json_read(document, path, r->line, r->rest,
                         length - cut + sizeof nothing - 1, &unused) == IG_OK)
            return IG_OK;
    }
    *scanned = false;
    return ig_json_read(document, path, r->line, record, length, error);
}

static ig_status read_record(reading *r, const char *record, size_t length,
                             ig_error *error)
{
    ig_json *document = NULL;
    const ig_json_value *root;
    bool scanned;
    ig_status status = read_document(r, record, length, &document, &scanned, error);

    root = ig_json_root(document);
    if (status == IG_OK && ig_json_kind_of(root) != IG_JSON_OBJECT)
        status = fail_line(r, error, "expected an object, got ",
                           ig_json_kind_name(ig_json_kind_of(root)));
    if (status == IG_OK && !r->has_keys)
        status = find_keys(r, root, error);
    if (status == IG_OK && !scanned && r->vectors)
        status = read_vector(r, root, error);
    r->rows++;
    r->source->columns->at_line = r->line;
    if (status == IG_OK)
        status = append_row(r, root, error);
    if (status == IG_OK)
        status = read_columns(r, root, error);
    ig_json_delete(document);
    return status;
}

static const char *skip_object(const char *at, const char *end)
{
    size_t depth = 0;

    while (at && at < end) {
        depth += *at == '{';
        depth -= *at == '}';
        at = *at == '"' ? skip_string(at, end) : at + 1;
        if (depth == 0)
            return at;
    }
    return NULL;
}

static void skip_blank(reading *r)
{
    for (; r->at < r->end && is_space(*r->at); r->at++)
        r->line += *r->at == '\n';
}

/* Next record; *any is false after the last. */
static ig_status next_record(reading *r, const char **record, size_t *length, bool *any,
                             ig_error *error)
{
    const char *behind;

    skip_blank(r);
    if (r->array && r->rows > 0 && r->at < r->end && *r->at == ',') {
        r->at++;
        skip_blank(r);
    } else if (r->array && r->at < r->end && *r->at == ']') {
        r->at++;
        skip_blank(r);
        *any = false;
        return r->at == r->end
                   ? IG_OK
                   : fail_line(r, error, "something follows the end of the array", "");
    } else if (r->array && r->rows > 0) {
        return fail_line(r, error, "expected a comma or the end of the array", "");
    }
    *any = r->array || r->at < r->end;
    *record = r->at;
    if (r->array && (r->at == r->end || *r->at != '{'))
        return fail_line(r, error, "expected an object in the array", "");
    if (r->array)
        behind = skip_object(r->at, r->end);
    else if (*any)
        behind = memchr(r->at, '\n', (size_t)(r->end - r->at));
    else
        return IG_OK;
    r->at = behind ? behind : r->end;
    *length = (size_t)(r->at - *record);
    return IG_OK;
}

static ig_status read_all(reading *r, ig_error *error)
{
    const ig_content *content = r->source->content;
    const ig_lines lines = ig_lines_of(content->bytes, content->size);
    ig_status status = IG_OK;
    const char *record = NULL;
    size_t length = 0, reported = 0;
    bool any = true;

    r->at = lines.at;
    r->end = lines.end;
    r->line = 1;
    skip_blank(r);
    r->array = r->at < r->end && *r->at == '[';
    r->at += r->array;
    for (;;) {
        status = next_record(r, &record, &length, &any, error);
        if (status != IG_OK || !any)
            break;
        status = read_record(r, record, length, error);
        for (size_t i = 0; r->array && i < length; i++)
            r->line += record[i] == '\n';
        if (status == IG_OK)
            status = ig_reading_at(r->source->options->reading, r->source->path,
                                   content->size - (size_t)(r->end - r->at),
                                   content->size, &reported, error);
        if (status != IG_OK)
            break;
    }
    if (status == IG_OK && r->rows == 0)
        status = ig_fail(error, IG_FORMAT, "%s: holds no rows", r->source->path);
    return status;
}

static ig_status read_jsonl(const ig_source *source, ig_vectors *vectors,
                            ig_error *error)
{
    reading r = {.source = source, .vectors = vectors != NULL};
    ig_status status = read_all(&r, error);

    ig_free(r.rest);
    if (status == IG_OK && vectors)
        *vectors = ig_vectors_of_block(r.values, r.rows, r.dims);
    else
        ig_free(r.values);
    return status;
}

const ig_format ig_format_jsonl = {.ending = {".jsonl", ".ndjson", ".json"},
                                   .looks = looks_as_jsonl,
                                   .alone = "set.jsonl",
                                   .of_language = "LANG=rows.jsonl",
                                   .read = read_jsonl};
