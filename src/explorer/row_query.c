/* Conditions on rows, and sorting them by a column. */
#include "explorer/row_query.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"

static const struct {
    const char *name, *about;
} values[IG_VALUES] = {
    [IG_VALUE_ALIGNMENT] = {"alignment", "mean squared distance to its translations"},
    [IG_VALUE_RANK] = {"rank", "mean rank of its translations"},
    [IG_VALUE_LEAK] = {"leak",
                       "mean 1/rank of its translations by language embeddings"},
    [IG_VALUE_PURITY] = {"purity", "share of its 10 nearest rows in the same language"},
    [IG_VALUE_HUBNESS] = {"hubness", "rows that have it among their 10 nearest"},
    [IG_VALUE_DENSITY] = {"density", "mean cosine similarity to its 10 nearest rows"},
    [IG_VALUE_NORM] = {"norm", "length of its original vector"}};

const char *ig_value_name(ig_value value)
{
    return values[value].name;
}

const char *ig_value_about(ig_value value)
{
    return values[value].about;
}

/* --- columns ---------------------------------------------------------------------- */

size_t ig_row_columns(const ig_dataset *set)
{
    return IG_ROW_LABELS + set->labels + IG_VALUES;
}

/* The label of a column, or NULL. */
static const ig_label *label_of(const ig_dataset *set, size_t column)
{
    return column >= IG_ROW_LABELS && column - IG_ROW_LABELS < set->labels
               ? &set->label[column - IG_ROW_LABELS]
               : NULL;
}

/* Whether a column is a measured value. */
static bool is_value(const ig_dataset *set, size_t column)
{
    return column >= IG_ROW_LABELS + set->labels;
}

const char *ig_row_column_name(const ig_dataset *set, size_t column)
{
    static const char *const names[] = {"row", "lang", "id", "text"};
    const ig_label *label = label_of(set, column);

    return column < IG_ROW_LABELS ? names[column]
           : label                ? label->name
                                  : values[column - IG_ROW_LABELS - set->labels].name;
}

long ig_row_column_named(const ig_dataset *set, const char *name, ig_error *error)
{
    char list[256] = "";

    for (size_t i = 0; i < set->labels; i++) /* before a value of the same name */
        if (strcmp(set->label[i].name, name) == 0)
            return (long)(IG_ROW_LABELS + i);
    for (size_t i = 0; i < ig_row_columns(set); i++) {
        const char *column = ig_row_column_name(set, i);

        if (strcmp(column, name) == 0)
            return (long)i;
        ig_text_append(list, sizeof list, "%s%s", i ? ", " : "", column);
    }
    if (strcmp(name, "language") == 0)
        return IG_ROW_LANG;
    ig_fail(error, IG_USAGE, "unknown column '%.60s' (expected %s)", name, list);
    return -1;
}

bool ig_row_is_number(const ig_dataset *set, size_t column)
{
    const ig_label *label = label_of(set, column);

    return column == IG_ROW_NUMBER || is_value(set, column) || (label && label->number);
}

/* Values of a measured column, (rows), or NULL. */
static const float *values_of(const ig_row_source *s, size_t column)
{
    return s->measured && is_value(s->set, column)
               ? s->measured->value[column - IG_ROW_LABELS - s->set->labels]
               : NULL;
}

double ig_row_number(const ig_row_source *s, size_t column, size_t row)
{
    const ig_label *label = label_of(s->set, column);
    const float *value = values_of(s, column);

    return column == IG_ROW_NUMBER  ? (double)row
           : label && label->number ? label->number[row]
           : value                  ? (double)value[row]
                                    : NAN;
}

/* Whether a column has words that rows share. */
static bool has_words(const ig_dataset *set, size_t column)
{
    return column == IG_ROW_LANG || (column == IG_ROW_ID && set->has_ids) ||
           label_of(set, column);
}

const char *ig_row_word(const ig_dataset *set, size_t column, size_t row)
{
    const ig_label *label = label_of(set, column);

    if (column == IG_ROW_TEXT)
        return set->has_text ? set->text[row] : "";
    if (column == IG_ROW_LANG)
        return set->language[set->lang[row]];
    if (column == IG_ROW_ID && set->has_ids && set->id[row] != IG_NO_ID)
        return set->id_name[set->id[row]];
    return label ? label->category[label->value[row]] : "";
}

/* --- conditions ------------------------------------------------------------------- */

