/* Files of named arrays: a .npy file (one matrix, or versions of one), .npz,
 * .safetensors. Each format lists its arrays; which are the vectors, the columns and
 * the versions is decided here. */
#ifndef DATA_ARRAYS_H
#define DATA_ARRAYS_H

#include "data/format.h"

typedef struct ig_array {
    const char *name;
    ig_npy npy; /* npy.offset counts from `bytes` */
    bool known; /* its type is one that can be read */
    bool used;
    const unsigned char *bytes; /* NULL: deflated … */
    const unsigned char *packed;
    size_t packed_size, size; /* … to `size` bytes with this CRC-32 */
    uint32_t crc;
    unsigned char *block; /* owner of unpacked bytes, or NULL */
} ig_array;

typedef struct ig_arrays {
    const ig_source *source;
    ig_names names; /* (count) in order; a file without names: one, "" */
    ig_array *array;
    size_t count, capacity;
    ig_error unread; /* about the first array that is not known */
} ig_arrays;

/* Append an array. IG_NOMEM, or IG_FORMAT: the name occurs twice. */
ig_status ig_arrays_add(ig_arrays *a, const char *name, size_t length,
                        const ig_array *array, ig_error *error);

/* Read the arrays of a format: the vectors are --column vector=NAME, the only matrix,
 * or the one with a usual name; arrays with a value per row are columns, if they
 * include a language, a text or an id; others are named in the notes. As `read` of a
 * format. */
ig_status ig_arrays_read(const ig_source *source, const ig_format *format,
                         ig_vectors *vectors, ig_error *error);

/* The names of several matrices of equal rows, each of which can be read as --column
 * vector=NAME; none if one has a usual name. */
ig_status ig_arrays_matrices(const ig_source *source, const ig_format *format,
                             ig_names *names, ig_error *error);

#endif
