/* Export of rows of a dataset, with vectors of any space, as .npy, .jsonl or .csv. */
#pragma once

#include "core/pool.h"
#include "data/dataset.h"

enum { IG_SET_SPACES = 2 };

/* What to write. The first space becomes the vectors that a reader finds. */
typedef struct ig_dataset_output {
    const ig_dataset *set;
    const uint32_t *row; /* (count) rows of the dataset, ascending; NULL: all */
    size_t count;
    const ig_rows *space[IG_SET_SPACES]; /* (rows of the dataset, d), or NULL */
    const char *name[IG_SET_SPACES];     /* "meaning" */
    ig_pool *pool;                       /* or NULL: single-threaded */
    const atomic_bool *stop; /* set to true: cancels without a file; or NULL */
} ig_dataset_output;

/* Whether a path has the file type of a writer: .jsonl, .csv. */
bool ig_dataset_is_written(const char *path);

/* Write a file of that type; a .csv holds the first space alone. IG_OK, IG_IO, IG_NOMEM
 * or IG_INTERRUPTED. */
ig_status ig_dataset_write(const char *path, const ig_dataset_output *output,
                           ig_error *error);

/* Write a form of the rows: the first space as a .npy array; columns and, if it is
 * given, the first space; or columns and all spaces. */
typedef enum ig_set_form { IG_SET_NPY, IG_SET_CSV, IG_SET_JSONL } ig_set_form;
ig_status ig_dataset_put(FILE *file, const ig_dataset_output *output, ig_set_form form,
                         ig_error *error);
