/* Formats of files, and the rows that they hold: cells with names, and vectors. What
 * the names mean is resolved here, for all formats, before the first row. To add a
 * format, define an ig_format in a file and list it in data/open.c. */
#ifndef DATA_READER_H
#define DATA_READER_H

#include "data/columns.h"
#include "data/npy.h"
#include "data/table.h"

struct ig_arrays;

/* Input of a reader. */
typedef struct ig_source {
    const char *path;
    ig_content *content; /* moved to the vectors if they map it */
    const ig_dataset_options *options;
    ig_columns *columns;  /* receives a row per vector, unless the file has vectors
                             only; NULL: the rows are known */
    const char *language; /* of LANG=FILE, or NULL */
} ig_source;

typedef struct ig_format {
    const char *ending[3]; /* file types, lower case */
    const char *magic;     /* signature, or NULL */

    /* Detects the format from the first bytes if a magic is not enough; or NULL. */
    bool (*looks)(const unsigned char *bytes, size_t size,
                  const ig_dataset_options *options);

    /* Example of DATA for --help: on its own, and as the vectors of LANG=FILE. NULL:
     * not accepted there; both: recognised only, `read` fails with what converts it. */
    const char *alone, *of_language;

    /* List the arrays of a file of named arrays (data/arrays.h); NULL: use `read`. */
    ig_status (*list)(struct ig_arrays *arrays, ig_error *error);

    /* Read or map the file and append its rows to the columns, all or none. The caller
     * owns the vectors only if IG_OK is returned; errors name the file and the line.
     * Vectors NULL, for .csv, .tsv and .jsonl: the records have none. */
    ig_status (*read)(const ig_source *source, ig_vectors *vectors, ig_error *error);
} ig_format;

/* Append the rows of a matrix's table (languages, texts, ids, labels) to the
 * columns. */
ig_status ig_dataset_table_read(const ig_source *source, ig_error *error);

/* --- rows ------------------------------------------------------------------------- */

/* What becomes of a column. */
typedef enum ig_cells {
    IG_CELLS_LANG, /* as IG_COLUMN_LANG … */
    IG_CELLS_TEXT,
    IG_CELLS_ID,
    IG_CELLS_LIST,   /* the whole vector: "[0.1, 0.2]" */
    IG_CELLS_NUMBER, /* a value of the vector */
    IG_CELLS_LABEL,
    IG_CELLS_NONE
} ig_cells;

typedef struct ig_reader_column {
    ig_cells cells;
    size_t label; /* its column, from the first value on */
} ig_reader_column;

/* A zeroed struct with source, kind and flags is ready for names. */
typedef struct ig_reader {
    const ig_source *source;
    const char *kind; /* "column", "key", "array": for messages */
    bool has_vectors; /* the rows have vectors, to be read from cells */
    bool bare;        /* there are no names: columns are 1, 2, … */
    ig_names names;
    ig_reader_column *column; /* (names.count) */
    size_t column_capacity;
    size_t rows, dims; /* dims 0: unknown */
    float *values;     /* (rows, dims) */
    size_t used, capacity;
} ig_reader;

/* Take the names of all columns that are known before the first row, and resolve their
 * roles. IG_FORMAT: a name twice, no language, no vectors, a column of --column that is
 * missing. */
ig_status ig_reader_names(ig_reader *r, const ig_record *names, ig_error *error);

/* Take a further name; its column is the last. */
ig_status ig_reader_add(ig_reader *r, size_t line, ig_field name, ig_error *error);

/* Append a row, and then its cells. `line` 0: the file has no lines. IG_FORMAT: not
 * UTF-8, no number. */
ig_status ig_reader_row(ig_reader *r, size_t line, ig_error *error);
ig_status ig_reader_cell(ig_reader *r, size_t line, size_t column, ig_field cell,
                         ig_error *error);

/* Append `count` values of the next vector, for readers that parse them. */
ig_status ig_reader_values(ig_reader *r, size_t count, float **values, ig_error *error);

/* Finish: move the values to `vectors` if the rows have some and `status` is IG_OK, and
 * free the rest. Returns `status`, or IG_FORMAT: no rows. */
ig_status ig_reader_end(ig_reader *r, ig_status status, ig_vectors *vectors,
                        ig_error *error);

#endif
