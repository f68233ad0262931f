/* Tables through libcsv; the one file that includes csv.h.
 *
 * libcsv tells neither where a record begins nor how many lines it had, and looks at
 * every byte through a state machine. So it is fed line by line, and a line that opens
 * a record and holds no quote, which is nearly every one, is cut at its delimiters
 * here: for such a line both ways give the same fields. */
#include "data/table.h"

#include <csv.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "data/names.h"
#include "data/number.h"
#include "data/quote.h"

static const char mark[] = "\xef\xbb\xbf"; /* the UTF-8 byte order mark */
enum { MARK_SIZE = 3, PREFIX_DONE = 4, FIRST_BUFFER = 1024 };

struct ig_table {
    const char *file;
    char delimiter;
    bool header;
    ig_record_take *take;
    void *context;
    ig_error *error; /* of the call under way */

    struct csv_parser parser;
    int prefix;     /* bytes of the mark seen, or PREFIX_DONE */
    bool midway;    /* libcsv holds the beginning of a line or record */
    bool ended;     /* libcsv reported a line end in the last piece */
    size_t line;    /* of the next byte */
    size_t opened;  /* line where the record began */
    size_t number;  /* records seen */
    size_t columns; /* of the first record */
    ig_status status;

    ig_field *field;
    size_t field_capacity;
    size_t fields;
    char
        *bytes; /* of the fields that came from libcsv; field.bytes is set at its end */
    size_t byte_capacity;
    size_t used;
};

/* realloc over ig_alloc, which libcsv calls to grow its buffer by a little: the size is
 * kept before the block, and grows by half. */
typedef struct grown {
    size_t size;
    _Alignas(max_align_t) unsigned char bytes[];
} grown;

static void release(void *block)
{
    if (block)
        ig_free((unsigned char *)block - offsetof(grown, bytes));
}

static void *resize(void *block, size_t size)
{
    grown *old = NULL;
    grown *new;

    if (block)
        old = (grown *)(void *)((unsigned char *)block - offsetof(grown, bytes));
    if (old && old->size >= size)
        return block;
    if (size > SIZE_MAX / 4)
        return NULL;
    size += size / 2 + FIRST_BUFFER;
    new = ig_alloc(1, sizeof *new + size);
    if (!new)
        return NULL;
    new->size = size;
    if (old)
        memcpy(new->bytes, old->bytes, old->size);
    ig_free(old);
    return new->bytes;
}

/* RFC 4180: spaces are part of a field. */
static int is_space(unsigned char c)
{
    (void)c;
    return 0;
}

ig_status ig_table_new(ig_table **table, const char *file, char delimiter, bool header,
                       ig_record_take *take, void *context, ig_error *error)
{
    ig_table *t;

    *table = NULL;
    if (delimiter == '"' || delimiter == '\n' || delimiter == '\r' ||
        (unsigned char)delimiter > 127 || delimiter == '\0')
        return ig_fail(
            error, IG_USAGE,
            "the delimiter is one ASCII character, not a quote or a line end");
    t = ig_alloc(1, sizeof *t);
    if (!t)
        return ig_fail_memory(error, file);
    t->file = file;
    t->delimiter = delimiter;
    t->header = header;
    t->take = take;
    t->context = context;
    t->line = t->opened = 1;
    csv_init(&t->parser, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL);
    csv_set_delim(&t->parser, (unsigned char)delimiter);
    csv_set_space_func(&t->parser, is_space);
    csv_set_realloc_func(&t->parser, resize);
    csv_set_free_func(&t->parser, release);
    *table = t;
    return IG_OK;
}

void ig_table_delete(ig_table *table)
{
    if (!table)
        return;
    csv_free(&table->parser);
    ig_free(table->field);
    ig_free(table->bytes);
    ig_free(table);
}

/* Hand the fields that were gathered to the caller. */
static ig_status deliver(ig_table *t)
{
    ig_record record = {t->file, t->opened, t->number, t->fields, t->field};

    if (t->number == 0)
        t->columns = t->fields;
    else if (t->fields != t->columns)
        return ig_fail(t->error, IG_FORMAT,
                       "%s:%zu: expected %zu field%s as in the %s, got %zu", t->file,
                       t->opened, t->columns, t->columns == 1 ? "" : "s",
                       t->header ? "header" : "first line", t->fields);
    t->number++;
    t->fields = 0;
    t->used = 0;
    return t->take(t->context, &record, t->error);
}

static ig_status add_field(ig_table *t, const char *bytes, size_t length)
{
    ig_status status = ig_array_grow(&t->field, &t->field_capacity, t->fields + 1,
                                     sizeof *t->field, t->file, t->error);

    if (status == IG_OK)
        t->field[t->fields++] = (ig_field){bytes, length};
    return status;
}

/* From libcsv: a field. Its bytes are copied, for its buffer is used for the next one.
 * */
