/* Columns of a dataset while it is read, and rows ordered by id. */
#include "data/columns.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/array.h"

enum { MAX_LANGUAGES = 65535, MAX_TEXT = 65536 };

const char *ig_column_name(const ig_dataset_options *options, ig_column_role role)
{
    static const char *const usual[IG_COLUMN_ROLES] = {
        "lang", "text", "id", "embedding", "x", "y", "score"};

    return options->column[role] ? options->column[role] : usual[role];
}

const char *ig_column_role_name(ig_column_role role)
{
    static const char *const names[IG_COLUMN_ROLES] = {"lang", "text", "id",   "vector",
                                                       "x",    "y",    "score"};

    return names[role];
}

ig_status ig_column_take(const char *name[IG_COLUMN_ROLES], const char *label,
                         const char *value, ig_error *error)
{
    size_t length = strcspn(value, "=");

    for (int i = 0; i < IG_COLUMN_ROLES && value[length]; i++) {
        const char *role = ig_column_role_name((ig_column_role)i);

        if (strlen(role) == length && memcmp(value, role, length) == 0) {
            name[i] = value + length + 1;
            return IG_OK;
        }
    }
    return ig_fail(error, IG_USAGE,
                   "%s must be lang=NAME, text=NAME, id=NAME, vector=NAME, x=NAME, "
                   "y=NAME or score=NAME, not '%s'",
                   label, value);
}

/* Synonyms, in the singular and without case; a plural -s is ignored. */
static bool is_synonym(ig_column_role role, const char *name)
{
    static const char *const others[IG_COLUMN_ROLES][7] = {
        [IG_COLUMN_LANG] = {"lang", "language", "locale"},
        [IG_COLUMN_TEXT] = {"text", "sentence", "content"},
        [IG_COLUMN_ID] = {"id", "pair_id", "translation_id", "translation_group",
                          "sentence_id", "group_id"},
        [IG_COLUMN_VECTOR] = {"embedding", "vector"}};
    size_t length = strlen(name);

    length -= length > 1 && tolower((unsigned char)name[length - 1]) == 's';
    for (size_t i = 0; others[role][i]; i++)
        if (strlen(others[role][i]) == length &&
            strncasecmp(name, others[role][i], length) == 0)
            return true;
    return false;
}

size_t ig_column_find(const ig_dataset_options *options, ig_column_role role,
                      const char *const *name, size_t count)
{
    size_t found = count;

    for (size_t i = 0; i < count; i++)
        if (strcmp(name[i], ig_column_name(options, role)) == 0)
            return i;
    if (options->column[role] || role == IG_COLUMN_ID ||
        (role == IG_COLUMN_LANG && options->lang))
        return count;
    for (size_t i = 0; i < count; i++)
        if (is_synonym(role, name[i])) {
            if (found < count)
                return count;
            found = i;
        }
    return found;
}

ig_status ig_columns_remark(ig_columns *c, ig_error *error, const char *format, ...)
{
    char text[IG_ERROR_SIZE];
    uint32_t number;
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return ig_names_add(&c->remarks, text, strlen(text), &number, error);
}

/* Whether a value of a label occurs in two languages. */
static ig_status spans_languages(const ig_columns *c, const ig_value_column *label,
                                 bool *spans, ig_error *error)
{
    uint32_t *first = ig_alloc(label->values.count, sizeof *first); /* language + 1 */

    *spans = false;
    if (!first)
        return ig_fail_memory(error, "the ids");
    for (size_t i = 0; i < c->rows && !*spans; i++) {
        uint32_t value = label->value[i], language = c->lang.value[i] + 1;

        if (value == IG_NO_ID)
            continue;
        *spans = first[value] && first[value] != language;
        first[value] = language;
    }
    ig_free(first);
    return IG_OK;
}

