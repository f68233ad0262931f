/* Where the demo set lies. */
#ifndef CLI_DEMO_PATH_H
#define CLI_DEMO_PATH_H

#include "cli/options.h"

/* The path of demo.npy, in a block of its own: beside the build (build/../data), in the
 * share of the prefix the program lies in (bin/../share/isogloss), or where it was
 * installed. IG_OK, IG_NOMEM, or IG_IO with the places that were looked at. */
ig_status ig_demo_path(char **path, ig_error *error);

/* The words for the demo's sets of vectors: `demo`, and those that share its table;
 * NULL past the last. */
const char *ig_demo_set(size_t i);

/* The path of the demo's set number i, and that of its table where it does not find it
 * by its name and none is said (*meta NULL); both live as long as the options. IG_OK or
 * what ig_demo_path fails with. */
ig_status ig_demo_take(ig_options *options, size_t i, const char **set,
                       const char **meta, ig_error *error);

/* Put the path of a set of the demo where DATA or a set to train on or test is such a
 * word, and there is no such file; its table too, where none is said. IG_OK or what
 * ig_demo_path fails with. */
ig_status ig_demo_words(ig_options *options, ig_error *error);

#endif
