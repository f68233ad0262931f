/* Columns of rows, conditions on rows, and sorting them by a column. */
#include "explorer/row_query.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "data/versions.h"

/* In the order of ig_value. */
const ig_value_field ig_value_fields[IG_VALUES] = {
    {"alignment", "mean squared distance to its translations", 3},
    {"rank", "mean rank of its translations", 1},
    {"leak", "mean 1/rank of its translations by language embeddings", 3},
    {"purity", "share of its 10 nearest rows in the same language", 1},
    {"hubness", "rows that have it among their 10 nearest", 0},
    {"density", "mean cosine similarity to its 10 nearest rows", 3},
    {"norm", "length of its original vector", 2}};

size_t ig_row_columns(const ig_dataset *set)
{
    return IG_ROW_LABELS + set->labels + IG_VALUES;
}

ig_row_column ig_row_column_of(const ig_dataset *set, size_t column)
{
    size_t label = column - IG_ROW_LABELS, value = label - set->labels;
    const ig_label *of;

    if (column < IG_ROW_LABELS)
        return (ig_row_column[]){
            {"row", .value = IG_VALUES, .number = true},
            {"lang", set->language, set->languages, .value = IG_VALUES},
            {"id", set->id_name, set->ids, .value = IG_VALUES},
            {"text", set->text, set->rows, .value = IG_VALUES}}[column];
    if (label >= set->labels)
        return (ig_row_column){value < IG_VALUES ? ig_value_fields[value].name : NULL,
                               .value = value, .number = true};
    of = &set->label[label];
    return (ig_row_column){of->name, of->category, of->categories,
                           of,       IG_VALUES,    of->number};
}

size_t ig_row_word_number(const ig_dataset *set, size_t column, size_t row)
{
    return column == IG_ROW_LANG   ? set->lang[row]
           : column == IG_ROW_ID   ? (set->ids ? set->id[row] : IG_NO_ID)
           : column == IG_ROW_TEXT ? row
                                   : set->label[column - IG_ROW_LABELS].value[row];
}

const char *ig_row_word(const ig_dataset *set, size_t column, size_t row)
{
    ig_row_column of = ig_row_column_of(set, column);
    size_t at = of.words ? ig_row_word_number(set, column, row) : 0;

    return at < of.words ? of.word[at] : "";
}

double ig_row_number(const ig_row_source *s, size_t column, size_t row)
{
    ig_row_column of;

    if (column < IG_ROW_LABELS)
        return (double)row;
    of = ig_row_column_of(s->set, column);
    if (of.value < IG_VALUES)
        return s->measured && s->measured->value[of.value]
                   ? (double)s->measured->value[of.value][row]
                   : NAN;
    return of.number ? of.label->number[of.label->value[row]] : NAN;
}

/* Which values meet a condition: less, equal, greater, or those that contain it. */
struct sign {
    const char *text;
    bool less, equal, greater, contains;
};

struct condition {
    size_t column;
    ig_row_column of;
    const struct sign *sign;
    char value[IG_ROW_FILTER_SIZE];
    double number; /* of it, in a column of numbers */
};

/* The sign that a text begins with, or NULL. */
static const struct sign *find_sign(const char *text)
{
    static const struct sign signs[] = {{"<=", .less = true, .equal = true},
                                        {">=", .equal = true, .greater = true},
                                        {"!=", .less = true, .greater = true},
                                        {"=", .equal = true},
                                        {"<", .less = true},
                                        {">", .greater = true},
                                        {"~", .contains = true}};

    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(text, signs[i].text, strlen(signs[i].text)) == 0)
            return &signs[i];
    return NULL;
}

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " ");
}

/* The first column of the longest name that begins a text, or -1; *end: the rest. */
static long find_column(const ig_dataset *set, const char *text, const char **end)
{
    size_t longest = 0;
    long found = -1;

    for (size_t i = 0; i < ig_row_columns(set); i++) {
        const char *name = ig_row_column_of(set, i).name;
        size_t n = strlen(name);

        if (n > longest && strncmp(text, name, n) == 0 &&
            (!text[n] || text[n] == ' ' || find_sign(text + n))) {
            found = (long)i;
            longest = n;
        }
    }
    *end = skip_blanks(text + longest);
    return found;
}

bool ig_row_condition(const ig_dataset *set, const char *text)
{
    return find_column(set, text, &text) >= 0 && find_sign(text);
}

long ig_row_column_named(const ig_dataset *set, const char *name, ig_error *error)
{
    const char *end;
    long column = find_column(set, name, &end);
    size_t length = strcspn(name, " =<>~!");
    char list[256] = "";

    if (column >= 0 && !*end)
        return column;
    for (size_t i = 0; i < ig_row_columns(set); i++)
        ig_text_append(list, sizeof list, "%s%s", i ? ", " : "",
                       ig_row_column_of(set, i).name);
    ig_fail(error, IG_USAGE, "unknown column '%.*s' (expected %s)",
            length < 60 ? (int)length : 60, name, list);
    return -1;
}

/* Read the condition at *text, and move behind it. */
static ig_status read_condition(const ig_dataset *set, const char **text,
                                struct condition *c, ig_error *error)
{
    const char *value, *end;
    long column = find_column(set, *text, &value);
    const struct sign *sign = find_sign(value);
    char *stop;

