/* Records of tables about rows of a set: columns by their names, and row numbers. */
#ifndef DATA_RECORD_H
#define DATA_RECORD_H

#include "data/set.h"
#include "data/table.h"

/* The field of a record that is `name`, or its count when none is. */
size_t ig_record_find(const ig_record *record, const char *name);

/* Read field `column`, called `name` in messages, as a row of the set. IG_OK, IG_FORMAT
 * (no number) or IG_VALUE (no such row). */
ig_status ig_record_row(const ig_record *record, size_t column, const char *name,
                        const ig_set *set, uint32_t *row, ig_error *error);

#endif
