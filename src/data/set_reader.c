/* Tables as rows of a set. Reads what the header names; the values of one file in
 * memory are the floats of its vector columns. */
#include "data/format.h"

#include <string.h>

#include "base/array.h"
#include "data/lines.h"
#include "data/number.h"
#include "data/quote.h"
#include "data/table.h"

/* What a column of the table is. */
typedef enum role {
    ROLE_NONE,
    ROLE_LANG,
    ROLE_TEXT,
    ROLE_ID,
    ROLE_LABEL,
    ROLE_VECTOR,
    ROLE_LIST /* the whole vector: "[0.1, 0.2]" */
} role;

typedef struct reader_column {
    const char *name;
    role role;
    size_t label; /* number of the label in the columns */
} reader_column;

typedef struct reader {
    const ig_set_options *options;
    ig_columns *columns;
    ig_vectors *vectors; /* NULL: none */
    reader_column *column;
    const char **name; /* (count) of the columns */
    size_t count;
    size_t role[IG_COLUMN_ID + 1]; /* the columns that are lang, text, id; or count */
    ig_texts names;
    bool bare; /* the first line is a row: one column of texts, without a name */
    float *values;
    size_t values_used;
    size_t values_capacity;
    /* The language before, for tables are mostly ordered by it. */
    uint32_t language;
} reader;

static size_t find_column(const reader *s, const char *name, size_t length)
{
    for (size_t i = 0; i < s->count; i++) {
        if (strlen(s->column[i].name) == length &&
            memcmp(s->column[i].name, name, length) == 0)
            return i;
    }
    return s->count;
}

/* "file:line: what (columns: a, b, c)". */
static ig_status fail_columns(const reader *s, const ig_record *r, const char *what,
                              ig_error *error)
{
    char list[IG_LIST_SIZE];

    return ig_fail(error, IG_FORMAT, "%s:%zu: %s (columns: %s)", r->file, r->line, what,
                   ig_quote_list(list, s->name, s->count));
}

/* "file:line: column 3 (id) is …" with the offending field when it is given. */
static ig_status fail_field(const reader *s, const ig_record *r, size_t i,
                            const char *what, bool show, ig_error *error)
{
    const char *name = s->column ? s->column[i].name : NULL;
    char quoted_name[IG_QUOTE_SIZE];
    char quoted[IG_QUOTE_SIZE];

    ig_quote(quoted_name, name ? name : "", name ? strlen(name) : 0);
    ig_quote(quoted, r->field[i].bytes, r->field[i].length);
    return ig_fail(error, IG_FORMAT, "%s:%zu: column %zu%s%s%s %s%s%s%s", r->file,
                   r->line, i + 1, name ? " (" : "", quoted_name, name ? ")" : "", what,
                   show ? ": '" : "", show ? quoted : "", show ? "'" : "");
}

/* The columns FIRST … LAST of --vectors; names may hold a dash themselves. */
static ig_status mark_named_vectors(reader *s, const ig_record *r, ig_error *error)
{
    const char *range = s->options->vectors;
    size_t length = strlen(range);
    char what[IG_QUOTE_SIZE + 64];
    char quoted[IG_QUOTE_SIZE];

    for (const char *dash = strchr(range, '-'); dash; dash = strchr(dash + 1, '-')) {
        size_t before = (size_t)(dash - range);
        size_t first = find_column(s, range, before);
        size_t last = find_column(s, dash + 1, length - before - 1);

        if (first > last || last == s->count)
            continue;
        for (size_t i = first; i <= last; i++)
            s->column[i].role = ROLE_VECTOR;
        return IG_OK;
    }
    snprintf(what, sizeof what, "--vectors %s names no columns FIRST-LAST",
             ig_quote(quoted, range, length));
    return fail_columns(s, r, what, error);
}

