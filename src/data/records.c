/* Tables and lines of sentences as rows of a dataset. */
#include <stdio.h>
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

/* Columns 1, 2, … of a table without a header. */
static ig_status number_columns(ig_reader *r, const ig_record *first, ig_error *error)
{
    ig_field *name = ig_alloc(first->count, sizeof *name);
    char(*text)[24] = ig_alloc(first->count, sizeof *text);
    ig_record names = {.line = first->line, .count = first->count, .field = name};
    ig_status status = name && text ? IG_OK : ig_fail_memory(error, "the columns");

    for (size_t i = 0; i < first->count && status == IG_OK; i++)
        name[i] = (ig_field){text[i], (size_t)sprintf(text[i], "%zu", i + 1)};
    if (status == IG_OK)
        status = ig_reader_names(r, &names, error);
    IG_FREE(name, text);
    return status;
}

static ig_status read_row(ig_reader *r, const ig_record *record, ig_error *error)
{
    ig_status status = ig_reader_row(r, record->line, error);

    for (size_t i = 0; i < record->count && status == IG_OK; i++)
        status = ig_reader_cell(r, record->line, i, record->field[i], error);
    return status;
}

/* Parse a table, and say what was decided about it. */
static ig_status read_records(const ig_source *s, ig_vectors *vectors, ig_error *error)
{
    ig_table_style style = ig_table_guess(s->path, s->content, s->options);
    ig_reader r = {.source = s, .kind = "column", .has_vectors = vectors != NULL};
    ig_table_reader t;

    ig_table_open(&t, s->path, s->content, style, s->options->reading, error);
    while (ig_table_next(&t)) {
        if (t.record.number == 0)
            t.status = style.bare ? number_columns(&r, &t.record, error)
                                  : ig_reader_names(&r, &t.record, error);
        if (t.status == IG_OK && (style.bare || t.record.number))
            t.status = read_row(&r, &t.record, error);
    }
    if (t.status == IG_OK && style.raw && !s->options->quote)
        t.status = ig_columns_remark(s->columns, error,
                                     "%s: quotes are plain characters, since some are "
                                     "not those of a quoted field (--quote double: "
                                     "they are)",
                                     s->path);
    if (t.status == IG_OK && style.delimiter == ';' && !s->options->delimiter)
        t.status = ig_columns_remark(s->columns, error,
                                     "%s: fields are separated by ';' (--delimiter "
                                     "names another)",
                                     s->path);
    return ig_reader_end(&r, ig_table_close(&t), vectors, error);
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

ig_status ig_dataset_table_read(const ig_source *source, ig_error *error)
{
    ig_lines lines = ig_lines_of(source->content->bytes, source->content->size);
    ig_reader r = {.source = source, .kind = "column", .lang = SIZE_MAX};
    const char *line;
    size_t length;
    ig_status status = IG_OK;

    if (!is_lines(source))
        return read_records(source, NULL, error);
    while (status == IG_OK && ig_lines_next(&lines, &line, &length)) {
        status = ig_reader_row(&r, lines.number, error);
        if (status == IG_OK)
            status = ig_columns_text(source->columns, line, length, error);
    }
    return ig_reader_end(&r, status, NULL, error);
}

/* Whether the first line names a language column. */
static bool looks_as_table(const unsigned char *bytes, size_t size,
                           const ig_dataset_options *options)
{
    ig_lines all = ig_lines_of(bytes, size);
    size_t length = 0, size_left = (size_t)(all.end - all.at);

    while (length < size_left && all.at[length] != '\n' && all.at[length] != '\r')
        length++;
    return length < size_left && ig_quote_is_text(all.at, length) &&
           names_role(all.at, length, ",;|\t\" ", options, IG_COLUMN_LANG);
}

/* A table with all columns, vectors included. */
const ig_format ig_format_table = {.ending = {".csv", ".tsv"},
                                   .alone = "set.csv",
                                   .looks = looks_as_table,
                                   .read = read_records};
