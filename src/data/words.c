/* Word vectors as text: fields are taken from the end of a line, for a word may hold
 * blanks and a number may not. */
#include "data/words.h"

#include "base/array.h"
#include "data/format.h"
#include "data/lines.h"
#include "data/number.h"
#include "data/quote.h"

/* Word vectors while they are read. */
typedef struct words {
    const char *path;
    size_t line;
    size_t dims;     /* 0: not known yet */
    size_t promised; /* rows by the first line, when has_header */
    bool has_header;
    size_t rows;
    bool words; /* a line began with something else than a number */
    float *values;
    size_t capacity;
} words;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_blank_line(const char *line, size_t length)
{
    while (length > 0 && is_blank(line[length - 1]))
        length--;
    return length == 0;
}

/* The last field of line[0 … *length): its start, and *length is cut before it. */
static const char *last_field(const char *line, size_t *length, size_t *size)
{
    size_t end = *length;
    size_t start;

    while (end > 0 && is_blank(line[end - 1]))
        end--;
    start = end;
    while (start > 0 && !is_blank(line[start - 1]))
        start--;
    *size = end - start;
    *length = start;
    return line + start;
}

/* Number of fields of a line. */
static size_t count_fields(const char *line, size_t length)
{
    size_t count = 0;
    size_t size;

    while (length > 0) {
        last_field(line, &length, &size);
        count += size > 0;
    }
    return count;
}

/* Two whole numbers alone: the first line "N d". */
static bool read_header(words *w, const char *line, size_t length)
{
    size_t rest = length;
    size_t size;
    const char *dims = last_field(line, &rest, &size);
    size_t d, n;

    if (!ig_number_size(dims, size, &d) || d == 0)
        return false;
    dims = last_field(line, &rest, &size);
    if (rest > 0 || !ig_number_size(dims, size, &n))
        return false;
    w->dims = d;
    w->promised = n;
    w->has_header = true;
    return true;
}

static ig_status fail_line(const words *w, size_t got, ig_error *error)
{
    return ig_fail(error, IG_FORMAT,
                   "%s:%zu: expected a word and %zu numbers, got %zu field%s", w->path,
                   w->line, w->dims, got, got == 1 ? "" : "s");
}

static ig_status take_word(words *w, const char *line, size_t length, uint32_t language,
                           ig_columns *c, ig_error *error)
{
    size_t rest = length;
    ig_status status;
    float *row, number;

    if (w->dims == 0)
        w->dims = count_fields(line, length) - 1;
    /* Each number takes two bytes or more, so a hostile "N d" allocates nothing. */
    if (w->dims == 0 || w->dims > length / 2)
        return fail_line(w, count_fields(line, length), error);
    status = ig_array_grow(&w->values, &w->capacity, (w->rows + 1) * w->dims,
                           sizeof *row, w->path, error);
    if (status != IG_OK)
        return status;
    row = w->values + w->rows * w->dims;
    for (size_t j = w->dims; j-- > 0;) {
        char quoted[IG_QUOTE_SIZE];
        size_t size;
        const char *field = last_field(line, &rest, &size);

        if (rest == 0)
            return fail_line(w, count_fields(line, length), error);
        if (!ig_number_float(field, size, &row[j]))
            return ig_fail(error, IG_FORMAT, "%s:%zu: number %zu is not one: '%s'",
                           w->path, w->line, j + 1, ig_quote(quoted, field, size));
    }
    while (rest > 0 && is_blank(line[rest - 1]))
        rest--;
    w->words = w->words || !ig_number_float(line, rest, &number);
    w->rows++;
    status = ig_columns_append(c, language, error);
    return status == IG_OK ? ig_columns_text(c, line, rest, error) : status;
}

ig_status ig_words_parse(const char *path, const char *bytes, size_t size,
                         uint32_t language, ig_columns *c, ig_vectors *vectors,
                         const ig_reading *reading, ig_error *error)
{
    words w = {.path = path};
    ig_lines l = ig_lines_of(bytes, size);
    ig_status status = IG_OK;
    const char *line;
    size_t length, told = 0;

    *vectors = (ig_vectors){0};
    c->has_text = true;
    while (status == IG_OK && ig_lines_next(&l, &line, &length)) {
        w.line = l.number;
        if (l.number == 1 && read_header(&w, line, length))
            continue;
        if (!is_blank_line(line, length))
            status = take_word(&w, line, length, language, c, error);
        if (status == IG_OK)
            status = ig_reading_at(reading, path, size - (size_t)(l.end - l.at), size,
                                   &told, error);
    }
    if (status == IG_OK && w.has_header && w.promised != w.rows)
        status = ig_fail(error, IG_FORMAT,
                         "%s: its first line promises %zu rows, it has %zu", path,
                         w.promised, w.rows);
    if (status == IG_OK && w.rows > 0 && !w.words)
        status = ig_fail(error, IG_FORMAT,
                         "%s: every line begins with a number, not with a word: a "
                         "matrix of numbers is given as .npy",
                         path);
    if (status == IG_OK && w.rows == 0)
        status = ig_fail(error, IG_FORMAT, "%s: holds no word vectors", path);
    if (status != IG_OK) {
        ig_free(w.values);
        return status;
    }
    *vectors = ig_vectors_of_block(w.values, w.rows, w.dims);
    return IG_OK;
}

static ig_status read_words(const ig_source *source, ig_vectors *vectors,
                            ig_error *error)
{
    return ig_words_parse(source->path, (const char *)source->content->bytes,
                          source->content->size, source->language, source->columns,
                          vectors, source->options->reading, error);
}

const ig_format ig_format_words = {.ending = {".vec", ".txt"},
                                   .of_language = "LANG=words.vec",
                                   .has_texts = true,
                                   .read = read_words};
