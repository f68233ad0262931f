/* Sets of rows, conditions on rows, and sorting them by a column. */
#include "explorer/row_query.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"

bool ig_row_set_fill(ig_row_set *s, bool *has, size_t rows)
{
    uint32_t *row = has ? ig_alloc(rows, sizeof *row) : NULL;

    if (!row)
        IG_FREE(has);
    IG_FREE(s->has, s->row);
    *s = (ig_row_set){row ? has : NULL, row, 0, s->serial + 1};
    for (uint32_t i = 0; row && i < rows; i++)
        if (has[i])
            row[s->count++] = i;
    return row;
}

/* --- columns ---------------------------------------------------------------------- */

const ig_value_field ig_value_fields[IG_VALUES] = {
    [IG_VALUE_ALIGNMENT] = {"alignment", "mean squared distance to its translations",
                            3},
    [IG_VALUE_RANK] = {"rank", "mean rank of its translations", 1},
    [IG_VALUE_LEAK] = {"leak", "mean 1/rank of its translations by language embeddings",
                       3},
    [IG_VALUE_PURITY] = {"purity", "share of its 10 nearest rows in the same language",
                         1},
    [IG_VALUE_HUBNESS] = {"hubness", "rows that have it among their 10 nearest", 0},
    [IG_VALUE_DENSITY] = {"density", "mean cosine similarity to its 10 nearest rows",
                          3},
    [IG_VALUE_NORM] = {"norm", "length of its original vector", 2}};

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

size_t ig_row_value(const ig_dataset *set, size_t column)
{
    size_t first = IG_ROW_LABELS + set->labels;

    return column >= first ? column - first : IG_VALUES;
}

const char *ig_row_column_name(const ig_dataset *set, size_t column)
{
    static const char *const names[] = {"row", "lang", "id", "text"};
    const ig_label *label = label_of(set, column);

    return column < IG_ROW_LABELS ? names[column]
           : label                ? label->name
                                  : ig_value_fields[ig_row_value(set, column)].name;
}

const char *const *ig_row_words(const ig_dataset *set, size_t column, size_t *count)
{
    const ig_label *label = label_of(set, column);

    *count = column == IG_ROW_LANG   ? set->languages
             : column == IG_ROW_ID   ? set->ids
             : column == IG_ROW_TEXT ? set->rows
             : label                 ? label->categories
                                     : 0;
    return column == IG_ROW_LANG   ? set->language
           : column == IG_ROW_ID   ? set->id_name
           : column == IG_ROW_TEXT ? set->text
           : label                 ? label->category
                                   : NULL;
}

size_t ig_row_word_number(const ig_dataset *set, size_t column, size_t row)
{
    return column == IG_ROW_LANG   ? set->lang[row]
           : column == IG_ROW_ID   ? (set->has_ids ? set->id[row] : IG_NO_ID)
           : column == IG_ROW_TEXT ? row
                                   : label_of(set, column)->value[row];
}

const char *ig_row_word(const ig_dataset *set, size_t column, size_t row)
{
    size_t count;
    const char *const *word = ig_row_words(set, column, &count);
    size_t at = count ? ig_row_word_number(set, column, row) : 0;

    return at < count ? word[at] : "";
}

bool ig_row_is_number(const ig_dataset *set, size_t column)
{
    const ig_label *label = label_of(set, column);

    return column == IG_ROW_NUMBER || ig_row_value(set, column) < IG_VALUES ||
           (label && label->number);
}

double ig_row_number(const ig_row_source *s, size_t column, size_t row)
{
    const ig_label *label = label_of(s->set, column);
    size_t value = ig_row_value(s->set, column);

    if (value < IG_VALUES)
        return s->measured && s->measured->value[value]
                   ? (double)s->measured->value[value][row]
                   : NAN;
    return column == IG_ROW_NUMBER  ? (double)row
           : label && label->number ? label->number[label->value[row]]
                                    : NAN;
}

/* --- conditions ------------------------------------------------------------------- */

enum sign { AT_MOST, AT_LEAST, DIFFERENT, EQUAL, LESS, GREATER, CONTAINS, SIGNS };

struct condition {
    size_t column;
    enum sign sign;
    bool words; /* words are compared, else numbers */
    char value[IG_ROW_FILTER_SIZE];
    double number;
};

