/* The tables of a pivot (measure/pivot.h). */
#pragma once

#include "measure/pivot.h"
#include "report/text_table.h"

/* Print them: a table for each block, shares in percent, the best of a column marked;
 * for programs (IG_AS_CSV, IG_AS_JSON) one table, a row for each row and block. IG_OK
 * or IG_NOMEM. */
ig_status ig_pivot_print(const ig_pivot *pivot, FILE *out, ig_table_format format,
                         size_t columns, bool utf8, ig_error *error);

/* Write them as a page (HTML). IG_OK, IG_IO or IG_NOMEM. */
ig_status ig_pivot_write(const ig_pivot *pivot, const char *path, ig_error *error);
