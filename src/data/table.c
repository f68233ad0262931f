/* Parses tables through libcsv. Only this file includes csv.h.
 *
 * libcsv reports neither the start of a record nor line counts, and processes every
 * byte in a state machine. So it is fed line by line, and a line that starts a record
 * and contains no quote (nearly every line) is split here, with identical fields. */
#include "data/table.h"

#include <csv.h>
#include <string.h>

#include "core/array.h"
#include "core/memory.h"

typedef struct table {
    const char *file;
    char delimiter;
    bool header;
    ig_record_take *take;
    void *context;
    ig_error *error;

    struct csv_parser parser;
    bool raw;       /* quotes are plain characters */
    bool midway;    /* libcsv has a partial record */
    bool ended;     /* libcsv reported a line end in the last chunk */
    size_t line;    /* of the next byte */
    size_t opened;  /* first line of the record */
    size_t number;  /* records seen */
    size_t columns; /* of the first record */
    ig_status status;

    ig_field *field;
    size_t fields, field_capacity;
    char *bytes; /* fields from libcsv; field.bytes is set at the record's end */
    size_t used, byte_capacity;
} table;

/* RFC 4180: spaces belong to the field. */
static int is_space(unsigned char c)
{
    (void)c;
    return 0;
}

static void deliver_record(table *t)
{
    ig_record record = {t->file, t->opened, t->number, t->fields, t->field};

    if (t->number == 0)
        t->columns = t->fields;
    if (t->fields != t->columns)
        t->status = ig_fail(t->error, IG_FORMAT,
                            "%s:%zu: expected %zu field%s as in the %s, got %zu",
                            t->file, t->opened, t->columns, t->columns == 1 ? "" : "s",
                            t->header ? "header" : "first line", t->fields);
    else
        t->status = t->take(t->context, &record, t->error);
    t->number++;
    t->fields = t->used = 0;
}

static void add_field(table *t, const char *bytes, size_t length)
{
    if (t->fields == t->field_capacity)
        t->status = ig_array_grow(&t->field, &t->field_capacity, t->fields + 1,
                                  sizeof *t->field, t->file, t->error);
    if (t->status == IG_OK)
        t->field[t->fields++] = (ig_field){bytes, length};
}

/* libcsv callback: a field, in a buffer that libcsv reuses. */
static void on_field(void *bytes, size_t length, void *context)
{
    table *t = context;

    if (t->status == IG_OK)
        t->status = ig_array_grow(&t->bytes, &t->byte_capacity, t->used + length, 1,
                                  t->file, t->error);
    if (t->status != IG_OK)
        return;
    if (length)
        memcpy(t->bytes + t->used, bytes, length);
    t->used += length;
    add_field(t, NULL, length);
}

/* libcsv callback: a line end outside quotes, after a record or blank line. */
static void on_record(int c, void *context)
{
    table *t = context;
    size_t offset = 0;

    (void)c;
    t->ended = true;
    if (t->status != IG_OK || t->fields == 0)
        return;
    for (size_t i = 0; i < t->fields; i++) {
        t->field[i].bytes = t->bytes ? t->bytes + offset : "";
        offset += t->field[i].length;
    }
    deliver_record(t);
    t->opened = t->line;
}

/* Feed libcsv a chunk that contains no newline, or is one. */
static void feed_chunk(table *t, const char *bytes, size_t size)
{
    t->ended = false;
    if (t->status != IG_OK || size == 0 ||
        csv_parse(&t->parser, bytes, size, on_field, on_record, t) == size ||
        t->status != IG_OK)
        return;
    t->status =
        csv_error(&t->parser) == CSV_EPARSE
            ? ig_fail(t->error, IG_FORMAT,
                      "%s:%zu: a stray quote in field %zu; a field that holds quotes "
                      "is quoted whole, and they are doubled",
                      t->file, t->opened, t->fields + 1)
            : ig_fail_memory(t->error, t->file);
}

/* Feed libcsv a line; its newline at `end` is counted after the record. */
static void feed_line(table *t, const char *line, const char *end, bool has_newline)
{
    feed_chunk(t, line, (size_t)(end - line));
    if (!has_newline)
        return;
    feed_chunk(t, end, 1);
    t->line++;
    t->midway = !t->ended;
    if (!t->midway)
        t->opened = t->line;
}

static void split_line(table *t, const char *line, const char *end)
{
    const char *start = line;

    for (const char *p = line; p < end; p++) {
        if (*p != t->delimiter)
            continue;
        add_field(t, start, (size_t)(p - start));
        if (t->status != IG_OK)
            return;
        start = p + 1;
    }
    if (end > line)
        add_field(t, start, (size_t)(end - start));
    if (end > line && t->status == IG_OK)
        deliver_record(t);
    t->opened = ++t->line;
}