/* The sign that a text begins with, or SIGNS; *end is what follows it and blanks. */
static enum sign read_sign(const char *text, const char **end)
{
    static const char *const signs[SIGNS] = {"<=", ">=", "!=", "=", "<", ">", "~"};
    int i = 0;

    while (i < SIGNS && strncmp(text, signs[i], strlen(signs[i])) != 0)
        i++;
    *end = text + (i < SIGNS ? strlen(signs[i]) : 0);
    *end += strspn(*end, " ");
    return (enum sign)i;
}

/* The column with the longest name that a text begins with, a label before others of
 * that name, or -1; *end is what follows it and blanks. */
static long read_column(const ig_dataset *set, const char *text, const char **end)
{
    size_t longest = 0;
    long found = -1;

    for (size_t i = 0; i < ig_row_columns(set); i++) {
        const char *name = ig_row_column_name(set, i);
        size_t n = strlen(name);

        if ((n > longest || (n == longest && label_of(set, i))) &&
            strncmp(text, name, n) == 0 &&
            (!text[n] || text[n] == ' ' || read_sign(text + n, end) < SIGNS)) {
            found = (long)i;
            longest = n;
        }
    }
    *end = text + longest + strspn(text + longest, " ");
    return found;
}

static ig_status fail_column(const ig_dataset *set, const char *name, ig_error *error)
{
    size_t length = strcspn(name, " =<>~!");
    char list[256] = "";

    for (size_t i = 0; i < ig_row_columns(set); i++)
        ig_text_append(list, sizeof list, "%s%s", i ? ", " : "",
                       ig_row_column_name(set, i));
    return ig_fail(error, IG_USAGE, "unknown column '%.*s' (expected %s)",
                   length < 60 ? (int)length : 60, name, list);
}

long ig_row_column_named(const ig_dataset *set, const char *name, ig_error *error)
{
    const char *end;
    long column = read_column(set, name, &end);

    if (column >= 0 && !*end)
        return column;
    fail_column(set, name, error);
    return -1;
}

bool ig_row_condition(const ig_dataset *set, const char *text)
{
    return read_column(set, text, &text) >= 0 && read_sign(text, &text) < SIGNS;
}

/* Read the condition at *text, and move behind it. */
static ig_status read_condition(const ig_row_source *s, const char **text,
                                struct condition *c, ig_error *error)
{
    const char *value, *end, *name;
    long column = read_column(s->set, *text, &value);
    bool number, orders;
    char *stop;

    if (column < 0)
        return fail_column(s->set, *text, error);
    c->column = (size_t)column;
    c->sign = read_sign(value, &value);
    end = value + (c->sign < SIGNS ? strcspn(value, " ") : 0);
    while (end[strspn(end, " ")] && !ig_row_condition(s->set, end + strspn(end, " ")) &&
           c->sign < SIGNS) { /* the value may have blanks */
        end += strspn(end, " ");
        end += strcspn(end, " ");
    }
    snprintf(c->value, sizeof c->value, "%.*s", (int)(end - value), value);
    *text = end + strspn(end, " ");
    name = ig_row_column_name(s->set, c->column);
    number = ig_row_is_number(s->set, c->column);
    orders = c->sign == AT_MOST || c->sign == AT_LEAST || c->sign == LESS ||
             c->sign == GREATER;
    c->words = !number || (label_of(s->set, c->column) && !orders);
    if (c->column == IG_ROW_TEXT && !s->set->has_text)
        return ig_fail(error, IG_USAGE, "the dataset has no texts to search");
    if (c->sign >= CONTAINS && !*c->value) /* without a sign, too */
        return ig_fail(error, IG_USAGE, "%s needs a value, as in %s%s", name, name,
                       number ? ">10" : "~word");
    c->number = strtod(c->value, &stop);
    if (c->words ? orders
                 : c->sign == CONTAINS || stop == c->value || *stop || isnan(c->number))
        return ig_fail(error, IG_USAGE,
                       "cannot compare '%.60s' with '%.60s' (expected a number)", name,
                       c->value);
    return IG_OK;
}

static bool meets(const struct condition *c, double x)
{
    return c->sign == AT_MOST    ? x <= c->number
           : c->sign == AT_LEAST ? x >= c->number
           : c->sign == LESS     ? x < c->number
           : c->sign == GREATER  ? x > c->number
           : c->sign == EQUAL    ? x == c->number
                                 : !isnan(x) && x != c->number;
}

