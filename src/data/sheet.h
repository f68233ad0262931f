/* Tables as rows of a set: a header names the columns lang, text, id, labels, and, when
 * everything is in one file, the vectors. */
#ifndef DATA_SHEET_H
#define DATA_SHEET_H

#include "data/columns.h"
#include "data/vectors.h"

/* Append the rows of a table to the columns.
 *   vectors  out  the vector columns as floats (rows, dims); NULL: there are none,
 * every
 *                 column beside lang, text and id is a label
 * IG_OK, IG_IO, IG_FORMAT, IG_VALUE, IG_USAGE or IG_NOMEM; *vectors is then empty. */
ig_status ig_sheet_read(const char *path, const ig_set_options *options, ig_columns *c,
                        ig_vectors *vectors, ig_error *error);

/* A table of numbers without a header, as the TensorBoard projector has them. */
ig_status ig_sheet_read_numbers(const char *path, char delimiter, ig_vectors *vectors,
                                ig_error *error);

#endif
