/* A dataset: N rows × d floats with, per row, a language, a text, an id and labels.
 *
 * A file of native floats or halves above 64 MB is mapped; others are read. A dataset
 * is immutable once opened; any thread may read it. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/file.h"
#include "core/rows.h"
#include "data/content.h"

#define IG_NO_ID UINT32_MAX

/* A label: a further column of categories, and of numbers if every value is one. */
typedef struct ig_label {
    const char *name;
    size_t categories;
    const char **category; /* (categories) distinct values, by first appearance */
    uint32_t *value;       /* (rows) index into category */
    double *number;        /* (categories) these as numbers, or NULL */
    const char *word;      /* the first that is no finite number, or NULL */
} ig_label;

/* Findings on opening, shown above the table. */
typedef struct ig_dataset_notes {
    size_t empty_texts;
    size_t broken_texts;     /* not valid UTF-8 */
    size_t repeated_ids;     /* rows that repeat an id within a language */
    size_t single_languages; /* languages with one row */
    size_t dropped;          /* rows that are not finite, by --drop-invalid; … */
    const char *left_out;    /* … ", 3 rows left out, not finite", or "" */
    size_t remarks;
    const char *const *remark; /* decisions about columns and arrays; counts as above */
} ig_dataset_notes;

typedef struct ig_dataset {
    const char *name;    /* "demo", or the first file's name without its extension */
    const char *version; /* "04", of several versions (data/versions.h), or NULL */
    size_t rows;         /* N */
    size_t dims;         /* d, after --dims: the first of … */
    size_t stored_dims;  /* … those in the file */
    const char *numbers; /* "float16": of the first file; NULL: no vectors */

    size_t languages;      /* K */
    const char **language; /* (K) codes, numbered by first appearance */
    size_t *language_rows; /* (K) rows of each */
    uint16_t *lang;        /* (N) */

    bool has_text;
    const char **text; /* (N) UTF-8, "" if none; never NULL */

    size_t ids;           /* distinct ids, numbered by first appearance; 0: none */
    const char **id_name; /* (ids) */
    uint32_t *id;         /* (N) or IG_NO_ID */

    size_t labels;
    ig_label *label;       /* (labels) */
    const ig_label *xy[2]; /* finite labels x and y, a ready map (UMAP); or both NULL */
    ig_dataset_notes notes;
    uint64_t checksum; /* FNV-1a over shape, dtypes, languages, ids and sampled bytes */
    const ig_mapping *mapping; /* of the rows; empty: they are not mapped */
    struct ig_dataset_private *inside;
} ig_dataset;

/* Roles of columns, keys and arrays in input files. */
typedef enum ig_column_role {
    IG_COLUMN_LANG,
    IG_COLUMN_TEXT,
    IG_COLUMN_ID,
    IG_COLUMN_VECTOR, /* key or array; tables use --vectors */
    IG_COLUMN_X,      /* labels of a precomputed map */
    IG_COLUMN_Y,
    IG_COLUMN_SCORE, /* of --scores */
    IG_COLUMN_ROLES
} ig_column_role;

/* Quotes in tables: plain characters, or those of quoted fields. */
enum { IG_QUOTE_NONE = 1, IG_QUOTE_DOUBLE };

typedef struct ig_dataset_options {
    const char *meta;    /* --meta FILE, or NULL */
    const char *vectors; /* --vectors FIRST-LAST column names, or NULL */
    char delimiter;      /* of tables; 0: by file type */
    int quote;           /* quotes in tables: 0: by their use; else IG_QUOTE_… */
    int header;          /* 1: tables have none; columns are 1, 2, … */
    size_t dims;         /* use the first K columns; 0: all */
    const char *column[IG_COLUMN_ROLES]; /* --column lang=NAME; NULL: default name */
    int versions;              /* each DATA argument is a version (data/versions.h) */
    const char *only;          /* version to open, or NULL: all */
    const char *lang;          /* --lang CODE for rows without a language, or NULL */
    int drop_invalid;          /* leave out rows that are not finite */
    bool texts;                /* the rows have no vectors: sentences to encode */
    bool languages;            /* each DATA argument is a language (data/versions.h) */
    ig_inputs *inputs;         /* receives every file read, or NULL */
    const ig_reading *reading; /* progress and cancellation, or NULL */
    const char *converter;     /* path of convert.py for messages, or NULL */
    const char *other;         /* "--test-meta": of a dataset besides DATA, or NULL */
    const struct ig_dataset *base; /* whose rows have these vectors, too, whatever the
                                      file says; must outlive it; or NULL */
} ig_dataset_options;

