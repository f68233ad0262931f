/* Columns of a dataset while it is read, and the roles of names. */
#include "data/columns.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/array.h"

/* --- roles ------------------------------------------------------------------------ */

/* The first synonym is the usual name. They are in the singular and without case; a
 * plural -s is ignored. */
static const struct {
    const char *role, *synonym[7];
} roles[IG_COLUMN_ROLES] = {
    [IG_COLUMN_LANG] = {"lang", {"lang", "language", "locale"}},
    [IG_COLUMN_TEXT] = {"text", {"text", "sentence", "content"}},
    [IG_COLUMN_ID] = {"id",
                      {"id", "pair_id", "translation_id", "translation_group",
                       "sentence_id", "group_id"}},
    [IG_COLUMN_VECTOR] = {"vector", {"embedding", "vector"}},
    [IG_COLUMN_X] = {"x", {"x"}},
    [IG_COLUMN_Y] = {"y", {"y"}},
    [IG_COLUMN_SCORE] = {"score", {"score"}}};

const char *ig_column_name(const ig_dataset_options *options, ig_column_role role)
{
    return options->column[role] ? options->column[role] : roles[role].synonym[0];
}

const char *ig_column_role_name(ig_column_role role)
{
    return roles[role].role;
}

ig_status ig_column_take(const char *name[IG_COLUMN_ROLES], const char *label,
                         const char *value, ig_error *error)
{
    size_t length = strcspn(value, "=");

    for (int i = 0; i < IG_COLUMN_ROLES && value[length]; i++)
        if (strlen(roles[i].role) == length &&
            memcmp(value, roles[i].role, length) == 0) {
            name[i] = value + length + 1;
            return IG_OK;
        }
    return ig_fail(error, IG_USAGE,
                   "%s must be lang=NAME, text=NAME, id=NAME, vector=NAME, x=NAME, "
                   "y=NAME or score=NAME, not '%s'",
                   label, value);
}

size_t ig_column_find(const ig_dataset_options *options, ig_column_role role,
                      const char *const *name, size_t count)
{
    bool named = options->column[role] || (role == IG_COLUMN_LANG && options->lang);

    for (size_t i = 0; i < count; i++)
        if (strcmp(name[i], ig_column_name(options, role)) == 0)
            return i;
    for (size_t i = 0; i < count && !named; i++) {
        size_t length = strlen(name[i]);

        length -= length > 1 && tolower((unsigned char)name[i][length - 1]) == 's';
        for (const char *const *synonym = roles[role].synonym; *synonym; synonym++)
            if (strlen(*synonym) == length &&
                strncasecmp(name[i], *synonym, length) == 0)
                return i;
    }
    return count;
}

/* --- rows ------------------------------------------------------------------------- */

static void add_column(ig_columns *c, const char *name)
{
    ig_value_column column = {.name = ig_arena_text(&c->texts, name, strlen(name)),
                              .value = ig_alloc(c->capacity, sizeof *column.value)};

    if (!column.name || !column.value ||
        ig_array_grow(&c->column, &c->column_capacity, c->columns + 1,
                      sizeof *c->column, "", NULL) != IG_OK) {
        c->texts.failed = true;
        ig_free(column.value);
        return;
    }
    for (size_t i = 0; i < c->rows; i++)
        column.value[i] = IG_NO_ID;
    c->column[c->columns++] = column;
}

void ig_columns_free(ig_columns *c)
{
    for (size_t k = 0; k < c->columns; k++) {
        ig_names_free(&c->column[k].values);
        ig_free(c->column[k].value);
    }
    IG_FREE(c->column, c->text, c->line);
    ig_names_free(&c->remarks);
    ig_arena_free(&c->texts);
    *c = (ig_columns){0};
}

size_t ig_columns_label(ig_columns *c, const char *name)
{
    size_t k = IG_COLUMN_ID + 1;

    while (k < c->columns && strcmp(c->column[k].name, name) != 0)
        k++;
    if (k == c->columns)
        add_column(c, name);
    return k;
}

/* Make room for another row, in all arrays the same. */
static void grow_rows(ig_columns *c)
{
    size_t room = 0, needed = c->rows + 1;

    c->texts.failed |= needed > IG_MAX_ROWS;
    while (c->columns <= IG_COLUMN_ID && !c->texts.failed)
        add_column(c, roles[c->columns].role);
    for (size_t k = 0; k < c->columns + 2 && !c->texts.failed; k++) {
        void *array = k < c->columns    ? (void *)&c->column[k].value
                      : k == c->columns ? (void *)&c->text
                                        : (void *)&c->line;
        size_t size = k == c->columns ? sizeof *c->text : sizeof(uint32_t);

        room = c->capacity;
        c->texts.failed = ig_array_grow(array, &room, needed, size, "", NULL) != IG_OK;
    }
    c->capacity = c->texts.failed ? c->capacity : room;
}

void ig_columns_append(ig_columns *c, const char *language, size_t line)
{
    if (c->rows == c->capacity)
        grow_rows(c);
    if (c->texts.failed)
        return;
    for (size_t k = 0; k < c->columns; k++)
        c->column[k].value[c->rows] = IG_NO_ID;
    c->text[c->rows] = "";
    c->line[c->rows++] = (uint32_t)line;
    if (language)
        ig_columns_set(c, IG_COLUMN_LANG, language, strlen(language));
}

void ig_columns_text(ig_columns *c, const char *bytes, size_t length)
{
    enum { MAX_TEXT = 65536 };
    const char *text;

    if (length > MAX_TEXT) { /* at a character */
        for (length = MAX_TEXT;
             length && ((unsigned char)bytes[length] & 0xc0) == 0x80;)
            length--;
        ig_columns_remark(c, "texts are cut after %d bytes", MAX_TEXT);
    }
    text = length ? ig_arena_text(&c->texts, bytes, length) : "";
    if (!c->texts.failed)
        c->text[c->rows - 1] = text;
    c->has_text = true;
}

void ig_columns_set(ig_columns *c, size_t column, const char *bytes, size_t length)
{
    ig_names *values = &c->column[column].values;

    if (!length || c->texts.failed)
        return;
    c->column[column].value[c->rows - 1] = ig_names_add(values, bytes, length);
    c->texts.failed = values->texts.failed;
}

void ig_columns_remark(ig_columns *c, const char *format, ...)
{
    char text[IG_ERROR_SIZE];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    ig_names_add(&c->remarks, text, strlen(text));
    c->texts.failed |= c->remarks.texts.failed;
}

ig_status ig_columns_check(const ig_columns *c, ig_error *error)
{
    return c->texts.failed ? ig_fail_memory(error, "the rows") : IG_OK;
}