ig_status ig_columns_find_ids(ig_columns *c, const ig_dataset_options *options,
                              ig_error *error)
{
    ig_value_column *label = NULL;
    ig_status status = IG_OK;

    if (c->id.values.count || options->column[IG_COLUMN_ID])
        return IG_OK;
    for (size_t k = 0; k < c->labels && status == IG_OK; k++) {
        bool spans = false;

        if (is_synonym(IG_COLUMN_ID, c->label[k].name))
            status = spans_languages(c, &c->label[k], &spans, error);
        if (spans && label)
            return ig_columns_remark(c, error,
                                     "columns %s and %s repeat across languages: "
                                     "--column id=NAME says which holds the ids",
                                     label->name, c->label[k].name);
        label = spans ? &c->label[k] : label;
    }
    if (!label || status != IG_OK)
        return status;
    status = ig_columns_remark(c, error, IG_READ_AS, "column", label->name, "id", "id");
    ig_free(c->id.value);
    c->id = *label;
    c->labels--;
    memmove(label, label + 1, (size_t)(c->label + c->labels - label) * sizeof *label);
    return status;
}

/* The language, the ids and the labels; NULL past the last. */
static ig_value_column *get_column(ig_columns *c, size_t k)
{
    return k == 0              ? &c->lang
           : k == 1            ? &c->id
           : k - 2 < c->labels ? &c->label[k - 2]
                               : NULL;
}

static ig_status grow_rows(ig_columns *c, void *array, size_t capacity, size_t size,
                           ig_error *error)
{
    size_t from = c->capacity;

    return ig_array_grow(array, &from, capacity, size, "the rows of a table", error);
}

ig_status ig_columns_reserve(ig_columns *c, size_t rows, ig_error *error)
{
    ig_value_column *column;
    ig_status status;

    if (rows > IG_MAX_ROWS)
        return ig_fail(error, IG_VALUE,
                       "%zu rows are more than %zu, the most that a set may have", rows,
                       IG_MAX_ROWS);
    if (rows <= c->capacity)
        return IG_OK;
    /* If a later allocation fails, an array already grown is just larger. */
    status = grow_rows(c, &c->text, rows, sizeof *c->text, error);
    if (status == IG_OK)
        status = grow_rows(c, &c->line, rows, sizeof *c->line, error);
    for (size_t k = 0; status == IG_OK && (column = get_column(c, k)); k++)
        status = grow_rows(c, &column->value, rows, sizeof *column->value, error);
    c->capacity = status == IG_OK ? rows : c->capacity;
    return status;
}

ig_status ig_columns_append(ig_columns *c, uint32_t language, size_t line,
                            ig_error *error)
{
    size_t wanted = c->capacity < 64 ? 64 : c->capacity + c->capacity / 2;
    ig_value_column *column;
    ig_status status = IG_OK;

    if (c->rows == c->capacity)
        status =
            ig_columns_reserve(c, wanted > IG_MAX_ROWS ? c->rows + 1 : wanted, error);
    if (status != IG_OK)
        return status;
    for (size_t k = 1; (column = get_column(c, k)); k++)
        column->value[c->rows] = IG_NO_ID;
    c->lang.value[c->rows] = language;
    c->text[c->rows] = "";
    c->line[c->rows] = (uint32_t)line;
    c->rows++;
    return IG_OK;
}

ig_status ig_columns_language(ig_columns *c, const char *bytes, size_t length,
                              uint32_t *number, ig_error *error)
{
    ig_status status = ig_names_add(&c->lang.values, bytes, length, number, error);

    if (status == IG_OK && c->lang.values.count > MAX_LANGUAGES)
        return ig_fail(error, IG_VALUE,
                       "more than %d languages: lang is the wrong column",
                       MAX_LANGUAGES);
    return status;
}

ig_status ig_columns_text(ig_columns *c, const char *bytes, size_t length,
                          ig_error *error)
{
    ig_status status = IG_OK;
    const char *text;

    if (length > MAX_TEXT) { /* at a character */
        for (length = MAX_TEXT;
             length && ((unsigned char)bytes[length] & 0xc0) == 0x80;)
            length--;
        status = ig_columns_remark(c, error, "texts are cut after %d bytes", MAX_TEXT);
    }
    text = length ? ig_texts_add(&c->texts, bytes, length) : "";
    if (!text)
        return ig_fail_memory(error, "texts");
    c->text[c->rows - 1] = text;
    c->has_text = true;
    return status;
}

