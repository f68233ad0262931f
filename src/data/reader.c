/* Resolves the roles of columns, keys and arrays, and appends rows to a dataset. */
#include "data/reader.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/array.h"
#include "core/text.h"
#include "data/table.h"

/* Usual names, then synonyms, without case; a plural -s is ignored. */
static const struct {
    const char *role, *synonym[10];
} roles[IG_COLUMN_ROLES] = {
    [IG_COLUMN_LANG] = {"lang", {"lang", "language", "locale", "lang_code"}},
    [IG_COLUMN_TEXT] = {"text", {"text", "sentence", "content", "utterance"}},
    [IG_COLUMN_ID] = {"id",
                      {"id", "pair_id", "translation_id", "translation_group",
                       "sentence_id", "sent_id", "group_id", "concept_id",
                       "meaning_id"}},
    [IG_COLUMN_VECTOR] = {"vector", {"embedding", "vector", "emb", "vec"}},
    [IG_COLUMN_X] = {"x", {"x"}},
    [IG_COLUMN_Y] = {"y", {"y"}},
    [IG_COLUMN_SCORE] = {"score", {"score"}}};

static const char no_header[] = " (no header: --header none --column lang=1)";
static const char sentences[] = "; vectors of sentences, one a line: isogloss encode "
                                "LANG=FILE … --out set.npy";
static const char nested[] = " (nested: jq -c '{lang: .a.lang, embedding: .b}' FILE | "
                             "isogloss -)";

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
        if (strncmp(value, roles[i].role, length) == 0 && !roles[i].role[length]) {
            name[i] = value + length + 1;
            return IG_OK;
        }
    return ig_fail(error, IG_USAGE,
                   "%s is lang=NAME (or text, id, vector, x, y, score), not '%s'",
                   label, value);
}

size_t ig_column_find(const ig_dataset_options *options, ig_column_role role,
                      const char *const *name, size_t count)
{
    bool named = options->column[role] || (role == IG_COLUMN_LANG && options->lang);
    size_t found = count;

    for (size_t i = 0; i < count; i++) {
        const char *const *synonym = roles[role].synonym;
        size_t length = strlen(name[i]);
        bool taken = false; /* --column gives it another role */

        for (int o = 0; o <= IG_COLUMN_ID && !options->column[role]; o++)
            taken |= options->column[o] && strcmp(options->column[o], name[i]) == 0;
        if (!taken && strcmp(name[i], ig_column_name(options, role)) == 0)
            return i;
        length -= length > 1 && tolower((unsigned char)name[i][length - 1]) == 's';
        for (; !named && !taken && found == count && *synonym; synonym++)
            if (strlen(*synonym) == length && !strncasecmp(name[i], *synonym, length))
                found = i;
    }
    return found;
}

void ig_reader_fail(ig_reader *r, const char *format, ...)
{
    char what[IG_ERROR_SIZE / 2];
    va_list arguments;

    if (r->status != IG_OK)
        return;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    r->status = r->line
                    ? ig_fail(r->error, IG_FORMAT, "%s:%zu: %s", r->path, r->line, what)
                    : ig_fail(r->error, IG_FORMAT, "%s: %s", r->path, what);
}

void ig_columns_remark(ig_columns *c, const char *format, ...)
{
    char text[IG_ERROR_SIZE];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    ig_names_add(&c->remarks, text, strlen(text));
}

void ig_reader_report(ig_reader *r, const char *at)
{
    double left = (double)((const char *)r->content->bytes + r->content->size - at);

    if (r->rows % 256 == 0 && r->status == IG_OK)
        r->status = ig_reading_report(r->options->reading, "reading", r->path,
                                      1 - left / (double)r->content->size, r->error);
}

/* "file:line: column id is no …: 'field'". */
static void fail_cell(ig_reader *r, size_t i, ig_field f, const char *what)
{
    char name[IG_QUOTE_SIZE], quoted[IG_QUOTE_SIZE], row[32] = "";

    if (!r->line)
        snprintf(row, sizeof row, "row %zu: ", r->rows - 1);
    ig_reader_fail(r, "%s%s %s %s: '%s'", row, r->kind,
                   ig_quote(name, r->names.name[i], strlen(r->names.name[i])), what,
                   ig_quote(quoted, f.bytes, f.length));
}

/* Give a column its role; a synonym is noted, or remembered as the name of the ids. */
static void set_role(ig_reader *r, ig_column_role role, size_t i)
{
    const char *of = ig_column_role_name(role), *name = r->names.name[i];

    r->to[i] = role == IG_COLUMN_VECTOR ? IG_TO_LIST : (int)role;
    r->columns->has_text |= role == IG_COLUMN_TEXT;
    if (strcmp(name, ig_column_name(r->options, role)) == 0)
        return;
    if (role == IG_COLUMN_ID) /* its values decide */
        r->columns->role[role].name =
            ig_arena_text(&r->columns->memory, name, strlen(name));
    else
        ig_columns_remark(r->columns,
                          "%s %s is read as %s (--column %s=NAME names another)",
                          r->kind, name, of, of);
}