/* Keep the rows whose word meets a condition. Each word is compared once. */
static ig_status keep_words(const ig_row_source *s, const struct condition *c,
                            bool *has, ig_error *error)
{
    size_t count, start, length, found = 0;
    const char *const *word = ig_row_words(s->set, c->column, &count);
    bool *kept = ig_alloc(count + 1, sizeof *kept); /* the last: of rows without one */
    ig_textquery query = {0};
    ig_status status = kept ? ig_textquery_init(&query, c->value, error)
                            : ig_fail_memory(error, "the filter");

    for (size_t k = 0; status == IG_OK && k <= count; k++) {
        const char *text = k < count ? word[k] : "";

        if (c->sign != CONTAINS)
            kept[k] = (strcmp(text, c->value) == 0) == (c->sign != DIFFERENT);
        else if (c->column != IG_ROW_TEXT)
            kept[k] = ig_textquery_find(&query, text, &start, &length);
        else
            kept[k] = k < count && ig_textsearch_matches(s->texts, &query, k);
        found += kept[k];
    }
    for (size_t i = 0; status == IG_OK && i < s->set->rows; i++) {
        size_t k = ig_row_word_number(s->set, c->column, i);

        has[i] &= kept[k < count ? k : count];
    }
    ig_free(query.folded);
    ig_free(kept);
    if (status == IG_OK && !found && c->sign != DIFFERENT && c->column != IG_ROW_TEXT)
        return ig_fail(error, IG_USAGE, "no row with %s '%.60s'",
                       ig_row_column_name(s->set, c->column), c->value);
    return status;
}

static ig_status keep_rows(ig_row_source *s, const struct condition *c, bool *has,
                           ig_error *error)
{
    const char *name = ig_row_column_name(s->set, c->column);
    size_t value = ig_row_value(s->set, c->column);

    if (value < IG_VALUES && !(s->measured && s->measured->value[value]))
        return ig_fail(error, IG_USAGE, "%s is not measured yet (:colour %s)", name,
                       name);
    if (c->words && c->column == IG_ROW_TEXT && c->sign == CONTAINS && !s->texts)
        s->waits = true;
    else if (c->words)
        return keep_words(s, c, has, error);
    for (size_t i = 0; !c->words && i < s->set->rows; i++)
        has[i] &= meets(c, ig_row_number(s, c->column, i));
    return IG_OK;
}

bool *ig_row_filter(ig_row_source *s, const char *typed, ig_error *error)
{
    const char *text = typed + strspn(typed, " ");
    bool *has = ig_alloc(s->set->rows, sizeof *has);
    struct condition c;

    s->waits = false;
    if (has)
        memset(has, true, s->set->rows * sizeof *has);
    else
        ig_fail_memory(error, "the filter");
    while (has && *text)
        if (read_condition(s, &text, &c, error) != IG_OK ||
            keep_rows(s, &c, has, error) != IG_OK) {
            ig_free(has);
            return NULL;
        }
    return has;
}

/* --- sorting ---------------------------------------------------------------------- */

/* A row to be sorted. */
struct item {
    double number;    /* if … */
    const char *word; /* … this is NULL */
    uint32_t row, at; /* … its place before */
    int sign;         /* -1: the greatest first */
};

static int compare_items(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    int order = x->word ? strncmp(x->word, y->word, 32)
                        : (x->number > y->number) - (x->number < y->number);

    return order ? order * x->sign : (x->at > y->at) - (x->at < y->at);
}

ig_status ig_row_sort(const ig_row_source *s, size_t column, bool descends,
                      uint32_t *order, size_t count, ig_error *error)
{
    bool numbers = ig_row_is_number(s->set, column);
    struct item *item = ig_alloc(count, sizeof *item);
    size_t known = 0, unknown = count;

    if (!item)
        return ig_fail_memory(error, "the order of the table");
    for (size_t i = count; i-- > 0;) { /* those without a value come last */
        struct item one = {.number = ig_row_number(s, column, order[i]),
                           .word = numbers ? NULL
                                           : ig_row_word(s->set, column, order[i]),
                           .row = order[i],
                           .at = (uint32_t)i,
                           .sign = descends ? -1 : 1};

        if (one.word ? *one.word : !isnan(one.number))
            item[known++] = one;
        else
            order[--unknown] = order[i];
    }
    qsort(item, known, sizeof *item, compare_items);
    for (size_t i = 0; i < known; i++)
        order[i] = item[i].row;
    ig_free(item);
    return IG_OK;
}
