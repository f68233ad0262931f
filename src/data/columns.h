/* Roles of columns, keys and arrays by their names. */
#ifndef DATA_COLUMNS_H
#define DATA_COLUMNS_H

#include "data/dataset.h"

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

#endif