static ig_status mark_vectors(reader *s, const ig_record *r, ig_error *error)
{
    static const char *const first_names[] = {"v0", "e0", "dim_0", "0"};
    size_t first = s->count;

    if (s->options->vectors)
        return mark_named_vectors(s, r, error);
    for (size_t k = 0; k < sizeof first_names / sizeof *first_names; k++) {
        size_t i = find_column(s, first_names[k], strlen(first_names[k]));

        first = i < first ? i : first;
    }
    if (first == s->count) {
        const char *name = ig_column_name(s->options, IG_COLUMN_VECTOR);
        size_t list = find_column(s, name, strlen(name));

        if (list < s->count) {
            s->column[list].role = ROLE_LIST;
            return IG_OK;
        }
        return fail_columns(s, r,
                            "no vector columns: none is named v0, e0, dim_0, 0 or "
                            "embedding, and --vectors FIRST-LAST is not given",
                            error);
    }
    for (size_t i = first; i < s->count; i++)
        s->column[i].role = ROLE_VECTOR;
    return IG_OK;
}

/* What a column that holds no vectors is, by its name. */
static ig_status mark_column(reader *s, size_t i, ig_error *error)
{
    static const role known[] = {[IG_COLUMN_LANG] = ROLE_LANG,
                                 [IG_COLUMN_TEXT] = ROLE_TEXT,
                                 [IG_COLUMN_ID] = ROLE_ID};
    reader_column *column = &s->column[i];

    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (s->role[k] == i) {
            column->role = known[k];
            s->columns->has_text |= column->role == ROLE_TEXT;
            return IG_OK;
        }
    }
    /* A column without a name is a row number that pandas wrote. */
    if (column->name[0] == '\0')
        return IG_OK;
    column->role = ROLE_LABEL;
    return ig_columns_add_label(s->columns, column->name, strlen(column->name),
                                &column->label, error);
}

/* Where the fields of the first line are not what parts them: what seems to. */
static const char *hint_delimiter(const ig_record *r)
{
    static const struct {
        char between;
        const char *hint;
    } others[] = {{'\t', "; a tab seems to part the fields: --delimiter tab"},
                  {';', "; a ';' seems to part the fields: --delimiter ';'"},
                  {'|', "; a '|' seems to part the fields: --delimiter '|'"},
                  {',', "; a comma seems to part the fields: --delimiter ,"}};

    for (size_t i = 0; i < sizeof others / sizeof *others && r->count == 1; i++)
        if (r->field[0].length &&
            memchr(r->field[0].bytes, others[i].between, r->field[0].length))
            return others[i].hint;
    return "";
}

static ig_status read_names(reader *s, const ig_record *r, ig_error *error)
{
    s->column = ig_alloc(r->count, sizeof *s->column);
    s->name = ig_alloc(r->count, sizeof *s->name);
    if (!s->column || !s->name)
        return ig_fail_memory(error, r->file);
    for (size_t i = 0; i < r->count; i++) {
        const ig_field *f = &r->field[i];

        if (!ig_quote_is_text(f->bytes, f->length))
            return ig_fail(error, IG_FORMAT, "%s:%zu: the name of column %zu %s",
                           r->file, r->line, i + 1, IG_NOT_UTF8);
        s->column[i].name = s->name[i] = ig_texts_add(&s->names, f->bytes, f->length);
        if (!s->column[i].name)
            return ig_fail_memory(error, r->file);
        if (f->length && find_column(s, f->bytes, f->length) < s->count) {
            char quoted[IG_QUOTE_SIZE];

            return ig_fail(error, IG_FORMAT, "%s:%zu: column %s occurs twice", r->file,
                           r->line, ig_quote(quoted, f->bytes, f->length));
        }
        s->count++;
    }
    return IG_OK;
}

/* The column of the language, and whether what --column names is there. */
static ig_status find_named(reader *s, const ig_record *r, ig_error *error)
{
    const ig_set_options *options = s->options;
    char what[IG_QUOTE_SIZE + 160], quoted[IG_QUOTE_SIZE];

    for (int k = IG_COLUMN_LANG; k <= IG_COLUMN_ID; k++) {
        const char *said = options->column[k];

        s->role[k] =
            ig_columns_find(s->columns, options, (ig_column_role)k, s->name, s->count);
        if (!said || s->role[k] < s->count)
            continue;
        snprintf(what, sizeof what, "no column %s, which --column names",
                 ig_quote(quoted, said, strlen(said)));
        return fail_columns(s, r, what, error);
    }
    if (s->role[IG_COLUMN_LANG] < s->count || options->lang)
        return IG_OK;
    snprintf(what, sizeof what,
             "no column lang; --column lang=NAME says which it is, --lang CODE the "
             "language of all rows%s",
             hint_delimiter(r));
    return fail_columns(s, r, what, error);
}

