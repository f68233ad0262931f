/* Splits tables into records. Only this file includes csv.h: records with quotes, which
 * are few, are parsed by libcsv, which reports no line numbers and looks at every byte
 * in a state machine; the fields of others are cut here. */
#include "data/table.h"

#include <csv.h>
#include <string.h>

#include "core/array.h"
#include "core/memory.h"
#include "data/dataset.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void add_field(ig_table_reader *t, const char *bytes, size_t length)
{
    if (t->status == IG_OK && t->record.count == t->capacity)
        t->status = ig_array_grow(&t->field, &t->capacity, t->record.count + 1,
                                  sizeof *t->field, t->record.file, t->error);
    if (t->status == IG_OK)
        t->field[t->record.count++] = (ig_field){bytes, length};
}

/* End of the record at t->at: its line end outside quotes. */
static const char *find_stop(const ig_table_reader *t)
{
    const char *at = t->at, *stop = memchr(at, '\n', (size_t)(t->end - at));
    bool quoted = false;

    stop = stop ? stop : t->end;
    if (t->style.raw)
        return stop - (stop > at && stop[-1] == '\r');
    if (!memchr(at, '"', (size_t)(stop - at)) && !memchr(at, '\r', (size_t)(stop - at)))
        return stop;
    for (stop = at; stop < t->end && (quoted || (*stop != '\n' && *stop != '\r'));)
        quoted ^= *stop++ == '"';
    return stop;
}

static void split_blanks(ig_table_reader *t, const char *stop)
{
    const char *start;

    for (const char *p = t->at; p < stop;) {
        for (start = p; p < stop && !is_blank(*p);)
            p++;
        if (p > start)
            add_field(t, start, (size_t)(p - start));
        while (p < stop && is_blank(*p))
            p++;
    }
}

static void split_plain(ig_table_reader *t, const char *stop)
{
    const char *start = t->at;

    for (const char *p = start; p < stop; p++)
        if (*p == t->style.delimiter) {
            add_field(t, start, (size_t)(p - start));
            start = p + 1;
        }
    if (stop > t->at)
        add_field(t, start, (size_t)(stop - start));
}

/* RFC 4180: spaces belong to the field. */
static int is_space(unsigned char c)
{
    (void)c;
    return 0;
}

/* libcsv callback: a field, in a buffer that libcsv reuses. */
static void take_field(void *bytes, size_t length, void *context)
{
    ig_table_reader *t = context;
    char *copy = t->bytes + t->used;

    if (length)
        memcpy(copy, bytes, length);
    t->used += length;
    add_field(t, copy, length);
}

static void split_quoted(ig_table_reader *t, const char *stop)
{
    size_t size = (size_t)(stop - t->at);
    struct csv_parser parser;

    t->used = 0;
    t->status =
        ig_array_grow(&t->bytes, &t->byte_capacity, size, 1, t->record.file, t->error);
    if (t->status != IG_OK || csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
        return;
    csv_set_delim(&parser, (unsigned char)t->style.delimiter);
    csv_set_space_func(&parser, is_space);
    csv_set_blk_size(&parser, size + 1);
    if (csv_parse(&parser, t->at, size, take_field, NULL, t) != size)
        t->status = csv_error(&parser) == CSV_EPARSE
                        ? ig_fail(t->error, IG_FORMAT,
                                  "%s:%zu: a stray quote in field %zu; a field that "
                                  "holds quotes is quoted whole, and they are doubled",
                                  t->record.file, t->line, t->record.count + 1)
                        : ig_fail_memory(t->error, t->record.file);
    else if (csv_fini(&parser, take_field, NULL, t) != 0)
        t->status = ig_fail(t->error, IG_FORMAT,
                            "%s:%zu: the quote that opens field %zu is never closed",
                            t->record.file, t->line, t->record.count + 1);
    csv_free(&parser);
}

bool ig_table_next(ig_table_reader *t)
{
    size_t first = t->line;

    t->record.number += t->record.count > 0;
    t->record.count = 0;
    while (t->status == IG_OK && t->at < t->end && !t->record.count) {
        const char *stop = find_stop(t);

        first = t->line;
        if (t->style.comments && *t->at == '#')
            ;
        else if (t->style.delimiter == ' ')
            split_blanks(t, stop);
        else if (!t->style.raw && memchr(t->at, '"', (size_t)(stop - t->at)))
            split_quoted(t, stop);
        else
            split_plain(t, stop);
        for (; !t->style.raw && t->at < stop; t->at++)
            t->line += *t->at == '\n';
        t->at = stop + (stop < t->end && *stop == '\r');
        t->line += t->at < t->end && *t->at == '\n';
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
    t->record.line = first;
    t->record.field = t->field;
    t->columns = t->record.number ? t->columns : t->record.count;
    if (t->record.count != t->columns && !t->style.ragged)
        t->status = ig_fail(
            t->error, IG_FORMAT, "%s:%zu: expected %zu field%s as in the %s, got %zu",
            t->record.file, first, t->columns, t->columns == 1 ? "" : "s",
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
    IG_FREE(t->field, t->bytes);
    t->field = NULL;
    t->bytes = NULL;
    return t->status;
}

ig_table_style ig_table_guess(const char *path, const ig_content *content,
                              const ig_dataset_options *options)
{
    const char *bytes = content->size ? (const char *)content->bytes : "";
    const char *end = bytes;
    bool csv = ig_content_ends(path, ".csv");
    int quote = options ? options->quote : 0;
    char delimiter = options ? options->delimiter : '\0';
    ig_table_style style = {.delimiter = delimiter,
                            .raw = quote == IG_QUOTE_NONE,
                            .bare = options && options->header};
    ig_table_reader t;
    size_t length;

    while (end < bytes + content->size && *end != '\n' && *end != '\r')
        end++;
    length = (size_t)(end - bytes);
    if (!delimiter && ig_content_ends(path, ".tsv"))
        style.delimiter = '\t';
    else if (!delimiter)
        style.delimiter = memchr(bytes, ',', length)            ? ','
                          : csv && memchr(bytes, ';', length)   ? ';'
                          : !csv && memchr(bytes, '\t', length) ? '\t'
                                                                : ',';
    if (quote || style.delimiter != '\t' || !memchr(bytes, '"', content->size))
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
