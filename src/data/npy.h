/* The .npy format of numpy, versions 1.0 to 3.0: headers, and float arrays
 * written. Arrays are one- or two-dimensional or more in C or Fortran
 * order; structured, object and complex types are refused by name. */
#ifndef DATA_NPY_H
#define DATA_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

typedef enum ig_dtype {
    IG_F2,
    IG_F4,
    IG_F8,
    IG_BF2, /* bfloat16: the upper half of a float */
    IG_I1,
    IG_U1,
    IG_I4,
    IG_I8,
    IG_OPAQUE2, /* two bytes, V2 or u2, that somebody may know to be bfloat16 */
    IG_UTF32,   /* <U: texts, filled up with zeros */
    IG_BYTES    /* |S */
} ig_dtype;

enum { IG_NPY_DIMS = 8 };

/* What a header says. */
typedef struct ig_npy {
    ig_dtype dtype;
    size_t item;  /* bytes of a value */
    bool swapped; /* big-endian on a little-endian machine, or the reverse */
    bool fortran;
    size_t dimensions; /* ≤ IG_NPY_DIMS */
    size_t shape[IG_NPY_DIMS];
    size_t offset; /* of the first value, in bytes */
    size_t count;  /* values: the product of the shape */
} ig_npy;

/* Bytes of one number; 1 for texts, whose size the header says. */
size_t ig_dtype_size(ig_dtype dtype);

/* "float16", "bfloat16", "text"; static. */
const char *ig_dtype_name(ig_dtype dtype);

/* Read the header of the `size` bytes of a whole file; `name` is for the error. IG_OK,
 * or IG_FORMAT: no .npy, an unknown version or type, a header cut short, or more or
 * fewer values than it promises. */
ig_status ig_npy_parse(ig_npy *npy, const char *name, const unsigned char *bytes,
                       size_t size, ig_error *error);

/* Write (rows, cols) floats, `stride` apart, as version 1.0, <f4, C order, in one go to
 * `file`; cols 0 writes a 1-D array of `rows` values. IG_OK or IG_IO. */
ig_status ig_npy_write(FILE *file, const float *values, size_t rows, size_t cols,
                       size_t stride, ig_error *error);

/* A header of version 1.0 and C order, as bytes: type "<f4", "<U7"; cols 0: a 1-D
 * array. Returns their number. */
enum { IG_NPY_HEADER = 192 };
size_t ig_npy_header(char out[IG_NPY_HEADER], const char *type, size_t rows,
                     size_t cols);

/* `count` floats in place as little-endian bytes. */
void ig_npy_to_little(float *values, size_t count);

/* The header alone, IG_F4 or IG_F2, for values that follow by the tile. */
ig_status ig_npy_write_header(FILE *file, ig_dtype dtype, size_t rows, size_t cols,
                              ig_error *error);

/* `count` floats as little-endian halves, each rounded to the nearest (ties to even).
 * What is too large for one must not be among them. */
ig_status ig_npy_write_halves(FILE *file, const float *values, size_t count,
                              ig_error *error);

/* The place of the first value that rounds to no finite half, or `count`. */
size_t ig_npy_too_large(const float *values, size_t count);

/* `count` floats as little-endian bytes. */
ig_status ig_npy_write_values(FILE *file, const float *values, size_t count,
                              ig_error *error);

#endif
