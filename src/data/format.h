/* Formats of input: a table of readers. A format is a file that defines an ig_format,
 * and a line in the table of data/open.c. */
#ifndef DATA_FORMAT_H
#define DATA_FORMAT_H

#include "data/columns.h"
#include "data/vectors.h"

/* What a reader is given. */
typedef struct ig_source {
    const char *path;
    ig_content *content; /* of the file; taken over by vectors that lie in it */
    const ig_set_options *options;
    ig_columns *columns; /* gets a row for each vector, unless vectors are all it has */
    uint32_t language;   /* of LANG=FILE, by its number in the columns */
} ig_source;

typedef struct ig_format {
    const char *ending[3]; /* of names, in lower case; none: tried when no other fits */
    const char *magic;     /* what such files begin with, or NULL */

    /* Whether bytes look like such a file's, where that takes more than a magic; or
     * NULL. */
    bool (*looks)(const unsigned char *bytes, size_t size,
                  const ig_set_options *options);

    /* How such DATA is given, for --help: where it stands by itself, and as the vectors
     * of LANG=FILE. NULL: it may not stand there. */
    const char *alone, *of_language;

    /* It is known, but `read` only says what converts it: wherever it stands. */
    bool refused;

    /* Whether it is meant, given the options; NULL: always. */
    bool (*applies)(const ig_set_options *options);

    bool has_texts; /* of its own: LANG=FILE takes no other */

    /* Read or map it, and append to the columns the rows of what it has beside vectors,
     * all or none. The vectors are the caller's only when IG_OK is returned; errors
     * name the file, and the line where there is one. */
    ig_status (*read)(const ig_source *source, ig_vectors *vectors, ig_error *error);
} ig_format;

/* Refuse a folder that holds a dataset of another program, with the command that
 * converts it. IG_OK, or IG_FORMAT. */
ig_status ig_foreign_folder(const char *path, ig_error *error);

/* Append to the columns the rows of a table without vectors that belongs to a matrix:
 * languages, texts, ids, labels. */
ig_status ig_set_table_read(const char *path, const ig_set_options *options,
                            ig_columns *columns, ig_error *error);

#endif
