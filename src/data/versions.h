/* Versions of a dataset: the same rows with other vectors, such as the layers of an
 * encoder, several encoders, or checkpoints of a training. */
#ifndef DATA_VERSIONS_H
#define DATA_VERSIONS_H

#include "data/dataset.h"
#include "data/names.h"

/* Version v is a dataset of its own whose languages, texts, ids and labels are those
 * of version 0; vectors and dims may differ. Its name is set[v]->version. A dataset
 * without versions: count 1, name NULL. Zeroed: none. */
typedef struct ig_versions {
    size_t count;
    ig_dataset **set; /* (count) */
} ig_versions;

/* Open n DATA arguments. Versions are
 *   options->versions  each argument, FILE or NAME=FILE
 *   otherwise          the matrices of one .npy (versions, rows, dims), .npz or
 *                      .safetensors file, or the .npy files of a folder with a table
 * and any other arguments are one dataset (ig_dataset_open). Versions are named by
 * what differs in their file names and ordered naturally (2 before 10); NAME=FILE
 * keeps the order given. options->only opens one of them. Files stay mapped. Errors
 * as of ig_dataset_open; IG_SHAPE: a version has another number of rows; IG_USAGE:
 * there is no version `only`, or two of one name. */
ig_status ig_versions_open(ig_versions *versions, const char *const *data, size_t n,
                           const ig_dataset_options *options, ig_error *error);

/* Names of the versions for messages: "00, 01, 02 …". Returns `out`. */
const char *ig_versions_list(const ig_versions *versions, char out[IG_LIST_SIZE]);

void ig_versions_free(ig_versions *versions);

#endif
