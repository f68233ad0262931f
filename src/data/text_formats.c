/* Vectors as text, one row per line.
 *
 * A matrix (numpy.savetxt, TensorBoard projector) has no header; its numbers are
 * separated by a tab, comma, semicolon or blanks, detected in the first line. Blank
 * lines and lines starting with '#' are skipped.
 *
 * Word vectors (word2vec, fastText, GloVe) are lines of a word and its numbers, with or
 * without a first line "N d". The numbers are the last fields of a line, since a word
 * may contain blanks. */
#include <string.h>

#include "data/number.h"
#include "data/reader.h"

static ig_table_style find_style(const ig_content *content,
                                 const ig_dataset_options *options)
{
    ig_lines lines = ig_lines_of(content->bytes, content->size);
    ig_table_style style = {.raw = true, .bare = true, .comments = true};
    const char *line = "", *c = "\t,;";
    size_t length = 0;

    while (ig_lines_next(&lines, &line, &length) && (!length || *line == '#'))
        continue;
    while (*c && !memchr(line, *c, length))
        c++;
    style.delimiter = options->delimiter ? options->delimiter : *c ? *c : ' ';
    return style;
}

/* Whether a record is two or more numbers. 0, 1, 2, … are none in a first line: they
 * are default column names of pandas. */
static bool is_row(const ig_record *record)
{
    bool counts = record->number == 0;
    size_t number;
    float value;

    for (size_t i = 0; i < record->count; i++) {
        const ig_field *f = &record->field[i];

        if (!ig_number_float(f->bytes, f->length, &value))
            return false;
        counts &= ig_number_size(f->bytes, f->length, &number) && number == i;
    }
    return record->count >= 2 && !counts;
}

/* As many numbers in each of the first lines. The header "N d" of word vectors differs
 * from the lines after it. */
static bool looks_as_matrix(const unsigned char *bytes, size_t size,
                            const ig_dataset_options *options)
{
    enum { LINES = 16, HEAD = 1 << 22 };
    const ig_content head = {.bytes = bytes, .size = size < HEAD ? size : HEAD};
    size_t lines = 0;
    bool matrix = true;
    ig_table_reader t;

    ig_table_open(&t, "", &head, find_style(&head, options), NULL, NULL);
    while (matrix && lines++ < LINES && ig_table_next(&t))
        matrix = is_row(&t.record);
    return ig_table_close(&t) == IG_OK && matrix;
}

/* Read a line of numbers, or a word and then `dims` numbers, 0: all that follow. */
static ig_status read_line(ig_reader *r, const ig_record *record, bool words,
                           ig_error *error)
{
    const ig_source *s = r->source;
    const ig_field *f = record->field;
    size_t before = words ? 1 : 0;
    char quoted[IG_QUOTE_SIZE];
    float *row;
    ig_status status;

    r->dims = r->dims ? r->dims : record->count - before;
    if (!r->dims || record->count < r->dims + before)
        return ig_fail(error, IG_FORMAT,
                       "%s:%zu: expected a word and %zu numbers, got %zu fields",
                       s->path, record->line, r->dims, record->count);
    before = record->count - r->dims;
    status = ig_reader_values(r, r->dims, &row, error);
    for (size_t j = 0; j < r->dims && status == IG_OK; j++)
        if (!ig_number_float(f[before + j].bytes, f[before + j].length, &row[j]))
            return ig_fail(error, IG_FORMAT, "%s:%zu: column %zu is not a number: '%s'",
                           s->path, record->line, before + j + 1,
                           ig_quote(quoted, f[before + j].bytes, f[before + j].length));
    r->rows++;
    if (status == IG_OK && words)
        status = ig_columns_append(s->columns, s->language, record->line, error);
    if (status == IG_OK && words) /* may contain blanks */
        status = ig_columns_text(
            s->columns, f->bytes,
            (size_t)(f[before - 1].bytes + f[before - 1].length - f->bytes), error);
    return status;
}

/* Whether a record is the first line "N d" of word vectors. */
static bool is_header(const ig_record *record, size_t *rows, size_t *dims)
{
    const ig_field *f = record->field;

    return record->number == 0 && record->count == 2 &&
           ig_number_size(f[0].bytes, f[0].length, rows) &&
           ig_number_size(f[1].bytes, f[1].length, dims);
}

static ig_status read_text(const ig_source *s, bool words, ig_vectors *vectors,
                           ig_error *error)
{
    static const ig_table_style of_words = {
        .delimiter = ' ', .raw = true, .bare = true, .ragged = true};
    ig_reader r = {.source = s, .has_vectors = true};
    size_t promised = 0, rows, dims;
    ig_table_reader t;

    ig_table_open(&t, s->path, s->content,
                  words ? of_words : find_style(s->content, s->options),
                  s->options->reading, error);
    while (ig_table_next(&t))
        if (words && is_header(&t.record, &rows, &dims)) {
            promised = rows;
            r.dims = dims;
        } else {
            t.status = read_line(&r, &t.record, words, error);
        }
    if (t.status == IG_OK && promised && promised != r.rows)
        t.status = ig_fail(error, IG_FORMAT,
                           "%s: its first line promises %zu rows, it has %zu", s->path,
                           promised, r.rows);
    return ig_reader_end(&r, ig_table_close(&t), vectors, error);
}

static ig_status read_matrix(const ig_source *s, ig_vectors *v, ig_error *error)
{
    return read_text(s, false, v, error);
}

static ig_status read_words(const ig_source *s, ig_vectors *v, ig_error *error)
{
    return read_text(s, true, v, error);
}

const ig_format ig_format_matrix_text = {.ending = {".csv", ".tsv"},
                                         .looks = looks_as_matrix,
                                         .alone = "vectors.tsv with --meta FILE",
                                         .of_language = "LANG=vectors.txt,texts.txt",
                                         .read = read_matrix};

const ig_format ig_format_words = {
    .ending = {".vec", ".txt"}, .of_language = "LANG=words.vec", .read = read_words};