/* Name of a column: from the options, else "lang", "text", "id", "embedding", …; of its
 * role in --column: "lang", "text", "id", "vector", "x", "y", "score". */
const char *ig_column_name(const ig_dataset_options *options, ig_column_role role);
const char *ig_column_role_name(ig_column_role role);

/* Parse "lang=NAME" (or another role) into name[role]; NAME is not copied. `label` is
 * the option's name for messages. IG_OK or IG_USAGE. */
ig_status ig_column_take(const char *name[IG_COLUMN_ROLES], const char *label,
                         const char *value, ig_error *error);

/* Index of the column of a role among `count` names: an exact match, or without
 * --column the first synonym ("languages", "Sentence"). Returns `count` if none. */
size_t ig_column_find(const ig_dataset_options *options, ig_column_role role,
                      const char *const *name, size_t count);

/* Open n DATA arguments as one dataset (DATA in the man page). options may be NULL. On
 * failure *set is NULL. Does not check that values are finite. IG_INTERRUPTED:
 * options->reading was stopped. */
ig_status ig_dataset_open(ig_dataset **set, const char *const *data, size_t n,
                          const ig_dataset_options *options, ig_error *error);

/* Create a dataset over float rows, which alone must outlive it. text, id: or NULL. */
ig_status ig_dataset_of_rows(ig_dataset **set, const char *name, const float *rows,
                             size_t n, size_t dims, const char *const *lang,
                             const char *const *text, const char *const *id,
                             ig_error *error);

/* Free the dataset and unmap its files. NULL is accepted. */
void ig_dataset_free(ig_dataset *set);

/* Check that every value is finite. IG_VALUE: how many rows are not, the first.
 * *zero_rows (optional) counts rows of norm 0. *stop (optional): IG_INTERRUPTED. */
ig_status ig_dataset_check(const ig_dataset *set, size_t *zero_rows,
                           const atomic_bool *stop, ig_error *error);

/* Bytes of the rows; rows row[0 … count), with NULL first … first+count−1, as floats,
 * `stride` apart. */
size_t ig_dataset_bytes(const ig_dataset *set);
void ig_dataset_rows(const ig_dataset *set, const uint32_t *row, size_t first,
                     size_t count, float *out, size_t stride);

/* Whether two rows are translations: same id, different languages. */
bool ig_dataset_translates(const ig_dataset *set, uint32_t a, uint32_t b);

/* Number of a language code, or -1, and IG_VALUE with the languages that there are. */
int ig_dataset_language(const ig_dataset *set, const char *code, size_t length,
                        ig_error *error);

/* Original rows of a dataset, which must outlive the result: in place for native
 * floats, converted tile by tile otherwise. */
ig_rows ig_rows_of_dataset(const ig_dataset *set);

enum { IG_SET_SPACES = 2 };

/* What to write. The first space becomes the vectors that a reader finds. */
typedef struct ig_dataset_output {
    const ig_dataset *set;
    const uint32_t *row; /* (count) rows of the dataset, ascending; NULL: all */
    size_t count;
    const ig_rows *space[IG_SET_SPACES]; /* (rows of the dataset, d), or NULL */
    const char *name[IG_SET_SPACES];     /* keys of JSON: the first "embedding" */
    ig_pool *pool;                       /* or NULL: single-threaded */
    const atomic_bool *stop; /* set to true: cancels without a file; or NULL */
} ig_dataset_output;

/* Write a .csv, the first space alone, or .jsonl. Fails by IO, memory, interruption. */
ig_status ig_dataset_write(const char *path, const ig_dataset_output *output,
                           ig_error *error);

/* Write a form of the rows: the first space as a .npy array; columns and, if it is
 * given, the first space; or columns and all spaces. */
typedef enum ig_set_form { IG_SET_NPY, IG_SET_CSV, IG_SET_JSONL } ig_set_form;
ig_status ig_dataset_put(FILE *file, const ig_dataset_output *output, ig_set_form form,
                         ig_error *error);