static void on_field(void *bytes, size_t length, void *context)
{
    ig_table *t = context;

    if (t->status == IG_OK)
        t->status = ig_array_grow(&t->bytes, &t->byte_capacity, t->used + length, 1,
                                  t->file, t->error);
    if (t->status != IG_OK)
        return;
    if (length)
        memcpy(t->bytes + t->used, bytes, length);
    t->used += length;
    t->status = add_field(t, NULL, length);
}

/* From libcsv: a line end outside quotes, of a record or of a blank line. */
static void on_record(int c, void *context)
{
    ig_table *t = context;
    size_t offset = 0;

    (void)c;
    t->ended = true;
    if (t->status != IG_OK || t->fields == 0)
        return;
    for (size_t i = 0; i < t->fields; i++) {
        t->field[i].bytes = t->bytes ? t->bytes + offset : "";
        offset += t->field[i].length;
    }
    t->status = deliver(t);
    t->opened = t->line;
}

static ig_status fail_quote(ig_table *t)
{
    return ig_fail(t->error, IG_FORMAT,
                   "%s:%zu: a stray quote in field %zu; a field that holds quotes is "
                   "quoted whole, and they are doubled",
                   t->file, t->opened, t->fields + 1);
}

/* Feed libcsv a piece that holds no newline, or is one. */
static ig_status feed_piece(ig_table *t, const char *bytes, size_t size)
{
    t->ended = false;
    if (size && csv_parse(&t->parser, bytes, size, on_field, on_record, t) != size &&
        t->status == IG_OK)
        t->status = csv_error(&t->parser) == CSV_EPARSE
                        ? fail_quote(t)
                        : ig_fail_memory(t->error, t->file);
    return t->status;
}

/* Feed libcsv up to the next newline; *size gets the bytes taken. */
static ig_status feed_line(ig_table *t, const char *bytes, size_t *size)
{
    const char *newline = memchr(bytes, '\n', *size);
    ig_status status;

    if (!newline) {
        t->midway = true;
        return feed_piece(t, bytes, *size);
    }
    *size = (size_t)(newline - bytes) + 1;
    status = feed_piece(t, bytes, *size - 1);
    if (status == IG_OK)
        status = feed_piece(t, newline, 1);
    t->line++;
    t->midway = !t->ended;
    if (!t->midway)
        t->opened = t->line;
    return status;
}

/* Cut a line without quotes; returns with *size 0 when it is not such a line. */
static ig_status cut_line(ig_table *t, const char *bytes, size_t *size)
{
    const char *newline = memchr(bytes, '\n', *size);
    const char *end = newline;
    const char *start = bytes;
    ig_status status = IG_OK;

    *size = 0;
    if (!newline)
        return IG_OK;
    if (end > bytes && end[-1] == '\r')
        end--;
    if (end > bytes && (memchr(bytes, '"', (size_t)(end - bytes)) ||
                        memchr(bytes, '\r', (size_t)(end - bytes))))
        return IG_OK;
    *size = (size_t)(newline - bytes) + 1;
    for (const char *p = bytes; p < end && status == IG_OK; p++) {
        if (*p == t->delimiter) {
            status = add_field(t, start, (size_t)(p - start));
            start = p + 1;
        }
    }
    if (end > bytes && status == IG_OK) {
        status = add_field(t, start, (size_t)(end - start));
        if (status == IG_OK)
            status = deliver(t);
    }
    t->opened = ++t->line;
    return status;
}

static ig_status feed_body(ig_table *t, const char *bytes, size_t size)
{
    while (size > 0 && t->status == IG_OK) {
        size_t taken = 0;

        if (!t->midway) {
            taken = size;
            t->status = cut_line(t, bytes, &taken);
        }
        if (taken == 0 && t->status == IG_OK) {
            taken = size;
            t->status = feed_line(t, bytes, &taken);
        }
        bytes += taken;
        size -= taken;
    }
    return t->status;
}

/* The mark's bytes that were held back turned out to be text. */
static ig_status end_prefix(ig_table *t)
{
    size_t held = (size_t)t->prefix;

    t->prefix = PREFIX_DONE;
    return held < MARK_SIZE ? feed_body(t, mark, held) : IG_OK;
}

ig_status ig_table_feed(ig_table *table, const char *bytes, size_t size,
                        ig_error *error)
{
    table->error = error;
    while (table->prefix != PREFIX_DONE && size > 0) {
        if (table->prefix < MARK_SIZE && *bytes == mark[table->prefix]) {
            table->prefix++;
            bytes++;
            size--;
        } else if (end_prefix(table) != IG_OK) {
            return table->status;
        }
    }
    return feed_body(table, bytes, size);
}

