/* Splits tables into records and fields. */
#include "data/table.h"

#include <string.h>

#include "core/array.h"
#include "data/dataset.h"

static bool is_between(const ig_table_reader *t, char c)
{
    return c == t->style.delimiter || (c == '\t' && t->style.delimiter == ' ');
}

/* Find the end of the line of t->at. */
static void find_stop(ig_table_reader *t)
{
    const char *newline = memchr(t->at, '\n', (size_t)(t->end - t->at));

    t->stop = newline ? newline : t->end;
    t->stop -= t->stop > t->at && t->stop[-1] == '\r';
}

static void skip_blanks(ig_table_reader *t)
{
    while (t->style.delimiter == ' ' && t->at < t->stop && is_between(t, *t->at))
        t->at++;
}

/* Read the field whose opening quote is at t->at, also over several lines. Doubled
 * quotes are copied as one. */
static ig_field read_quoted(ig_table_reader *t)
{
    const char *begin = ++t->at, *quote;
    size_t doubled = 0, used = 0;
    char *copy;

    while ((quote = memchr(t->at, '"', (size_t)(t->end - t->at))) &&
           quote + 1 < t->end && quote[1] == '"') {
        t->at = quote + 2;
        doubled++;
    }
    if (!quote) {
        t->status = ig_fail(t->error, IG_FORMAT,
                            "%s:%zu: the quote that opens field %zu is never closed",
                            t->record.file, t->record.line, t->record.count + 1);
        return (ig_field){begin, 0};
    }
    t->at = quote + 1;
    for (const char *c = begin; c < quote; c++)
        t->line += *c == '\n';
    find_stop(t);
    if (!doubled)
        return (ig_field){begin, (size_t)(quote - begin)};
    copy = ig_arena_bytes(&t->copies, (size_t)(quote - begin));
    for (; copy && begin < quote; begin += 1 + (*begin == '"'))
        copy[used++] = *begin;
    if (!copy)
        t->status = ig_fail_memory(t->error, t->record.file);
    return (ig_field){copy, used};
}

/* Read a field, and the delimiter behind it. Returns whether there is one. */
static bool read_field(ig_table_reader *t)
{
    bool quoted = !t->style.raw && t->at < t->stop && *t->at == '"', more, stray;
    ig_field field = quoted ? read_quoted(t) : (ig_field){t->at, 0};

    if (!quoted) {
        while (t->at < t->stop && !is_between(t, *t->at))
            t->at++;
        field.length = (size_t)(t->at - field.bytes);
    }
    more = t->at < t->stop && is_between(t, *t->at);
    stray = quoted ? t->at < t->stop && !more
                   : !t->style.raw && memchr(field.bytes, '"', field.length);
    if (t->status == IG_OK && stray)
        t->status = ig_fail(t->error, IG_FORMAT,
                            "%s:%zu: a stray quote in field %zu; a field that holds "
                            "quotes is quoted whole, and they are doubled",
                            t->record.file, t->record.line, t->record.count + 1);
    if (t->status == IG_OK)
        t->status = ig_array_grow(&t->field, &t->capacity, t->record.count + 1,
                                  sizeof *t->field, t->record.file, t->error);
    if (t->status != IG_OK)
        return false;
    t->field[t->record.count++] = field;
    t->at += more;
    skip_blanks(t);
    return more && (t->at < t->stop || t->style.delimiter != ' ');
}

