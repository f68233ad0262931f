/* Resolves the roles of columns, keys and arrays, and appends rows to the columns and
 * values of a dataset. */
#include "data/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "data/number.h"

static size_t find_name(const ig_reader *r, const char *name, size_t length)
{
    size_t i = 0;

    while (i < r->columns &&
           (strncmp(r->name[i], name, length) != 0 || r->name[i][length]))
        i++;
    return i;
}

/* "file:line: what (columns: a, b, c)". */
__attribute__((format(printf, 4, 5))) static ig_status
fail_names(const ig_reader *r, size_t line, ig_error *error, const char *format, ...)
{
    char list[IG_LIST_SIZE], what[IG_ERROR_SIZE / 2], at[24] = "";
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (line)
        snprintf(at, sizeof at, ":%zu", line);
    return ig_fail(error, IG_FORMAT, "%s%s: %s (%ss: %s)", r->source->path, at, what,
                   r->kind, ig_quote_list(list, r->name, r->columns));
}

/* "file:line: column 3 (id) is …", quoting the field if `show`. */
static ig_status fail_cell(const ig_reader *r, size_t line, size_t i, ig_field f,
                           const char *what, bool show, ig_error *error)
{
    char name[IG_QUOTE_SIZE], quoted[IG_QUOTE_SIZE], at[24], number[24] = "";

    ig_quote(name, r->name[i], strlen(r->name[i]));
    ig_quote(quoted, show ? f.bytes : "", show ? f.length : 0);
    snprintf(at, sizeof at, line ? ":%zu" : ": row %zu", line ? line : r->rows - 1);
    if (strcmp(r->kind, "column") == 0)
        snprintf(number, sizeof number, "%zu (", i + 1);
    return ig_fail(error, IG_FORMAT, "%s%s: %s %s%s%s %s%s%s%s", r->source->path, at,
                   r->kind, number, name, *number ? ")" : "", what, show ? ": '" : "",
                   quoted, show ? "'" : "");
}

/* --- names ------------------------------------------------------------------------ */

static ig_status add_name(ig_reader *r, const char *name, size_t length,
                          ig_error *error)
{
    const char *path = r->source->path;
    ig_status status = ig_array_grow(&r->column, &r->column_capacity, r->columns + 1,
                                     sizeof *r->column, path, error);

    if (status == IG_OK)
        status = ig_array_grow(&r->name, &r->name_capacity, r->columns + 1,
                               sizeof *r->name, path, error);
    if (status == IG_OK &&
        !(r->name[r->columns] = ig_texts_add(&r->names, name, length)))
        status = ig_fail_memory(error, path);
    r->columns += status == IG_OK;
    return status;
}

/* Make a column without a role a label. Unnamed columns are row numbers of pandas. */
static ig_status add_label(ig_reader *r, size_t i, ig_error *error)
{
    if (r->column[i].cells != IG_CELLS_NONE || !*r->name[i])
        return IG_OK;
    r->column[i].cells = IG_CELLS_LABEL;
    return ig_columns_add_label(r->source->columns, r->name[i], strlen(r->name[i]),
                                &r->column[i].label, error);
}

ig_status ig_reader_add(ig_reader *r, const char *name, ig_error *error)
{
    size_t i = r->columns;
    ig_status status = add_name(r, name, strlen(name), error);

    if (status != IG_OK)
        return status;
    for (int k = IG_COLUMN_LANG; k <= IG_COLUMN_ID; k++)
        if (strcmp(name, ig_column_name(r->source->options, (ig_column_role)k)) == 0)
            r->column[i].cells = (ig_cells)(IG_CELLS_LANG + k);
    if (r->column[i].cells == IG_CELLS_LANG && r->lang == SIZE_MAX)
        r->lang = i;
    return add_label(r, i, error);
}

/* Give a column its role; a synonym is noted. */
static ig_status set_role(ig_reader *r, ig_column_role role, size_t i, ig_error *error)
{
    const char *of = ig_column_role_name(role);
    char quoted[IG_QUOTE_SIZE];

    r->column[i].cells = (ig_cells)(IG_CELLS_LANG + (role - IG_COLUMN_LANG));
    if (role == IG_COLUMN_LANG)
        r->lang = i;
    r->source->columns->has_text |= role == IG_COLUMN_TEXT;
    return strcmp(r->name[i], ig_column_name(r->source->options, role)) == 0
               ? IG_OK
               : ig_columns_remark(r->source->columns, error, IG_READ_AS, r->kind,
                                   ig_quote(quoted, r->name[i], strlen(r->name[i])), of,
                                   of);
}

/* Find the columns FIRST-LAST of --vectors; names may contain a dash. */
static bool find_range(const ig_reader *r, const char *range, size_t *first,
                       size_t *last)
{
    for (const char *dash = strchr(range, '-'); dash; dash = strchr(dash + 1, '-')) {
        *first = find_name(r, range, (size_t)(dash - range));
        *last = find_name(r, dash + 1, strlen(dash + 1));
        if (*first <= *last && *last < r->columns)
            return true;
    }
    return false;
}

