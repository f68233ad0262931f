/* Columns of a dataset while it is read, and rows ordered by id. */
#include "data/columns.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/array.h"

enum { MAX_LANGUAGES = 65535 };

const char *ig_column_name(const ig_dataset_options *options, ig_column_role role)
{
    static const char *const usual[IG_COLUMN_ROLES] = {"lang",      "text", "id",
                                                       "embedding", "x",    "y"};

    return options->column[role] ? options->column[role] : usual[role];
}

const char *ig_column_role_name(ig_column_role role)
{
    static const char *const names[IG_COLUMN_ROLES] = {"lang",   "text", "id",
                                                       "vector", "x",    "y"};

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
                   "%s must be lang=NAME, text=NAME, id=NAME, vector=NAME, x=NAME or "
                   "y=NAME, not '%s'",
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

static ig_status spans_languages(const ig_columns *c, const ig_label_column *label,
                                 bool *spans, ig_error *error)
{
    uint32_t *first = ig_alloc(label->values.count, sizeof *first); /* language + 1 */

    *spans = false;
    if (!first)
        return ig_fail_memory(error, "the ids");
    for (size_t i = 0; i < c->rows && !*spans; i++) {
        uint32_t value = label->value[i], language = (uint32_t)c->lang[i] + 1;

        if (label->values.name[value][0] == '\0')
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
    ig_label_column *label = NULL;
    ig_status status = IG_OK;

    if (c->has_ids || options->column[IG_COLUMN_ID])
        return IG_OK;
    for (size_t k = 0; k < c->labels && status == IG_OK; k++) {
        bool spans = false;

        if (is_synonym(IG_COLUMN_ID, c->label[k].name))
            status = spans_languages(c, &c->label[k], &spans, error);
        if (spans && label)
            return status; /* ambiguous */
        label = spans ? &c->label[k] : label;
    }
    for (size_t i = 0; label && i < c->rows && status == IG_OK; i++) {
        const char *name = label->values.name[label->value[i]];

        if (*name)
            status = ig_names_add(&c->ids, name, strlen(name), &c->id[i], error);
    }
    if (!label || status != IG_OK)
        return status;
    c->has_ids = true;
    status = ig_columns_remark(c, error, IG_READ_AS, "column", label->name, "id", "id");
    ig_names_free(&label->values);
    ig_free(label->value);
    c->labels--;
    memmove(label, label + 1, (size_t)(c->label + c->labels - label) * sizeof *label);
    return status;
}

static ig_status grow_arrays(ig_columns *c, size_t capacity, ig_error *error)
{
    const struct {
        void *array;
        size_t size;
    } arrays[] = {{&c->lang, sizeof *c->lang},
                  {&c->text, sizeof *c->text},
                  {&c->id, sizeof *c->id},
                  {&c->line, sizeof *c->line}};
    const size_t fixed = sizeof arrays / sizeof *arrays;
    ig_status status = IG_OK;

    /* If a later allocation fails, an array already grown is just larger. */
    for (size_t i = 0; i < fixed + c->labels && status == IG_OK; i++) {
        size_t from = c->capacity;

        status = ig_array_grow(i < fixed ? arrays[i].array : &c->label[i - fixed].value,
                               &from, capacity,
                               i < fixed ? arrays[i].size : sizeof(uint32_t),
                               "the rows of a table", error);
    }
    if (status == IG_OK)
        c->capacity = capacity;
    return status;
}

ig_status ig_columns_reserve(ig_columns *c, size_t rows, ig_error *error)
{
    if (rows > IG_MAX_ROWS)
        return ig_fail(error, IG_VALUE,
                       "%zu rows are more than %zu, the most that a set may have", rows,
                       IG_MAX_ROWS);
    return rows > c->capacity ? grow_arrays(c, rows, error) : IG_OK;
}

ig_status ig_columns_append(ig_columns *c, uint32_t language, size_t line,
                            ig_error *error)
{
    ig_status status = IG_OK;

    if (c->rows == c->capacity) {
        size_t wanted = c->capacity < 64 ? 64 : c->capacity + c->capacity / 2;

        if (wanted > IG_MAX_ROWS)
            wanted = c->rows + 1;
        status = ig_columns_reserve(c, wanted, error);
    }
    if (status != IG_OK)
        return status;
    c->lang[c->rows] = (uint16_t)language;
    c->text[c->rows] = "";
    c->id[c->rows] = IG_NO_ID;
    c->line[c->rows] = (uint32_t)line;
    c->rows++;
    return IG_OK;
}

ig_status ig_columns_language(ig_columns *c, const char *bytes, size_t length,
                              uint32_t *number, ig_error *error)
{
    ig_status status = ig_names_add(&c->languages, bytes, length, number, error);

    if (status == IG_OK && c->languages.count > MAX_LANGUAGES)
        return ig_fail(error, IG_VALUE,
                       "more than %d languages: lang is the wrong column",
                       MAX_LANGUAGES);
    return status;
}

ig_status ig_columns_text(ig_columns *c, const char *bytes, size_t length,
                          ig_error *error)
{
    const char *text = length ? ig_texts_add(&c->texts, bytes, length) : "";

    if (!text)
        return ig_fail_memory(error, "texts");
    c->text[c->rows - 1] = text;
    c->has_text = true;
    return IG_OK;
}

ig_status ig_columns_id(ig_columns *c, const char *bytes, size_t length,
                        ig_error *error)
{
    if (length == 0)
        return IG_OK;
    c->has_ids = true;
    return ig_names_add(&c->ids, bytes, length, &c->id[c->rows - 1], error);
}

/* Set rows before `rows` that have no value yet to "". */
static ig_status fill_label(ig_label_column *column, size_t rows, ig_error *error)
{
    ig_status status = IG_OK;
    uint32_t empty;

    if (column->filled < rows)
        status = ig_names_add(&column->values, "", 0, &empty, error);
    while (status == IG_OK && column->filled < rows)
        column->value[column->filled++] = empty;
    return status;
}

ig_status ig_columns_label(ig_columns *c, size_t label, const char *bytes,
                           size_t length, ig_error *error)
{
    ig_label_column *column = &c->label[label];
    ig_status status = fill_label(column, c->rows - 1, error);

    if (status != IG_OK)
        return status;
    column->filled = c->rows;
    return ig_names_add(&column->values, bytes, length, &column->value[c->rows - 1],
                        error);
}

ig_status ig_columns_add_label(ig_columns *c, const char *name, size_t length,
                               size_t *label, ig_error *error)
{
    ig_label_column column = {0};
    uint32_t number;
    ig_status status = ig_names_add(&c->label_names, name, length, &number, error);

    *label = number;
    if (status != IG_OK || number < c->labels)
        return status;
    status = ig_array_grow(&c->label, &c->label_capacity, c->labels + 1,
                           sizeof *c->label, "the rows of a table", error);
    if (status != IG_OK)
        return status;
    column.name = c->label_names.name[number];
    column.value = ig_alloc(c->capacity, sizeof *column.value);
    /* Rows before it, and the row that is read, are filled later. */
    status = column.value ? IG_OK : ig_fail_memory(error, "labels");
    if (status != IG_OK) {
        ig_free(column.value);
        ig_names_free(&column.values);
        return status;
    }
    c->label[c->labels++] = column;
    return IG_OK;
}

ig_status ig_columns_end_part(ig_columns *c, ig_error *error)
{
    ig_status status = IG_OK;

    for (size_t i = 0; i < c->labels && status == IG_OK; i++)
        status = fill_label(&c->label[i], c->rows, error);
    return status;
}

ig_status ig_columns_keep(ig_columns *c, const uint32_t *keep, size_t count,
                          ig_error *error)
{
    ig_names languages = {0};
    ig_names ids = {0};
    ig_status status = IG_OK;

    for (size_t i = 0; i < count && status == IG_OK; i++) {
        uint32_t from = keep[i];
        const char *name = c->languages.name[c->lang[from]];
        uint32_t number;

        status = ig_names_add(&languages, name, strlen(name), &number, error);
        c->lang[i] = (uint16_t)number;
        c->text[i] = c->text[from];
        c->line[i] = c->line[from];
        for (size_t k = 0; k < c->labels; k++)
            c->label[k].value[i] = c->label[k].value[from];
        if (c->id[from] == IG_NO_ID || status != IG_OK) {
            c->id[i] = IG_NO_ID;
            continue;
        }
        name = c->ids.name[c->id[from]];
        status = ig_names_add(&ids, name, strlen(name), &c->id[i], error);
    }
    if (status != IG_OK) {
        ig_names_free(&languages);
        ig_names_free(&ids);
        return status;
    }
    ig_names_free(&c->languages);
    ig_names_free(&c->ids);
    c->languages = languages;
    c->ids = ids;
    c->rows = count;
    return IG_OK;
}

void ig_columns_free(ig_columns *c)
{
    IG_FREE(c->lang, c->text, c->id, c->line);
    for (size_t i = 0; i < c->labels; i++) {
        ig_names_free(&c->label[i].values);
        ig_free(c->label[i].value);
    }
    ig_free(c->label);
    ig_names_free(&c->label_names);
    ig_names_free(&c->remarks);
    ig_names_free(&c->languages);
    ig_names_free(&c->ids);
    ig_arena_free(&c->texts);
    *c = (ig_columns){0};
}

static size_t get_language(const void *lang, size_t row)
{
    return ((const uint16_t *)lang)[row];
}

/* Rows in a given order, with their ids. */
struct ordered {
    const uint32_t *id, *row;
};

static size_t get_id(const void *context, size_t i)
{
    const struct ordered *o = context;

    return o->id[o->row[i]];
}

ig_status ig_by_id_init(ig_by_id *index, const uint32_t *id, size_t ids,
                        const uint16_t *lang, size_t languages, size_t rows,
                        ig_error *error)
{
    uint32_t *ordered = ig_alloc(rows, sizeof *ordered); /* ordered by language */
    uint32_t *at = ig_alloc(languages + 2, sizeof *at);

    *index = (ig_by_id){ig_alloc(ids + 2, sizeof(uint32_t)),
                        ig_alloc(rows, sizeof(uint32_t))};
    if (!ordered || !at || !index->start || !index->row) {
        IG_FREE(ordered, at);
        ig_by_id_free(index);
        return ig_fail_memory(error, "the rows of each id");
    }
    ig_array_order(rows, languages, get_language, lang, at, ordered);
    ig_array_order(rows, ids, get_id, &(struct ordered){id, ordered}, index->start,
                   index->row);
    for (size_t i = 0; i < index->start[ids]; i++)
        index->row[i] = ordered[index->row[i]];
    IG_FREE(ordered, at);
    return IG_OK;
}

void ig_by_id_free(ig_by_id *index)
{
    IG_FREE(index->start, index->row);
    *index = (ig_by_id){0};
}
