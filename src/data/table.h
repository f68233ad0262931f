/* Tables: CSV and TSV according to RFC 4180, or lines of fields, record by record.
 *
 * A record's line number is that of its first line, from 1. Blank lines are skipped; a
 * byte order mark and CRLF are accepted; spaces are kept. Quotes are strict: a quote in
 * an unquoted field, after a closing quote or left open is an error. */
#pragma once

#include "data/content.h"

typedef struct ig_field {
    const char *bytes; /* not NUL-terminated; valid until the next record */
    size_t length;
} ig_field;

typedef struct ig_record {
    const char *file;
    size_t line;
    size_t number; /* 0: the first record (the header, if any) */
    size_t count;
    const ig_field *field; /* (count) */
} ig_record;

/* How the fields of a table are separated. */
typedef struct ig_table_style {
    char delimiter; /* ' ': any number of blanks */
    bool raw;       /* quotes are plain characters, as in tables of raw sentences */
    bool bare;      /* the first record is no header (for messages) */
    bool ragged;    /* records differ in the number of fields, and may be none */
    bool comments;  /* lines that begin with # are skipped */
} ig_table_style;

/* Find the style where options (or NULL) leave it open: the delimiter by file type and
 * first line; and, where it is a tab, whether quotes are raw since some are no part of
 * a quoted field. path NULL: of a matrix, whose numbers blanks may separate. */
struct ig_dataset_options;
ig_table_style ig_table_guess(const char *path, const ig_content *content,
                              const struct ig_dataset_options *options);

/* A table that is read: loop over ig_table_next, setting `status` to stop. */
typedef struct ig_table_reader {
    ig_record record; /* the last one read */
    ig_status status;
    ig_error *error;
    ig_table_style style;
    ig_lines lines;
    size_t columns, capacity;
    ig_field *field;
    ig_arena copies; /* of quoted fields */
} ig_table_reader;

/* Begin reading: content, path and error must outlive the table. Read the next record:
 * false after the last, and where status is not IG_OK. */
void ig_table_open(ig_table_reader *table, const char *path, const ig_content *content,
                   ig_table_style style, ig_error *error);
bool ig_table_next(ig_table_reader *table);

/* Free the table and return its status: IG_USAGE (delimiter), IG_NOMEM, or
 * IG_FORMAT: bad quotes, no records, or a field count that differs from the first
 * record ("demo.csv:311: expected 4 fields as in the header, got 5"). */
ig_status ig_table_close(ig_table_reader *table);

/* Read a table file, and call take for each record until one is not IG_OK. */
typedef ig_status ig_record_take(void *context, const ig_record *record,
                                 ig_error *error);
ig_status ig_table_read(const char *path, ig_record_take *take, void *context,
                        ig_error *error);

/* Parse a number, whatever the locale: decimal digits with optional sign, point and
 * exponent, or nan, inf, infinity in any case, between blanks. Overflow gives infinity.
 * False, with *value unchanged: anything else, or more than 4,095 bytes. Parse digits
 * alone, below 2^53. */
bool ig_number_double(const char *text, size_t length, double *value);
bool ig_number_size(const char *text, size_t length, size_t *value);
