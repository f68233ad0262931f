/* Tables: CSV and TSV as RFC 4180 has them, record by record.
 *
 * A record's line is the line of the file where it begins, counted by newlines from 1.
 * Blank lines are skipped, a byte order mark and CRLF accepted, spaces kept. Quotes are
 * strict: one within an unquoted field, after a closing quote or never closed is an
 * error. */
#ifndef DATA_TABLE_H
#define DATA_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "data/content.h"
#include "data/set.h"

typedef struct ig_field {
    const char *bytes; /* not ended by a zero byte; dies with the call */
    size_t length;
} ig_field;

typedef struct ig_record {
    const char *file;
    size_t line;
    size_t number; /* 0: the first record, which is the header when there is one */
    size_t count;
    const ig_field *field; /* (count) */
} ig_record;

/* Called for each record in order; anything but IG_OK ends the reading with it. */
typedef ig_status ig_record_take(void *context, const ig_record *record,
                                 ig_error *error);

typedef struct ig_table ig_table;

/* A reader of bytes as they come.
 *   file       in  name for messages; must outlive the reader
 *   delimiter  in  one ASCII character, not a quote or a line end
 *   header     in  the first record names the fields of the others (for messages)
 * IG_OK, IG_USAGE (delimiter) or IG_NOMEM. */
ig_status ig_table_new(ig_table **table, const char *file, char delimiter, bool header,
                       ig_record_take *take, void *context, ig_error *error);

/* The next bytes, however they are cut. A record whose number of fields differs from
 * the first one's is an IG_FORMAT error ("demo.csv:311: expected 4 fields as in the
 * header, got 5"). After a failure only ig_table_delete may be called. */
ig_status ig_table_feed(ig_table *table, const char *bytes, size_t size,
                        ig_error *error);

/* The end of the file: delivers a last record without a line end. IG_FORMAT when there
 * was no record at all. */
ig_status ig_table_finish(ig_table *table, ig_error *error);

void ig_table_delete(ig_table *table);

/* Where the first line ends, as the parser ends a record: at its line feed or carriage
 * return; NULL: nowhere. */
const unsigned char *ig_table_line_end(const unsigned char *bytes, size_t size);

/* Read a whole file. delimiter 0: tab for .tsv, comma for .csv, and for
 * other names what the first line has. */
ig_status ig_table_read(const char *path, char delimiter, bool header,
                        ig_record_take *take, void *context, ig_error *error);

/* The same from its bytes; `reading` (or NULL) is told how far it is. */
ig_status ig_table_parse(const char *path, const ig_content *content, char delimiter,
                         bool header, ig_record_take *take, void *context,
                         const ig_reading *reading, ig_error *error);

/* The field of a record that is `name`, or its count when none is. */
size_t ig_record_find(const ig_record *record, const char *name);

/* Read field `column`, called `name` in messages, as a row of the set. IG_OK, IG_FORMAT
 * (no number) or IG_VALUE (no such row). */
ig_status ig_record_row(const ig_record *record, size_t column, const char *name,
                        const ig_set *set, uint32_t *row, ig_error *error);

#endif
