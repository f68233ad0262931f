/* The .npy format of numpy, versions 1.0 to 3.0: parses headers, writes float arrays.
 * Up to 8 dimensions in C or Fortran order; structured, object and complex types are
 * rejected. */
#ifndef DATA_NPY_H
#define DATA_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/error.h"

typedef enum ig_dtype {
    IG_F2,
    IG_F4,
    IG_F8,
    IG_BF2, /* bfloat16: upper half of a float32 */
    IG_I1,
    IG_U1,
    IG_I4,
    IG_I8,
    IG_OPAQUE2, /* V2 or u2: bfloat16 if --type says so */
    IG_UTF32,   /* <U: texts, zero-padded */
    IG_BYTES    /* |S */
} ig_dtype;

enum { IG_NPY_DIMS = 8 };

/* A parsed header. */
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

/* Bytes of one number; 1 for texts, sized by the header. */
size_t ig_dtype_size(ig_dtype dtype);

/* "float16", "bfloat16", "text"; static. */
const char *ig_dtype_name(ig_dtype dtype);

/* Parse the header of a file of `size` bytes; `name` is for the error. IG_OK, or
 * IG_FORMAT: not .npy, unknown version or type, truncated header, or a size that
 * disagrees with the shape. */
ig_status ig_npy_parse(ig_npy *npy, const char *name, const unsigned char *bytes,
                       size_t size, ig_error *error);

/* Write (rows, cols) floats, `stride` apart, as version 1.0, <f4, C order. cols 0: a
 * 1-D array of `rows` values. IG_OK or IG_IO. */
ig_status ig_npy_write(FILE *file, const float *values, size_t rows, size_t cols,
                       size_t stride, ig_error *error);

/* Write only the header, IG_F4 or IG_F2, for values written in tiles. */
ig_status ig_npy_write_header(FILE *file, ig_dtype dtype, size_t rows, size_t cols,
                              ig_error *error);

/* Index of the first value that overflows float16, or `count`. */
size_t ig_npy_too_large(const float *values, size_t count);

/* Write `count` floats as little-endian IG_F4 or IG_F2, rounded to nearest even. Values
 * must not overflow. */
ig_status ig_npy_write_values(FILE *file, const float *values, size_t count,
                              ig_dtype dtype, ig_error *error);

#endif
