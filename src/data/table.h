/* Tables: CSV and TSV according to RFC 4180, record by record.
 *
 * A record's line number is that of its first line, from 1. Blank lines are skipped; a
 * byte order mark and CRLF are accepted; spaces are kept. Quotes are strict: a quote in
 * an unquoted field, after a closing quote or left open is an error. */
#ifndef DATA_TABLE_H
#define DATA_TABLE_H

#include "data/content.h"

typedef struct ig_field {
    const char *bytes; /* not NUL-terminated; valid during the call */
    size_t length;
} ig_field;

typedef struct ig_record {
    const char *file;
    size_t line;
    size_t number; /* 0: the first record (the header, if any) */
    size_t count;
    const ig_field *field; /* (count) */
} ig_record;

/* Called for each record in order; any status but IG_OK stops parsing and is
 * returned. */
typedef ig_status ig_record_take(void *context, const ig_record *record,
                                 ig_error *error);

/* How the fields of a table are separated. */
typedef struct ig_table_style {
    char delimiter;
    bool raw; /* quotes are plain characters, as in tables of raw sentences */
} ig_table_style;

/* Find the style: the delimiter, unless it is given, by file type and first line; and
 * where it is a tab, whether quotes are raw. */
ig_table_style ig_table_guess(const char *path, const ig_content *content,
                              char delimiter);

/* Parse a table.
 *   path       in  name for messages
 *   delimiter  in  one ASCII character, not a quote or line end; 0: see ig_table_guess
 *   header     in  the first record is a header (for messages)
 *   reading    in  progress and cancellation, or NULL
 * IG_OK, IG_USAGE (delimiter), IG_NOMEM, IG_INTERRUPTED, or IG_FORMAT: bad quotes, no
 * records, or a field count that differs from the first record
 * ("demo.csv:311: expected 4 fields as in the header, got 5"). */
ig_status ig_table_parse(const char *path, const ig_content *content, char delimiter,
                         bool header, ig_record_take *take, void *context,
                         const ig_reading *reading, ig_error *error);

/* The same for a file. */
ig_status ig_table_read(const char *path, char delimiter, bool header,
                        ig_record_take *take, void *context, ig_error *error);

/* End of the first line (LF or CR) as the parser splits records; NULL if there is
 * none. */
const unsigned char *ig_table_line_end(const unsigned char *bytes, size_t size);

#endif
