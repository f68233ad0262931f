/* The columns of a set while it is read: per row a language, a text, an id and labels,
 * appended row by row over all DATA arguments, and at last handed to the set. */
#ifndef DATA_COLUMNS_H
#define DATA_COLUMNS_H

#include "data/names.h"
#include "data/set.h"

/* Rows are numbered in 32 bits, some of them with a sign. */
#define IG_MAX_ROWS ((size_t)0x7fffffff)

typedef struct ig_label_column {
    const char *name;
    ig_names values;
    uint32_t *value; /* (capacity) */
    size_t filled;   /* rows that have a value */
} ig_label_column;

/* What a column is called: as the options say, or "lang", "text", "id", "embedding",
 * "x", "y". */
const char *ig_column_name(const ig_set_options *options, ig_column_role role);

/* What --column calls a role: "lang", "text", "id", "vector", "x", "y". */
const char *ig_column_role_name(ig_column_role role);

/* Take "lang=NAME" (or another role) as what a column is called; NAME is not
 * copied. `label` is what said it, for messages. IG_OK or IG_USAGE. */
ig_status ig_column_take(const char *name[IG_COLUMN_ROLES], const char *label,
                         const char *value, ig_error *error);

/* A zeroed struct has no rows. */
typedef struct ig_columns {
    size_t rows;
    size_t capacity; /* of the arrays below */
    uint16_t *lang;
    const char **text; /* "" where there is none */
    uint32_t *id;      /* or IG_NO_ID */
    bool has_text;
    bool has_ids;
    const char *alias[IG_COLUMN_ID + 1]; /* the column that was taken for a role, where
                                            it has another name; or NULL */
    ig_names languages;
    ig_names ids;
    ig_texts texts;
    ig_label_column *label;
    ig_names label_names; /* numbered as the labels are */
    size_t labels;
    size_t label_capacity;
} ig_columns;

/* The column of a role among `count` names: the one of its name, or without --column
 * the only one of a similar name ("language", "Sentence"), remembered as the alias.
 * `count`: there is none, also where memory is short. */
size_t ig_columns_find(ig_columns *c, const ig_set_options *options,
                       ig_column_role role, const char *const *name, size_t count);

/* After all DATA: the only label of a name such as "pair_id" is the id, where there is
 * none and a value of it occurs in two languages. IG_OK or IG_NOMEM. */
ig_status ig_columns_find_ids(ig_columns *c, const ig_set_options *options,
                              ig_error *error);

/* Room for `rows` rows in all. IG_OK, IG_NOMEM, or IG_VALUE past IG_MAX_ROWS. */
ig_status ig_columns_reserve(ig_columns *c, size_t rows, ig_error *error);

/* Append a row of a language number, without text, id or labels. */
ig_status ig_columns_append(ig_columns *c, uint32_t language, ig_error *error);

/* Number a language. IG_VALUE past 65,535 of them. */
ig_status ig_columns_language(ig_columns *c, const char *bytes, size_t length,
                              uint32_t *number, ig_error *error);

/* The text, the id (empty: none) and a label of the last row. */
ig_status ig_columns_text(ig_columns *c, const char *bytes, size_t length,
                          ig_error *error);
ig_status ig_columns_id(ig_columns *c, const char *bytes, size_t length,
                        ig_error *error);
ig_status ig_columns_label(ig_columns *c, size_t label, const char *bytes,
                           size_t length, ig_error *error);

/* The number of a label column, added with "" in the rows that are there. */
ig_status ig_columns_add_label(ig_columns *c, const char *name, size_t length,
                               size_t *label, ig_error *error);

/* After each DATA argument: "" for the labels that its rows did not have. */
ig_status ig_columns_end_part(ig_columns *c, ig_error *error);

/* Keep rows keep[0 … count), ascending, and number languages and ids anew. */
ig_status ig_columns_keep(ig_columns *c, const uint32_t *keep, size_t count,
                          ig_error *error);

void ig_columns_free(ig_columns *c);

/* Rows ordered by id, within an id by language, and then by row: those of id i are
 * row[start[i]] … row[start[i + 1] − 1]. Rows without an id are left out. */
typedef struct ig_by_id {
    uint32_t *start; /* (ids + 1) */
    uint32_t *row;
} ig_by_id;

/* O(rows + ids + languages), whatever the order of the rows is. IG_OK or IG_NOMEM. */
ig_status ig_by_id_init(ig_by_id *index, const uint32_t *id, size_t ids,
                        const uint16_t *lang, size_t languages, size_t rows,
                        ig_error *error);

void ig_by_id_free(ig_by_id *index);

#endif