typedef enum comparison {
    AT_MOST, /* the longer signs first */
    AT_LEAST,
    DIFFERENT,
    EQUAL,
    LESS,
    GREATER,
    CONTAINS,
    AS_CURSOR, /* a column without a value */
    COMPARISONS = AS_CURSOR
} comparison;

static const char *const signs[COMPARISONS] = {"<=", ">=", "!=", "=", "<", ">", "~"};

struct condition {
    size_t column;
    comparison how;
    const char *value;
    double number; /* of `value`, for a comparison of numbers */
};

/* The sign that a text begins with, or AS_CURSOR. */
static comparison sign_of(const char *text)
{
    int how = 0;

    while (how < COMPARISONS && strncmp(text, signs[how], strlen(signs[how])) != 0)
        how++;
    return (comparison)how;
}

size_t ig_row_condition(const ig_dataset *set, const char *text)
{
    size_t longest = 0, columns = ig_row_columns(set);

    for (size_t i = 0; i <= columns; i++) {
        const char *name = i < columns ? ig_row_column_name(set, i) : "language";
        size_t n = strlen(name);

        if (n > longest && strncmp(text, name, n) == 0 &&
            sign_of(text + n + strspn(text + n, " ")) != AS_CURSOR)
            longest = n;
    }
    return longest;
}

/* End of the first of several conditions: a value may have blanks, so that the next one
 * begins like a condition, or is a word with a sign. */
static char *end_of_condition(const ig_dataset *set, char *typed)
{
    char *blank = strchr(typed + ig_row_condition(set, typed), ' ');

    for (; blank; blank = strchr(blank + 1, ' ')) {
        size_t word = strcspn(blank + 1, " =<>~!");

        if (ig_row_condition(set, blank + 1) ||
            (word && sign_of(blank + 1 + word) != AS_CURSOR))
            return blank;
    }
    return typed + strlen(typed);
}

static char *trim(char *text)
{
    size_t length;

    text += strspn(text, " ");
    length = strlen(text);
    while (length && text[length - 1] == ' ')
        text[--length] = '\0';
    return text;
}

static bool compares_numbers(const struct condition *c, const ig_dataset *set)
{
    return c->how < DIFFERENT || c->how == LESS || c->how == GREATER ||
           ((c->how == EQUAL || c->how == DIFFERENT) &&
            (c->column == IG_ROW_NUMBER || is_value(set, c->column)));
}

/* Read the condition in `text`, which is cut up. */
static ig_status read_condition(struct condition *c, const ig_dataset *set, char *text,
                                ig_error *error)
{
    size_t name = ig_row_condition(set, text = trim(text));
    char *sign = text + name + strcspn(text + name, "=<>~!"), *end;
    long column = ig_row_column_named(set, text, NULL);

    c->how = column < 0 ? sign_of(sign) : AS_CURSOR;
    c->value = "";
    if (c->how != AS_CURSOR) {
        c->value = trim(sign + strlen(signs[c->how]));
        *sign = '\0';
    }
    if (column < 0)
        column = ig_row_column_named(set, text = trim(text), error);
    if (column < 0)
        return IG_USAGE;
    c->column = (size_t)column;
    if (c->column == IG_ROW_TEXT && !set->has_text)
        return ig_fail(error, IG_USAGE, "the dataset has no texts to search");
    if (c->how == CONTAINS ? !*c->value
                           : c->how == AS_CURSOR && !has_words(set, c->column))
        return ig_fail(error, IG_USAGE, "%s needs a value, as in %s%s", text, text,
                       ig_row_is_number(set, c->column) ? ">10" : "~word");
    if (!compares_numbers(c, set))
        return c->how == CONTAINS && ig_row_is_number(set, c->column) &&
                       !has_words(set, c->column)
                   ? ig_fail(error, IG_USAGE, "%s is a number: compare it with = or <",
                             text)
                   : IG_OK;
    c->number = strtod(c->value, &end);
    return end != c->value && !*end && !isnan(c->number) &&
                   ig_row_is_number(set, c->column)
               ? IG_OK
               : ig_fail(error, IG_USAGE,
                         "cannot compare '%.60s' with '%.60s' (expected a number)",
                         text, c->value);
}

static bool meets(const struct condition *c, double x)
{
    return c->how == AT_MOST    ? x <= c->number
           : c->how == AT_LEAST ? x >= c->number
           : c->how == LESS     ? x < c->number
           : c->how == GREATER  ? x > c->number
           : c->how == EQUAL    ? x == c->number
                                : !isnan(x) && x != c->number;
}

