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

/* Reader of both formats. */
typedef struct reading {
    ig_reader reader;
    bool words;           /* a line begins with a word */
    bool has_words;       /* which of some line is no number */
    char delimiter;       /* ' ': any number of blanks */
    size_t declared_rows; /* of a first line "N d", or SIZE_MAX */
} reading;

/* Iterator over the fields of a line. */
typedef struct fields {
    const char *at, *end;
    char delimiter;
    bool done;
} fields;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static fields split_fields(const char *line, size_t length, char delimiter)
{
    fields f = {line, line + length, delimiter, false};

    while (delimiter == ' ' && f.at < f.end && is_blank(*f.at))
        f.at++;
    while (delimiter == ' ' && f.end > f.at && is_blank(f.end[-1]))
        f.end--;
    return f;
}

static bool next_field(fields *f, ig_field *field)
{
    const char *stop = f->at;

    if (f->done)
        return false;
    while (stop < f->end &&
           !(f->delimiter == ' ' ? is_blank(*stop) : *stop == f->delimiter))
        stop++;
    *field = (ig_field){f->at, (size_t)(stop - f->at)};
    f->done = stop == f->end;
    f->at = stop + !f->done;
    while (f->delimiter == ' ' && f->at < f->end && is_blank(*f->at))
        f->at++;
    return true;
}

static size_t count_fields(fields f)
{
    ig_field field;
    size_t count = 0;

    while (next_field(&f, &field))
        count++;
    return count;
}

/* Parse a first line "N d"; false if it is anything else. */
static bool read_header(reading *r, fields f)
{
    ig_field rows = {0}, dims = {0};

    next_field(&f, &rows);
    next_field(&f, &dims);
    if (!f.done || !dims.bytes ||
        !ig_number_size(rows.bytes, rows.length, &r->declared_rows) ||
        !ig_number_size(dims.bytes, dims.length, &r->reader.dims) || !r->reader.dims) {
        r->declared_rows = SIZE_MAX;
        r->reader.dims = 0;
        return false;
    }
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
    ig_field field;
    size_t number, count = 0;
    float value;

    *counts = true;
    for (; next_field(&f, &field); count++) {
        *counts &= ig_number_size(field.bytes, field.length, &number) &&
                   number == count;
        if (!ig_number_float(field.bytes, field.length, &value))
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

static ig_status fail_count(const reading *r, size_t line, size_t got, ig_error *error)
{
    return ig_fail(error, IG_FORMAT, "%s:%zu: expected %s%zu %s%s%s, got %zu%s",
                   r->reader.source->path, line, r->words ? "a word and " : "",
                   r->reader.dims, r->words ? "number" : "field",
                   r->reader.dims == 1 ? "" : "s",
                   r->words ? "" : " as in the first line", got,
                   !r->words  ? ""
                   : got == 1 ? " field"
                              : " fields");
}

static ig_status read_line(void *context, const char *line, size_t length,
                           size_t number, ig_error *error)
{
    reading *r = context;
    ig_reader *reader = &r->reader;
    const ig_source *s = reader->source;
    ig_field field, word;
    size_t count, before = 0;
    float *row, value;
    char quoted[IG_QUOTE_SIZE];
    fields f;
    ig_status status;

    if (!r->words && is_skipped(line, length))
        return IG_OK;
    if (!r->words && reader->rows == 0)
        r->delimiter = find_delimiter(line, length, s->options);
    f = split_fields(line, length, r->delimiter);
    if (r->words && (f.at == f.end || (number == 1 && read_header(r, f))))
        return IG_OK;
    count = count_fields(f);
    if (!reader->dims)
        reader->dims = count - r->words;
    if (reader->dims == 0 || (r->words ? count <= reader->dims : count != reader->dims))
        return fail_count(r, number, count, error);
    for (word = (ig_field){f.at, 0}; before < count - reader->dims; before++) {
        next_field(&f, &field);
        word.length = (size_t)(field.bytes + field.length - word.bytes);
    }
    status = ig_reader_values(reader, reader->dims, &row, error);
    for (size_t j = 0; status == IG_OK && next_field(&f, &field); j++)
        if (!ig_number_float(field.bytes, field.length, &row[j]))
            return ig_fail(error, IG_FORMAT, "%s:%zu: column %zu is %s%s%s", s->path,
                           number, before + j + 1,
                           field.length ? "not a number: '" : "empty, not a number",
                           ig_quote(quoted, field.bytes, field.length),
                           field.length ? "'" : "");
    reader->rows++;
    if (!r->words || status != IG_OK)
        return status;
    r->has_words |= !ig_number_float(word.bytes, word.length, &value);
    status = ig_columns_append(s->columns, s->language, number, error);
    return status == IG_OK ? ig_columns_text(s->columns, word.bytes, word.length, error)
                           : status;
}

static ig_status read_text(const ig_source *s, bool words, ig_vectors *vectors,
                           ig_error *error)
{
    reading r = {.reader = {.source = s, .has_vectors = true},
                 .words = words,
                 .delimiter = ' ',
                 .declared_rows = SIZE_MAX};
    ig_status status =
        ig_lines_each(s->path, s->content, s->options->reading, read_line, &r, error);

    if (status == IG_OK && r.declared_rows != SIZE_MAX &&
        r.declared_rows != r.reader.rows)
        status = ig_fail(error, IG_FORMAT,
                         "%s: its first line promises %zu rows, it has %zu", s->path,
                         r.declared_rows, r.reader.rows);
    if (status == IG_OK && words && r.reader.rows && !r.has_words)
        status = ig_fail(error, IG_FORMAT,
                         "%s: every line begins with a number, not with a word: a "
                         "matrix of numbers is given as .npy",
                         s->path);
    return ig_reader_end(&r.reader, status, vectors, error);
}

static ig_status read_matrix(const ig_source *source, ig_vectors *vectors,
                             ig_error *error)
{
    return read_text(source, false, vectors, error);
}

static ig_status read_words(const ig_source *source, ig_vectors *vectors,
                            ig_error *error)
{
    return read_text(source, true, vectors, error);
}

const ig_format ig_format_matrix_text = {.ending = {".csv", ".tsv"},
                                         .looks = looks_as_matrix,
                                         .alone = "vectors.tsv with --meta FILE",
                                         .of_language = "LANG=vectors.txt,texts.txt",
                                         .read = read_matrix};

const ig_format ig_format_words = {.ending = {".vec", ".txt"},
                                   .of_language = "LANG=words.vec",
                                   .has_texts = true,
                                   .read = read_words};
