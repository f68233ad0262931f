/* Columns of a dataset while it is read: per row a language, a text, an id and labels,
 * appended row by row over all DATA arguments; the roles of names. */
#ifndef DATA_COLUMNS_H
#define DATA_COLUMNS_H

#include "data/dataset.h"
#include "data/names.h"

/* Row numbers are 32-bit, some signed. */
#define IG_MAX_ROWS ((size_t)0x7fffffff)

/* --- roles ------------------------------------------------------------------------ */

/* Name of a column: from the options, else "lang", "text", "id", "embedding", … */
const char *ig_column_name(const ig_dataset_options *options, ig_column_role role);

/* Role name in --column: "lang", "text", "id", "vector", "x", "y", "score". */
const char *ig_column_role_name(ig_column_role role);

/* Parse "lang=NAME" (or another role) into name[role]; NAME is not copied. `label` is
 * the option's name for messages. IG_OK or IG_USAGE. */
ig_status ig_column_take(const char *name[IG_COLUMN_ROLES], const char *label,
                         const char *value, ig_error *error);

/* Index of the column of a role among `count` names: an exact match, or without
 * --column the first synonym ("languages", "Sentence"). Returns `count` if none. */
size_t ig_column_find(const ig_dataset_options *options, ig_column_role role,
                      const char *const *name, size_t count);

/* --- rows ------------------------------------------------------------------------- */

/* Distinct values by first appearance, and the number of each row's, or IG_NO_ID. */
typedef struct ig_value_column {
    const char *name;
    ig_names values;
    uint32_t *value; /* (capacity) */
} ig_value_column;

/* Zeroed: no rows and no columns. What is appended after memory was short is lost. */
typedef struct ig_columns {
    size_t rows;
    size_t capacity;   /* of the arrays of rows */
    const char **text; /* "" if none */
    uint32_t *line;    /* of its file, from 1; 0: unknown */
    bool has_text;
    ig_value_column *column; /* IG_COLUMN_LANG, _TEXT (unused), _ID, then labels */
    size_t columns, column_capacity;
    ig_names remarks; /* for the notes */
    ig_arena texts;   /* failed: memory was short, for rows or anything else */
} ig_columns;

void ig_columns_free(ig_columns *c);

/* Number of a label, added if new. */
size_t ig_columns_label(ig_columns *c, const char *name);

/* Append a row of a line of its file, of a language or of none; no text, id or
 * labels. */
void ig_columns_append(ig_columns *c, const char *language, size_t line);

/* Set the text of the last row, which is kept up to 64 KB or a NUL byte, or its value
 * in a column (empty: none). */
void ig_columns_text(ig_columns *c, const char *bytes, size_t length);
void ig_columns_set(ig_columns *c, size_t column, const char *bytes, size_t length);

/* Add a sentence to the notes, once. */
void ig_columns_remark(ig_columns *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* IG_OK, or IG_NOMEM: memory was short, or there are 2^31 rows or more. */
ig_status ig_columns_check(const ig_columns *c, ig_error *error);

#endif