bool ig_table_next(ig_table_reader *t)
{
    t->record.number += t->record.count > 0;
    t->record.count = 0;
    ig_arena_free(&t->copies);
    while (t->status == IG_OK && t->at < t->end && !t->record.count) {
        find_stop(t);
        t->record.line = t->line++;
        if (t->style.comments && *t->at == '#')
            t->at = t->stop;
        skip_blanks(t);
        for (bool more = t->at < t->stop; more;)
            more = read_field(t);
        t->at += t->at < t->end && *t->at == '\r';
        t->at += t->at < t->end && *t->at == '\n';
    }
    if (t->status == IG_OK)
        t->status = ig_reading_at(t->reading, t->record.file,
                                  (size_t)(t->at - t->begin),
                                  (size_t)(t->end - t->begin), &t->reported, t->error);
    if (t->status == IG_OK && !t->record.count && !t->record.number && !t->style.ragged)
        t->status = ig_fail(t->error, IG_FORMAT, "%s: is empty", t->record.file);
    if (t->status != IG_OK || !t->record.count)
        return false;
    t->record.field = t->field;
    t->columns = t->record.number ? t->columns : t->record.count;
    if (t->record.count != t->columns && !t->style.ragged)
        t->status = ig_fail(
            t->error, IG_FORMAT, "%s:%zu: expected %zu field%s as in the %s, got %zu",
            t->record.file, t->record.line, t->columns, t->columns == 1 ? "" : "s",
            t->style.bare ? "first line" : "header", t->record.count);
    return t->status == IG_OK;
}

void ig_table_open(ig_table_reader *t, const char *path, const ig_content *content,
                   ig_table_style style, const ig_reading *reading, ig_error *error)
{
    ig_lines all = ig_lines_of(content->bytes, content->size);

    *t = (ig_table_reader){.record = {.file = path},
                           .error = error,
                           .style = style,
                           .reading = reading,
                           .begin = all.at,
                           .at = all.at,
                           .end = all.end,
                           .line = 1};
    if (content->size >= 2 && (memcmp(content->bytes, "\xff\xfe", 2) == 0 ||
                               memcmp(content->bytes, "\xfe\xff", 2) == 0))
        t->status = ig_fail(error, IG_FORMAT, "%s: is UTF-16; save it as UTF-8", path);
    else if (strchr("\"\n\r", style.delimiter) || (unsigned char)style.delimiter > 127)
        t->status =
            ig_fail(error, IG_USAGE,
                    "the delimiter is one ASCII character, not a quote or a line end");
}

ig_status ig_table_close(ig_table_reader *t)
{
    ig_free(t->field);
    ig_arena_free(&t->copies);
    t->field = NULL;
    return t->status;
}

ig_table_style ig_table_guess(const char *path, const ig_content *content,
                              const ig_dataset_options *options)
{
    ig_lines lines = ig_lines_of(content->bytes, content->size);
    bool csv = ig_content_ends(path, ".csv"), tsv = ig_content_ends(path, ".tsv");
    ig_table_style style = {.bare = options && options->header};
    size_t length = 0;
    const char *line = "";
    ig_table_reader t;

    ig_lines_next(&lines, &line, &length);
    style.delimiter = options && options->delimiter        ? options->delimiter
                      : tsv                                ? '\t'
                      : memchr(line, ',', length)          ? ','
                      : csv && memchr(line, ';', length)   ? ';'
                      : !csv && memchr(line, '\t', length) ? '\t'
                                                           : ',';
    style.raw = options && options->quote == IG_QUOTE_NONE;
    if ((options && options->quote) || style.delimiter != '\t' || !content->size ||
        !memchr(content->bytes, '"', content->size))
        return style;
    ig_table_open(&t, path, content, style, NULL, NULL);
    while (ig_table_next(&t))
        continue;
    style.raw = ig_table_close(&t) == IG_FORMAT;
    return style;
}

ig_status ig_table_read(const char *path, const ig_dataset_options *options,
                        ig_record_take *take, void *context, ig_error *error)
{
    ig_content content;
    ig_table_reader t;
    ig_status status = ig_content_open(&content, path, NULL, error);

    if (status == IG_OK) {
        ig_table_open(&t, path, &content, ig_table_guess(path, &content, options), NULL,
                      error);
        while (ig_table_next(&t))
            t.status = take(context, &t.record, error);
        status = ig_table_close(&t);
    }
    ig_content_close(&content);
    return status;
}
