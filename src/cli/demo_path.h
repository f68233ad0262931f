/* Where the demo set lies. */
#ifndef CLI_DEMO_PATH_H
#define CLI_DEMO_PATH_H

#include "cli/options.h"

/* The path of demo.npy, in a block of its own: beside the build (build/../data), in the
 * share of the prefix the program lies in (bin/../share/isogloss), or where it was
 * installed. IG_OK, IG_NOMEM, or IG_IO with the places that were looked at. */
ig_status ig_demo_path(char **path, ig_error *error);

/* Put the path of the demo set where DATA or a set to train on is the word `demo`, and
 * there is no such file. IG_OK or what ig_demo_path fails with. */
ig_status ig_demo_words(ig_options *options, ig_error *error);

#endif
