/* Vectors as text, one row per line.
 *
 * A matrix (numpy.savetxt, TensorBoard projector) has no header; its numbers are
 * separated by a tab, comma, semicolon or blanks, detected in the first line. Blank
 * lines and lines starting with '#' are skipped.
 *
 * Word vectors (word2vec, fastText, GloVe) are lines of a word and its numbers, with or
 * without a first line "N d". Fields are split from the end of the line, since a word
 * may contain blanks. */
#include <string.h>

#include "data/number.h"
#include "data/reader.h"

/* Reader of both formats. */
typedef struct reading {
    ig_reader reader;
    char delimiter;       /* of a matrix */
    size_t declared_rows; /* rows declared by the header, if has_header */
    bool has_header;
    bool has_words; /* some line starts with a non-number */
} reading;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static ig_line_take read_word;

static ig_status read_text(reading *r, const ig_source *s, ig_line_take *take,
                           ig_vectors *vectors, ig_error *error)
{
    ig_status status;

    r->reader = (ig_reader){.source = s, .has_vectors = true};
    status = ig_lines_each(s->path, s->content, s->options->reading, take, r, error);
    if (status == IG_OK && r->has_header && r->declared_rows != r->reader.rows)
        status = ig_fail(error, IG_FORMAT,
                         "%s: its first line promises %zu rows, it has %zu", s->path,
                         r->declared_rows, r->reader.rows);
    if (status == IG_OK && take == read_word && r->reader.rows && !r->has_words)
        status = ig_fail(error, IG_FORMAT,
                         "%s: every line begins with a number, not with a word: a "
                         "matrix of numbers is given as .npy",
                         s->path);
    return ig_reader_end(&r->reader, status, vectors, error);
}

/* --- matrices --------------------------------------------------------------------- */

/* Iterator over the fields of a line. */
typedef struct fields {
    const char *at, *end;
    char delimiter; /* ' ': any number of blanks */
    bool done;
} fields;

static fields split_fields(const char *line, size_t length, char delimiter)
{
    fields f = {line, line + length, delimiter, false};

    while (delimiter == ' ' && f.at < f.end && is_blank(*f.at))
        f.at++;
    while (delimiter == ' ' && f.end > f.at && is_blank(f.end[-1]))
        f.end--;
    return f;
}

static bool next_field(fields *f, const char **field, size_t *length)
{
    const char *stop = f->at;

    if (f->done)
        return false;
    while (stop < f->end &&
           !(f->delimiter == ' ' ? is_blank(*stop) : *stop == f->delimiter))
        stop++;
    *field = f->at;
    *length = (size_t)(stop - f->at);
    f->done = stop == f->end;
    f->at = stop + !f->done;
    while (f->delimiter == ' ' && f->at < f->end && is_blank(*f->at))
        f->at++;
    return true;
}

static bool is_skipped(const char *line, size_t length)
{
    size_t i = 0;

    while (i < length && is_blank(line[i]))
        i++;
    return i == length || line[i] == '#';
}

static char find_delimiter(const char *line, size_t length,
                           const ig_dataset_options *options)
{
    if (options->delimiter)
        return options->delimiter;
    for (const char *c = "\t,;"; *c; c++)
        if (memchr(line, *c, length))
            return *c;
    return ' ';
}

/* Number of numbers in a line; 0 if some field is not a number. *counts: they are 0, 1,
 * 2, …: default column names of pandas. */
static size_t count_numbers(const char *line, size_t length, char delimiter,
                            bool *counts)
{
    fields f = split_fields(line, length, delimiter);
    const char *field;
    size_t size, number, count = 0;
    float value;

    *counts = true;
    for (; next_field(&f, &field, &size); count++) {
        *counts &= ig_number_size(field, size, &number) && number == count;
        if (!ig_number_float(field, size, &value))
            return 0;
    }
    return count;
}

/* Two or more numbers in each of the first lines, the same count in all. The header "N
 * d" of word vectors differs from the lines after it. */
static bool looks_as_matrix(const unsigned char *bytes, size_t size,
                            const ig_dataset_options *options)
{
    enum { ENOUGH = 16 };
    ig_lines lines = ig_lines_of(bytes, size);
    const char *line;
    size_t length, seen = 0, dims = 0;
    char delimiter = ' ';

    while (seen < ENOUGH && ig_lines_next(&lines, &line, &length)) {
        size_t count;
        bool counts;

        if (is_skipped(line, length))
            continue;
        if (seen == 0)
            delimiter = find_delimiter(line, length, options);
        count = count_numbers(line, length, delimiter, &counts);
        if (count < 2 || (seen == 0 ? counts : count != dims))
            return false;
        dims = count;
        seen++;
    }
    return seen > 0;
}

