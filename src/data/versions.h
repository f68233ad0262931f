/* Versions of a dataset: the same rows with other vectors, such as the layers of an
 * encoder, several encoders, or checkpoints of a training. */
#pragma once

#include "data/dataset.h"
#include "data/names.h"

typedef struct ig_found ig_found;

/* Version v is a dataset of its own whose languages, texts, ids and labels are those
 * of version 0; vectors and dims may differ. Its name is set[v]->version. A dataset
 * without versions: count 1, name NULL. Zeroed: none. */
typedef struct ig_versions {
    size_t count;
    size_t room;        /* count, or more where a folder may grow */
    ig_dataset **set;   /* (count) */
    const char *folder; /* that they are the files of, and which may grow; or NULL */
    ig_found *found;    /* their names and files */
} ig_versions;

/* Open n DATA arguments. Versions are with options->versions each argument, FILE or
 * NAME=FILE; else the .npy files of a folder with a table; others are one dataset.
 * Files are named by their path without the extension and the words that all begin with
 * (layer-2.npy: 2), and ordered naturally (2 before 10), unless one has a NAME.
 * options->only opens one version. Errors as of ig_dataset_open; IG_SHAPE: a version
 * has another number of rows; IG_USAGE: no version `only`. */
ig_status ig_versions_open(ig_versions *versions, const char *const *data, size_t n,
                           const ig_dataset_options *options, ig_error *error);

/* Look at the folder again. Files that are new, and as they were at the look before,
 * become versions behind the others if their values are finite; others are refused
 * until they change. The news is what joined, the change of a version's file, or why
 * one was refused; "": nothing. `stop` ends the check of a file. Other threads may use
 * versions that they know: set does not move. */
void ig_versions_look(ig_versions *versions, const atomic_bool *stop, ig_error *news);

/* Compares two names, each by its address, in natural order: 2 before 10. */
int ig_version_compare(const void *a, const void *b);

/* Names of the versions for messages: "00, 01, 02 …". Returns `out`. */
const char *ig_versions_list(const ig_versions *versions, char out[IG_LIST_SIZE]);

void ig_versions_free(ig_versions *versions);
