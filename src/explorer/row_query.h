/* Rows that meet conditions, and the order of a table of rows.
 *
 * Columns are the row's number, lang, id and text, then the labels of the dataset, then
 * the measured values (ig_value). */
#ifndef WORKER_ROW_QUERY_H
#define WORKER_ROW_QUERY_H

#include "explorer/results.h"
#include "measure/textsearch.h"

enum { IG_ROW_NUMBER, IG_ROW_LANG, IG_ROW_ID, IG_ROW_TEXT, IG_ROW_LABELS };
enum { IG_ROW_FILTER_SIZE = 1024 };

typedef struct ig_row_source {
    const ig_dataset *set;
    const ig_shown_evaluation *measured; /* or NULL */
    const ig_textsearch *texts;          /* or NULL: … */
    bool waits;      /* … a condition on texts was left out, for want of it */
    uint32_t cursor; /* row whose value a column alone stands for */
} ig_row_source;

/* Number of columns, name of one, and the column of a name, or -1 with an error. */
size_t ig_row_columns(const ig_dataset *set);
const char *ig_row_column_name(const ig_dataset *set, size_t column);
long ig_row_column_named(const ig_dataset *set, const char *name, ig_error *error);

/* Bytes of the column's name that a text begins with, before a sign; or 0. */
size_t ig_row_condition(const ig_dataset *set, const char *text);

/* Name of a measured value, and what it is: "mean rank of its translations". */
const char *ig_value_name(ig_value value);
const char *ig_value_about(ig_value value);

/* Whether a column has numbers; the number of a row, NaN: unknown. Its words, "" where
 * a column of numbers has none. */
bool ig_row_is_number(const ig_dataset *set, size_t column);
double ig_row_number(const ig_row_source *source, size_t column, size_t row);
const char *ig_row_word(const ig_dataset *set, size_t column, size_t row);

/* Filter rows by "lang=ja topic=travel rank>10 text~silk": all conditions, of = != < >
 * <= >= ~ (contains, as searches do); "topic" alone: as the row `cursor`. A value not
 * measured meets none.
 *   row  in/out  (rows) cleared where a condition fails; NULL: only check the text
 * IG_OK, IG_USAGE (a sentence that names the column or value) or IG_NOMEM. O(rows) for
 * each condition. */
ig_status ig_row_filter(ig_row_source *source, const char *typed, bool *row,
                        ig_error *error);

/* Sort the rows order[0 … count) by a column, unknown values last. IG_OK or
 * IG_NOMEM. */
ig_status ig_row_sort(const ig_row_source *source, size_t column, bool descends,
                      uint32_t *order, size_t count, ig_error *error);

#endif