/* Whether a table beside a matrix is one column without a name, as the TensorBoard
 * projector has it: the texts of the rows. */
static bool is_bare(const reader *s)
{
    const char *name = s->column[0].name;

    if (s->vectors || s->count != 1 || !s->options->lang)
        return false;
    for (int k = IG_COLUMN_LANG; k <= IG_COLUMN_ID; k++)
        if (strcmp(name, ig_column_name(s->options, (ig_column_role)k)) == 0)
            return false;
    return true;
}

static ig_status take_header(reader *s, const ig_record *r, ig_error *error)
{
    ig_status status = read_names(s, r, error);

    if (status != IG_OK)
        return status;
    s->bare = is_bare(s);
    if (s->bare) {
        s->role[IG_COLUMN_LANG] = s->count;
        s->column[0].role = ROLE_TEXT;
        return IG_OK;
    }
    status = find_named(s, r, error);
    if (status != IG_OK)
        return status;
    if (s->vectors) {
        status = mark_vectors(s, r, error);
        if (status == IG_OK && s->role[IG_COLUMN_LANG] < s->count &&
            s->column[s->role[IG_COLUMN_LANG]].role == ROLE_VECTOR)
            status = fail_columns(s, r,
                                  "the column of the language stands among the "
                                  "vectors",
                                  error);
    }
    for (size_t i = 0; i < s->count && status == IG_OK; i++) {
        if (s->column[i].role == ROLE_VECTOR)
            s->vectors->dims++;
        else if (s->column[i].role != ROLE_LIST)
            status = mark_column(s, i, error);
    }
    return status;
}

static ig_status take_number(reader *s, const ig_record *r, size_t i, ig_error *error)
{
    const ig_field *f = &r->field[i];

    if (ig_number_float(f->bytes, f->length, &s->values[s->values_used])) {
        s->values_used++;
        return IG_OK;
    }
    return f->length ? fail_field(s, r, i, "is not a number", true, error)
                     : fail_field(s, r, i, "is empty, not a number", false, error);
}

