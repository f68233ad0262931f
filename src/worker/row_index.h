/* The rows of a set by id and by language: lists that are made once. */
#ifndef WORKER_ROW_INDEX_H
#define WORKER_ROW_INDEX_H

#include "data/set.h"

/* A zeroed struct is not made yet. Those of key k are row[first[k]] … row[first[k + 1]
 * − 1], ascending. */
typedef struct ig_row_index {
    uint32_t *id_first, *id_row;
    uint32_t *language_first, *language_row;
} ig_row_index;

/* Make what is not made; false when memory is short. */
bool ig_row_index_make(ig_row_index *index, const ig_set *set);

void ig_row_index_free(ig_row_index *index);

/* Rows of an id (IG_NO_ID: none), and of a language. */
const uint32_t *ig_row_index_id(const ig_row_index *index, uint32_t id, size_t *n);
const uint32_t *ig_row_index_language(const ig_row_index *index, size_t language,
                                      size_t *n);

#endif
