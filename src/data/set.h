/* A set: N rows × d floats with, per row, a language, a text, an id and label columns.
 *
 * Vectors are read where they lie: files are mapped, and rows are widened to float by
 * the tile. A set never changes after it is opened; any thread may read it. */
#ifndef DATA_SET_H
#define DATA_SET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/inputs.h"
#include "data/reading.h"
#include "linear/rows.h"

#define IG_NO_ID UINT32_MAX

/* A further column of the table: categories, and numbers when every value is one. */
typedef struct ig_label {
    const char *name;
    size_t categories;
    const char **category; /* (categories) distinct values, by first appearance */
    uint32_t *value;       /* (rows) index into category */
    double *number;        /* (rows) the value as a number, or NULL when one is not */
} ig_label;

/* What was seen on opening and is shown in the data panel. */
typedef struct ig_set_notes {
    size_t empty_texts;
    size_t broken_texts;     /* that are no UTF-8 */
    size_t repeated_ids;     /* rows whose id occurs before in the same language */
    size_t single_languages; /* languages with one row */
    size_t sampled_from;     /* rows before --limit; 0: not sampled */
    /* Columns that were taken as lang, text and id, where they have other names. */
    const char *alias[3];
} ig_set_notes;

typedef struct ig_set {
    const char *name; /* "demo", or the first file's name without its ending */
    size_t rows;      /* N */
    size_t dims;      /* d, after --dims */

    size_t languages;      /* K */
    const char **language; /* (K) codes, numbered by first appearance */
    size_t *language_rows; /* (K) rows of each */
    uint16_t *lang;        /* (N) */

    bool has_text;
    const char **text; /* (N) UTF-8, "" where there is none; never NULL */

    bool has_ids;
    size_t ids;           /* distinct ids, numbered by first appearance */
    const char **id_name; /* (ids) */
    uint32_t *id;         /* (N) or IG_NO_ID */

    size_t labels;
    ig_label *label; /* (labels) */

    /* The labels x and y, where both hold finite numbers: a map of the rows that was
     * made elsewhere (UMAP, t-SNE). NULL both: there is none. */
    const ig_label *xy[2];

    ig_set_notes notes;
    uint64_t checksum; /* FNV-1a over shape, dtypes, languages, ids and sampled bytes */
    struct ig_set_private *inside;
} ig_set;

/* What a column, key or array of a file can be, by its name. */
typedef enum ig_column_role {
    IG_COLUMN_LANG,
    IG_COLUMN_TEXT,
    IG_COLUMN_ID,
    IG_COLUMN_VECTOR, /* a key or array: of a table's columns there is --vectors */
    IG_COLUMN_X,      /* labels that are a ready map */
    IG_COLUMN_Y,
    IG_COLUMN_ROLES
} ig_column_role;

typedef struct ig_set_options {
    const char *meta;    /* --meta FILE, or NULL */
    const char *vectors; /* --vectors FIRST-LAST column names, or NULL */
    char delimiter;      /* 0: from the file's ending */
    size_t dims;         /* first K columns; 0: all */
    size_t limit;        /* stratified sample of that many ids (rows when there are
                            none); 0: all */
    uint64_t seed;       /* of the sample */
    size_t raw_dim;      /* --dim of headerless files; 0: not given */
    int type;            /* of numbers whose file does not say it, by data/vectors.h */
    const char *column[IG_COLUMN_ROLES]; /* --column lang=NAME; NULL: the usual name */
    const char *lang;          /* --lang CODE of rows that say none, or NULL */
    ig_inputs *inputs;         /* gets every file that is read, or NULL */
    const ig_reading *reading; /* who waits for it, or NULL */
} ig_set_options;

/* Open n DATA arguments as one set (DATA in the man page: npy with a table, one table,
 * LANG=vectors[,texts], word vectors, raw; a pattern, "set-*.npy", stands for the files
 * that fit it). options may be NULL. On failure *set is
 * NULL and the error names file, line, column and both facts. Values are not checked to
 * be finite: ig_set_check does. IG_INTERRUPTED: options->reading was stopped. */