void ig_reader_name(ig_reader *r, ig_field name)
{
    size_t i = r->names.count;
    char quoted[IG_QUOTE_SIZE];

    if (!ig_quote_is_text(name.bytes, name.length))
        ig_reader_fail(r, "the name of %s %zu %s", r->kind, i + 1, IG_NOT_UTF8);
    if (r->status != IG_OK)
        return;
    r->status =
        ig_array_grow(&r->to, &r->to_capacity, i + 1, sizeof *r->to, r->path, r->error);
    ig_names_add(&r->names, name.bytes, name.length);
    if (r->names.texts.failed)
        r->status = ig_fail_memory(r->error, r->path);
    if (r->names.count == i)
        ig_reader_fail(r, "%s %s occurs twice%s", r->kind,
                       ig_quote(quoted, name.bytes, name.length),
                       strcmp(r->kind, "column") == 0 ? no_header : "");
    if (r->status != IG_OK)
        return;
    r->to[i] = IG_TO_LABEL;
    for (ig_column_role k = IG_COLUMN_LANG; k <= IG_COLUMN_ID && r->rows; k++)
        if (strcmp(r->names.name[i], ig_column_name(r->options, k)) == 0)
            set_role(r, k, i);
}

/* Find the vector: numbered columns, one for each value, or one of lists. */
static void mark_vectors(ig_reader *r, bool table, const char *list)
{
    static const char *const usual[] = {"v0",    "e0",   "dim_0",      "0",
                                        "emb_0", "dim0", "embedding_0"};
    const char *const *name = r->names.name;
    const char *range = table ? r->options->vectors : NULL;
    uint32_t first = UINT32_MAX;
    uint32_t last = r->names.count ? (uint32_t)r->names.count - 1 : 0;
    size_t of_lists =
        ig_column_find(r->options, IG_COLUMN_VECTOR, r->names.name, r->names.count);
    size_t prefix, number, end = 0;
    char quoted[IG_QUOTE_SIZE];

    /* FIRST-LAST; names may contain a dash. */
    for (const char *dash = range;
         first == UINT32_MAX && dash && (dash = strchr(dash, '-')); dash++) {
        first = ig_names_find(&r->names, range, (size_t)(dash - range));
        last = ig_names_find(&r->names, dash + 1, strlen(dash + 1));
        first = last < r->names.count ? first : UINT32_MAX;
    }
    if (range && (first == UINT32_MAX || first > last))
        ig_reader_fail(r, "--vectors %s names no columns FIRST-LAST (columns: %s)",
                       ig_quote(quoted, range, strlen(range)), list);
    for (size_t k = 0; table && !range && k < sizeof usual / sizeof *usual; k++) {
        uint32_t i = ig_names_find(&r->names, usual[k], strlen(usual[k]));

        first = i < first && r->to[i] == IG_TO_LABEL ? i : first;
    }
    prefix = first < r->names.count ? strlen(name[first]) - 1 : 0; /* without 0 */
    for (uint32_t i = first; i <= last && r->status == IG_OK; i++)
        if (range ||
            (r->to[i] == IG_TO_LABEL && strncmp(name[i], name[first], prefix) == 0 &&
             ig_number_size(name[i] + prefix, strlen(name[i] + prefix), &number))) {
            r->to[i] = IG_TO_VALUE;
            r->dims++;
            end = !range && number >= end ? number + 1 : end;
        }
    if (end > r->dims)
        ig_reader_fail(r, "%zu columns have numbers up to %zu; --vectors FIRST-LAST",
                       r->dims, end - 1);
    if (!r->dims && of_lists < r->names.count)
        set_role(r, IG_COLUMN_VECTOR, of_lists);
    else if (!r->dims)
        ig_reader_fail(r,
                       "no vectors: no %s is named embedding%s; --column "
                       "vector=NAME%s names others of DATA (%ss: %s)%s",
                       r->kind, table ? ", v0, e0, dim_0 or 0" : "",
                       table ? " or --vectors FIRST-LAST" : "", r->kind, list,
                       r->columns->has_text ? "; encode makes vectors of texts" : "");
}

