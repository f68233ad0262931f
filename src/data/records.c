/* Tables, and lines of sentences, as rows of a dataset. */
#include <string.h>

#include "data/reader.h"

static ig_status read_records(const ig_source *s, ig_vectors *vectors, ig_error *error)
{
    ig_table_style style = ig_table_guess(s->path, s->content, s->options);
    ig_reader r = {.source = s,
                   .kind = "column",
                   .has_vectors = vectors != NULL,
                   .bare = style.bare};
    ig_table_reader t;

    ig_table_open(&t, s->path, s->content, style, s->options->reading, error);
    while (ig_table_next(&t)) {
        if (t.record.number == 0)
            t.status = ig_reader_names(&r, &t.record, error);
        if (t.record.number == 0 && !style.bare)
            continue;
        if (t.status == IG_OK)
            t.status = ig_reader_row(&r, t.record.line, error);
        for (size_t i = 0; i < t.record.count && t.status == IG_OK; i++)
            t.status = ig_reader_cell(&r, t.record.line, i, t.record.field[i], error);
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

ig_status ig_dataset_table_read(const ig_source *s, ig_error *error)
{
    ig_lines lines = ig_lines_of(s->content->bytes, s->content->size);
    const char *line;
    size_t length;
    ig_status status = IG_OK;

    if (!s->options->lang || s->options->delimiter ||
        ig_content_ends(s->path, ".csv") || ig_content_ends(s->path, ".tsv"))
        return read_records(s, NULL, error);
    while (status == IG_OK && ig_lines_next(&lines, &line, &length)) {
        status = ig_columns_append(s->columns, s->options->lang, lines.number, error);
        if (status == IG_OK)
            status = ig_columns_text(s->columns, line, length, error);
    }
    return status;
}

/* Whether a field of the first line is the name of the language's column. */
static bool looks_as_table(const unsigned char *bytes, size_t size,
                           const ig_dataset_options *options)
{
    const char *name = ig_column_name(options, IG_COLUMN_LANG), *line = "";
    ig_lines lines = ig_lines_of(bytes, size);
    size_t length = 0, stop;

    if (!ig_lines_next(&lines, &line, &length) || !ig_quote_is_text(line, length))
        return false;
    for (size_t at = 0; at < length; at = stop + 1) {
        for (stop = at; stop < length && !strchr(",;|\t\" ", line[stop]);)
            stop++;
        if (stop - at == strlen(name) && memcmp(line + at, name, stop - at) == 0)
            return true;
    }
    return false;
}

/* A table with all columns, vectors included. */
const ig_format ig_format_table = {.ending = {".csv", ".tsv"},
                                   .alone = "set.csv",
                                   .looks = looks_as_table,
                                   .read = read_records};
