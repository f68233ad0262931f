/* JSON Lines: an object a line, {"lang": "en", "text": "…", "embedding": [0.1, …]}. A
 * key "id" is the id; other keys with texts, numbers, true or false are labels; what is
 * null or missing is empty; nested values are passed over. */
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/builder.h"
#include "base/decimal.h"
#include "base/json.h"
#include "base/text.h"
#include "data/format.h"
#include "data/lines.h"

typedef struct reading {
    const ig_source *source;
    size_t line;
    size_t dims; /* 0: no row yet */
    size_t rows;
    float *values;
    size_t capacity;
} reading;

/* An object that opens the first line. */
static bool looks_as_jsonl(const unsigned char *bytes, size_t size,
                           const ig_set_options *options)
{
    size_t i = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    (void)options;
    while (i < size && strchr(" \t\r\n", bytes[i]) && bytes[i])
        i++;
    if (i == size || bytes[i] != '{')
        return false;
    for (i++; i < size && bytes[i] && strchr(" \t\r\n", bytes[i]); i++)
        continue;
    return i < size && (bytes[i] == '"' || bytes[i] == '}');
}

static const char *key_of(const reading *r, ig_column_role role)
{
    return ig_column_name(r->source->options, role);
}

/* A text, or a number, true or false as one. False: there is neither. */
static bool take_scalar(const ig_json_value *value, char number[IG_SHORTEST_SIZE],
                        const char **text, size_t *length)
{
    size_t count;

    switch (ig_json_kind_of(value)) {
    case IG_JSON_TEXT:
        *text = ig_json_text_of(value, length);
        return true;
    case IG_JSON_NUMBER:
        if (ig_json_count_of(value, &count))
            snprintf(number, IG_SHORTEST_SIZE, "%zu", count);
        else
            snprintf(number, IG_SHORTEST_SIZE, "%.9g", ig_json_number_of(value));
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

/* Append the row, with the language that the line or the argument says. */
static ig_status take_language(reading *r, const ig_json_value *root, ig_error *error)
{
    const char *key = key_of(r, IG_COLUMN_LANG), *said = r->source->options->lang;
    const char *code = said, *own = NULL;
    char number[IG_SHORTEST_SIZE];
    size_t length = said ? strlen(said) : 0, own_length;
    uint32_t language = r->source->language;
    ig_status status = IG_OK;

    if (language == UINT32_MAX &&
        take_scalar(ig_json_get(root, key), number, &own, &own_length)) {
        code = own;
        length = own_length;
    }
    if (language == UINT32_MAX && (!code || length == 0))
        return fail_line(r, error,
                         "no language (--lang CODE or --column lang=KEY says it) in ",
                         key);
    if (language == UINT32_MAX)
        status =
            ig_columns_language(r->source->columns, code, length, &language, error);
    return status == IG_OK ? ig_columns_append(r->source->columns, language, error)
                           : status;
}

/* Texts, ids and labels of the row. */
static ig_status take_others(reading *r, const ig_json_value *root, ig_error *error)
{
    ig_columns *c = r->source->columns;
    const ig_json_value *value;
    const char *key, *text;
    char number[IG_SHORTEST_SIZE];
    ig_status status = IG_OK;
    void *at = NULL;
    size_t length, label;

    while (status == IG_OK && ig_json_next(root, &at, &key, &value)) {
        if (strcmp(key, key_of(r, IG_COLUMN_LANG)) == 0 ||
            strcmp(key, key_of(r, IG_COLUMN_VECTOR)) == 0 ||
            !take_scalar(value, number, &text, &length))
            continue;
        if (strcmp(key, key_of(r, IG_COLUMN_TEXT)) == 0) {
            c->has_text = true;
            status = ig_columns_text(c, text, length, error);
        } else if (strcmp(key, key_of(r, IG_COLUMN_ID)) == 0) {
            status = ig_columns_id(c, text, length, error);
        } else {
            status = ig_columns_add_label(c, key, strlen(key), &label, error);
            if (status == IG_OK)
                status = ig_columns_label(c, label, text, length, error);
        }
    }
    return status;
}

/* The vector of the row. */
static ig_status take_vector(reading *r, const ig_json_value *root, ig_error *error)
{
    const char *key = key_of(r, IG_COLUMN_VECTOR);
    const ig_json_value *list = ig_json_get(root, key);
    size_t dims = ig_json_size(list);
    ig_status status;

    if (ig_json_kind_of(list) != IG_JSON_ARRAY)
        return fail_line(r, error,
                         "no list of numbers (--column vector=KEY names another) in ",
                         key);
    if (dims == 0)
        return fail_line(r, error, "no number is in ", key);
    if (r->dims && dims != r->dims)
        return ig_fail(error, IG_SHAPE,
                       "%s:%zu: %s has %zu numbers, the rows before have %zu",
                       r->source->path, r->line, key, dims, r->dims);
    r->dims = dims;
    status = ig_array_grow(&r->values, &r->capacity, (r->rows + 1) * dims,
                           sizeof *r->values, r->source->path, error);
    for (size_t i = 0; i < dims && status == IG_OK; i++) {
        const ig_json_value *value = ig_json_at(list, i);

        if (ig_json_kind_of(value) != IG_JSON_NUMBER)
            return ig_fail(error, IG_FORMAT, "%s:%zu: %s: number %zu is %s",
                           r->source->path, r->line, key, i,
                           ig_json_kind_name(ig_json_kind_of(value)));
        r->values[r->rows * dims + i] = (float)ig_json_number_of(value);
    }
    r->rows++;
    return status;
}

static ig_status take_line(reading *r, const char *line, size_t length, ig_error *error)
{
    ig_json *document;
    const ig_json_value *root;
    ig_status status =
        ig_json_read(&document, r->source->path, r->line, line, length, error);

    root = ig_json_root(document);
    if (status == IG_OK && ig_json_kind_of(root) != IG_JSON_OBJECT)
        status = fail_line(r, error, "expected an object, got ",
                           ig_json_kind_name(ig_json_kind_of(root)));
    if (status == IG_OK)
        status = take_vector(r, root, error);
    if (status == IG_OK)
        status = take_language(r, root, error);
    if (status == IG_OK)
        status = take_others(r, root, error);
    ig_json_delete(document);
    return status;
}

static bool is_blank(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (line[i] != ' ' && line[i] != '\t')
            return false;
    return true;
}

static ig_status read_jsonl(const ig_source *source, ig_vectors *vectors,
                            ig_error *error)
{
    reading r = {.source = source};
    ig_lines lines = ig_lines_of(source->content->bytes, source->content->size);
    ig_status status = IG_OK;
    const size_t size = source->content->size;
    const char *line;
    size_t length, told = 0;

    while (status == IG_OK && ig_lines_next(&lines, &line, &length)) {
        r.line = lines.number;
        if (!is_blank(line, length))
            status = take_line(&r, line, length, error);
        if (status == IG_OK)
            status = ig_reading_at(source->options->reading, source->path,
                                   size - (size_t)(lines.end - lines.at), size, &told,
                                   error);
    }
    if (status == IG_OK && r.rows == 0)
        status = ig_fail(error, IG_FORMAT, "%s: holds no rows", source->path);
    if (status == IG_OK)
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
