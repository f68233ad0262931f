/* Columns of rows, the rows that meet conditions, and the order of a table of rows.
 * Columns: the row's number, lang, id, text; labels; measured values (ig_value). */
#pragma once

#include "explorer/results.h"
#include "measure/textsearch.h"

enum { IG_ROW_NUMBER, IG_ROW_LANG, IG_ROW_ID, IG_ROW_TEXT, IG_ROW_LABELS };
enum { IG_ROW_FILTER_SIZE = 1024 };

typedef struct ig_row_source {
    const ig_dataset *set;
    const ig_shown_evaluation *measured; /* or NULL */
    const ig_textsearch *texts;          /* or NULL: none yet */
} ig_row_source;

/* Name of a measured value, what it is ("mean rank of its translations"), decimals. */
typedef struct ig_value_field {
    const char *name, *about;
    int decimals;
} ig_value_field;
extern const ig_value_field ig_value_fields[IG_VALUES];

/* What a column has. */
typedef struct ig_row_column {
    const char *name;
    const char *const *word; /* (words) distinct words, or the texts; or NULL */
    size_t words;
    const ig_label *label; /* or NULL */
    size_t value;          /* measured (ig_value), or IG_VALUES: none */
    bool number;           /* it has numbers */
} ig_row_column;

/* Number of columns; one (without a name past the last); the number of the column of a
 * name, or -1 with an error. */
size_t ig_row_columns(const ig_dataset *set);
ig_row_column ig_row_column_of(const ig_dataset *set, size_t column);
long ig_row_column_named(const ig_dataset *set, const char *name, ig_error *error);

/* The number of a row, NaN: unknown; its word, or ""; the number of this. */
double ig_row_number(const ig_row_source *source, size_t column, size_t row);
const char *ig_row_word(const ig_dataset *set, size_t column, size_t row);
size_t ig_row_word_number(const ig_dataset *set, size_t column, size_t row);

/* The rows that meet "lang=ja topic=travel rank>10 text~silk": all conditions, of
 * = != < > <= >= ~ (contains, as searches do). A value not measured meets none.
 * Returns marks, (rows), to be freed; NULL: an error that names the column or value.
 * text[]: what texts are searched for, "": nothing; without their index these
 * conditions are left out. O(rows) a condition. */
bool *ig_row_filter(const ig_row_source *source, const char *typed,
                    char text[IG_ROW_FILTER_SIZE], ig_error *error);

/* Whether a text begins as a condition. */
bool ig_row_condition(const ig_dataset *set, const char *text);

/* Sort ascending rows by a column, unknown values last; by 32 bytes of words. */
ig_status ig_row_sort(const ig_row_source *source, size_t column, bool descends,
                      uint32_t *row, size_t count, ig_error *error);
