/* Rows of a set, with vectors of any space, as a file for other programs: a table of
 * writers by the path's ending. Files are complete or absent. */
#ifndef DATA_SET_WRITER_H
#define DATA_SET_WRITER_H

#include "base/pool.h"
#include "data/set.h"

enum { IG_SET_SPACES = 2 };

/* What is written. The first space is what a reader finds as the vectors. */
typedef struct ig_set_output {
    const ig_set *set;
    const uint32_t *row; /* (count) rows of the set, ascending; NULL: all of them */
    size_t count;
    const ig_rows *space[IG_SET_SPACES]; /* (rows of the set, d); NULL: there is none */
    const char *name[IG_SET_SPACES];     /* "meaning" */
    ig_pool *pool;                       /* or NULL: one thread */
    const atomic_bool *stop;             /* turns true: nothing is written; or NULL */
} ig_set_output;

/* Whether an ending is that of a format that is written: .npz, .jsonl, .csv, .tsv. */
bool ig_set_is_written(const char *path);

/* The endings and what each is, for help: NULL past the last. */
const char *ig_set_written(size_t i);

/* Write a file; .tsv is the vectors alone, as the TensorBoard projector reads them,
 * with PATH's name and ".metadata.tsv" beside it. IG_OK, IG_IO, IG_NOMEM,
 * IG_INTERRUPTED, or IG_USAGE: an ending that is not known. */
ig_status ig_set_write(const char *path, const ig_set_output *output, ig_error *error);

#endif