void ig_reader_resolve(ig_reader *r)
{
    const ig_dataset_options *options = r->options;
    const char *const *name = r->names.name;
    size_t n = r->names.count;
    bool table = strcmp(r->kind, "column") == 0, found = options->lang || r->language;
    bool keys = strcmp(r->kind, "key") == 0; /* later records may have others */
    const char *said = options->lang ? options->lang : "";
    uint32_t own = ig_names_find(&r->names, said, strlen(said));
    const char *hint = keys ? nested : table ? no_header : "";
    char list[IG_LIST_SIZE], quoted[IG_QUOTE_SIZE];

    ig_quote_list(list, name, n);
    for (int k = IG_COLUMN_LANG; k <= IG_COLUMN_Y && r->status == IG_OK; k++) {
        const char *given = k == IG_COLUMN_VECTOR ? NULL : options->column[k];
        size_t i = ig_column_find(options, (ig_column_role)k, name, n);

        found |= i < n && k == IG_COLUMN_LANG;
        if (i < n && k <= IG_COLUMN_ID)
            set_role(r, (ig_column_role)k, i);
        else if (i == n && given && !keys)
            ig_reader_fail(r, "no %s %s, which --column names (%ss: %s)", r->kind,
                           ig_quote(quoted, given, strlen(given)), r->kind, list);
    }
    if (own < n && r->to[own] == IG_TO_LABEL)
        ig_columns_remark(r->columns,
                          "--lang %s names a language; --column lang=%s reads the %s",
                          said, said, r->kind);
    if (!found && options->other)
        ig_reader_fail(r, "no %s lang (%ss: %s)", r->kind, r->kind, list);
    if (!found)
        ig_reader_fail(r,
                       "no %s %s; --column lang=NAME says which it is%s, --lang CODE "
                       "the language of all rows (%ss: %s)%s",
                       r->kind, ig_column_name(options, IG_COLUMN_LANG), hint, r->kind,
                       list, table && n == 1 ? sentences : "");
    if (r->has_vectors && r->status == IG_OK)
        mark_vectors(r, table, list);
}

bool ig_reader_value(ig_reader *r, const char *text, size_t length)
{
    double value;

    if (r->used == r->capacity && r->status == IG_OK)
        r->status = ig_array_grow(&r->values, &r->capacity, r->used + 1,
                                  sizeof *r->values, r->path, r->error);
    if (r->status != IG_OK)
        return true;
    if (!ig_number_double(text, length, &value))
        return false;
    r->values[r->used++] = (float)value;
    return true;
}

static bool is_between(char c)
{
    return c == ',' || (unsigned char)c <= ' ';
}

/* Append the next vector: numbers between commas, outside JSON also between blanks. */
static void read_list(ig_reader *r, size_t i, ig_field list)
{
    const char *at = list.bytes, *end = at + list.length;
    size_t count = 0, length;
    bool json = strcmp(r->kind, "key") == 0, zero;
    char what[128];

    for (; r->status == IG_OK; count++, at += length) {
        size_t commas = 0, inner;

        for (; at < end && is_between(*at); at++)
            commas += *at == ',';
        for (length = 0; at + length < end && !is_between(at[length]);)
            length++;
        inner = count && length;
        if (commas > inner || (commas < inner && json))
            fail_cell(r, i, list, "has not one comma between two numbers");
        if (!length)
            break;
        inner = *at == '-'; /* digits begin there */
        zero = json && at[inner] == '0' && isdigit((unsigned char)at[inner + 1]);
        if (zero || !ig_reader_value(r, at, length)) {
            snprintf(what, sizeof what, "has no number as value %zu%s", count + 1,
                     zero ? " (JSON has no leading zeros; a decimal comma?)"
                     : *at == '.' && length == 3
                         ? " (printed short by numpy; np.save keeps all values)"
                         : "");
            fail_cell(r, i, (ig_field){at, length}, what);
        }
    }
    if (!count)
        fail_cell(r, i, list, "has no numbers");
    if (r->dims && count != r->dims) {
        snprintf(what, sizeof what, "has %zu numbers, not %zu", count, r->dims);
        fail_cell(r, i, list, what);
    }
    r->dims = count;
}

void ig_reader_row(ig_reader *r)
{
    ig_columns *c = r->columns;
    const char *language = r->language ? r->language : r->options->lang;

    if (c->rows == IG_MAX_ROWS && r->status == IG_OK)
        r->status = ig_fail_memory(r->error, "the rows");
    if (r->status != IG_OK)
        return;
    r->rows++;
    c->rows++;
    if (language)
        ig_reader_set(r, IG_COLUMN_LANG, (ig_field){language, strlen(language)});
}

