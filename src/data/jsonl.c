/* JSON records: {"lang": "en", "text": "…", "embedding": [0.1, …]}, one object per line
 * or all in one array. Strings, numbers and booleans are cells; null or missing values
 * are empty; nested values are ignored.
 *
 * Most of such a file is numbers, so vectors are parsed here, and jansson gets the
 * record with null in place of the vector: jansson alone takes three times as long. If
 * parsing here fails, jansson gets the whole record and reports the error. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "data/number.h"
#include "data/reader.h"

enum { NUMBER_SIZE = 32 };

typedef struct reading {
    ig_reader reader;
    const char *at, *end; /* unread part of the file */
    size_t line;          /* of the record */
    bool array;           /* records are elements of an array, not lines */
    const char *vector;   /* key of the vectors, once known; NULL: none */
    char *rest;           /* a record without its vector */
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
    ig_lines all = ig_lines_of(bytes, size);
    const char *at = skip_space(all.at, all.end), *end = all.end;

    (void)options;
    if (at < end && *at == '[')
        at = skip_space(at + 1, end);
    if (at == end || *at != '{')
        return false;
    at = skip_space(at + 1, end);
    return at < end && (*at == '"' || *at == '}');
}

/* --- cells ------------------------------------------------------------------------ */

/* A string, number or boolean as text; bytes NULL for anything else. */
static ig_field format_cell(const json_t *value, char number[NUMBER_SIZE])
{
    if (json_is_string(value))
        return (ig_field){json_string_value(value), json_string_length(value)};
    if (!json_is_number(value) && !json_is_boolean(value))
        return (ig_field){0};
    return (ig_field){number, json_dumpb(value, number, NUMBER_SIZE,
                                         JSON_ENCODE_ANY | JSON_REAL_PRECISION(9))};
}

/* Pass the keys of the first record to the reader: those of cells and of the vector. */
static ig_status read_keys(reading *r, const json_t *root, ig_error *error)
{
    ig_reader *reader = &r->reader;
    size_t count = json_object_size(root), n = 0, vector;
    const char **name = ig_alloc(count, sizeof *name), *key;
    ig_field *field = ig_alloc(count, sizeof *field);
    ig_record names = {.line = r->line, .field = field};
    char number[NUMBER_SIZE];
    ig_status status;
    json_t *value;

    if (!name || !field) {
        IG_FREE(name, field);
        return ig_fail_memory(error, reader->source->path);
    }
    json_object_foreach((json_t *)(uintptr_t)root, key, value) name[n++] = key;
    vector = ig_column_find(reader->source->options, IG_COLUMN_VECTOR, name, n);
    for (size_t i = 0; i < n; i++)
        if (i == vector || format_cell(json_object_get(root, name[i]), number).bytes)
            field[names.count++] = (ig_field){name[i], strlen(name[i])};
    status = ig_reader_names(reader, &names, error);
    for (size_t i = 0; i < reader->columns; i++)
        if (reader->column[i].cells == IG_CELLS_LIST)
            r->vector = reader->name[i];
    IG_FREE(name, field);
    return status;
}

static ig_status read_cells(reading *r, const json_t *root, ig_error *error)
{
    ig_reader *reader = &r->reader;
    char number[NUMBER_SIZE];
    ig_field cell;
    const char *key;
    json_t *value;
    size_t at = 0;
    ig_status status = ig_reader_row(reader, r->line, error);

    json_object_foreach((json_t *)(uintptr_t)root, key, value)
    {
        cell = format_cell(value, number);
        if (status != IG_OK || !cell.bytes)
            continue;
        /* Most records have the keys of the first in the same order. */
        if (at >= reader->columns || strcmp(reader->name[at], key) != 0)
            for (at = 0; at < reader->columns && strcmp(reader->name[at], key) != 0;)
                at++;
        if (at == reader->columns)
            status = ig_reader_add(reader, key, error);
        if (status == IG_OK && reader->name[at] != r->vector)
            status = ig_reader_cell(reader, r->line, at, cell, error);
        at++;
    }
    return status;
}

/* --- vectors ---------------------------------------------------------------------- */