ig_status ig_table_finish(ig_table *table, ig_error *error)
{
    ig_table *t = table;

    t->error = error;
    if (t->prefix != PREFIX_DONE && end_prefix(t) != IG_OK)
        return t->status;
    if (csv_fini(&t->parser, on_field, on_record, t) != 0 && t->status == IG_OK)
        t->status = ig_fail(error, IG_FORMAT,
                            "%s:%zu: the quote that opens field %zu is never closed",
                            t->file, t->opened, t->fields + 1);
    if (t->status == IG_OK && t->number == 0)
        t->status = ig_fail(error, IG_FORMAT, "%s: is empty", t->file);
    return t->status;
}

const unsigned char *ig_table_line_end(const unsigned char *bytes, size_t size)
{
    const unsigned char *newline = memchr(bytes, '\n', size);
    const unsigned char *carriage =
        memchr(bytes, '\r', newline ? (size_t)(newline - bytes) : size);

    return carriage ? carriage : newline;
}

/* What parts the fields, where nobody said it: by the name's ending, else by the first
 * line. */
static char usual_delimiter(const char *path, const ig_content *content)
{
    const unsigned char *newline = NULL;
    size_t length;

    if (content->size && !ig_content_ends(path, ".csv"))
        newline = ig_table_line_end(content->bytes, content->size);
    if (ig_content_ends(path, ".tsv"))
        return '\t';
    length = newline ? (size_t)(newline - content->bytes) : 0;
    return length && !memchr(content->bytes, ',', length) &&
                   memchr(content->bytes, '\t', length)
               ? '\t'
               : ',';
}

/* Feed a file in pieces that end with a line, as long as it is waited for. */
static ig_status feed_all(ig_table *table, const ig_content *content,
                          const ig_reading *reading, ig_error *error)
{
    const char *bytes = (const char *)content->bytes;
    size_t fed = 0, told = 0;
    ig_status status = IG_OK;

    while (fed < content->size && status == IG_OK) {
        size_t size = content->size - fed;
        const char *newline = NULL;

        if (reading && size > IG_READING_STEP)
            newline =
                memchr(bytes + fed + IG_READING_STEP, '\n', size - IG_READING_STEP);
        if (newline)
            size = (size_t)(newline - (bytes + fed)) + 1;
        status = ig_table_feed(table, bytes + fed, size, error);
        fed += size;
        if (status == IG_OK)
            status =
                ig_reading_at(reading, table->file, fed, content->size, &told, error);
    }
    return status;
}

ig_status ig_table_parse(const char *path, const ig_content *content, char delimiter,
                         bool header, ig_record_take *take, void *context,
                         const ig_reading *reading, ig_error *error)
{
    ig_table *table;
    ig_status status;

    if (!delimiter)
        delimiter = usual_delimiter(path, content);
    if (content->size >= 2 && (memcmp(content->bytes, "\xff\xfe", 2) == 0 ||
                               memcmp(content->bytes, "\xfe\xff", 2) == 0))
        return ig_fail(error, IG_FORMAT, "%s: is UTF-16; save it as UTF-8", path);
    status = ig_table_new(&table, path, delimiter, header, take, context, error);
    if (status == IG_OK)
        status = feed_all(table, content, reading, error);
    if (status == IG_OK)
        status = ig_table_finish(table, error);
    ig_table_delete(table);
    return status;
}

ig_status ig_table_read(const char *path, char delimiter, bool header,
                        ig_record_take *take, void *context, ig_error *error)
{
    ig_content content;
    ig_status status = ig_content_open(&content, path, error);

    if (status == IG_OK)
        status = ig_table_parse(path, &content, delimiter, header, take, context, NULL,
                                error);
    ig_content_close(&content);
    return status;
}

/* --- records about rows of a set ------------------------------------------------- */

size_t ig_record_find(const ig_record *record, const char *name)
{
    size_t length = strlen(name), i = 0;

    while (i < record->count && (record->field[i].length != length ||
                                 memcmp(record->field[i].bytes, name, length) != 0))
        i++;
    return i;
}

ig_status ig_record_row(const ig_record *record, size_t column, const char *name,
                        const ig_set *set, uint32_t *row, ig_error *error)
{
    const ig_field *f = &record->field[column];
    char quoted[IG_QUOTE_SIZE];
    size_t number;

    if (!ig_number_size(f->bytes, f->length, &number))
        return ig_fail(error, IG_FORMAT,
                       "%s:%zu: column %zu (%s) is not a row number: '%s'",
                       record->file, record->line, column + 1, name,
                       ig_quote(quoted, f->bytes, f->length));
    if (number >= set->rows)
        return ig_fail(error, IG_VALUE,
                       "%s:%zu: column %zu (%s) is row %zu, but %s has rows 0 to %zu",
                       record->file, record->line, column + 1, name, number, set->name,
                       set->rows - 1);
    *row = (uint32_t)number;
    return IG_OK;
}
