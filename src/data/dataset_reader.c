/* Tables as rows of a dataset: the columns that the header names, and vectors parsed
 * into floats. */
#include "data/format.h"

#include <string.h>

#include "core/array.h"
#include "data/content.h"
#include "data/names.h"
#include "data/number.h"
#include "data/table.h"

/* Role of a table column. */
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
    role role;
    size_t label; /* number of the label in the columns */
} reader_column;

typedef struct reader {
    const ig_dataset_options *options;
    ig_columns *columns;
    ig_vectors *vectors; /* NULL: none */
    reader_column *column;
    const char **name; /* (count) of the columns */
    size_t count;
    size_t role[IG_COLUMN_ID + 1]; /* columns of lang, text, id; or count */
    ig_arena names;
    bool bare; /* no header: one column of texts */
    float *values;
    size_t values_used;
    size_t values_capacity;
    /* Language of the previous row: tables are mostly ordered by language. */
    uint32_t language;
} reader;

static size_t find_column(const reader *s, const char *name, size_t length)
{
    for (size_t i = 0; i < s->count; i++) {
        if (strlen(s->name[i]) == length && memcmp(s->name[i], name, length) == 0)
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

/* "file:line: column 3 (id) is …", quoting the field if `show`. */
static ig_status fail_field(const reader *s, const ig_record *r, size_t i,
                            const char *what, bool show, ig_error *error)
{
    const char *name = s->name ? s->name[i] : NULL;
    char quoted_name[IG_QUOTE_SIZE];
    char quoted[IG_QUOTE_SIZE];

    ig_quote(quoted_name, name ? name : "", name ? strlen(name) : 0);
    ig_quote(quoted, r->field[i].bytes, r->field[i].length);
    return ig_fail(error, IG_FORMAT, "%s:%zu: column %zu%s%s%s %s%s%s%s", r->file,
                   r->line, i + 1, name ? " (" : "", quoted_name, name ? ")" : "", what,
                   show ? ": '" : "", show ? quoted : "", show ? "'" : "");
}

/* Mark columns FIRST … LAST of --vectors; names may contain a dash. */
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
    /* Unnamed columns are row numbers written by pandas. */
    if (s->name[i][0] == '\0')
        return IG_OK;
    column->role = ROLE_LABEL;
    return ig_columns_add_label(s->columns, s->name[i], strlen(s->name[i]),
                                &column->label, error);
}

/* Suggest a --delimiter if another one fits the first line. */
static const char *suggest_delimiter(const ig_record *r)
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
        s->name[i] = ig_texts_add(&s->names, f->bytes, f->length);
        if (!s->name[i])
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

/* Find lang, text and id; fail if a column named by --column is missing. */
static ig_status find_named(reader *s, const ig_record *r, ig_error *error)
{
    const ig_dataset_options *options = s->options;
    char what[IG_QUOTE_SIZE + 160], quoted[IG_QUOTE_SIZE];

    for (int k = IG_COLUMN_LANG; k <= IG_COLUMN_ID; k++) {
        const char *wanted = options->column[k];

        s->role[k] =
            ig_columns_find(s->columns, options, (ig_column_role)k, s->name, s->count);
        if (!wanted || s->role[k] < s->count)
            continue;
        snprintf(what, sizeof what, "no column %s, which --column names",
                 ig_quote(quoted, wanted, strlen(wanted)));
        return fail_columns(s, r, what, error);
    }
    if (s->role[IG_COLUMN_LANG] < s->count || options->lang)
        return IG_OK;
    snprintf(what, sizeof what,
             "no column lang; --column lang=NAME says which it is, --lang CODE the "
             "language of all rows%s",
             suggest_delimiter(r));
    return fail_columns(s, r, what, error);
}

/* Whether a matrix's table is a single unnamed column of texts, as written by the
 * TensorBoard projector. */
static bool is_bare(const reader *s)
{
    const char *name = s->name[0];

    if (s->vectors || s->count != 1 || !s->options->lang)
        return false;
    for (int k = IG_COLUMN_LANG; k <= IG_COLUMN_ID; k++)
        if (strcmp(name, ig_column_name(s->options, (ig_column_role)k)) == 0)
            return false;
    return true;
}

static ig_status read_header(reader *s, const ig_record *r, ig_error *error)
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

static ig_status read_number(reader *s, const ig_record *r, size_t i, ig_error *error)
{
    const ig_field *f = &r->field[i];

    if (ig_number_float(f->bytes, f->length, &s->values[s->values_used])) {
        s->values_used++;
        return IG_OK;
    }
    return f->length ? fail_field(s, r, i, "is not a number", true, error)
                     : fail_field(s, r, i, "is empty, not a number", false, error);
}

static bool is_separator(char c)
{
    return c == ',' || c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Read a whole vector in one field: "[0.1, 0.2]", as pandas writes lists and arrays. */
static ig_status read_list(reader *s, const ig_record *r, size_t i, ig_error *error)
{
    const char *at = r->field[i].bytes, *end = at + r->field[i].length;
    size_t count = 0, dims = s->vectors->dims;
    char what[96];
    ig_status status = IG_OK;

    if (end - at < 2 || *at != '[' || end[-1] != ']')
        return fail_field(s, r, i, "is no list of numbers in brackets", true, error);
    for (at++, end--; status == IG_OK; count++) {
        const char *start;

        while (at < end && is_separator(*at))
            at++;
        if (at == end)
            break;
        for (start = at; at < end && !is_separator(*at);)
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

static ig_status add_lang_option(const ig_dataset_options *options, ig_columns *c,
                                 uint32_t *language, ig_error *error)
{
    size_t length = strlen(options->lang);

    if (length == 0)
        return ig_fail(error, IG_USAGE, "--lang is empty");
    if (!ig_quote_is_text(options->lang, length))
        return ig_fail(error, IG_USAGE, "--lang is not valid UTF-8");
    return ig_columns_language(c, options->lang, length, language, error);
}

static ig_status read_language(reader *s, const ig_record *r, ig_error *error)
{
    size_t lang = s->role[IG_COLUMN_LANG];
    const ig_field *f = lang < s->count ? &r->field[lang] : NULL;
    ig_columns *c = s->columns;
    ig_status status = IG_OK;

    if (!f) { /* no column: use --lang */
        if (s->language == UINT32_MAX)
            status = add_lang_option(s->options, c, &s->language, error);
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

static ig_status read_field(reader *s, const ig_record *r, size_t i, ig_error *error)
{
    const ig_field *f = &r->field[i];
    role what = s->column[i].role;

    if (what == ROLE_VECTOR)
        return read_number(s, r, i, error);
    if (what == ROLE_LIST)
        return read_list(s, r, i, error);
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

static ig_status read_record(void *context, const ig_record *r, ig_error *error)
{
    reader *s = context;
    ig_status status;

    if (r->number == 0) {
        status = read_header(s, r, error);
        if (status != IG_OK || !s->bare)
            return status;
    }
    s->columns->at_line = r->line;
    status = read_language(s, r, error);
    if (status == IG_OK && s->vectors)
        status = ig_array_grow(&s->values, &s->values_capacity,
                               s->values_used + s->vectors->dims, sizeof *s->values,
                               "the vectors of a table", error);
    for (size_t i = 0; i < r->count && status == IG_OK; i++)
        status = read_field(s, r, i, error);
    return status;
}

static ig_status read_rows(const char *path, const ig_content *content,
                           const ig_dataset_options *options, ig_columns *c,
                           ig_vectors *vectors, ig_error *error)
{
    reader s = {
        .options = options, .columns = c, .vectors = vectors, .language = UINT32_MAX};
    size_t before = c->rows, dims;
    ig_status status;

    if (vectors)
        *vectors = (ig_vectors){0};
    status = ig_table_parse(path, content, options->delimiter, true, read_record, &s,
                            options->reading, error);
    if (status == IG_OK && c->rows == before)
        status = ig_fail(error, IG_FORMAT, "%s: has a header and no rows", path);
    dims = vectors ? vectors->dims : 0;
    if (status == IG_OK && vectors)
        *vectors = ig_vectors_of_block(s.values, dims ? s.values_used / dims : 0, dims);
    else
        ig_free(s.values);
    IG_FREE(s.column, s.name);
    ig_arena_free(&s.names);
    return status;
}

static bool names_column(const char *line, size_t length,
                         const ig_dataset_options *options)
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

/* Whether a table holds one sentence per line, as the TensorBoard projector writes: not
 * .csv, and a first line without a tab or a column name. */
static bool is_lines(const char *path, const ig_content *content,
                     const ig_dataset_options *options)
{
    ig_lines lines = ig_lines_of(content->bytes, content->size);
    const char *line;
    size_t length;

    return options->lang && !options->delimiter && !ig_content_ends(path, ".csv") &&
           ig_lines_next(&lines, &line, &length) && !memchr(line, '\t', length) &&
           !memchr(line, '\0', length) && !names_column(line, length, options);
}

static ig_status read_line(void *context, const char *line, size_t length,
                           size_t number, ig_error *error)
{
    reader *s = context;
    ig_status status;

    s->columns->at_line = number;
    status = ig_columns_append(s->columns, s->language, error);
    return status == IG_OK ? ig_columns_text(s->columns, line, length, error) : status;
}

static ig_status read_lines(const char *path, const ig_content *content,
                            const ig_dataset_options *options, ig_columns *c,
                            ig_error *error)
{
    reader s = {.columns = c};
    ig_status status = add_lang_option(options, c, &s.language, error);

    return status == IG_OK
               ? ig_lines_each(path, content, options->reading, read_line, &s, error)
               : status;
}

ig_status ig_dataset_table_read(const char *path, const ig_dataset_options *options,
                                ig_columns *columns, ig_error *error)
{
    ig_content content;
    ig_status status = ig_content_open(&content, path, options->reading, error);

    if (status == IG_OK)
        status = is_lines(path, &content, options)
                     ? read_lines(path, &content, options, columns, error)
                     : read_rows(path, &content, options, columns, NULL, error);
    ig_content_close(&content);
    return status;
}

static ig_status read_table(const ig_source *source, ig_vectors *vectors,
                            ig_error *error)
{
    return read_rows(source->path, source->content, source->options, source->columns,
                     vectors, error);
}

static bool has_no_other_table(const ig_dataset_options *options)
{
    return !options->meta;
}

/* Whether the first line names a language column. */
static bool looks_as_table(const unsigned char *bytes, size_t size,
                           const ig_dataset_options *options)
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

/* A table with all columns, vectors included. */
const ig_format ig_format_table = {.ending = {".csv", ".tsv"},
                                   .alone = "set.csv",
                                   .looks = looks_as_table,
                                   .applies = has_no_other_table,
                                   .read = read_table};
