/* DATA as it was given. */
#ifndef ISOGLOSS_CLI_DATA_WORDS_H
#define ISOGLOSS_CLI_DATA_WORDS_H

#include "cli/options.h"

/* DATA and the options that say how it is read, as one would type them into a shell. To
 * be freed with ig_free; NULL when memory is short. */
char *ig_data_words(const ig_options *options);

#endif
