/* Vectors in files: rows of one type, mapped or parsed, converted to float tile by
 * tile. Legend: n rows, d floats per row. */
#ifndef DATA_VECTORS_H
#define DATA_VECTORS_H

#include <stdbool.h>
#include <stdint.h>

#include "data/content.h"
#include "data/npy.h"

/* Types for --type, used for files that do not declare one. */
enum { IG_TYPE_F32, IG_TYPE_F16, IG_TYPE_BF16, IG_TYPES };
typedef struct ig_raw_type {
    ig_dtype dtype;
    const char *name; /* "bf16" */
} ig_raw_type;
extern const ig_raw_type ig_raw_types[IG_TYPES];

typedef struct ig_vectors {
    const unsigned char *values; /* (rows, dims), or (dims, rows) in Fortran order */
    size_t rows;
    size_t dims;
    ig_dtype dtype;
    bool swapped;       /* byte order differs from the host */
    bool fortran;       /* column-major */
    ig_content content; /* owner of the values; empty if the caller owns them */
} ig_vectors;

/* Vectors over an array whose header was parsed; the caller keeps `bytes`, its file.
 * Types: f2, f4, f8, i1, u1, and two-byte values with IG_TYPE_BF16. IG_OK, IG_FORMAT
 * (type) or IG_SHAPE (not two-dimensional, or empty). */
ig_status ig_vectors_of_npy(ig_vectors *v, const char *path, const ig_npy *npy,
                            const unsigned char *bytes, int type, ig_error *error);

/* Read a whole .npy array of any type as floats in C order (weights, say).
 *   rows, cols  out  its shape; a 1-D array of n values: n rows, 1 column
 *   values      out  (rows, cols), for ig_free
 * IG_OK, IG_IO, IG_FORMAT, IG_SHAPE (not 1-D or 2-D) or IG_NOMEM. */
ig_status ig_vectors_read_npy(const char *path, size_t *rows, size_t *cols,
                              float **values, ig_error *error);

/* Vectors that take ownership of a heap block of (rows, dims) floats. */
ig_vectors ig_vectors_of_block(float *block, size_t rows, size_t dims);

/* Unmap and free; a zeroed struct is accepted. */
void ig_vectors_free(ig_vectors *v);

/* First `dims` values of rows first … first+count−1 as floats, `stride` apart. */
void ig_vectors_rows(const ig_vectors *v, size_t first, size_t count, size_t dims,
                     float *out, size_t stride);

/* One value as stored, even if it overflows a float. */
double ig_vectors_value(const ig_vectors *v, size_t row, size_t column);

/* The rows in place if they are native floats in C order, or NULL. */
const float *ig_vectors_direct(const ig_vectors *v);

#endif
