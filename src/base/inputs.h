/* Files that are read, so that none of them is written: by what they are (device and
 * number), whatever name leads there. */
#ifndef BASE_INPUTS_H
#define BASE_INPUTS_H

#include <stddef.h>

#include "base/error.h"

/* A zeroed struct holds none. */
typedef struct ig_inputs {
    struct ig_input *file; /* (count) */
    size_t count, capacity;
} ig_inputs;

/* Add a file or directory; one that does not exist adds nothing. NULL inputs are
 * accepted. IG_OK or IG_NOMEM. */
ig_status ig_inputs_add(ig_inputs *inputs, const char *path, ig_error *error);

/* IG_USAGE when `output` is one of them: the message names both. NULL inputs, and a
 * NULL output, are accepted. */
ig_status ig_inputs_check(const ig_inputs *inputs, const char *output, ig_error *error);

void ig_inputs_free(ig_inputs *inputs);

#endif