static void read_lines(table *t, const ig_content *content, const ig_reading *reading)
{
    const char *begin = content->size ? (const char *)content->bytes : "";
    const char *end = begin + content->size;
    size_t reported = 0;

    if (content->size >= 3 && memcmp(begin, "\xef\xbb\xbf", 3) == 0)
        begin += 3;
    for (const char *at = begin, *next; at < end && t->status == IG_OK; at = next) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        size_t length;

        stop -= stop > at && stop[-1] == '\r';
        length = (size_t)(stop - at);
        next = newline ? newline + 1 : end;
        if (t->raw || (newline && !t->midway && !memchr(at, '"', length) &&
                       !memchr(at, '\r', length)))
            split_line(t, at, stop);
        else
            feed_line(t, at, newline ? newline : end, newline != NULL);
        if (t->status == IG_OK)
            t->status = ig_reading_at(reading, t->file,
                                      (size_t)(next - (const char *)content->bytes),
                                      content->size, &reported, t->error);
    }
}

/* Finish the file: deliver a last record without a line end. */
static void finish_table(table *t)
{
    if (t->status == IG_OK && csv_fini(&t->parser, on_field, on_record, t) != 0 &&
        t->status == IG_OK)
        t->status = ig_fail(t->error, IG_FORMAT,
                            "%s:%zu: the quote that opens field %zu is never closed",
                            t->file, t->opened, t->fields + 1);
    if (t->status == IG_OK && t->number == 0)
        t->status = ig_fail(t->error, IG_FORMAT, "%s: is empty", t->file);
}

const unsigned char *ig_table_line_end(const unsigned char *bytes, size_t size)
{
    const unsigned char *newline = size ? memchr(bytes, '\n', size) : NULL;
    size_t length = newline ? (size_t)(newline - bytes) : size;
    const unsigned char *carriage = length ? memchr(bytes, '\r', length) : NULL;

    return carriage ? carriage : newline;
}

/* Whether every quote belongs to a field that is quoted whole, and the fields of all
 * records are as many. */
static bool is_quoted(const char *at, const char *end, char delimiter)
{
    size_t fields = 1, columns = 0;
    bool start = true; /* of a field */

    for (; at < end; at++) {
        if (start && *at == '"') {
            do
                at = memchr(at + 1, '"', (size_t)(end - at - 1));
            while (at && at + 1 < end && at[1] == '"' && ++at);
            if (!at || (at + 1 < end && at[1] != delimiter && !strchr("\r\n", at[1])))
                return false;
            start = false;
            continue;
        }
        if (*at == '"' || (*at == '\n' && columns && fields > 1 && fields != columns))
            return false;
        start = *at == delimiter || *at == '\n' || *at == '\r';
        fields += *at == delimiter;
        if (*at == '\n') {
            columns = columns ? columns : fields;
            fields = 1;
        }
    }
    return true;
}

ig_table_style ig_table_guess(const char *path, const ig_content *content,
                              char delimiter)
{
    const char *bytes = content->size ? (const char *)content->bytes : "";
    const unsigned char *end = ig_table_line_end(content->bytes, content->size);
    size_t length = end ? (size_t)(end - content->bytes) : 0;
    bool csv = ig_content_ends(path, ".csv"), comma = memchr(bytes, ',', length);
    ig_table_style style = {delimiter, false};

    if (!delimiter && ig_content_ends(path, ".tsv"))
        style.delimiter = '\t';
    else if (!delimiter)
        style.delimiter = comma                                 ? ','
                          : csv && memchr(bytes, ';', length)   ? ';'
                          : !csv && memchr(bytes, '\t', length) ? '\t'
                                                                : ',';
    style.raw = style.delimiter == '\t' && memchr(bytes, '"', content->size) &&
                !is_quoted(bytes, bytes + content->size, '\t');
    return style;
}

ig_status ig_table_parse(const char *path, const ig_content *content, char delimiter,
                         bool header, ig_record_take *take, void *context,
                         const ig_reading *reading, ig_error *error)
{
    ig_table_style style = ig_table_guess(path, content, delimiter);
    table t = {.file = path,
               .delimiter = style.delimiter,
               .raw = style.raw,
               .header = header,
               .take = take,
               .context = context,
               .error = error,
               .line = 1,
               .opened = 1};

    if (content->size >= 2 && (memcmp(content->bytes, "\xff\xfe", 2) == 0 ||
                               memcmp(content->bytes, "\xfe\xff", 2) == 0))
        return ig_fail(error, IG_FORMAT, "%s: is UTF-16; save it as UTF-8", path);
    if (strchr("\"\n\r", t.delimiter) || (unsigned char)t.delimiter > 127)
        return ig_fail(
            error, IG_USAGE,
            "the delimiter is one ASCII character, not a quote or a line end");
    csv_init(&t.parser, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL);
    csv_set_delim(&t.parser, (unsigned char)t.delimiter);
    csv_set_space_func(&t.parser, is_space);
    read_lines(&t, content, reading);
    finish_table(&t);
    csv_free(&t.parser);
    IG_FREE(t.field, t.bytes);
    return t.status;
}

ig_status ig_table_read(const char *path, char delimiter, bool header,
                        ig_record_take *take, void *context, ig_error *error)
{
    ig_content content;
    ig_status status = ig_content_open(&content, path, NULL, error);

    if (status == IG_OK)
        status = ig_table_parse(path, &content, delimiter, header, take, context, NULL,
                                error);
    ig_content_close(&content);
    return status;
}