/* Say why a vector could not be read. */
static ig_status fail_vector(const reading *r, const json_t *root, ig_error *error)
{
    const json_t *list = json_object_get(root, r->vector);
    const char *path = r->reader.source->path;
    size_t n = json_array_size(list), known = r->reader.dims, i = 0;

    while (i < n && json_is_number(json_array_get(list, i)))
        i++;
    if (i < n)
        return ig_fail(error, IG_FORMAT, "%s:%zu: %s: value %zu of %zu is no number",
                       path, r->line, r->vector, i + 1, n);
    if (n && known && n != known)
        return ig_fail(error, IG_SHAPE,
                       "%s:%zu: %s has %zu numbers, the rows before have %zu", path,
                       r->line, r->vector, n, known);
    return n ? ig_fail_memory(error, path)
             : ig_fail(error, IG_FORMAT, "%s:%zu: %s is no list of numbers", path,
                       r->line, r->vector);
}

static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\';
    return at < end ? at + 1 : NULL;
}

/* Parse the list of numbers at `at` as the next row. Returns the position after it, or
 * NULL if it is anything else, has another length, or memory runs out. */
static const char *scan_vector(ig_reader *r, const char *at, const char *end)
{
    size_t n = 0, before = r->used, known = r->dims;
    float *value = NULL;

    if (known && ig_reader_values(r, known, &value, NULL) != IG_OK)
        return NULL;
    do {
        const char *number = skip_space(at + 1, end);

        for (at = number;
             at < end && ((unsigned)(*at - '0') < 10 || (*at && strchr("+-.eE", *at)));)
            at++;
        if ((known ? n == known : ig_reader_values(r, 1, &value, NULL) != IG_OK) ||
            !ig_number_float(number, (size_t)(at - number), known ? value + n : value))
            break;
        n++;
        at = skip_space(at, end);
    } while (at < end && *at == ',');
    if (at < end && *at == ']' && n && (!known || n == known)) {
        r->dims = n;
        return at + 1;
    }
    r->used = before;
    return NULL;
}

/* Find the end of an object, or NULL. If its vector can be parsed, list[0 … *cut) is
 * its extent and its numbers are the next row; otherwise *cut is 0. */
static const char *scan_object(reading *r, const char *at, const char *end,
                               const char **list, size_t *cut)
{
    size_t key = r->vector ? strlen(r->vector) : 0, depth = 0;

    *cut = 0;
    while (at && at < end) {
        const char *begin = at, *after;

        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        at = *at == '"' ? skip_string(at, end) : at + 1;
        if (depth == 0)
            return at;
        if (*begin != '"' || depth != 1 || !at || !r->vector || *cut ||
            (size_t)(at - begin) != key + 2 || memcmp(begin + 1, r->vector, key) != 0)
            continue;
        after = skip_space(at, end);
        *list = skip_space(after + 1, end);
        if (after == end || *after != ':' || *list >= end || **list != '[')
            continue;
        after = scan_vector(&r->reader, *list, end);
        *cut = after ? (size_t)(after - *list) : 0;
        at = after ? after : at;
    }
    return NULL;
}

/* --- records ---------------------------------------------------------------------- */

static ig_status parse(reading *r, const char *bytes, size_t size, json_t **root,
                       ig_error *error)
{
    const char *path = r->reader.source->path;
    json_error_t e;

    *root = json_loadb(bytes, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &e);
    if (*root)
        return IG_OK;
    if (json_error_code(&e) == json_error_out_of_memory)
        return ig_fail_memory(error, path);
    return ig_fail(error, IG_FORMAT, "%s:%zu:%d: invalid JSON: %s", path,
                   r->line + (size_t)(e.line > 0 ? e.line - 1 : 0), e.column, e.text);
}

/* Parse a record with null in place of its list of numbers. */
static ig_status parse_rest(reading *r, const char *record, size_t length,
                            const char *list, size_t cut, json_t **root)
{
    static const char nothing[] = "null";
    const size_t before = (size_t)(list - record), size = sizeof nothing - 1;
    ig_status status = ig_array_grow(&r->rest, &r->rest_capacity, length + size, 1,
                                     r->reader.source->path, NULL);

    if (status != IG_OK)
        return status;
    memcpy(r->rest, record, before);
    memcpy(r->rest + before, nothing, size);
    memcpy(r->rest + before + size, list + cut, length - before - cut);
    return parse(r, r->rest, length - cut + size, root, NULL);
}

