/* Splits tables into records and fields. Only this file includes csv.h: records with
 * quotes, which are few, are parsed by libcsv; the fields of others are cut here. */
#include "data/table.h"

#include <csv.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "data/dataset.h"

static void add_field(ig_table_reader *t, const char *bytes, size_t length)
{
    if (t->status == IG_OK && t->record.count == t->capacity)
        t->status = ig_array_grow(&t->field, &t->capacity, t->record.count + 1,
                                  sizeof *t->field, t->record.file, t->error);
    if (t->status == IG_OK)
        t->field[t->record.count++] = (ig_field){bytes, length};
}

/* RFC 4180: spaces belong to the field. */
static int is_space(unsigned char c)
{
    (void)c;
    return 0;
}

/* Take a field of libcsv, whose buffer is used again. */
static void take_field(void *bytes, size_t length, void *context)
{
    ig_table_reader *t = context;

    add_field(t, ig_arena_text(&t->copies, bytes, length), length);
}

/* Split a record with quotes, which has further lines while one is open. */
static void split_quoted(ig_table_reader *t, const char *begin, size_t length)
{
    const char *line = begin, *end;
    struct csv_parser parser;
    bool open = false;

    do {
        end = line + length;
        for (const char *at = line; at < end; at++)
            open ^= *at == '"';
    } while (open && ig_lines_next(&t->lines, &line, &length));
    length = (size_t)(end - begin);
    csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI);
    csv_set_delim(&parser, (unsigned char)t->style.delimiter);
    csv_set_space_func(&parser, is_space);
    csv_set_blk_size(&parser, length + 1);
    if (csv_parse(&parser, begin, length, take_field, NULL, t) == length)
        csv_fini(&parser, take_field, NULL, t);
    if (t->status == IG_OK && (t->copies.failed || csv_error(&parser) == CSV_ENOMEM))
        t->status = ig_fail_memory(t->error, t->record.file);
    else if (t->status == IG_OK && csv_error(&parser) == CSV_EPARSE)
        t->status =
            ig_fail(t->error, IG_FORMAT,
                    "%s:%zu: a stray or open quote in field %zu; a field that "
                    "holds quotes is quoted whole, and they are doubled%s",
                    t->record.file, t->record.line, t->record.count + 1,
                    strchr("[{", *begin) ? " (JSON? pandas: read_json, to_csv)" : "");
    csv_free(&parser);
}

static void split_plain(ig_table_reader *t, const char *begin, size_t length)
{
    const char *end = begin + length, *stop;
    bool blanks = t->style.delimiter == ' ';
    char one = t->style.delimiter, other = blanks ? '\t' : one;

    for (; begin <= end; begin = stop + 1) {
        for (stop = begin; stop < end && *stop != one && *stop != other;)
            stop++;
        if (!blanks || stop > begin)
            add_field(t, begin, (size_t)(stop - begin));
    }
}

bool ig_table_next(ig_table_reader *t)
{
    const char *line;
    size_t length;

    t->record.number += t->record.count > 0;
    t->record.count = 0;
    ig_arena_free(&t->copies);
    while (t->status == IG_OK && !t->record.count &&
           ig_lines_next(&t->lines, &line, &length)) {
        t->record.line = t->lines.number;
        if (!length || (t->style.comments && *line == '#'))
            continue;
        if (!t->style.raw && memchr(line, '"', length))
            split_quoted(t, line, length);
        else
            split_plain(t, line, length);
    }
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
                   ig_table_style style, ig_error *error)
{
    *t = (ig_table_reader){.record = {.file = path},
                           .error = error,
                           .style = style,
                           .lines = ig_lines_of(content->bytes, content->size)};
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
    return t->status;
}

ig_table_style ig_table_guess(const char *path, const ig_content *content,
                              const ig_dataset_options *options)
{
    ig_lines lines = ig_lines_of(content->bytes, content->size);
    bool matrix = !path, csv = matrix || ig_content_ends(path, ".csv");
    bool tsv = !matrix && ig_content_ends(path, ".tsv");
    ig_table_style style = {.bare = matrix || (options && options->header),
                            .raw = matrix ||
                                   (options && options->quote == IG_QUOTE_NONE),
                            .comments = matrix};
    size_t length = 0;
    const char *line = "";
    ig_table_reader t;

    while (ig_lines_next(&lines, &line, &length) && matrix && (!length || *line == '#'))
        continue;
    style.delimiter = options && options->delimiter      ? options->delimiter
                      : tsv                              ? '\t'
                      : memchr(line, ',', length)        ? ','
                      : csv && memchr(line, ';', length) ? ';'
                      : memchr(line, '\t', length)       ? '\t'
                      : matrix || !options               ? ' '
                                                         : ',';
    if (matrix || (options && options->quote) || style.delimiter != '\t' ||
        !content->size || !memchr(content->bytes, '"', content->size))
        return style;
    ig_table_open(&t, path, content,
                  (ig_table_style){.delimiter = '\t', .ragged = true}, NULL);
    while (ig_table_next(&t))
        continue;
    style.raw = ig_table_close(&t) == IG_FORMAT;
    return style;
}

ig_status ig_table_read(const char *path, ig_record_take *take, void *context,
                        ig_error *error)
{
    ig_content content;
    ig_table_reader t;
    ig_status status = ig_content_open(&content, path, NULL, error);

    if (status == IG_OK) {
        ig_table_open(&t, path, &content, ig_table_guess(path, &content, NULL), error);
        while (ig_table_next(&t))
            t.status = take(context, &t.record, error);
        status = ig_table_close(&t);
    }
    ig_content_close(&content);
    return status;
}

bool ig_number_double(const char *text, size_t length, double *value)
{
    enum { LIMIT = 4096 };
    static const double power[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    size_t sign = length && *text == '-', digits = 0, point = SIZE_MAX, i = sign;
    char number[LIMIT], *end;
    uint64_t whole = 0;
    double x;

    /* Up to 15 digits with a point: both integers are exact in double, so their
     * quotient is rounded once. It takes a fifth of the time of strtod. */
    for (; i < length; i++)
        if ((unsigned)(text[i] - '0') <= 9) {
            whole = whole * 10 + (unsigned)(text[i] - '0');
            digits++;
        } else if (text[i] == '.' && point == SIZE_MAX) {
            point = digits;
        } else {
            break;
        }
    if (i == length && digits && digits <= 15) {
        x = (double)whole / power[point == SIZE_MAX ? 0 : digits - point];
        *value = sign ? -x : x;
        return true;
    }
    for (i = 0; i < length && i < LIMIT - 1; i++) {
        /* These exclude hexadecimal numbers, and the locale's own decimal point. */
        if (!text[i] || !strchr(" \t0123456789+-.einftyEINFATYa", text[i]))
            return false;
        number[i] = text[i] == '.' ? *nl_langinfo(RADIXCHAR) : text[i];
    }
    number[i] = '\0';
    x = strtod(number, &end);
    if (i < length || end == number || end[strspn(end, " \t")])
        return false;
    *value = x;
    return true;
}

bool ig_number_size(const char *text, size_t length, size_t *value)
{
    double x;

    for (size_t i = 0; i < length; i++)
        if ((unsigned)(text[i] - '0') > 9)
            return false;
    if (!ig_number_double(text, length, &x) || x >= 0x1p53)
        return false;
    *value = (size_t)x;
    return true;
}