static bool parts_numbers(char c)
{
    return c == ',' || c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* A field that is a whole vector: "[0.1, 0.2]", as pandas writes lists and arrays. */
static ig_status take_list(reader *s, const ig_record *r, size_t i, ig_error *error)
{
    const char *at = r->field[i].bytes, *end = at + r->field[i].length;
    size_t count = 0, dims = s->vectors->dims;
    char what[96];
    ig_status status = IG_OK;

    if (end - at < 2 || *at != '[' || end[-1] != ']')
        return fail_field(s, r, i, "is no list of numbers in brackets", true, error);
    for (at++, end--; status == IG_OK; count++) {
        const char *start;

        while (at < end && parts_numbers(*at))
            at++;
        if (at == end)
            break;
        for (start = at; at < end && !parts_numbers(*at);)
            at++;
        status = ig_array_grow(&s->values, &s->values_capacity, s->values_used + 1,
                               sizeof *s->values, "the vectors of a table", error);
        if (status == IG_OK && !ig_number_float(start, (size_t)(at - start),
                                                &s->values[s->values_used++])) {
            snprintf(what, sizeof what, "has %s for number %zu",
                     strncmp(start, "...", 3) == 0 ? "the dots of a shortened array"
                                                   : "something else",
                     count);
            return fail_field(s, r, i, what, false, error);
        }
    }
    if (status == IG_OK && (count == 0 || (dims && count != dims))) {
        snprintf(what, sizeof what, "has %zu numbers%s", count,
                 count ? ", other than the rows before" : "");
        return fail_field(s, r, i, what, false, error);
    }
    s->vectors->dims = count;
    return status;
}

/* The number of the language that --lang says. */
static ig_status number_said(const ig_set_options *options, ig_columns *c,
                             uint32_t *language, ig_error *error)
{
    size_t length = strlen(options->lang);

    if (length == 0)
        return ig_fail(error, IG_USAGE, "--lang is empty");
    if (!ig_quote_is_text(options->lang, length))
        return ig_fail(error, IG_USAGE, "--lang is not valid UTF-8");
    return ig_columns_language(c, options->lang, length, language, error);
}

/* Append the row with its language. */
static ig_status take_lang(reader *s, const ig_record *r, ig_error *error)
{
    size_t lang = s->role[IG_COLUMN_LANG];
    const ig_field *f = lang < s->count ? &r->field[lang] : NULL;
    ig_columns *c = s->columns;
    ig_status status = IG_OK;

    if (!f) { /* no column says it: --lang does */
        if (s->language == UINT32_MAX)
            status = number_said(s->options, c, &s->language, error);
        return status == IG_OK ? ig_columns_append(c, s->language, error) : status;
    }
    if (f->length == 0)
        return fail_field(s, r, lang, "is empty", false, error);
    if (s->language < c->languages.count) {
        const char *before = c->languages.name[s->language];

        if (strncmp(before, f->bytes, f->length) == 0 && before[f->length] == '\0')
            return ig_columns_append(c, s->language, error);
    }
    if (!ig_quote_is_text(f->bytes, f->length))
        return fail_field(s, r, lang, IG_NOT_UTF8, false, error);
    status = ig_columns_language(c, f->bytes, f->length, &s->language, error);
    return status == IG_OK ? ig_columns_append(c, s->language, error) : status;
}

static ig_status take_field(reader *s, const ig_record *r, size_t i, ig_error *error)
{
    const ig_field *f = &r->field[i];
    role what = s->column[i].role;

    if (what == ROLE_VECTOR)
        return take_number(s, r, i, error);
    if (what == ROLE_LIST)
        return take_list(s, r, i, error);
    if (what == ROLE_TEXT)
        return ig_columns_text(s->columns, f->bytes, f->length, error);
    if (what == ROLE_NONE || what == ROLE_LANG)
        return IG_OK;
    if (!ig_quote_is_text(f->bytes, f->length))
        return fail_field(s, r, i, IG_NOT_UTF8, false, error);
    if (what == ROLE_ID)
        return ig_columns_id(s->columns, f->bytes, f->length, error);
    return ig_columns_label(s->columns, s->column[i].label, f->bytes, f->length, error);
}

static ig_status reserve_values(reader *s, ig_error *error)
{
    return ig_array_grow(&s->values, &s->values_capacity,
                         s->values_used + s->vectors->dims, sizeof *s->values,
                         "the vectors of a table", error);
}

static ig_status take_record(void *context, const ig_record *r, ig_error *error)
{
    reader *s = context;
    ig_status status;

    if (r->number == 0) {
        status = take_header(s, r, error);
        if (status != IG_OK || !s->bare)
            return status;
    }
    status = take_lang(s, r, error);
    if (status == IG_OK && s->vectors)
        status = reserve_values(s, error);
    for (size_t i = 0; i < r->count && status == IG_OK; i++)
        status = take_field(s, r, i, error);
    return status;
}

/* Hand the values that were read to the vectors, or drop them after a failure. */
static void finish(reader *s, ig_status status)
{
    ig_vectors *v = s->vectors;

    ig_free(s->column);
    ig_free(s->name);
    ig_texts_free(&s->names);
    if (!v)
        return;
    if (status != IG_OK) {
        ig_free(s->values);
        *v = (ig_vectors){0};
        return;
    }
    *v =
        ig_vectors_of_block(s->values, v->dims ? s->values_used / v->dims : 0, v->dims);
}

static ig_status read_set(const char *path, const ig_content *content,
                          const ig_set_options *options, ig_columns *c,
                          ig_vectors *vectors, ig_error *error)
{
    reader s = {
        .options = options, .columns = c, .vectors = vectors, .language = UINT32_MAX};
    size_t before = c->rows;
    ig_status status;

    if (vectors)
        *vectors = (ig_vectors){0};
    status = ig_table_parse(path, content, options->delimiter, true, take_record, &s,
                            options->reading, error);
    if (status == IG_OK && c->rows == before)
        status = ig_fail(error, IG_FORMAT, "%s: has a header and no rows", path);
    finish(&s, status);
    return status;
}

/* Whether one of the fields of a line is the name of a column. */
static bool names_column(const char *line, size_t length, const ig_set_options *options)
{
    for (size_t at = 0, stop; at <= length; at = stop + 1) {
        for (stop = at; stop < length && !strchr(",;|", line[stop]);)
            stop++;
        for (int k = IG_COLUMN_LANG; k <= IG_COLUMN_ID; k++) {
            const char *name = ig_column_name(options, (ig_column_role)k);

            if (strlen(name) == stop - at && memcmp(name, line + at, stop - at) == 0)
                return true;
        }
    }
    return false;
}

/* Whether a table is a sentence a line, as the TensorBoard projector has it: no .csv,
 * and a first line without a tab that names no column. */
static bool is_lines(const char *path, const ig_content *content,
                     const ig_set_options *options)
{
    ig_lines lines = ig_lines_of(content->bytes, content->size);
    const char *line;
    size_t length;

    return options->lang && !options->delimiter && !ig_content_ends(path, ".csv") &&
           ig_lines_next(&lines, &line, &length) && !memchr(line, '\t', length) &&
           !memchr(line, '\0', length) && !names_column(line, length, options);
}

/* A row for each line, which is its text. */
static ig_status read_lines(const char *path, const ig_content *content,
                            const ig_set_options *options, ig_columns *c,
                            ig_error *error)
{
    ig_lines lines = ig_lines_of(content->bytes, content->size);
    const char *line;
    uint32_t language;
    size_t length, told = 0;
    ig_status status = number_said(options, c, &language, error);

    while (status == IG_OK && ig_lines_next(&lines, &line, &length)) {
        status = ig_columns_append(c, language, error);
        if (status == IG_OK)
            status = ig_columns_text(c, line, length, error);
        if (status == IG_OK)
            status = ig_reading_at(options->reading, path,
                                   content->size - (size_t)(lines.end - lines.at),
                                   content->size, &told, error);
    }
    return status;
}

ig_status ig_set_table_read(const char *path, const ig_set_options *options,
                            ig_columns *columns, ig_error *error)
{
    ig_content content;
    ig_status status = ig_content_open_for(options->reading, &content, path, error);

    if (status == IG_OK)
        status = is_lines(path, &content, options)
                     ? read_lines(path, &content, options, columns, error)
                     : read_set(path, &content, options, columns, NULL, error);
    ig_content_close(&content);
    return status;
}

static ig_status read_table(const ig_source *source, ig_vectors *vectors,
                            ig_error *error)
{
    return read_set(source->path, source->content, source->options, source->columns,
                    vectors, error);
}

static bool has_no_other_table(const ig_set_options *options)
{
    return !options->meta;
}

/* Whether the first line of a text names the column of the language. */
static bool looks_as_table(const unsigned char *bytes, size_t size,
                           const ig_set_options *options)
{
    const char *name = ig_column_name(options, IG_COLUMN_LANG);
    static const char between[] = ",;|\t\" ";
    const char *at = (const char *)bytes;
    const char *newline = (const char *)ig_table_line_end(bytes, size);
    const char *end = newline ? newline : at + size;
    size_t length = strlen(name);

    if (!newline || !ig_quote_is_text(at, (size_t)(end - at)))
        return false;
    at += size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < end) {
        const char *start = at;

        while (at < end && !strchr(between, *at))
            at++;
        if ((size_t)(at - start) == length && memcmp(start, name, length) == 0)
            return true;
        at++;
    }
    return false;
}

/* Everything in one table. */
const ig_format ig_format_table = {.ending = {".csv", ".tsv"},
                                   .alone = "set.csv",
                                   .looks = looks_as_table,
                                   .applies = has_no_other_table,
                                   .read = read_table};
