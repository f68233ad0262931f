/* A table written field by field: .tsv with tabs by the path's ending, else .csv by
 * RFC 4180, both with the same quotes. A file is complete or absent. */
#ifndef TUI_TABLE_FILE_H
#define TUI_TABLE_FILE_H

#include "base/file.h"

typedef struct ig_table_file {
    ig_writer writer;
    char delimiter;
    bool begun; /* the line has a field */
} ig_table_file;

/* Whether a path means such a table. */
bool ig_table_file_is(const char *path);

ig_status ig_table_file_open(ig_table_file *table, const char *path, ig_error *error);

/* The next field: a text; a number with the seven digits that floats hold, empty for
 * NaN; a count. */
void ig_table_file_text(ig_table_file *table, const char *text);
void ig_table_file_number(ig_table_file *table, double number);
void ig_table_file_count(ig_table_file *table, size_t count);

void ig_table_file_end_line(ig_table_file *table);

/* IG_OK, or why there is no file. */
ig_status ig_table_file_commit(ig_table_file *table, ig_error *error);

#endif