static ig_status read_row(void *context, const char *line, size_t length, size_t number,
                          ig_error *error)
{
    reading *r = context;
    ig_reader *reader = &r->reader;
    const char *path = reader->source->path, *field;
    char quoted[IG_QUOTE_SIZE];
    size_t size, count = 0;
    float *value;
    fields f;

    if (is_skipped(line, length))
        return IG_OK;
    if (reader->rows == 0)
        r->delimiter = find_delimiter(line, length, reader->source->options);
    for (f = split_fields(line, length, r->delimiter); next_field(&f, &field, &size);
         count++) {
        ig_status status = ig_reader_values(reader, 1, &value, error);

        if (status != IG_OK)
            return status;
        if ((!reader->dims || count < reader->dims) &&
            !ig_number_float(field, size, value))
            return ig_fail(error, IG_FORMAT, "%s:%zu: column %zu is %s%s%s", path,
                           number, count + 1,
                           size ? "not a number: '" : "empty, not a number",
                           ig_quote(quoted, field, size), size ? "'" : "");
    }
    if (reader->dims && count != reader->dims)
        return ig_fail(error, IG_FORMAT,
                       "%s:%zu: expected %zu field%s as in the first line, got %zu",
                       path, number, reader->dims, reader->dims == 1 ? "" : "s", count);
    reader->dims = count;
    reader->rows++;
    return IG_OK;
}

static ig_status read_matrix(const ig_source *source, ig_vectors *vectors,
                             ig_error *error)
{
    return read_text(&(reading){0}, source, read_row, vectors, error);
}

const ig_format ig_format_matrix_text = {.ending = {".csv", ".tsv"},
                                         .looks = looks_as_matrix,
                                         .alone = "vectors.tsv with --meta FILE",
                                         .of_language = "LANG=vectors.txt,texts.txt",
                                         .read = read_matrix};

/* --- word vectors ----------------------------------------------------------------- */

/* Start of the last field of line[0 … *length); *length is reduced to exclude it. */
static const char *last_field(const char *line, size_t *length, size_t *size)
{
    size_t end = *length, start;

    while (end > 0 && is_blank(line[end - 1]))
        end--;
    start = end;
    while (start > 0 && !is_blank(line[start - 1]))
        start--;
    *size = end - start;
    *length = start;
    return line + start;
}

static size_t count_fields(const char *line, size_t length)
{
    size_t count = 0, size;

    while (length > 0) {
        last_field(line, &length, &size);
        count += size > 0;
    }
    return count;
}

/* Parse the header "N d"; false if the line is anything else. */
static bool read_header(reading *r, const char *line, size_t length)
{
    size_t size, d;
    const char *field = last_field(line, &length, &size);

    if (!ig_number_size(field, size, &d) || d == 0)
        return false;
    field = last_field(line, &length, &size);
    r->has_header = length == 0 && ig_number_size(field, size, &r->declared_rows);
    r->reader.dims = r->has_header ? d : 0;
    return r->has_header;
}

static ig_status fail_word(const reading *r, const char *line, size_t length,
                           size_t number, ig_error *error)
{
    size_t got = count_fields(line, length);

    return ig_fail(
        error, IG_FORMAT, "%s:%zu: expected a word and %zu numbers, got %zu field%s",
        r->reader.source->path, number, r->reader.dims, got, got == 1 ? "" : "s");
}

static ig_status read_word(void *context, const char *line, size_t length,
                           size_t number, ig_error *error)
{
    reading *r = context;
    ig_reader *reader = &r->reader;
    const ig_source *s = reader->source;
    size_t rest = length, size;
    float *row, value;
    ig_status status;

    while (length > 0 && is_blank(line[length - 1]))
        length--;
    if (length == 0 || (number == 1 && read_header(r, line, length)))
        return IG_OK;
    if (reader->dims == 0)
        reader->dims = count_fields(line, length) - 1;
    /* Each number takes two bytes or more: bounds the allocation of a hostile "N d". */
    if (reader->dims == 0 || reader->dims > length / 2)
        return fail_word(r, line, length, number, error);
    status = ig_reader_values(reader, reader->dims, &row, error);
    if (status != IG_OK)
        return status;
    reader->rows++;
    for (size_t j = reader->dims; j-- > 0;) {
        const char *field = last_field(line, &rest, &size);
        char quoted[IG_QUOTE_SIZE];

        if (rest == 0)
            return fail_word(r, line, length, number, error);
        if (!ig_number_float(field, size, &row[j]))
            return ig_fail(error, IG_FORMAT, "%s:%zu: number %zu is not one: '%s'",
                           s->path, number, j + 1, ig_quote(quoted, field, size));
    }
    while (rest > 0 && is_blank(line[rest - 1]))
        rest--;
    r->has_words |= !ig_number_float(line, rest, &value);
    status = ig_columns_append(s->columns, s->language, number, error);
    return status == IG_OK ? ig_columns_text(s->columns, line, rest, error) : status;
}

static ig_status read_words(const ig_source *source, ig_vectors *vectors,
                            ig_error *error)
{
    return read_text(&(reading){0}, source, read_word, vectors, error);
}

const ig_format ig_format_words = {.ending = {".vec", ".txt"},
                                   .of_language = "LANG=words.vec",
                                   .has_texts = true,
                                   .read = read_words};