void ig_reader_set(ig_reader *r, size_t column, ig_field f)
{
    enum { MAX_TEXT = 65536 };
    bool text = column == IG_COLUMN_TEXT;
    ig_columns *c = r->columns;
    ig_value_column *to = column < IG_TO_LABELS ? &c->role[column]
                                                : &c->label[column - IG_TO_LABELS];

    c->has_text |= text;
    if (!f.length || r->status != IG_OK)
        return;
    if (text && f.length > MAX_TEXT) { /* at a character */
        f.length = ig_text_valid(f.bytes, MAX_TEXT);
        ig_columns_remark(r->columns, "texts are cut after %d bytes", MAX_TEXT);
    }
    r->status = ig_array_grow(
        text ? (void *)&c->text : &to->value, text ? &c->texts : &to->capacity, c->rows,
        text ? sizeof *c->text : sizeof *to->value, "the rows", r->error);
    if (r->status == IG_OK && text)
        c->text[c->rows - 1] = ig_arena_text(&c->memory, f.bytes, f.length);
    else if (r->status == IG_OK)
        to->value[c->rows - 1] = ig_names_add(&to->values, f.bytes, f.length) + 1;
    if (r->status == IG_OK && (c->memory.failed || to->values.texts.failed))
        r->status = ig_fail_memory(r->error, "the rows");
    if (memchr(f.bytes, '\0', f.length))
        ig_reader_fail(r, "a text has a NUL byte");
}

/* Number of a label, added if new. */
static size_t find_label(ig_reader *r, const char *name)
{
    ig_columns *c = r->columns;
    size_t k = 0;

    while (k < c->labels && strcmp(c->label[k].name, name) != 0)
        k++;
    if (k == c->labels) {
        r->status = ig_array_grow(&c->label, &c->label_capacity, k + 1,
                                  sizeof *c->label, "the rows", r->error);
        if (r->status == IG_OK)
            c->label[c->labels++].name = ig_arena_text(&c->memory, name, strlen(name));
    }
    return IG_TO_LABELS + k;
}

void ig_reader_cell(ig_reader *r, size_t i, ig_field f)
{
    static const char *const none[] = {"nan", "NaN", "NA", "<NA>", "None", "null"};
    int *to = &r->to[i];
    bool trims = *to == IG_COLUMN_LANG || *to == IG_COLUMN_ID;

    if (*to == IG_TO_NOTHING || r->status != IG_OK)
        return;
    for (; trims && f.length && *f.bytes == ' '; f.bytes++)
        f.length--;
    while (trims && f.length && f.bytes[f.length - 1] == ' ')
        f.length--;
    for (size_t k = 0; k < sizeof none / sizeof *none && *to == IG_COLUMN_ID; k++)
        if (strlen(none[k]) == f.length && memcmp(none[k], f.bytes, f.length) == 0)
            f.length = 0;
    if (*to == IG_TO_LIST && f.length > 1 && *f.bytes == '[' &&
        f.bytes[f.length - 1] == ']') { /* in JSON, or as pandas writes lists */
        read_list(r, i, (ig_field){f.bytes + 1, f.length - 2});
    } else if (*to == IG_TO_LIST) {
        fail_cell(r, i, f, f.length ? "is no list of numbers in brackets" : "is null");
    } else if (*to == IG_TO_VALUE) {
        if (!ig_reader_value(r, f.bytes, f.length))
            fail_cell(r, i, f, "is not a number");
    } else if ((*to != IG_COLUMN_TEXT || r->options->texts) &&
               !ig_quote_is_text(f.bytes, f.length)) {
        fail_cell(r, i, f, IG_NOT_UTF8);
    } else if (*to == IG_COLUMN_LANG && !f.length && !r->language &&
               !r->options->lang) {
        fail_cell(r, i, f, "has no language (--lang CODE says it of such rows)");
    } else if (f.length && !(*to == IG_COLUMN_LANG && r->language)) {
        if (*to == IG_TO_LABEL)
            *to = (int)find_label(r, r->names.name[i]);
        ig_reader_set(r, (size_t)*to, f);
    }
}

ig_status ig_reader_end(ig_reader *r)
{
    r->line = 0;
    if (!r->vectors.values && !r->rows)
        ig_reader_fail(r, "%s no rows", r->names.count ? "has a header and" : "holds");
    if (r->status == IG_OK && r->has_vectors && !r->vectors.values) {
        r->vectors = ig_array_of_floats(r->values, r->rows, r->dims);
        r->vectors.content.block = r->values;
        r->values = NULL;
    }
    IG_FREE(r->to, r->values);
    ig_names_free(&r->names);
    return r->status;
}

void ig_columns_free(ig_columns *c)
{
    for (size_t k = 0; k < IG_TO_LABELS + c->labels; k++) {
        ig_value_column *column = k < IG_TO_LABELS ? &c->role[k]
                                                   : &c->label[k - IG_TO_LABELS];

        ig_names_free(&column->values);
        ig_free(column->value);
    }
    IG_FREE(c->label, c->text);
    ig_names_free(&c->remarks);
    ig_arena_free(&c->memory);
    *c = (ig_columns){0};
}
