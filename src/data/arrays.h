/* Files of named arrays: a .npy file (one matrix, or versions of one), .npz,
 * .safetensors. Each format lists its arrays (array_formats.c), once for all versions;
 * which are the vectors and the columns is decided here. */
#ifndef DATA_ARRAYS_H
#define DATA_ARRAYS_H

#include "data/reader.h"

/* What the matrices of a file are: one has the vectors (of a usual name, or of --column
 * vector, or they differ in their rows); versions, each to be read as --column
 * vector=NAME; or the rows of a language each, for which they are named. */
typedef enum ig_arrays_kind { IG_ONE_MATRIX, IG_VERSIONS, IG_LANGUAGES } ig_arrays_kind;

/* A file that is open, and its arrays if it has some. Zeroed: not open. */
typedef struct ig_arrays {
    const char *path;
    ig_content content;
    const ig_format *format;
    ig_names names; /* (count) in order; a file without names: one, "" */
    ig_array *array;
    size_t count, capacity;
    ig_arrays_kind kind;
    bool shared; /* the vectors of versions are in the content */
} ig_arrays;

ig_arrays_kind ig_arrays_classify(const ig_arrays *a,
                                  const ig_dataset_options *options);

/* Open a file and list its arrays, if its format has some; format NULL: unknown. To be
 * freed also on failure. IG_OK, IG_IO, IG_NOMEM, IG_INTERRUPTED or IG_FORMAT. */
ig_status ig_arrays_open(ig_arrays *file, const char *path,
                         const ig_dataset_options *options, bool of_language,
                         ig_error *error);

/* Append an array. IG_NOMEM, or IG_FORMAT: the name occurs twice. */
ig_status ig_arrays_add(ig_arrays *a, const char *name, const ig_array *array,
                        ig_error *error);

void ig_arrays_free(ig_arrays *a);

/* Whether an array is a matrix of numbers that can be vectors. */
bool ig_array_is_matrix(const ig_array *m);

/* Whether a name is a code of a language: "de", "zh-CN", "eng_Latn". */
bool ig_name_is_language(const char *name);

/* Read a file: the vectors are --column vector=NAME, the one with a usual name, or the
 * only matrix. Arrays with a value per row are columns, if they include a language, a
 * text or an id; others are named in the notes. As `read` of a format. */
void ig_arrays_read(ig_arrays *a, ig_reader *r);

#endif
