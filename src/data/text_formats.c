/* Tables as rows of a dataset, and vectors as text, one row per line.
 *
 * A matrix (numpy.savetxt, TensorBoard projector) has no header; its numbers are
 * separated by blanks, commas or semicolons. Blank lines and lines starting with '#'
 * are skipped.
 *
 * Word vectors (word2vec, fastText, GloVe) are lines of a word and its numbers, with or
 * without a first line "N d". The numbers are the last fields of a line, since a word
 * may contain blanks. */
#include <stdio.h>
#include <string.h>

#include "data/number.h"
#include "data/reader.h"

/* --- tables ----------------------------------------------------------------------- */

/* Take the names of the columns: 1, 2, … of a table without a header. */
static void take_names(ig_reader *r, const ig_record *record, bool bare)
{
    char number[32];

    for (size_t i = 0; i < record->count && r->status == IG_OK; i++) {
        ig_field f = record->field[i];
        bool unnamed = !bare && !f.length; /* row numbers of pandas, say */

        if (bare || unnamed)
            f = (ig_field){number, (size_t)sprintf(number, "%s%zu",
                                                   unnamed ? "unnamed " : "", i + 1)};
        ig_reader_name(r, record->line, f);
        if (unnamed && r->status == IG_OK)
            r->to[i] = IG_TO_NOTHING;
    }
    ig_reader_resolve(r, record->line);
}

static void read_table(ig_reader *r)
{
    ig_table_style style = ig_table_guess(r->path, r->content, r->options);
    ig_table_reader t;

    r->kind = "column";
    ig_table_open(&t, r->path, r->content, style, r->error);
    while (ig_table_next(&t)) {
        if (t.record.number == 0)
            take_names(r, &t.record, style.bare);
        if (t.record.number > 0 || style.bare) {
            ig_reader_row(r, t.record.line);
            for (size_t i = 0; i < t.record.count && r->status == IG_OK; i++)
                ig_reader_cell(r, t.record.line, i, t.record.field[i]);
        }
        ig_reader_report(r, t.lines.at);
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
                                   .read = read_table};

/* --- matrices and word vectors ---------------------------------------------------- */

/* The next line that is not blank, nor a comment, from its first character on. */
static bool next_row(ig_lines *lines, bool comments, ig_field *row)
{
    while (ig_lines_next(lines, &row->bytes, &row->length)) {
        for (; row->length && strchr(" \t", *row->bytes); row->length--)
            row->bytes++;
        if (row->length && !(comments && *row->bytes == '#'))
            return true;
    }
    return false;
}

/* Count the numbers of a row, 0: there are other words; *counts: they are 0, 1, 2, …,
 * which pandas has for names of columns. */
static size_t count_numbers(ig_field row, bool *counts)
{
    const char *at = row.bytes, *end = at + row.length, *word;
    size_t length, number, n = 0;
    float value;

    *counts = true;
    for (; (length = ig_number_next(&at, end, &word)); n++) {
        if (!ig_number_float(word, length, &value))
            return 0;
        *counts &= ig_number_size(word, length, &number) && number == n;
    }
    return n;
}

/* As many numbers in each of the first two lines. The header "N d" of word vectors
 * differs from the line after it. */
static bool looks_as_matrix(const unsigned char *bytes, size_t size,
                            const ig_dataset_options *options)
{
    ig_lines lines = ig_lines_of(bytes, size);
    size_t numbers = 0;
    bool counts, other;
    ig_field row;

    (void)options;
    if (next_row(&lines, true, &row))
        numbers = count_numbers(row, &counts);
    return numbers >= 2 && !counts &&
           (!next_row(&lines, true, &row) || count_numbers(row, &other) == numbers);
}

static void read_matrix(ig_reader *r)
{
    ig_lines lines = ig_lines_of(r->content->bytes, r->content->size);
    ig_field row;

    for (; r->status == IG_OK && next_row(&lines, true, &row); r->rows++) {
        ig_reader_list(r, lines.number, "the line", row);
        ig_reader_report(r, lines.at);
    }
}

const ig_format ig_format_matrix_text = {
    .ending = {".csv", ".tsv"},
    .looks = looks_as_matrix,
    .example = {"vectors.tsv with --meta FILE", "LANG=vectors.txt,texts.txt"},
    .read = read_matrix};

/* The fields of the first line are a word and the numbers, or "N d". */
static bool is_size(ig_reader *r, ig_field row)
{
    const char *at = row.bytes, *end = at + row.length, *word;
    size_t length, number = 0, n = 0;
    bool sizes = true;

    for (; (length = ig_number_next(&at, end, &word)); n++)
        sizes = sizes && ig_number_size(word, length, &number);
    r->dims = sizes && n == 2 ? number : n - 1;
    return sizes && n == 2;
}

static void read_words(ig_reader *r)
{
    ig_lines lines = ig_lines_of(r->content->bytes, r->content->size);
    ig_field row;

    while (r->status == IG_OK && next_row(&lines, false, &row)) {
        const char *at = row.bytes + row.length;

        if (!r->dims && is_size(r, row))
            continue;
        for (size_t i = 0; i < r->dims; i++) { /* the word may have blanks */
            while (at > row.bytes && strchr(" \t", at[-1]))
                at--;
            while (at > row.bytes && !strchr(" \t", at[-1]))
                at--;
        }
        if (!r->dims || at == row.bytes)
            ig_reader_fail(r, lines.number, "expected a word and %zu numbers", r->dims);
        ig_reader_list(r, lines.number, "the line",
                       (ig_field){at, (size_t)(row.bytes + row.length - at)});
        while (at > row.bytes && strchr(" \t", at[-1]))
            at--;
        ig_reader_row(r, lines.number);
        ig_columns_text(r->columns, row.bytes, (size_t)(at - row.bytes));
        ig_reader_report(r, lines.at);
    }
}

const ig_format ig_format_words = {.ending = {".vec", ".txt"},
                                   .example = {NULL, "LANG=words.vec"},
                                   .read = read_words};