ig_status ig_set_open(ig_set **set, const char *const *data, size_t n,
                      const ig_set_options *options, ig_error *error);

/* How DATA is given, an example for each format ("set.npy with set.csv beside it"):
 * standing by itself, or as the vectors of a language. NULL past the last. */
const char *ig_set_example(bool of_language, size_t i);

/* Build a set over float rows of the caller's, which must outlive it (for tests, and
 * users of the library). text and id may be NULL. Names are copied. */
ig_status ig_set_of_rows(ig_set **set, const char *name, const float *rows, size_t n,
                         size_t dims, const char *const *lang, const char *const *text,
                         const char *const *id, ig_error *error);

/* Release the set and unmap its files. NULL is accepted. */
void ig_set_free(ig_set *set);

/* Read every value: IG_VALUE names the file, row and column of the first one that is
 * not finite. *zero_rows (optional) counts rows of length 0. `stop` (optional), when it
 * turns true, ends the pass with IG_INTERRUPTED. */
ig_status ig_set_check(const ig_set *set, size_t *zero_rows, const atomic_bool *stop,
                       ig_error *error);

/* The same, with a checksum over every value as it is read here (--limit, --dims) on
 * the way: sets with the same one have the same rows. It is none of those below. */
ig_status ig_set_check_sum(const ig_set *set, size_t *zero_rows, uint64_t *sum,
                           const atomic_bool *stop, ig_error *error);

/* ig_set_check from a row on: *row is where it begins, and where it was stopped;
 * *zero_rows is added to. */
ig_status ig_set_check_on(const ig_set *set, size_t *row, size_t *zero_rows,
                          const atomic_bool *stop, ig_error *error);

/* A checksum over every value of the set as training reads it: its rows (--limit), its
 * columns (--dims), as floats. One sequential pass by blocks, with memory for one: a
 * third of a second for a gigabyte that lies in memory, else what reading it takes.
 *   sum  out
 * IG_OK or IG_NOMEM. */
ig_status ig_set_checksum_values(const ig_set *set, uint64_t *sum, ig_error *error);

/* Bytes that ig_set_check would read. */
size_t ig_set_bytes(const ig_set *set);

/* Tell the system that rows first … first+count−1 are wanted soon, where they lie in a
 * mapped file. */
void ig_set_expect(const ig_set *set, size_t first, size_t count);

/* Tell it that rows are read here and there from now on, or no longer: a fault then
 * reads no more than it must, where else it would read megabytes. */
void ig_set_scattered(const ig_set *set, bool scattered);

/* Rows first … first+count−1 as floats, `stride` apart. */
void ig_set_rows(const ig_set *set, size_t first, size_t count, float *out,
                 size_t stride);

/* Rows row[0 … count) as floats, `stride` apart. */
void ig_set_gather(const ig_set *set, const uint32_t *row, size_t count, float *out,
                   size_t stride);

/* The rows as they lie, when they already are native floats with every row dims long or
 * more and one after another (N rows, *stride floats apart); NULL otherwise. */
const float *ig_set_direct(const ig_set *set, size_t *stride);

/* Whether two rows are translations of one another: one id, two languages. */
bool ig_set_translates(const ig_set *set, uint32_t a, uint32_t b);

/* One of the files that hold the vectors. */
typedef struct ig_set_file {
    const char *path;
    size_t rows, dims; /* all that it has, whatever --limit and --dims take of them */
    const char *type;  /* "float16", as it is kept: parsed numbers are float32 */
    bool mapped;       /* read where it lies; else it was copied into memory */
} ig_set_file;

/* File i of the set, in the order of its rows; false past the last. */
bool ig_set_file_at(const ig_set *set, size_t i, ig_set_file *file);

/* Dimensions of its vectors where they lie, of which `dims` are used (--dims). */
size_t ig_set_stored_dims(const ig_set *set);

/* Number of a language code, or -1. */
int ig_set_language(const ig_set *set, const char *code);

/* The original rows of a set, which must outlive the source: where they lie when the
 * file holds native floats, widened by the tile otherwise. */
ig_rows ig_rows_of_set(const ig_set *set);

#endif
