/* DATA arguments with each pattern ("set-*.npy") that is not the name of a file
 * replaced by the files that match it, in the order of their bytes. */
#ifndef DATA_PATTERN_H
#define DATA_PATTERN_H

#include <stddef.h>

#include "base/error.h"

typedef struct ig_patterns {
    const char **file; /* (files) the caller's, or within `found` */
    size_t files;
    void *found; /* private */
} ig_patterns;

/* IG_OK, IG_NOMEM, or IG_IO: no file matches a pattern. */
ig_status ig_patterns_expand(ig_patterns *list, const char *const *data, size_t n,
                             ig_error *error);

void ig_patterns_free(ig_patterns *list);

#endif
