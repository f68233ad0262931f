/* Vectors as they lie in a file: rows of one type in one order, mapped or parsed, and
 * widened to floats by the tile. Legend: n rows, d floats a row. */
#ifndef DATA_VECTORS_H
#define DATA_VECTORS_H

#include <stdbool.h>
#include <stdint.h>

#include "data/content.h"
#include "data/npy.h"

/* What the numbers of a file are that does not say it (--type). */
enum { IG_TYPE_F32, IG_TYPE_F16, IG_TYPE_BF16 };

typedef struct ig_vectors {
    const unsigned char *values; /* (rows, dims), or (dims, rows) in Fortran order */
    size_t rows;
    size_t dims;
    ig_dtype dtype;
    bool swapped;       /* the bytes of a value stand the other way round than here */
    bool fortran;       /* column after column */
    ig_content content; /* what holds the values; empty when they are the caller's */
} ig_vectors;

/* Map a 2-D .npy of a float type. The error names the file. */
ig_status ig_vectors_open_npy(ig_vectors *v, const char *path, ig_error *error);

/* Vectors over an array whose header was read; `bytes` are those of its file, and stay
 * the caller's. Types are f2, f4, f8, i1, u1, and what IG_TYPE_BF16 says to be
 * bfloat16. IG_OK, IG_FORMAT (type) or IG_SHAPE (no rows and dims). */
ig_status ig_vectors_of_npy(ig_vectors *v, const char *path, const ig_npy *npy,
                            const unsigned char *bytes, int type, ig_error *error);

/* The same from a whole file, whose bytes are the vectors' when IG_OK is returned. */
ig_status ig_vectors_take_npy(ig_vectors *v, const char *path, ig_content *content,
                              int type, ig_error *error);

/* A whole .npy array of any of the types as floats in C order (weights, say).
 *   rows, cols  out  its shape; a 1-D array of n values has n rows and 1 column
 *   values      out  (rows, cols), to be released with ig_free
 * IG_OK, IG_IO, IG_FORMAT, IG_SHAPE (not 1-D or 2-D) or IG_NOMEM. */
ig_status ig_vectors_read_npy(const char *path, size_t *rows, size_t *cols,
                              float **values, ig_error *error);

/* Bytes without a header: rows of `dims` numbers of a type. They are the vectors' when
 * IG_OK is returned. */
ig_status ig_vectors_take_raw(ig_vectors *v, const char *path, ig_content *content,
                              size_t dims, int type, ig_error *error);

/* Parsed floats, (rows, dims) in a block of their own, as vectors, which release it. */
ig_vectors ig_vectors_of_block(float *block, size_t rows, size_t dims);

/* Unmap and release; a zeroed struct is accepted. */
void ig_vectors_free(ig_vectors *v);

/* The first `dims` values of rows first … first+count−1 as floats, `stride` apart. */
void ig_vectors_rows(const ig_vectors *v, size_t first, size_t count, size_t dims,
                     float *out, size_t stride);

/* One value as it stands in the file, also where it is too large for a float. */
double ig_vectors_value(const ig_vectors *v, size_t row, size_t column);

/* The rows as they lie when they are native floats in C order, or NULL. */
const float *ig_vectors_direct(const ig_vectors *v);

#endif
