/* Input formats: a table of readers. To add a format, define an ig_format in a file and
 * list it in data/open.c. */
#ifndef DATA_FORMAT_H
#define DATA_FORMAT_H

#include "data/columns.h"
#include "data/vectors.h"

struct ig_arrays;

/* Input of a reader. */
typedef struct ig_source {
    const char *path;
    ig_content *content; /* moved to the vectors if they map it */
    const ig_dataset_options *options;
    ig_columns *columns; /* receives a row per vector, unless the file has vectors only;
                            NULL: the rows are known */
    uint32_t language;   /* language number of LANG=FILE, or UINT32_MAX */
} ig_source;

typedef struct ig_format {
    const char *ending[3]; /* file types, lower case; none: tried if no other matches */
    const char *magic;     /* signature, or NULL */

    /* Detects the format from the first bytes if a magic is not enough; or NULL. */
    bool (*looks)(const unsigned char *bytes, size_t size,
                  const ig_dataset_options *options);

    /* Example of DATA for --help: on its own, and as the vectors of LANG=FILE. NULL:
     * not accepted there. */
    const char *alone, *of_language;

    /* Recognised only; `read` fails with the command that converts it. */
    bool refused;

    /* Whether the format applies given the options; NULL: always. */
    bool (*applies)(const ig_dataset_options *options);

    /* List the arrays of a file of named arrays (data/arrays.h); NULL: use `read`. */
    ig_status (*list)(struct ig_arrays *arrays, ig_error *error);

    bool has_texts; /* contains the texts: LANG=FILE accepts no other */

    /* Read or map the file and append its rows to the columns, all or none. The caller
     * owns the vectors only if IG_OK is returned; errors name the file and the line.
     * Vectors NULL, for .csv, .tsv and .jsonl: the records have none. */
    ig_status (*read)(const ig_source *source, ig_vectors *vectors, ig_error *error);
} ig_format;

/* Fail for a folder that holds another program's dataset, with the command that
 * converts it. IG_OK, or IG_FORMAT. */
ig_status ig_foreign_folder(const char *path, ig_error *error);

/* Append the rows of a matrix's table (languages, texts, ids, labels) to the
 * columns. */
ig_status ig_dataset_table_read(const ig_source *source, ig_error *error);

#endif
