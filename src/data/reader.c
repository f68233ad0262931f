/* Resolves the roles of columns, keys and arrays, and appends rows to the columns and
 * values of a dataset. */
#include "data/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "data/number.h"

/* "file:line: what (columns: a, b, c)". */
__attribute__((format(printf, 4, 5))) static ig_status
fail_names(const ig_reader *r, size_t line, ig_error *error, const char *format, ...)
{
    char list[IG_LIST_SIZE], what[IG_ERROR_SIZE / 2];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    ig_quote_list(list, r->names.name, r->names.count);
    return line ? ig_fail(error, IG_FORMAT, "%s:%zu: %s (%ss: %s)", r->source->path,
                          line, what, r->kind, list)
                : ig_fail(error, IG_FORMAT, "%s: %s (%ss: %s)", r->source->path, what,
                          r->kind, list);
}

/* "file:line: column id is no …: 'field'". */
static ig_status fail_cell(const ig_reader *r, size_t line, size_t i, ig_field f,
                           const char *what, ig_error *error)
{
    char name[IG_QUOTE_SIZE], quoted[IG_QUOTE_SIZE];

    ig_quote(name, r->names.name[i], strlen(r->names.name[i]));
    ig_quote(quoted, f.bytes, f.length);
    return ig_fail(error, IG_FORMAT,
                   line ? "%s:%zu: %s %s %s: '%s'" : "%s: row %zu: %s %s %s: '%s'",
                   r->source->path, line ? line : r->rows - 1, r->kind, name, what,
                   quoted);
}

/* --- names ------------------------------------------------------------------------ */

/* Give a column its role; a synonym is noted. */
static ig_status set_role(ig_reader *r, ig_column_role role, size_t i, ig_error *error)
{
    const char *of = ig_column_role_name(role), *name = r->names.name[i];
    char quoted[IG_QUOTE_SIZE];

    r->column[i].cells = (ig_cells)role;
    r->source->columns->has_text |= role == IG_COLUMN_TEXT;
    return strcmp(name, ig_column_name(r->source->options, role)) == 0
               ? IG_OK
               : ig_columns_remark(r->source->columns, error, IG_READ_AS, r->kind,
                                   ig_quote(quoted, name, strlen(name)), of, of);
}

/* Add a name; one that occurs twice leaves the names as they are. */
static ig_status add_name(ig_reader *r, size_t line, ig_field name, ig_error *error)
{
    uint32_t i;
    ig_status status = IG_OK;

    if (!ig_quote_is_text(name.bytes, name.length))
        return ig_fail(error, IG_FORMAT, "%s:%zu: the name of %s %zu %s",
                       r->source->path, line, r->kind, r->names.count + 1, IG_NOT_UTF8);
    status = ig_array_grow(&r->column, &r->column_capacity, r->names.count + 1,
                           sizeof *r->column, r->source->path, error);
    if (status == IG_OK)
        status = ig_names_add(&r->names, name.bytes, name.length, &i, error);
    if (status == IG_OK)
        r->column[i].cells = IG_CELLS_LABEL;
    return status;
}

ig_status ig_reader_add(ig_reader *r, size_t line, ig_field name, ig_error *error)
{
    size_t i = r->names.count;
    ig_status status = add_name(r, line, name, error);

    for (int k = IG_COLUMN_LANG; k <= IG_COLUMN_ID && status == IG_OK; k++)
        if (strcmp(r->names.name[i],
                   ig_column_name(r->source->options, (ig_column_role)k)) == 0)
            return set_role(r, (ig_column_role)k, i, error);
    return status;
}