ig_status ig_columns_set(const ig_columns *c, ig_value_column *column,
                         const char *bytes, size_t length, ig_error *error)
{
    return length ? ig_names_add(&column->values, bytes, length,
                                 &column->value[c->rows - 1], error)
                  : IG_OK;
}

ig_status ig_columns_add_label(ig_columns *c, const char *name, size_t length,
                               size_t *label, ig_error *error)
{
    ig_value_column column = {.name = ig_texts_add(&c->texts, name, length)};
    ig_status status = ig_array_grow(&c->label, &c->label_capacity, c->labels + 1,
                                     sizeof *c->label, "the rows of a table", error);

    if (status != IG_OK || !column.name)
        return ig_fail_memory(error, "labels");
    for (*label = 0; *label < c->labels; ++*label)
        if (strcmp(c->label[*label].name, column.name) == 0)
            return IG_OK;
    column.value = ig_alloc(c->capacity, sizeof *column.value);
    if (!column.value)
        return ig_fail_memory(error, "labels");
    for (size_t i = 0; i < c->rows; i++)
        column.value[i] = IG_NO_ID;
    c->label[c->labels++] = column;
    return IG_OK;
}

ig_status ig_columns_keep(ig_columns *c, const uint32_t *keep, size_t count,
                          ig_error *error)
{
    ig_value_column *column;
    ig_status status = IG_OK;

    for (size_t i = 0; i < count; i++) {
        c->text[i] = c->text[keep[i]];
        c->line[i] = c->line[keep[i]];
    }
    for (size_t k = 0; (column = get_column(c, k)) && status == IG_OK; k++) {
        ig_names old = column->values;

        column->values = (ig_names){0};
        for (size_t i = 0; i < count && status == IG_OK; i++) {
            uint32_t value = column->value[keep[i]];

            column->value[i] = IG_NO_ID;
            if (value != IG_NO_ID)
                status = ig_names_add(&column->values, old.name[value],
                                      strlen(old.name[value]), &column->value[i],
                                      error);
        }
        ig_names_free(&old);
    }
    c->rows = count;
    return status;
}

void ig_columns_free(ig_columns *c)
{
    ig_value_column *column;

    for (size_t k = 0; (column = get_column(c, k)); k++) {
        ig_names_free(&column->values);
        ig_free(column->value);
    }
    IG_FREE(c->label, c->text, c->line);
    ig_names_free(&c->remarks);
    ig_arena_free(&c->texts);
    *c = (ig_columns){0};
}

ig_status ig_by_id_init(ig_by_id *index, const ig_dataset *set, ig_error *error)
{
    uint64_t *key = ig_alloc(set->rows, sizeof *key); /* language and row */
    uint32_t *start = ig_alloc(set->ids + 2, sizeof *start);

    *index = (ig_by_id){start, ig_alloc(set->rows, sizeof *index->row)};
    if (!key || !start || !index->row) {
        ig_free(key);
        ig_by_id_free(index);
        return ig_fail_memory(error, "the rows of each id");
    }
    /* Counts are offset by two and shift down by one while the rows are placed. */
    for (size_t i = 0; i < set->rows; i++)
        if (set->id[i] != IG_NO_ID)
            start[set->id[i] + 2]++;
    for (size_t k = 2; k < set->ids + 2; k++)
        start[k] += start[k - 1];
    for (size_t i = 0; i < set->rows; i++)
        if (set->id[i] != IG_NO_ID)
            key[start[set->id[i] + 1]++] = (uint64_t)set->lang[i] << 32 | i;
    for (size_t k = 0; k < set->ids; k++)
        ig_array_sort64(key + start[k], start[k + 1] - start[k]);
    for (size_t i = 0; i < start[set->ids]; i++)
        index->row[i] = (uint32_t)key[i];
    ig_free(key);
    return IG_OK;
}

void ig_by_id_free(ig_by_id *index)
{
    IG_FREE(index->start, index->row);
    *index = (ig_by_id){0};
}