/* Read the record at r->at, an object, and go behind it. */
static ig_status read_record(reading *r, ig_error *error)
{
    size_t cut, length;
    const char *record = r->at, *list;
    const char *end = scan_object(r, record, r->end, &list, &cut);
    json_t *root = NULL;
    ig_status status = IG_OK;

    if (!end) { /* the rest of the line, of which jansson says what is wrong */
        end = memchr(record, '\n', (size_t)(r->end - record));
        r->reader.used -= cut ? r->reader.dims : 0;
        cut = 0;
    }
    r->at = end ? end : r->end;
    length = (size_t)(r->at - record);
    if (cut && parse_rest(r, record, length, list, cut, &root) != IG_OK) {
        r->reader.used -= r->reader.dims;
        cut = 0;
    }
    if (!root)
        status = parse(r, record, length, &root, error);
    if (status == IG_OK && !json_is_object(root))
        status = ig_fail(error, IG_FORMAT, "%s:%zu: expected an object",
                         r->reader.source->path, r->line);
    if (status == IG_OK && r->reader.rows == 0) {
        status = read_keys(r, root, error);
        if (r->vector)
            scan_object(r, record, r->at, &list, &cut);
    }
    if (status == IG_OK && r->vector && !cut)
        status = fail_vector(r, root, error);
    if (status == IG_OK)
        status = read_cells(r, root, error);
    json_decref(root);
    for (; record < r->at; record++)
        r->line += *record == '\n';
    return status;
}

static void skip_blank(reading *r)
{
    for (; r->at < r->end && is_space(*r->at); r->at++)
        r->line += *r->at == '\n';
}

/* Go to the next record, over the brackets and commas of an array; *any is false after
 * the last. */
static ig_status find_record(reading *r, bool *any, ig_error *error)
{
    const char *expected = NULL;
    bool closed;

    skip_blank(r);
    closed = r->array && r->at < r->end && *r->at == ']';
    if (r->array && !closed && r->reader.rows && (r->at == r->end || *r->at != ','))
        expected = "a comma or the end of the array";
    else if (closed || (r->array && r->reader.rows))
        r->at++;
    skip_blank(r);
    *any = !closed && r->at < r->end;
    if (!expected && closed && r->at < r->end)
        expected = "nothing after the end of the array";
    return expected ? ig_fail(error, IG_FORMAT, "%s:%zu: expected %s",
                              r->reader.source->path, r->line, expected)
                    : IG_OK;
}

static ig_status read_records(reading *r, ig_error *error)
{
    const ig_source *s = r->reader.source;
    size_t reported = 0, size = s->content->size;
    bool any = true;
    ig_status status = IG_OK;

    skip_blank(r);
    r->array = r->at < r->end && *r->at == '[';
    r->at += r->array;
    while (status == IG_OK && (status = find_record(r, &any, error)) == IG_OK && any) {
        status = read_record(r, error);
        if (status == IG_OK)
            status = ig_reading_at(s->options->reading, s->path,
                                   size - (size_t)(r->end - r->at), size, &reported,
                                   error);
    }
    return status;
}

static ig_status read_jsonl(const ig_source *source, ig_vectors *vectors,
                            ig_error *error)
{
    ig_lines all = ig_lines_of(source->content->bytes, source->content->size);
    reading r = {
        .reader = {.source = source, .kind = "key", .has_vectors = vectors != NULL},
        .at = all.at,
        .end = all.end,
        .line = 1};
    ig_status status =
        ig_reader_end(&r.reader, read_records(&r, error), vectors, error);

    ig_free(r.rest);
    return status;
}

const ig_format ig_format_jsonl = {.ending = {".jsonl", ".ndjson", ".json"},
                                   .looks = looks_as_jsonl,
                                   .alone = "set.jsonl",
                                   .of_language = "LANG=rows.jsonl",
                                   .read = read_jsonl};
