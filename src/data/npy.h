/* Arrays of numbers in files: the .npy format of numpy, versions 1.0 to 3.0, and the
 * vectors of any file, which are converted to float. */
#ifndef DATA_NPY_H
#define DATA_NPY_H

#include <stdbool.h>
#include <stdio.h>

#include "data/content.h"

/* Types of values, little-endian; those up to IG_U1 can be vectors. */
typedef enum ig_dtype {
    IG_F2,
    IG_F4,
    IG_F8,
    IG_BF2, /* bfloat16: upper half of a float32 */
    IG_I1,
    IG_U1,
    IG_I4,
    IG_I8,
    IG_UTF32, /* <U: texts, zero-padded */
    IG_BYTES  /* |S */
} ig_dtype;

typedef struct ig_type {
    const char *name;    /* "float16", "text" */
    size_t size;         /* bytes of a number or character */
    const char *code[2]; /* of numpy ("f2") and safetensors ("F16"); "-": none */
} ig_type;

extern const ig_type ig_types[]; /* by ig_dtype */

/* Find the type of numbers that numpy calls "f2", or safetensors "F16". False: none. */
bool ig_dtype_find(const char *code, ig_dtype *dtype);

enum { IG_NPY_DIMS = 8 };

/* An array in a file. */
typedef struct ig_npy {
    ig_dtype dtype;
    size_t item;       /* bytes of a value */
    bool fortran;      /* (rows, cols) by columns */
    size_t dimensions; /* ≤ IG_NPY_DIMS */
    size_t shape[IG_NPY_DIMS];
    size_t offset; /* of the first value, in bytes */
    size_t count;  /* values: the product of the shape */
} ig_npy;

/* Parse the header of a file of `size` bytes, of which `present` are in memory; `name`
 * is for the error. IG_OK, or IG_FORMAT: not .npy, a damaged header, unknown version or
 * type, Fortran order of more than two dimensions, or as ig_npy_measure. */
ig_status ig_npy_parse(ig_npy *npy, const char *name, const unsigned char *bytes,
                       size_t present, size_t size, ig_error *error);

/* Set the count from the shape. IG_FORMAT: its values are not `size` bytes. */
ig_status ig_npy_measure(ig_npy *npy, const char *name, size_t size, ig_error *error);

/* Read a whole .npy array of floats or bytes as floats (weights, say).
 *   rows, cols  out  its shape; a 1-D array of n values: n rows, 1 column
 *   values      out  (rows, cols), for ig_free
 * IG_OK, IG_IO, IG_FORMAT, IG_SHAPE (not 1-D or 2-D) or IG_NOMEM. */
ig_status ig_npy_read(const char *path, size_t *rows, size_t *cols, float **values,
                      ig_error *error);

/* Write (rows, cols) floats as version 1.0, <f4, C order. cols 0: a 1-D array of `rows`
 * values. The stream of an ig_writer keeps errors of writing. */
void ig_npy_write(FILE *file, const float *values, size_t rows, size_t cols);

/* The same in tiles: the header, and then values. As IG_F2 they are rounded to nearest
 * even; nothing is written if one overflows then. Returns the index of the first such
 * value, or `count`. */
void ig_npy_write_header(FILE *file, ig_dtype dtype, size_t rows, size_t cols);
size_t ig_npy_write_values(FILE *file, const float *values, size_t count,
                           ig_dtype dtype);

/* --- vectors ---------------------------------------------------------------------- */

typedef struct ig_vectors {
    const unsigned char *values; /* (rows, dims) */
    size_t rows;
    size_t dims;
    ig_dtype dtype;
    bool fortran;       /* stored by columns */
    bool mapped;        /* values are in a mapped file */
    ig_content content; /* owner of the values; empty if another owns them */
} ig_vectors;

/* Vectors over a matrix, or a column; the caller owns `bytes`, its file. */
ig_vectors ig_vectors_of_npy(const ig_npy *npy, const unsigned char *bytes);

/* Vectors that take ownership of a heap block of (rows, dims) floats. */
ig_vectors ig_vectors_of_block(float *block, size_t rows, size_t dims);

/* Unmap and free; a zeroed struct is accepted. */
void ig_vectors_free(ig_vectors *v);

/* First `dims` values of rows first … first+count−1 as floats, `stride` apart. */
void ig_vectors_rows(const ig_vectors *v, size_t first, size_t count, size_t dims,
                     float *out, size_t stride);

#endif
