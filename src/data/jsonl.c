/* JSON records: {"lang": "en", "text": "…", "embedding": [0.1, …]}, one object per line
 * or all in one array. Strings, numbers and booleans are cells; null or missing values
 * are empty; other nested values are ignored.
 *
 * Records are cut into keys and values here, in one pass: jansson takes three times as
 * long, since it makes an object of every number; it decodes strings with escapes. */
#include <jansson.h>
#include <string.h>

#include "core/array.h"
#include "data/number.h"
#include "data/reader.h"

typedef struct reading {
    ig_reader reader;
    const char *at, *end; /* unread part of the file */
    size_t line, record;  /* line, and that on which the record begins */
    ig_arena texts;       /* strings of the record that had escapes */
    ig_status status;
    ig_error *error;
} reading;

static void fail(reading *r, const char *what)
{
    if (r->status == IG_OK)
        r->status = ig_fail(r->error, IG_FORMAT, "%s:%zu: invalid JSON: %s",
                            r->reader.source->path, r->record, what);
}

/* The next character that is no space; 0 at the end and after a failure. */
static char look(reading *r)
{
    for (; r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at; r->at++)
        r->line += *r->at == '\n';
    return r->at < r->end && r->status == IG_OK ? *r->at : '\0';
}

/* Go over a character that is expected next. */
static void take(reading *r, char expected, const char *what)
{
    if (look(r) == expected)
        r->at++;
    else
        fail(r, what);
}

/* --- values ----------------------------------------------------------------------- */

/* Decode a string that has escapes. */
static ig_field decode_string(reading *r, ig_field text)
{
    json_t *string = json_loadb(text.bytes - 1, text.length + 2, JSON_DECODE_ANY, NULL);
    ig_field decoded = {json_string_value(string), json_string_length(string)};

    if (!string) {
        fail(r, "a string has an invalid escape or is not UTF-8");
        return text;
    }
    decoded.bytes = ig_arena_text(&r->texts, decoded.bytes, decoded.length);
    if (!decoded.bytes)
        r->status = ig_fail_memory(r->error, r->reader.source->path);
    json_decref(string);
    return decoded;
}

static ig_field read_string(reading *r)
{
    const char *begin = ++r->at;
    bool escapes = false;
    ig_field text = {begin, 0};

    for (; r->at < r->end && *r->at != '"' && (unsigned char)*r->at >= ' '; r->at++)
        if (*r->at == '\\' && r->at + 1 < r->end) {
            escapes = true;
            r->at++;
        }
    text.length = (size_t)(r->at - begin);
    if (r->at == r->end || *r->at != '"') {
        fail(r, "a string is not closed");
        return text;
    }
    r->at++;
    return escapes ? decode_string(r, text) : text;
}

/* A list or an object, whole. */
static ig_field read_nested(reading *r)
{
    const char *begin = r->at;
    size_t depth = 0;

    do {
        char c = look(r);

        if (c == '"') {
            read_string(r);
            continue;
        }
        depth += c == '[' || c == '{';
        depth -= c == ']' || c == '}';
        r->at++;
        /* Numbers are most of a file. */
        while (depth && r->at < r->end &&
               ((unsigned)(*r->at - '+') < 15 || *r->at == ' '))
            r->at++;
    } while (depth && r->at < r->end && r->status == IG_OK);
    if (depth)
        fail(r, "a list or an object is not closed");
    return (ig_field){begin, (size_t)(r->at - begin)};
}

/* A string, a number, true, false or null, or something nested: *kind is its first
 * character. */
static ig_field read_value(reading *r, char *kind)
{
    const char *begin;
    ig_field f;
    double number;

    *kind = look(r);
    if (*kind == '"')
        return read_string(r);
    if (*kind == '[' || *kind == '{')
        return read_nested(r);
    for (begin = r->at; r->at < r->end && *r->at && !strchr(",}] \t\r\n", *r->at);)
        r->at++;
    f = (ig_field){begin, (size_t)(r->at - begin)};
    if (f.length == 4 && memcmp(begin, "null", 4) == 0)
        f.length = 0;
    else if (!(f.length == 4 && memcmp(begin, "true", 4) == 0) &&
             !(f.length == 5 && memcmp(begin, "false", 5) == 0) &&
             !ig_number_double(begin, f.length, &number))
        fail(r, "a value is no string, number, true, false or null");
    return f;
}

/* --- records ---------------------------------------------------------------------- */

/* Read the next key of an object and go to its value. False at the end of the object,
 * which is passed. */