/* Find the vector: a column of each value from the first on, or one of lists. */
static ig_status mark_vectors(ig_reader *r, size_t line, ig_error *error)
{
    static const char *const usual[] = {"v0", "e0", "dim_0", "0"};
    const ig_dataset_options *options = r->source->options;
    bool table = strcmp(r->kind, "column") == 0;
    size_t first = r->columns, last = r->columns - 1, list;
    char quoted[IG_QUOTE_SIZE];

    if (table && options->vectors && !find_range(r, options->vectors, &first, &last))
        return fail_names(r, line, error, "--vectors %s names no columns FIRST-LAST",
                          ig_quote(quoted, options->vectors, strlen(options->vectors)));
    for (size_t k = 0; table && !options->vectors && k < sizeof usual / sizeof *usual;
         k++) {
        size_t i = find_name(r, usual[k], strlen(usual[k]));

        first = i < first ? i : first;
    }
    for (size_t i = first; i <= last && i < r->columns; i++)
        r->column[i].cells = IG_CELLS_NUMBER;
    r->numbers = first < r->columns;
    r->dims = r->numbers ? last - first + 1 : 0;
    list = ig_column_find(options, IG_COLUMN_VECTOR, r->name, r->columns);
    if (r->numbers || list < r->columns)
        return r->numbers ? IG_OK : set_role(r, IG_COLUMN_VECTOR, list, error);
    if (table)
        return fail_names(r, line, error,
                          "no vector columns: none is named v0, e0, dim_0, 0 or "
                          "embedding, and --vectors FIRST-LAST is not given");
    return fail_names(r, line, error,
                      "no list of numbers in '%s'; --column vector=NAME names another "
                      "%s",
                      ig_column_name(options, IG_COLUMN_VECTOR), r->kind);
}

/* Fail without a language; the only column of a table may be one of another delimiter,
 * and the table may have no header. */
static ig_status fail_language(const ig_reader *r, size_t line, ig_error *error)
{
    const char *delimiter = r->columns == 1 ? strpbrk(r->name[0], "\t|;,") : NULL;
    char hint[96] = "";

    if (delimiter)
        snprintf(hint, sizeof hint,
                 "; if the fields are separated so, --delimiter '%.*s'",
                 *delimiter == '\t' ? 3 : 1, *delimiter == '\t' ? "tab" : delimiter);
    else if (r->columns == 1 && strcmp(r->kind, "column") == 0)
        strcpy(hint, "; if these are no names, --header none --column lang=1");
    return fail_names(r, line, error,
                      "no %s %s; --column lang=NAME says which it is, --lang CODE the "
                      "language of all rows%s",
                      r->kind, ig_column_name(r->source->options, IG_COLUMN_LANG),
                      hint);
}

static ig_status find_roles(ig_reader *r, size_t line, ig_error *error)
{
    const ig_dataset_options *options = r->source->options;
    bool keys = strcmp(r->kind, "key") == 0; /* later records may have others */
    ig_status status = IG_OK;
    char quoted[IG_QUOTE_SIZE];

    r->lang = SIZE_MAX;
    for (int k = IG_COLUMN_LANG; k <= IG_COLUMN_ID && status == IG_OK; k++) {
        size_t i = ig_column_find(options, (ig_column_role)k, r->name, r->columns);

        if (i < r->columns)
            status = set_role(r, (ig_column_role)k, i, error);
        else if (options->column[k] && !keys)
            return fail_names(
                r, line, error, "no %s %s, which --column names", r->kind,
                ig_quote(quoted, options->column[k], strlen(options->column[k])));
    }
    if (status == IG_OK && r->lang == SIZE_MAX && !options->lang &&
        r->source->language == UINT32_MAX)
        return fail_language(r, line, error);
    if (status == IG_OK && r->has_vectors)
        status = mark_vectors(r, line, error);
    if (status == IG_OK && r->lang != SIZE_MAX &&
        r->column[r->lang].cells == IG_CELLS_NUMBER)
        return fail_names(r, line, error,
                          "the column of the language stands among the vectors");
    return status;
}

ig_status ig_reader_names(ig_reader *r, const ig_record *names, ig_error *error)
{
    ig_status status = IG_OK;

    for (size_t i = 0; i < names->count && status == IG_OK; i++) {
        const ig_field *f = &names->field[i];
        char quoted[IG_QUOTE_SIZE];

        if (!ig_quote_is_text(f->bytes, f->length))
            return ig_fail(error, IG_FORMAT, "%s:%zu: the name of %s %zu %s",
                           r->source->path, names->line, r->kind, i + 1, IG_NOT_UTF8);
        if (f->length && find_name(r, f->bytes, f->length) < r->columns)
            return ig_fail(error, IG_FORMAT, "%s:%zu: %s %s occurs twice",
                           r->source->path, names->line, r->kind,
                           ig_quote(quoted, f->bytes, f->length));
        status = add_name(r, f->bytes, f->length, error);
    }
    if (status == IG_OK)
        status = find_roles(r, names->line, error);
    for (size_t i = 0; i < r->columns && status == IG_OK; i++)
        status = add_label(r, i, error);
    return status;
}

