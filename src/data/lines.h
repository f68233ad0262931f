/* Files of lines: taken one after the other, or all as the texts of rows. */
#ifndef DATA_LINES_H
#define DATA_LINES_H

#include "data/columns.h"

/* Lines of a file in memory, without a byte order mark. */
typedef struct ig_lines {
    const char *at, *end;
    size_t number; /* of the line taken last, from 1 */
} ig_lines;

ig_lines ig_lines_of(const void *bytes, size_t size);

/* The next line, in the file's memory, without its end (LF or CRLF); the last one may
 * have none. False after the last. */
bool ig_lines_next(ig_lines *lines, const char **line, size_t *length);

/* Give rows first … first+count−1 of the columns the lines of a file as texts. A byte
 * order mark and CRLF are accepted, and a last line without an end. IG_SHAPE when there
 * are more or fewer lines ("en.npy has 600 rows but en.txt has 599 lines"). */
ig_status ig_lines_read(const char *path, const char *vectors_path, ig_columns *c,
                        size_t first, size_t count, ig_error *error);

#endif
