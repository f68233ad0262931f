/* Arrays of numbers in files and their conversion to float; .npy, versions 1 to 3. */
#pragma once

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

/* An array in a file; a zeroed struct is empty. */
typedef struct ig_array {
    ig_dtype dtype;
    size_t width;      /* bytes of a value */
    bool fortran;      /* (rows, dims) is stored by columns */
    char shape[96];    /* "6, 300, 128" */
    size_t dimensions; /* of its shape, whose last two sides are … */
    size_t rows, dims; /* … these; of one dimension: (rows, 1) */
    size_t count;      /* values */
    const unsigned char *values;
    ig_content content; /* owner of the values; empty if another owns them */

    /* In a file of several (data/reader.h): */
    const char *name;
    bool known;                  /* its type is one that can be read */
    bool used;                   /* as a column */
    const unsigned char *packed; /* deflated bytes if it has no values yet, of … */
    size_t packed_size, size;    /* … to `size` bytes of .npy with this CRC-32 */
    uint32_t crc;
} ig_array;

/* Set the shape. IG_FORMAT: its values are not `size` bytes. */
ig_status ig_array_shape(ig_array *array, const char *name, const size_t *side,
                         size_t dimensions, size_t size, ig_error *error);

/* Parse the header of a .npy file of `size` bytes, of which `present` are in memory.
 * IG_OK, or IG_FORMAT: not .npy, a damaged header, unknown version or type, more than
 * IG_ARRAY_DIMS dimensions, or as ig_array_shape. */
enum { IG_ARRAY_DIMS = 8 };
ig_status ig_npy_parse(ig_array *array, const char *name, const unsigned char *bytes,
                       size_t present, size_t size, ig_error *error);

/* An array over (rows, dims) floats, which another owns. */
ig_array ig_array_of_floats(const float *values, size_t rows, size_t dims);

/* First `dims` values of rows first … first+count−1 as floats, `stride` apart. */
void ig_array_rows(const ig_array *array, size_t first, size_t count, size_t dims,
                   float *out, size_t stride);

/* Read a whole .npy array as floats (rows, cols), for ig_free; n values of one
 * dimension are n rows. IG_SHAPE: of more than two. */
ig_status ig_npy_read(const char *path, size_t *rows, size_t *cols, float **values,
                      ig_error *error);

/* Write the header of (rows, cols) floats in C order, which follow; cols 0: a 1-D array
 * of `rows` values. The stream of an ig_writer keeps errors of writing. */
void ig_npy_write_header(FILE *file, size_t rows, size_t cols);