/* Whether a row meets a condition on words or, with the index, on texts. */
static bool contains(const ig_row_source *s, const struct condition *c,
                     const ig_textquery *query, uint32_t row)
{
    const char *word = ig_row_word(s->set, c->column, row);
    size_t start, length;

    if (c->how == AS_CURSOR)
        return *word && strcmp(word, ig_row_word(s->set, c->column, s->cursor)) == 0;
    if (c->how != CONTAINS)
        return (strcmp(word, c->value) == 0) == (c->how == EQUAL);
    return c->column == IG_ROW_TEXT ? ig_textsearch_matches(s->texts, query, row)
                                    : ig_textquery_find(query, word, &start, &length);
}

static ig_status keep_rows(ig_row_source *s, const struct condition *c, bool *row,
                           ig_error *error)
{
    bool numbers = compares_numbers(c, s->set), found = false;
    const char *name = ig_row_column_name(s->set, c->column);
    ig_textquery query = {0};
    ig_status status = IG_OK;

    if (numbers && is_value(s->set, c->column) && !values_of(s, c->column))
        return ig_fail(error, IG_USAGE, "%s is not measured yet (:colour %s)", name,
                       name);
    if (c->how == CONTAINS && c->column == IG_ROW_TEXT && !s->texts) {
        s->waits = true;
        return IG_OK;
    }
    if (c->how == CONTAINS)
        status = ig_textquery_init(&query, c->value, error);
    for (uint32_t i = 0; status == IG_OK && i < s->set->rows; i++) {
        bool kept = numbers ? meets(c, ig_row_number(s, c->column, i))
                            : contains(s, c, &query, i);

        found |= kept;
        if (row)
            row[i] &= kept;
    }
    ig_textquery_free(&query);
    if (status == IG_OK && !found && has_words(s->set, c->column) && !numbers &&
        c->how != DIFFERENT)
        return ig_fail(error, IG_USAGE, "no row with %s '%.60s'", name, c->value);
    return status;
}

ig_status ig_row_filter(ig_row_source *s, const char *typed, bool *row, ig_error *error)
{
    char text[IG_ROW_FILTER_SIZE], *next = text;
    ig_status status = IG_OK;

    s->waits = false;
    if ((size_t)snprintf(text, sizeof text, "%s", typed) >= sizeof text)
        return ig_fail(error, IG_USAGE, "the filter is longer than %zu bytes",
                       sizeof text - 1);
    next = trim(text);
    while (status == IG_OK && *next) {
        struct condition c = {0};
        char *end = end_of_condition(s->set, next), *begin = next;

        next = *end ? end + 1 + strspn(end + 1, " ") : end;
        *end = '\0';
        status = read_condition(&c, s->set, begin, error);
        if (status == IG_OK)
            status = keep_rows(s, &c, row, error);
    }
    return status;
}

/* --- sorting ---------------------------------------------------------------------- */

/* A row to be sorted: by the key, then by the word. */
struct item {
    double key;
    const char *word;
    uint32_t row;
};

static int compare_items(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    int order = x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                                 : strcmp(x->word, y->word);

    return order ? order : (x->row > y->row) - (x->row < y->row);
}

ig_status ig_row_sort(const ig_row_source *s, size_t column, bool descends,
                      uint32_t *order, size_t count, ig_error *error)
{
    bool numbers = ig_row_is_number(s->set, column);
    struct item *item = ig_alloc(count, sizeof *item);
    size_t known = 0, unknown = 0;

    if (!item)
        return ig_fail_memory(error, "the order of the table");
    for (size_t i = 0; i < count; i++) {
        const char *word = numbers ? "" : ig_row_word(s->set, column, order[i]);
        double key = numbers ? ig_row_number(s, column, order[i]) : *word ? 0 : NAN;

        if (isnan(key))
            order[unknown++] = order[i];
        else
            item[known++] = (struct item){key, word, descends ? ~order[i] : order[i]};
    }
    qsort(item, known, sizeof *item, compare_items);
    memmove(order + known, order, unknown * sizeof *order);
    for (size_t i = 0; i < known; i++) /* ties by row, in either direction */
        order[i] = descends ? ~item[known - 1 - i].row : item[i].row;
    ig_free(item);
    return IG_OK;
}
