/* Tables and lines of sentences as rows of a dataset. */
#include <string.h>

#include "data/reader.h"

/* Whether a text between two separators of a line is the name of a role. */
static bool names_role(const char *line, size_t length, const char *between,
                       const ig_dataset_options *options, ig_column_role last)
{
    for (size_t at = 0, stop; at <= length; at = stop + 1) {
        for (stop = at; stop < length && !(line[stop] && strchr(between, line[stop]));)
            stop++;
        for (int k = IG_COLUMN_LANG; k <= (int)last; k++) {
            const char *name = ig_column_name(options, (ig_column_role)k);

            if (strlen(name) == stop - at && memcmp(name, line + at, stop - at) == 0)
                return true;
        }
    }
    return false;
}

/* Whether a table of a matrix is one column of texts without a header, as the
 * TensorBoard projector writes. */
static bool is_bare(const ig_reader *r, const ig_record *first)
{
    return !r->has_vectors && first->count == 1 && r->source->options->lang &&
           !names_role(first->field->bytes, first->field->length, "",
                       r->source->options, IG_COLUMN_ID);
}

static ig_status append_text(ig_reader *r, size_t line, ig_field text, ig_error *error)
{
    ig_status status = ig_reader_row(r, line, (ig_field){0}, error);

    return status == IG_OK
               ? ig_columns_text(r->source->columns, text.bytes, text.length, error)
               : status;
}

static ig_status read_record(void *context, const ig_record *record, ig_error *error)
{
    ig_reader *r = context;
    ig_field none = {0};
    ig_status status;

    if (record->number == 0 && !is_bare(r, record))
        return ig_reader_names(r, record, error);
    if (r->columns == 0)
        return append_text(r, record->line, *record->field, error);
    status = ig_reader_row(r, record->line,
                           r->lang < record->count ? record->field[r->lang] : none,
                           error);
    for (size_t i = 0; i < record->count && status == IG_OK; i++)
        status = ig_reader_cell(r, record->line, i, record->field[i], error);
    return status;
}

static ig_status read_line(void *context, const char *line, size_t length,
                           size_t number, ig_error *error)
{
    return append_text(context, number, (ig_field){line, length}, error);
}

/* Whether a table holds a sentence a line: not .csv, and a first line without a tab or
 * the name of a role. */
static bool is_lines(const ig_source *s)
{
    ig_lines lines = ig_lines_of(s->content->bytes, s->content->size);
    const char *line;
    size_t length;

    return s->options->lang && !s->options->delimiter &&
           !ig_content_ends(s->path, ".csv") && ig_lines_next(&lines, &line, &length) &&
           !memchr(line, '\t', length) && !memchr(line, '\0', length) &&
           !names_role(line, length, ",;|", s->options, IG_COLUMN_ID);
}

/* Parse a table, and say what was decided about it. */
static ig_status read_records(const ig_source *s, ig_reader *r, ig_vectors *vectors,
                              ig_error *error)
{
    ig_table_style style = ig_table_guess(s->path, s->content, s->options->delimiter);
    ig_status status = ig_table_parse(s->path, s->content, style.delimiter, true,
                                      read_record, r, s->options->reading, error);

    if (status == IG_OK && style.raw)
        status = ig_columns_remark(s->columns, error,
                                   "%s: quotes are plain characters, since some are "
                                   "not those of a quoted field",
                                   s->path);
    if (status == IG_OK && style.delimiter == ';' && !s->options->delimiter)
        status = ig_columns_remark(s->columns, error,
                                   "%s: fields are separated by ';' (--delimiter names "
                                   "another)",
                                   s->path);
    return ig_reader_end(r, status, vectors, error);
}

ig_status ig_dataset_table_read(const ig_source *source, ig_error *error)
{
    ig_reader r = {
        .source = source, .kind = "column", .lang = SIZE_MAX, .language = UINT32_MAX};
    ig_status status;

    if (!is_lines(source))
        return read_records(source, &r, NULL, error);
    status = ig_lines_each(source->path, source->content, source->options->reading,
                           read_line, &r, error);
    return ig_reader_end(&r, status, NULL, error);
}

static ig_status read_table(const ig_source *source, ig_vectors *vectors,
                            ig_error *error)
{
    ig_reader r = {.source = source, .kind = "column", .has_vectors = vectors != NULL};

    return read_records(source, &r, vectors, error);
}

static bool has_no_other_table(const ig_dataset_options *options)
{
    return !options->meta;
}

/* Whether the first line names a language column. */
static bool looks_as_table(const unsigned char *bytes, size_t size,
                           const ig_dataset_options *options)
{
    const char *at = (const char *)bytes;
    const char *newline = (const char *)ig_table_line_end(bytes, size);
    size_t length = newline ? (size_t)(newline - at) : 0;
    size_t mark = size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    return length >= mark && newline && ig_quote_is_text(at, length) &&
           names_role(at + mark, length - mark, ",;|\t\" ", options, IG_COLUMN_LANG);
}

/* A table with all columns, vectors included. */
const ig_format ig_format_table = {.ending = {".csv", ".tsv"},
                                   .alone = "set.csv",
                                   .looks = looks_as_table,
                                   .applies = has_no_other_table,
                                   .read = read_table};
