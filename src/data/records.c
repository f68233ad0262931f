/* Tables as rows of a dataset. */
#include <stdio.h>
#include <string.h>

#include "data/reader.h"

/* Take the names of the columns: 1, 2, … of a table without a header. */
static void read_names(ig_reader *r, const ig_record *record, bool bare)
{
    for (size_t i = 0; i < record->count && r->status == IG_OK; i++) {
        ig_field f = record->field[i];
        bool unnamed = !bare && !f.length; /* row numbers of pandas, say */
        char number[32];

        if (bare || unnamed)
            f = (ig_field){number, (size_t)sprintf(number, "%s%zu",
                                                   unnamed ? "unnamed " : "", i + 1)};
        ig_reader_name(r, record->line, f);
        if (unnamed && r->status == IG_OK)
            r->to[i] = IG_TO_NOTHING;
    }
    ig_reader_resolve(r, record->line);
}

static void read_records(ig_reader *r)
{
    ig_table_style style = ig_table_guess(r->path, r->content, r->options);
    ig_table_reader t;

    r->kind = "column";
    ig_table_open(&t, r->path, r->content, style, r->options->reading, r->error);
    while (ig_table_next(&t)) {
        if (t.record.number == 0)
            read_names(r, &t.record, style.bare);
        if (t.record.number > 0 || style.bare) {
            ig_reader_row(r, t.record.line);
            for (size_t i = 0; i < t.record.count && r->status == IG_OK; i++)
                ig_reader_cell(r, t.record.line, i, t.record.field[i]);
        }
        t.status = r->status;
    }
    r->status = ig_table_close(&t);
    if (style.raw && !r->options->quote)
        ig_columns_remark(r->columns,
                          "%s: quotes are plain characters, since some are not those "
                          "of a quoted field (--quote double: they are)",
                          r->path);
    if (style.delimiter == ';' && !r->options->delimiter)
        ig_columns_remark(r->columns,
                          "%s: fields are separated by ';' (--delimiter names another)",
                          r->path);
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
                                   .example = {"set.csv"},
                                   .looks = looks_as_table,
                                   .read = read_records};