    if (column < 0) {
        ig_row_column_named(set, *text, error);
        return IG_USAGE;
    }
    if (column == IG_ROW_TEXT && !set->has_text)
        return ig_fail(error, IG_USAGE, "the dataset has no texts to search");
    *text = value = skip_blanks(value + (sign ? strlen(sign->text) : 0));
    do { /* it may have blanks */
        end = *text + strcspn(*text, " ");
        *text = skip_blanks(end);
    } while (**text && !ig_row_condition(set, *text));
    if (*value == '"' && end > value + 1 && end[-1] == '"')
        value++, end--;
    *c = (struct condition){(size_t)column, ig_row_column_of(set, (size_t)column),
                            .sign = sign};
    snprintf(c->value, sizeof c->value, "%.*s", (int)(end - value), value);
    c->number = strtod(c->value, &stop);
    if (sign &&
        (c->of.number ? !sign->contains && *c->value && !*stop && !isnan(c->number)
                      : sign->less == sign->greater && (sign->equal || *c->value)))
        return IG_OK;
    return ig_fail(error, IG_USAGE,
                   "cannot compare '%.60s' with '%.60s' (expected %.60s%s)", c->of.name,
                   c->value, c->of.name, c->of.number ? ">10" : "=word, ~part");
}

/* Keep the rows whose word meets a condition. Each word is compared once. */
static ig_status keep_words(const ig_row_source *s, const struct condition *c,
                            bool *has, ig_error *error)
{
    size_t count = c->of.words, start, length;
    bool *kept = ig_alloc(count + 1, sizeof *kept); /* the last: of rows without one */
    ig_textquery query = {0};
    ig_status status = kept ? ig_textquery_init(&query, c->value, error)
                            : ig_fail_memory(error, "the filter");

    for (size_t k = 0; status == IG_OK && k <= count; k++) {
        const char *text = k < count ? c->of.word[k] : "";

        if (!c->sign->contains)
            kept[k] = strcmp(text, c->value) == 0 ? c->sign->equal : c->sign->less;
        else if (c->column != IG_ROW_TEXT)
            kept[k] = ig_textquery_find(&query, text, &start, &length);
        else
            kept[k] = k < count && ig_textsearch_matches(s->texts, &query, k);
    }
    for (size_t i = 0; status == IG_OK && i < s->set->rows; i++) {
        size_t k = ig_row_word_number(s->set, c->column, i);

        has[i] &= kept[k < count ? k : count];
    }
    IG_FREE(query.folded, kept);
    return status;
}

static ig_status keep_numbers(const ig_row_source *s, const struct condition *c,
                              bool *has, ig_error *error)
{
    size_t value = c->of.value;

    if (value < IG_VALUES && !(s->measured && s->measured->value[value]))
        return ig_fail(error, IG_USAGE,
                       s->measured ? "%s has no values in the embeddings shown"
                                   : "%s is not measured yet (:colour %s)",
                       c->of.name, c->of.name);
    for (size_t i = 0; i < s->set->rows; i++) {
        double x = ig_row_number(s, c->column, i);

        has[i] &= x < c->number   ? c->sign->less
                  : x > c->number ? c->sign->greater
                                  : x == c->number && c->sign->equal;
    }
    return IG_OK;
}

bool *ig_row_filter(const ig_row_source *s, const char *typed,
                    char text[IG_ROW_FILTER_SIZE], ig_error *error)
{
    bool *has = ig_alloc(s->set->rows, sizeof *has);
    ig_status status = has ? IG_OK : ig_fail_memory(error, "the filter");
    struct condition c;

    *text = '\0';
    if (has)
        memset(has, true, s->set->rows * sizeof *has);
    typed = skip_blanks(typed);
    while (status == IG_OK && *typed) {
        status = read_condition(s->set, &typed, &c, error);
        if (status == IG_OK && c.column == IG_ROW_TEXT && c.sign->contains)
            snprintf(text, IG_ROW_FILTER_SIZE, "%s", c.value);
        if (status == IG_OK && c.of.number)
            status = keep_numbers(s, &c, has, error);
        else if (status == IG_OK && (!*text || s->texts))
            status = keep_words(s, &c, has, error);
    }
    ig_free(status == IG_OK ? NULL : has);
    return status == IG_OK ? has : NULL;
}

/* A row to be sorted by its word, or by its number where this is NULL. */
struct sort_key {
    const char *word;
    double number;
    uint32_t row;
    int sign; /* -1: the greatest first */
};

static int compare_keys(const void *a, const void *b)
{
    const struct sort_key *x = a, *y = b;
    int order = x->word ? ig_version_compare(&x->word, &y->word)
                        : (x->number > y->number) - (x->number < y->number);

    return order ? order * x->sign : (x->row > y->row) - (x->row < y->row);
}

ig_status ig_row_sort(const ig_row_source *s, size_t column, bool descends,
                      uint32_t *row, size_t count, ig_error *error)
{
    bool number = ig_row_column_of(s->set, column).number;
    struct sort_key *by = ig_alloc(count, sizeof *by);
    size_t known = 0, unknown = count;

    if (!by)
        return ig_fail_memory(error, "the order of the table");
    for (size_t i = count; i-- > 0;) { /* those without a value come last */
        double x = number ? ig_row_number(s, column, row[i]) : 0;
        const char *word = number ? NULL : ig_row_word(s->set, column, row[i]);

        if (word ? *word : !isnan(x))
            by[known++] = (struct sort_key){word, x, row[i], descends ? -1 : 1};
        else
            row[--unknown] = row[i];
    }
    qsort(by, known, sizeof *by, compare_keys);
    for (size_t i = 0; i < known; i++)
        row[i] = by[i].row;
    ig_free(by);
    return IG_OK;
}