/* --- rows ------------------------------------------------------------------------- */

ig_status ig_reader_values(ig_reader *r, size_t count, float **values, ig_error *error)
{
    ig_status status = ig_array_grow(&r->values, &r->capacity, r->used + count,
                                     sizeof *r->values, r->source->path, error);

    *values = r->values + r->used;
    r->used += count;
    return status;
}

static bool is_between(char c)
{
    return c == ',' || c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Read a whole vector in one field: "[0.1, 0.2]", as pandas writes lists and arrays. */
static ig_status read_list(ig_reader *r, size_t line, size_t i, ig_field f,
                           ig_error *error)
{
    const char *at = f.bytes, *end = at + f.length;
    size_t count = 0, length = 0;
    char what[96];
    float *value;
    ig_status status = IG_OK;

    if (end - at < 2 || *at != '[' || end[-1] != ']')
        return fail_cell(r, line, i, f, "is no list of numbers in brackets", true,
                         error);
    for (at++, end--; status == IG_OK; at += length, count++) {
        while (at < end && is_between(*at))
            at++;
        for (length = 0; at + length < end && !is_between(at[length]);)
            length++;
        if (length == 0)
            break;
        status = ig_reader_values(r, 1, &value, error);
        if (status == IG_OK && !ig_number_float(at, length, value)) {
            snprintf(what, sizeof what, "has %s for number %zu",
                     *at == '.' ? "the dots of a shortened array" : "something else",
                     count);
            return fail_cell(r, line, i, f, what, false, error);
        }
    }
    if (status == IG_OK && (count == 0 || (r->dims && count != r->dims))) {
        snprintf(what, sizeof what, "has %zu numbers%s", count,
                 count ? ", other than the rows before" : "");
        return fail_cell(r, line, i, f, what, false, error);
    }
    r->dims = count;
    return status;
}

/* Give the last row the language of --lang if it has none. */
static ig_status end_row(const ig_reader *r, ig_error *error)
{
    const char *usual = r->source->options->lang;
    ig_columns *c = r->source->columns;
    uint32_t *lang = r->rows && c->rows ? &c->lang.value[c->rows - 1] : NULL;

    if (!lang || *lang != IG_NO_ID)
        return IG_OK;
    if (!usual)
        return fail_cell(r, c->line[c->rows - 1], r->lang, (ig_field){0}, "is empty",
                         false, error);
    if (!*usual || !ig_quote_is_text(usual, strlen(usual)))
        return ig_fail(error, IG_USAGE, "--lang is %s",
                       *usual ? "not valid UTF-8" : "empty");
    return ig_columns_language(c, usual, strlen(usual), lang, error);
}

ig_status ig_reader_row(ig_reader *r, size_t line, ig_error *error)
{
    ig_status status = end_row(r, error);

    if (status == IG_OK)
        status =
            ig_columns_append(r->source->columns, r->source->language, line, error);
    if (status == IG_OK && r->numbers)
        status = ig_reader_values(r, r->dims, &r->next, error);
    r->rows++;
    return status;
}

ig_status ig_reader_cell(ig_reader *r, size_t line, size_t i, ig_field f,
                         ig_error *error)
{
    ig_columns *c = r->source->columns;
    ig_cells cells = r->column[i].cells;

    if (cells == IG_CELLS_NONE ||
        (cells == IG_CELLS_LANG && (!f.length || r->source->language != UINT32_MAX)))
        return IG_OK;
    if (cells == IG_CELLS_NUMBER)
        return ig_number_float(f.bytes, f.length, r->next++)
                   ? IG_OK
                   : fail_cell(r, line, i, f,
                               f.length ? "is not a number" : "is empty, not a number",
                               f.length > 0, error);
    if (cells == IG_CELLS_LIST)
        return read_list(r, line, i, f, error);
    if (cells == IG_CELLS_TEXT)
        return ig_columns_text(c, f.bytes, f.length, error);
    if (!ig_quote_is_text(f.bytes, f.length))
        return fail_cell(r, line, i, f, IG_NOT_UTF8, false, error);
    if (cells == IG_CELLS_LANG)
        return ig_columns_language(c, f.bytes, f.length, &c->lang.value[c->rows - 1],
                                   error);
    return ig_columns_set(c,
                          cells == IG_CELLS_ID ? &c->id : &c->label[r->column[i].label],
                          f.bytes, f.length, error);
}

ig_status ig_reader_end(ig_reader *r, ig_status status, ig_vectors *vectors,
                        ig_error *error)
{
    if (status == IG_OK)
        status = end_row(r, error);
    if (status == IG_OK && r->rows == 0)
        status = ig_fail(error, IG_FORMAT, "%s: %s no rows", r->source->path,
                         r->columns ? "has a header and" : "holds");
    if (status == IG_OK && r->has_vectors) {
        *vectors = ig_vectors_of_block(r->values, r->rows, r->dims);
        r->values = NULL;
    }
    IG_FREE(r->column, r->name, r->values);
    ig_arena_free(&r->names);
    return status;
}
