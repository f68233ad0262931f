/* A matrix as text, a row a line and no header, as numpy.savetxt and the TensorBoard
 * projector write them. Numbers are parted by a tab, comma, semicolon or blanks,
 * whichever the first line has; blank lines and those that begin with '#' are passed
 * over. */
#include <string.h>

#include "base/array.h"
#include "data/format.h"
#include "data/lines.h"
#include "data/number.h"
#include "data/quote.h"

/* A line that is looked at field by field. */
typedef struct fields {
    const char *at, *end;
    char between; /* ' ': any number of blanks */
    bool over;
} fields;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static fields fields_of(const char *line, size_t length, char between)
{
    fields f = {line, line + length, between, false};

    if (between == ' ') {
        while (f.at < f.end && is_blank(*f.at))
            f.at++;
        while (f.end > f.at && is_blank(f.end[-1]))
            f.end--;
    }
    return f;
}

static bool next_field(fields *f, const char **field, size_t *length)
{
    const char *stop = f->at;

    if (f->over)
        return false;
    while (stop < f->end &&
           !(f->between == ' ' ? is_blank(*stop) : *stop == f->between))
        stop++;
    *field = f->at;
    *length = (size_t)(stop - f->at);
    f->over = stop == f->end;
    f->at = stop + !f->over;
    while (f->between == ' ' && f->at < f->end && is_blank(*f->at))
        f->at++;
    return true;
}

static bool is_passed_over(const char *line, size_t length)
{
    size_t i = 0;

    while (i < length && is_blank(line[i]))
        i++;
    return i == length || line[i] == '#';
}

static char between_of(const char *line, size_t length, const ig_set_options *options)
{
    static const char usual[] = "\t,;";

    if (options->delimiter)
        return options->delimiter;
    for (const char *c = usual; *c; c++)
        if (memchr(line, *c, length))
            return *c;
    return ' ';
}

/* The numbers of a line; 0: one is none. */
static size_t count_numbers(const char *line, size_t length, char between)
{
    fields f = fields_of(line, length, between);
    const char *field;
    size_t size, count = 0;
    float value;

    for (; next_field(&f, &field, &size); count++)
        if (!ig_number_float(field, size, &value))
            return 0;
    return count;
}

/* 0, 1, 2, …: names that pandas gives to columns that have none. */
static bool counts_up(const char *line, size_t length, char between)
{
    fields f = fields_of(line, length, between);
    const char *field;
    size_t size, number, count = 0;

    for (; next_field(&f, &field, &size); count++)
        if (!ig_number_size(field, size, &number) || number != count)
            return false;
    return true;
}

/* Two numbers or more in each of the first lines, and as many in all of them. The "N d"
 * before word vectors differs from what follows it. */
static bool looks_as_matrix(const unsigned char *bytes, size_t size,
                            const ig_set_options *options)
{
    enum { ENOUGH = 16 };
    ig_lines lines = ig_lines_of(bytes, size);
    const char *line;
    size_t length, seen = 0, dims = 0;
    char between = ' ';

    while (seen < ENOUGH && ig_lines_next(&lines, &line, &length)) {
        size_t count;

        if (is_passed_over(line, length))
            continue;
        if (seen == 0) {
            between = between_of(line, length, options);
            dims = count_numbers(line, length, between);
            if (counts_up(line, length, between))
                return false;
        }
        count = count_numbers(line, length, between);
        if (count < 2 || count != dims)
            return false;
        seen++;
    }
    return seen > 0;
}

typedef struct reading {
    const char *path;
    size_t line;
    char between;
    size_t rows, dims;
    float *values;
    size_t capacity;
} reading;

static ig_status take_line(reading *r, const char *line, size_t length, ig_error *error)
{
    fields f = fields_of(line, length, r->between);
    char quoted[IG_QUOTE_SIZE];
    const char *field;
    size_t size, count = 0;
    ig_status status = IG_OK;

    while (status == IG_OK && next_field(&f, &field, &size)) {
        status = ig_array_grow(&r->values, &r->capacity, r->rows * r->dims + count + 1,
                               sizeof *r->values, r->path, error);
        if (status == IG_OK && (!r->dims || count < r->dims) &&
            !ig_number_float(field, size, &r->values[r->rows * r->dims + count]))
            return ig_fail(error, IG_FORMAT, "%s:%zu: column %zu is %s%s%s%s", r->path,
                           r->line, count + 1, size ? "not a number: '" : "empty",
                           ig_quote(quoted, field, size), size ? "'" : "",
                           size ? "" : ", not a number");
        count++;
    }
    if (status == IG_OK && r->dims && count != r->dims)
        return ig_fail(error, IG_FORMAT,
                       "%s:%zu: expected %zu field%s as in the first line, got %zu",
                       r->path, r->line, r->dims, r->dims == 1 ? "" : "s", count);
    r->dims = count;
    r->rows++;
    return status;
}

static ig_status read_matrix(const ig_source *source, ig_vectors *vectors,
                             ig_error *error)
{
    reading r = {.path = source->path};
    ig_lines lines = ig_lines_of(source->content->bytes, source->content->size);
    ig_status status = IG_OK;
    const size_t size = source->content->size;
    const char *line;
    size_t length, told = 0;

    while (status == IG_OK && ig_lines_next(&lines, &line, &length)) {
        status = ig_reading_at(source->options->reading, source->path,
                               size - (size_t)(lines.end - lines.at), size, &told,
                               error);
        if (status != IG_OK)
            break;
        r.line = lines.number;
        if (is_passed_over(line, length))
            continue;
        if (r.rows == 0)
            r.between = between_of(line, length, source->options);
        status = take_line(&r, line, length, error);
    }
    if (status == IG_OK && r.rows == 0)
        status = ig_fail(error, IG_FORMAT, "%s: holds no rows", source->path);
    if (status == IG_OK)
        *vectors = ig_vectors_of_block(r.values, r.rows, r.dims);
    else
        ig_free(r.values);
    return status;
}

const ig_format ig_format_matrix_text = {.ending = {".csv", ".tsv"},
                                         .looks = looks_as_matrix,
                                         .alone = "vectors.tsv with --meta FILE",
                                         .of_language = "LANG=vectors.txt,texts.txt",
                                         .read = read_matrix};
