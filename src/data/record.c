/* Columns and row numbers of records. */
#include "data/record.h"

#include <string.h>

#include "data/number.h"
#include "data/quote.h"

size_t ig_record_find(const ig_record *record, const char *name)
{
    size_t length = strlen(name), i = 0;

    while (i < record->count && (record->field[i].length != length ||
                                 memcmp(record->field[i].bytes, name, length) != 0))
        i++;
    return i;
}

ig_status ig_record_row(const ig_record *record, size_t column, const char *name,
                        const ig_set *set, uint32_t *row, ig_error *error)
{
    const ig_field *f = &record->field[column];
    char quoted[IG_QUOTE_SIZE];
    size_t number;

    if (!ig_number_size(f->bytes, f->length, &number))
        return ig_fail(error, IG_FORMAT,
                       "%s:%zu: column %zu (%s) is not a row number: '%s'",
                       record->file, record->line, column + 1, name,
                       ig_quote(quoted, f->bytes, f->length));
    if (number >= set->rows)
        return ig_fail(error, IG_VALUE,
                       "%s:%zu: column %zu (%s) is row %zu, but %s has rows 0 to %zu",
                       record->file, record->line, column + 1, name, number, set->name,
                       set->rows - 1);
    *row = (uint32_t)number;
    return IG_OK;
}
