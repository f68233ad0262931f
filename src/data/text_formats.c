/* Tables as rows of a dataset, and vectors as text, one row per line: matrices
 * (numpy.savetxt, TensorBoard projector), without a header, and word vectors (word2vec,
 * fastText, GloVe), lines of a word, which may contain blanks, and its numbers, with or
 * without a first line "N d". */

#include "data/reader.h"
#include "data/table.h"

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
        ig_reader_name(r, f);
        if (unnamed && r->status == IG_OK)
            r->to[i] = IG_TO_NOTHING;
    }
    ig_reader_resolve(r);
}

static void read_table(ig_reader *r)
{
    ig_table_style style = ig_table_guess(r->path, r->content, r->options);
    ig_table_reader t;

    r->kind = "column";
    ig_table_open(&t, r->path, r->content, style, r->error);
    while (ig_table_next(&t)) {
        r->line = t.record.line;
        if (t.record.number == 0)
            take_names(r, &t.record, style.bare);
        if (t.record.number > 0 || style.bare) {
            ig_reader_row(r);
            for (size_t i = 0; i < t.record.count && r->status == IG_OK; i++)
                ig_reader_cell(r, i, t.record.field[i]);
        }
        ig_reader_report(r, t.lines.at);
        t.status = r->status;
    }
    r->status = ig_table_close(&t);
    if (style.raw && !r->options->quote)
        ig_columns_remark(r->columns, "%s: quotes are text (--quote double)", r->path);
}

/* A table with all columns, vectors included. */
const ig_format ig_format_table = {.ending = {".csv", ".tsv"}, .read = read_table};

/* Whether a record is two or more numbers. 0, 1, 2, … are none in a first line: they
 * are default column names of pandas. */
static bool is_row(const ig_record *record)
{
    bool counts = record->number == 0;
    size_t number;
    double value;

    for (size_t i = 0; i < record->count; i++) {
        const ig_field *f = &record->field[i];

        if (!ig_number_double(f->bytes, f->length, &value))
            return false;
        counts &= ig_number_size(f->bytes, f->length, &number) && number == i;
    }
    return record->count >= 2 && !counts;
}

/* As many numbers in each of the first lines. The header "N d" of word vectors differs
 * from the lines after it, or is alone. */
static bool looks_as_matrix(const unsigned char *bytes, size_t size,
                            const ig_dataset_options *options)
{
    enum { LINES = 16, HEAD = 1 << 22 };
    const ig_content head = {.bytes = bytes, .size = size < HEAD ? size : HEAD};
    size_t lines = 0;
    bool matrix = true;
    ig_table_reader t;

    ig_table_open(&t, "", &head, ig_table_guess(NULL, &head, options), NULL);
    while (matrix && lines++ < LINES && ig_table_next(&t))
        matrix = is_row(&t.record);
    return ig_table_close(&t) == IG_OK && matrix && (lines > 2 || t.columns > 2);
}

/* Read a line of numbers, or a word and then `dims` numbers, 0: all that follow. */
static void read_line(ig_reader *r, const ig_record *record, bool words)
{
    const ig_field *f = record->field, *number;
    bool headed = r->dims && !r->rows; /* the first line below "N d" */
    char quoted[IG_QUOTE_SIZE];
    double value;

    r->dims = r->dims ? r->dims : record->count - words;
    if (!r->dims || record->count < r->dims + words ||
        (headed && record->count > r->dims + 1 &&
         ig_number_double(f[1].bytes, f[1].length, &value)))
        ig_reader_fail(r, "expected a word and %zu numbers%s, got %zu fields", r->dims,
                       headed ? " as in the header" : "", record->count);
    if (r->status != IG_OK)
        return;
    number = f + record->count - r->dims;
    for (size_t j = 0; j < r->dims; j++)
        if (!ig_reader_value(r, number[j].bytes, number[j].length))
            ig_reader_fail(r, "column %zu is not a number: '%s'%s",
                           (size_t)(number - f) + j + 1,
                           ig_quote(quoted, number[j].bytes, number[j].length),
                           r->rows ? "" : " (sentences: isogloss encode --help)");
    if (!words) {
        r->rows++;
        return;
    }
    ig_reader_row(r);
    number--; /* the end of the word, which may contain blanks */
    ig_reader_set(
        r, IG_COLUMN_TEXT,
        (ig_field){f->bytes, (size_t)(number->bytes + number->length - f->bytes)});
}

static void read_text(ig_reader *r)
{
    static const ig_table_style of_words = {
        .delimiter = ' ', .raw = true, .bare = true, .ragged = true};
    bool words = !r->format->looks; /* a matrix is recognised */
    double rows = -1;               /* by a first line "N d" */
    size_t dims;
    ig_table_reader t;

    ig_table_open(&t, r->path, r->content,
                  words ? of_words : ig_table_guess(NULL, r->content, r->options),
                  r->error);
    while (ig_table_next(&t)) {
        const ig_field *f = t.record.field;

        r->line = t.record.line;
        if (words && !t.record.number && t.record.count == 2 &&
            ig_number_size(f[1].bytes, f[1].length, &dims) &&
            ig_number_double(f[0].bytes, f[0].length, &rows))
            r->dims = dims;
        else
            read_line(r, &t.record, words);
        ig_reader_report(r, t.lines.at);
        t.status = r->status;
    }
    r->status = ig_table_close(&t);
    r->line = 0;
    if (rows > (double)r->rows && r->rows && t.lines.end[-1] == '\n') /* its head */
        ig_columns_remark(r->columns, "%s: the header says %.0f rows, the file has %zu",
                          r->path, rows, r->rows);
    else if (rows >= 0 && rows != (double)r->rows)
        ig_reader_fail(r, "the header says %.0f rows, the file has %zu", rows, r->rows);
}

const ig_format ig_format_matrix_text = {
    .ending = {".csv", ".tsv"}, .looks = looks_as_matrix, .read = read_text};

const ig_format ig_format_words = {.ending = {".vec", ".txt"}, .read = read_text};
