/* Rows of a set by their whole text: for files that name sentences and words, not row
 * numbers. */
#ifndef DATA_TEXT_ROWS_H
#define DATA_TEXT_ROWS_H

#include "data/names.h"
#include "data/set.h"

#define IG_TEXT_ROWS_NONE UINT32_MAX

/* A zeroed struct may be freed. */
typedef struct ig_text_rows {
    ig_names texts;
    uint32_t *first; /* (texts) the first row with a text */
    uint32_t *next;  /* (rows) the next row with the same text, or none */
} ig_text_rows;

/* O(rows). IG_OK, IG_NOMEM, or IG_VALUE: the set has no texts, which `path` needs. */
ig_status ig_text_rows_init(ig_text_rows *index, const ig_set *set, const char *path,
                            ig_error *error);

/* The first row that has a text, in order of the rows; or none. */
uint32_t ig_text_rows_find(const ig_text_rows *index, const char *text, size_t length);

void ig_text_rows_free(ig_text_rows *index);

#endif