/* Find the columns FIRST-LAST of --vectors; names may contain a dash. */
static bool find_range(const ig_reader *r, const char *range, uint32_t *first,
                       uint32_t *last)
{
    for (const char *dash = strchr(range, '-'); dash; dash = strchr(dash + 1, '-')) {
        *first = ig_names_find(&r->names, range, (size_t)(dash - range));
        *last = ig_names_find(&r->names, dash + 1, strlen(dash + 1));
        if (*first <= *last && *last < r->names.count)
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
    uint32_t first = UINT32_MAX, last = (uint32_t)r->names.count - 1;
    size_t list =
        ig_column_find(options, IG_COLUMN_VECTOR, r->names.name, r->names.count);
    char quoted[IG_QUOTE_SIZE];

    if (table && options->vectors && !find_range(r, options->vectors, &first, &last))
        return fail_names(r, line, error, "--vectors %s names no columns FIRST-LAST",
                          ig_quote(quoted, options->vectors, strlen(options->vectors)));
    for (size_t k = 0; table && !options->vectors && k < sizeof usual / sizeof *usual;
         k++) {
        uint32_t i = ig_names_find(&r->names, usual[k], strlen(usual[k]));

        first = i < first ? i : first;
    }
    if (first <= last)
        r->dims = last - first + 1;
    else if (list < r->names.count)
        return set_role(r, IG_COLUMN_VECTOR, list, error);
    else
        return fail_names(r, line, error,
                          "no vectors: no %s is named embedding%s; --column "
                          "vector=NAME%s names others",
                          r->kind, table ? ", v0, e0, dim_0 or 0" : "",
                          table ? " or --vectors FIRST-LAST" : "");
    for (uint32_t i = first; i <= last; i++)
        r->column[i].cells = IG_CELLS_NUMBER;
    return IG_OK;
}

static ig_status find_roles(ig_reader *r, size_t line, ig_error *error)
{
    const ig_dataset_options *options = r->source->options;
    const char *const *name = r->names.name;
    size_t n = r->names.count;
    bool keys = strcmp(r->kind, "key") == 0; /* later records may have others */
    bool single = n == 1 && strcmp(r->kind, "column") == 0;
    bool found = options->lang || r->source->language;
    ig_status status = IG_OK;
    char quoted[IG_QUOTE_SIZE];

    for (int k = IG_COLUMN_LANG; k <= IG_COLUMN_ID && status == IG_OK; k++) {
        const char *of = ig_column_role_name((ig_column_role)k);
        size_t i = ig_column_find(options, (ig_column_role)k, name, n);
        size_t other = ig_column_synonym((ig_column_role)k, name, n, 0);

        found |= i < n && k == IG_COLUMN_LANG;
        if (i < n)
            status = set_role(r, (ig_column_role)k, i, error);
        else if (options->column[k] && !keys)
            return fail_names(
                r, line, error, "no %s %s, which --column names", r->kind,
                ig_quote(quoted, options->column[k], strlen(options->column[k])));
        else if (other < n && !options->column[k] && k != IG_COLUMN_LANG)
            status = ig_columns_remark(
                r->source->columns, error,
                "%s %s or %s is %s: --column %s=NAME says which", r->kind, name[other],
                name[ig_column_synonym(k, name, n, other + 1)], of, of);
    }
    if (status == IG_OK && !found)
        return fail_names(
            r, line, error,
            "no %s %s; --column lang=NAME says which it is, --lang CODE the language "
            "of all rows%s",
            r->kind, ig_column_name(options, IG_COLUMN_LANG),
            single ? "; if these are no names, --header none --column lang=1" : "");
    return status == IG_OK && r->has_vectors ? mark_vectors(r, line, error) : status;
}

ig_status ig_reader_names(ig_reader *r, const ig_record *names, ig_error *error)
{
    ig_status status = IG_OK;

    for (size_t i = 0; i < names->count && status == IG_OK; i++) {
        ig_field f = names->field[i];
        bool unnamed = !r->bare && !f.length; /* row numbers of pandas, say */
        char quoted[IG_QUOTE_SIZE];

        if (r->bare || unnamed)
            f = (ig_field){quoted, (size_t)sprintf(
                                       quoted, unnamed ? "unnamed %zu" : "%zu", i + 1)};
        status = add_name(r, names->line, f, error);
        if (status == IG_OK && r->names.count <= i)
            return ig_fail(error, IG_FORMAT, "%s:%zu: %s %s occurs twice",
                           r->source->path, names->line, r->kind,
                           ig_quote(quoted, f.bytes, f.length));
        if (status == IG_OK && unnamed)
            r->column[i].cells = IG_CELLS_NONE;
    }
    return status == IG_OK ? find_roles(r, names->line, error) : status;
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
    return c == ',' || (unsigned char)c <= ' ';
}

/* Read a whole vector in one field: "[0.1, 0.2]", in JSON or as pandas writes lists and
 * arrays. */
static ig_status read_list(ig_reader *r, size_t line, size_t i, ig_field f,
                           ig_error *error)
{
    const char *at = f.bytes, *end = at + f.length;
    size_t count = 0, length;
    char what[64];
    float *value;

    if (f.length < 2 || *at != '[' || end[-1] != ']')
        return fail_cell(r, line, i, f, "is no list of numbers in brackets", error);
    for (at++, end--;; at += length, count++) {
        while (at < end && is_between(*at))
            at++;
        for (length = 0; at + length < end && !is_between(at[length]);)
            length++;
        if (length == 0)
            break;
        if (ig_reader_values(r, 1, &value, error) != IG_OK)
            return IG_NOMEM;
        if (!ig_number_float(at, length, value)) {
            snprintf(what, sizeof what, "has no number as value %zu", count + 1);
            return fail_cell(r, line, i, (ig_field){at, length}, what, error);
        }
    }
    if (count && (!r->dims || count == r->dims)) {
        r->dims = count;
        return IG_OK;
    }
    snprintf(what, sizeof what, "has %zu numbers, not %zu", count, r->dims);
    return fail_cell(r, line, i, f, what, error);
}

ig_status ig_reader_row(ig_reader *r, size_t line, ig_error *error)
{
    r->rows++;
    return ig_columns_append(r->source->columns, r->source->language, line, error);
}

ig_status ig_reader_cell(ig_reader *r, size_t line, size_t i, ig_field f,
                         ig_error *error)
{
    ig_columns *c = r->source->columns;
    ig_cells cells = r->column[i].cells;
    size_t *label = &r->column[i].label;
    float *value = NULL;
    ig_status status;

    switch (cells) {
    case IG_CELLS_NONE:
        return IG_OK;
    case IG_CELLS_TEXT:
        return ig_columns_text(c, f.bytes, f.length, error);
    case IG_CELLS_LIST:
        return read_list(r, line, i, f, error);
    case IG_CELLS_NUMBER:
        status = ig_reader_values(r, 1, &value, error);
        return status != IG_OK || ig_number_float(f.bytes, f.length, value)
                   ? status
                   : fail_cell(r, line, i, f, "is not a number", error);
    case IG_CELLS_LANG:
    case IG_CELLS_ID:
    case IG_CELLS_LABEL:
        break;
    }
    if (!ig_quote_is_text(f.bytes, f.length))
        return fail_cell(r, line, i, f, IG_NOT_UTF8, error);
    if (!f.length || (cells == IG_CELLS_LANG && r->source->language))
        return IG_OK;
    status = IG_OK;
    if (cells == IG_CELLS_LABEL && !*label)
        status = ig_columns_label(c, r->names.name[i], label, error);
    return status == IG_OK
               ? ig_columns_set(c, cells == IG_CELLS_LABEL ? *label : (size_t)cells,
                                f.bytes, f.length, error)
               : status;
}

ig_status ig_reader_end(ig_reader *r, ig_status status, ig_vectors *vectors,
                        ig_error *error)
{
    if (status == IG_OK && r->rows == 0)
        status = ig_fail(error, IG_FORMAT, "%s: %s no rows", r->source->path,
                         r->names.count ? "has a header and" : "holds");
    if (status == IG_OK && r->has_vectors) {
        *vectors = ig_vectors_of_block(r->values, r->rows, r->dims);
        r->values = NULL;
    }
    IG_FREE(r->column, r->values);
    ig_names_free(&r->names);
    return status;
}
