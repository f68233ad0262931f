/* Formats of files, and the rows that they hold: cells with names, and vectors. What
 * the names mean is resolved here, for all formats. */
#pragma once

#include "data/dataset.h"
#include "data/names.h"
#include "data/npy.h"
#include "data/table.h"

/* Row numbers are 32-bit, some signed. */
#define IG_MAX_ROWS ((size_t)0x7fffffff)

/* Distinct values by first appearance, and for each row the number of its value plus 1,
 * 0: none. The array grows up to the last row with a value. */
typedef struct ig_value_column {
    const char *name;
    ig_names values;
    uint32_t *value; /* (capacity) */
    size_t capacity;
} ig_value_column;

/* Columns of a dataset while it is read, over all DATA arguments. Zeroed: no rows. */
typedef struct ig_columns {
    size_t rows;
    const char **text; /* (texts) or NULL: none */
    size_t texts;
    bool has_text;
    ig_value_column role[IG_COLUMN_ID + 1]; /* that of texts is unused */
    ig_value_column *label;
    size_t labels, label_capacity;
    bool languages;   /* each part is one, with ids from its rows' numbers */
    ig_names remarks; /* for the notes */
    ig_arena memory;  /* of texts and names */
} ig_columns;

/* Add a sentence to the notes, once. */
void ig_columns_remark(ig_columns *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void ig_columns_free(ig_columns *c);

/* Where the cells of a column go: to a role up to IG_COLUMN_ID, a label, or: */
enum {
    IG_TO_LABELS = IG_COLUMN_ID + 1, /* number of the first label */
    IG_TO_LABEL = -1,                /* a label, from its first value on */
    IG_TO_LIST = -2,                 /* the whole vector: "[0.1, 0.2]" */
    IG_TO_VALUE = -3,                /* a value of the vector */
    IG_TO_NOTHING = -4
};

/* A file that is read. Functions do nothing after a failure; `status` ends loops. */
typedef struct ig_reader {
    const struct ig_format *format; /* whose `read` is called */
    const char *path;
    ig_content *content; /* moved to the vectors if they map it */
    const ig_dataset_options *options;
    ig_columns *columns;  /* receives a row per vector, unless the file has vectors
                             only; NULL: the rows are known */
    const char *language; /* of LANG=FILE, or NULL */
    bool has_vectors;     /* the rows have vectors, to be read from cells */
    size_t line;          /* that is read, for messages; 0: the file has none */
    ig_error *error;
    ig_status status;

    const char *kind; /* "column", "key", "array": for messages */
    ig_names names;
    int *to; /* (names.count) roles, labels or IG_TO_… */
    size_t to_capacity;

    size_t rows, dims; /* dims 0: unknown */
    float *values;     /* (rows, dims) */
    size_t used, capacity;
    ig_array vectors; /* set by the format, or at the end from the values */
} ig_reader;

/* A file that is open, and its arrays if it has some. Zeroed: not open. */
typedef struct ig_arrays {
    const char *path;
    ig_content content;
    const struct ig_format *format;
    ig_names names; /* (count) in order; a file without names: one, "" */
    ig_array *array;
    size_t count, capacity;
    bool languages; /* a matrix for each */
} ig_arrays;

typedef struct ig_format {
    const char *ending[4]; /* file types, lower case, then NULL */
    const char *magic;     /* signature, or NULL */

    /* Detects the format from the first bytes if a magic is not enough; or NULL. */
    bool (*looks)(const unsigned char *bytes, size_t size,
                  const ig_dataset_options *options);

    /* List the arrays of a file of named arrays; NULL: use `read`. */
    ig_status (*list)(ig_arrays *arrays, ig_error *error);

    /* Read the file, appending its rows to the columns. Errors name file and line. */
    void (*read)(ig_reader *r);
} ig_format;

/* Unless it failed before, fail with IG_FORMAT, "file:line: …", or line 0 "file: …". */
void ig_reader_fail(ig_reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Add names, a column each; resolve the roles of those that are known before the first
 * row; append rows and their cells. */
void ig_reader_name(ig_reader *r, ig_field name);
void ig_reader_resolve(ig_reader *r);
void ig_reader_row(ig_reader *r);
void ig_reader_cell(ig_reader *r, size_t column, ig_field cell);

/* Set the text of the last row, which is kept up to 64 KB and has no NUL byte, or its
 * value of another role or a label (empty: none). */
void ig_reader_set(ig_reader *r, size_t column, ig_field value);

/* Append a value of the vectors: false: the field is no number. Report progress, every
 * 256 rows; `at`: the end of what is read. */
bool ig_reader_value(ig_reader *reader, const char *text, size_t length);
void ig_reader_report(ig_reader *r, const char *at);

/* Complete r->vectors, which the caller frees, and free the rest. IG_FORMAT also if
 * there are no rows. */
ig_status ig_reader_end(ig_reader *r);

/* Whether the matrices of a file are named for languages, and none is the vectors. */
bool ig_arrays_are_languages(const ig_arrays *a, const ig_dataset_options *options);

void ig_arrays_free(ig_arrays *a);

/* Whether an array is a matrix of numbers that can be vectors; whether a name is a code
 * of a language: "de", "zh-CN", "eng_Latn". */
bool ig_array_is_matrix(const ig_array *m);
bool ig_name_is_language(const char *name);

/* Read a file: the vectors are --column vector=NAME, the one with a usual name, or the
 * only matrix. Arrays with a value per row are columns, if they include a language, a
 * text or an id; others are named in the notes. As `read` of a format. */
void ig_arrays_read(ig_arrays *a, ig_reader *r);

/* Vectors of one DATA argument; parts are concatenated in order. */
typedef struct ig_dataset_part {
    char *file;       /* its path, for messages */
    size_t first;     /* its first row in the concatenated files */
    ig_array vectors; /* without values, once the dataset has its rows */
} ig_dataset_part;

struct ig_dataset_private {
    ig_dataset_part *part;
    size_t parts, part_capacity;
    ig_array rows;        /* of the dataset: native floats or halves, in C order */
    ig_columns columns;   /* whose memory is that of the public fields, too */
    const uint32_t *pick; /* (rows) rows of the concatenated files, or NULL: all */
};

/* An empty dataset with its private fields, or NULL. */
ig_dataset *ig_dataset_blank(void);

/* Append vectors as a part, which owns them from then on.
 *   dims  in  the first of their dimensions that are used (--dims), or 0: all */
ig_status ig_dataset_add_part(ig_dataset *set, const char *file, ig_array *vectors,
                              size_t dims, ig_error *error);

/* The last step of opening, unless `status` is a failure: choose the rows, fill the
 * public fields from the columns and the parts, and convert the vectors. *out is NULL,
 * and the set freed, after a failure. IG_VALUE: no finite row, too many languages. */
ig_status ig_dataset_end(ig_dataset **out, ig_dataset *set,
                         const ig_dataset_options *options, ig_status status,
                         ig_error *error);