static bool next_key(reading *r, bool first, ig_field *key)
{
    if (look(r) == '}') {
        r->at++;
        return false;
    }
    if (!first)
        take(r, ',', "expected a comma or the end of the object");
    if (look(r) != '"')
        fail(r, "expected a key");
    if (r->status != IG_OK)
        return false;
    *key = read_string(r);
    take(r, ':', "expected a colon");
    return r->status == IG_OK;
}

/* Read the keys of the first record. */
static void read_names(reading *r)
{
    const char *begin = r->at++;
    ig_record names = {.line = r->line};
    ig_field *name = NULL, key;
    size_t capacity = 0;
    char kind;

    while (next_key(r, names.count == 0, &key)) {
        read_value(r, &kind);
        if (r->status == IG_OK)
            r->status = ig_array_grow(&name, &capacity, names.count + 1, sizeof *name,
                                      "keys", r->error);
        if (r->status == IG_OK)
            name[names.count++] = key;
    }
    names.field = name;
    if (r->status == IG_OK)
        r->status = ig_reader_names(&r->reader, &names, r->error);
    ig_free(name);
    r->at = begin;
    r->line = names.line;
}

static void read_cells(reading *r)
{
    ig_reader *to = &r->reader;
    size_t column = 0, used = to->used;
    bool first = true;
    ig_field key, value;
    char kind;

    r->at++;
    if (r->status == IG_OK)
        r->status = ig_reader_row(to, r->record, r->error);
    for (; r->status == IG_OK && next_key(r, first, &key); column++) {
        first = false;
        value = read_value(r, &kind);
        /* Most records have the keys of the first in the same order. */
        if (column >= to->names.count ||
            strncmp(to->names.name[column], key.bytes, key.length) != 0 ||
            to->names.name[column][key.length])
            column = ig_names_find(&to->names, key.bytes, key.length);
        if (column == UINT32_MAX && r->status == IG_OK) {
            column = to->names.count;
            r->status = ig_reader_add(to, r->record, key, r->error);
        }
        if (r->status == IG_OK && kind != '{' &&
            (kind == '[') == (to->column[column].cells == IG_CELLS_LIST))
            r->status = ig_reader_cell(to, r->record, column, value, r->error);
    }
    if (r->status == IG_OK && to->has_vectors &&
        (to->used == used || to->used - used != to->dims))
        r->status = ig_fail(r->error, IG_FORMAT,
                            "%s:%zu: %s is no list of numbers, or two",
                            to->source->path, r->record,
                            ig_column_name(to->source->options, IG_COLUMN_VECTOR));
}

static void read_records(reading *r)
{
    const ig_source *s = r->reader.source;
    bool array = look(r) == '[';
    size_t reported = 0, size = s->content->size;

    r->at += array;
    while (look(r) && !(array && *r->at == ']')) {
        r->record = r->line;
        if (array && r->reader.rows)
            take(r, ',', "expected a comma or the end of the array");
        if (look(r) != '{')
            fail(r, "expected an object");
        r->record = r->line;
        if (r->status == IG_OK && !r->reader.rows)
            read_names(r);
        if (r->status == IG_OK)
            read_cells(r);
        ig_arena_free(&r->texts);
        if (r->status == IG_OK)
            r->status = ig_reading_at(s->options->reading, s->path,
                                      size - (size_t)(r->end - r->at), size, &reported,
                                      r->error);
    }
    r->record = r->line;
    if (array)
        take(r, ']', "the array is not closed");
    look(r);
    if (r->at < r->end)
        fail(r, "expected the end of the file");
}

static ig_status read_jsonl(const ig_source *source, ig_vectors *vectors,
                            ig_error *error)
{
    ig_lines all = ig_lines_of(source->content->bytes, source->content->size);
    reading r = {
        .reader = {.source = source, .kind = "key", .has_vectors = vectors != NULL},
        .at = all.at,
        .end = all.end,
        .line = 1,
        .error = error};

    read_records(&r);
    return ig_reader_end(&r.reader, r.status, vectors, error);
}

static bool looks_as_jsonl(const unsigned char *bytes, size_t size,
                           const ig_dataset_options *options)
{
    ig_lines all = ig_lines_of(bytes, size);
    reading r = {.at = all.at, .end = all.end};

    (void)options;
    if (look(&r) == '[')
        r.at++;
    if (look(&r) != '{')
        return false;
    r.at++;
    return look(&r) == '"' || look(&r) == '}';
}

const ig_format ig_format_jsonl = {.ending = {".jsonl", ".ndjson", ".json"},
                                   .looks = looks_as_jsonl,
                                   .alone = "set.jsonl",
                                   .of_language = "LANG=rows.jsonl",
                                   .read = read_jsonl};
