/* JSON records: {"lang": "en", "text": "…", "embedding": [0.1, …]}, one object per line
 * or all in one array. Strings, numbers and booleans are cells; null or missing values
 * are empty; other nested values are ignored.
 *
 * Records are cut into keys and values here, in one pass: jansson takes three times as
 * long, since it makes an object of every number; it decodes strings with escapes. */
#include <jansson.h>
#include <string.h>

#include "data/reader.h"
#include "data/table.h"

typedef struct reading {
    ig_reader *to;
    const char *at, *end; /* unread part of the file */
    size_t line;          /* of `at`; that of the reader is its record's first */
    ig_arena texts;       /* strings of the record that had escapes */
} reading;

static void fail(reading *r, const char *what)
{
    ig_reader_fail(r->to, "invalid JSON: %s", what);
}

/* The next character that is no space; 0 at the end and after a failure. */
static char look(reading *r)
{
    for (; r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at; r->at++)
        r->line += *r->at == '\n';
    return r->at < r->end && r->to->status == IG_OK ? *r->at : '\0';
}

/* Go over a character that is expected next. */
static void take(reading *r, char expected, const char *what)
{
    if (look(r) == expected)
        r->at++;
    else
        fail(r, what);
}

static ig_field read_string(reading *r)
{
    const char *begin = r->at++;
    bool escapes = false;
    json_t *string;
    ig_field text;

    for (; r->at < r->end && *r->at != '"' && (unsigned char)*r->at >= ' '; r->at++)
        if (*r->at == '\\' && r->at + 1 < r->end) {
            escapes = true;
            r->at++;
        }
    text = (ig_field){begin + 1, (size_t)(r->at - begin - 1)};
    if (r->at == r->end || *r->at++ != '"')
        fail(r, "a string is not closed");
    if (!escapes || r->to->status != IG_OK)
        return text;
    string = json_loadb(begin, text.length + 2, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    if (!string)
        fail(r, "a string has an invalid escape or is not UTF-8");
    text.length = json_string_length(string);
    text.bytes = ig_arena_text(&r->texts, json_string_value(string), text.length);
    if (r->texts.failed)
        r->to->status = ig_fail_memory(r->to->error, r->to->path);
    json_decref(string);
    return text;
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
    } while (depth && r->at < r->end && r->to->status == IG_OK);
    if (depth)
        fail(r, "a list or an object is not closed");
    return (ig_field){begin, (size_t)(r->at - begin)};
}

/* A string, number, true, false, null, or something nested: *kind is its first byte. */
static ig_field read_value(reading *r, char *kind)
{
    const char *begin;
    ig_field f;
    double number;

    *kind = look(r);
    if (*kind == '"' || *kind == '[' || *kind == '{')
        return *kind == '"' ? read_string(r) : read_nested(r);
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

/* Read a record, or the keys alone to begin with. */
static void read_record(reading *r, bool keys)
{
    ig_reader *to = r->to;
    const char *begin = r->at++;
    size_t column, used = to->used;
    bool lang = to->language || to->options->lang;
    ig_field key, value;
    char kind;

    if (!keys)
        ig_reader_row(to);
    for (bool first = true; look(r) != '}'; first = false) {
        if (!first)
            take(r, ',', "expected a comma or the end of the object");
        if (look(r) != '"')
            fail(r, "expected a key");
        if (to->status != IG_OK)
            return;
        key = read_string(r);
        take(r, ':', "expected a colon");
        value = read_value(r, &kind);
        column = keys ? UINT32_MAX : ig_names_find(&to->names, key.bytes, key.length);
        if (column == UINT32_MAX) {
            column = to->names.count;
            ig_reader_name(to, key);
        }
        if (keys || to->status != IG_OK || kind == '{' ||
            (kind == '[' && to->to[column] != IG_TO_LIST))
            continue;
        lang |= to->to[column] == IG_COLUMN_LANG;
        ig_reader_cell(to, column, value);
    }
    r->at++;
    if (keys) {
        ig_reader_resolve(to);
        r->at = begin;
        r->line = to->line;
    } else if (!lang) {
        ig_reader_fail(to, "no key %s (--lang CODE says it of such rows)",
                       ig_column_name(to->options, IG_COLUMN_LANG));
    } else if (to->has_vectors && (to->used == used || to->used - used != to->dims)) {
        ig_reader_fail(to, "%s is no list of numbers, or two",
                       ig_column_name(to->options, IG_COLUMN_VECTOR));
    }
}

static void read_jsonl(ig_reader *to)
{
    ig_lines all = ig_lines_of(to->content->bytes, to->content->size);
    reading r = {.to = to, .at = all.at, .end = all.end, .line = 1};
    bool array = look(&r) == '[';

    to->kind = "key";
    r.at += array;
    while (look(&r) && !(array && *r.at == ']')) {
        to->line = r.line;
        if (array && to->rows)
            take(&r, ',', "expected a comma or the end of the array");
        if (look(&r) != '{')
            fail(&r, "expected an object");
        to->line = r.line;
        for (int keys = !to->rows; keys >= 0 && to->status == IG_OK; keys--)
            read_record(&r, keys);
        ig_arena_free(&r.texts);
        ig_reader_report(to, r.at);
    }
    to->line = r.line;
    if (array)
        take(&r, ']', "the array is not closed");
    look(&r);
    if (r.at < r.end)
        fail(&r, "expected the end of the file");
}

static bool looks_as_jsonl(const unsigned char *bytes, size_t size,
                           const ig_dataset_options *options)
{
    ig_lines all = ig_lines_of(bytes, size);
    reading r = {.to = &(ig_reader){0}, .at = all.at, .end = all.end};

    (void)options;
    r.at += look(&r) == '[';
    if (look(&r) != '{')
        return false;
    r.at++; /* a table may begin with a brace */
    return look(&r) == '"' || look(&r) == '}';
}

const ig_format ig_format_jsonl = {.ending = {".jsonl", ".ndjson", ".json"},
                                   .looks = looks_as_jsonl,
                                   .read = read_jsonl};
