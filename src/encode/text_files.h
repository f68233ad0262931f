/* Sentences to be encoded, in files: one language a file, a sentence a line, or tables
 * and JSON Lines with a language and a text in every record. They are read from the
 * first to the last as often as needed and never kept, so that memory does not grow
 * with them. */
#ifndef ENCODE_TEXT_FILES_H
#define ENCODE_TEXT_FILES_H

#include <stdint.h>

#include "base/inputs.h"
#include "data/columns.h"
#include "data/table.h"

/* One sentence. What it points to dies with the call. */
typedef struct ig_text_row {
    const char *file;
    size_t line;
    ig_field lang, text;
    const ig_field *field; /* (columns) all there is of it, by column */
} ig_text_row;

/* Files that are looked through. A zeroed struct may be freed. */
typedef struct ig_text_files {
    struct ig_text_file *file; /* (files) */
    size_t files;
    char delimiter;                    /* of tables; 0: by the file's ending */
    const char *name[IG_COLUMN_ROLES]; /* that files have for a column, or NULL */
    const char *lang;                  /* of files that say none, or NULL */
    size_t columns; /* of every record: lang and text, and what else there is */
    char **column;  /* (columns) their names */
    size_t count;   /* sentences */
    size_t empty;   /* of them without a text */
    size_t languages;
    uint64_t checksum; /* of all languages and texts */
} ig_text_files;

typedef ig_status ig_text_row_take(void *context, const ig_text_row *sentence,
                                   ig_error *error);

/* Look through files, given as LANG=FILE (a text file, or a table or JSON Lines without
 * languages) or FILE.csv, .tsv, .jsonl, .ndjson, packed by gzip or not; all must have
 * the same columns.
 *   options  in      of these the delimiter of tables, the names of columns and the
 *                    language of files that say none; outlive the files
 *   inputs   in/out  gets every file, or NULL
 * IG_OK, or a sentence that names file and line: no such column, no UTF-8, no sentence
 * at all. */
ig_status ig_text_files_open(ig_text_files *s, const char *const *argument, size_t n,
                             const ig_set_options *options, ig_inputs *inputs,
                             ig_error *error);

/* Every sentence in order; anything but IG_OK of `take` ends it. */
ig_status ig_text_files_each(const ig_text_files *s, ig_text_row_take *take,
                             void *context, ig_error *error);

void ig_text_files_free(ig_text_files *s);

#endif
