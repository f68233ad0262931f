/* DATA and the options that say how it is read, as one would type them: for command
 * lines in reports. */
#ifndef CLI_DATA_WORDS_H
#define CLI_DATA_WORDS_H

#include "cli/options.h"

/* A zeroed struct may be freed. Do not move it: words point into it, and to the
 * options. */
typedef struct ig_data_words {
    const char **word; /* (count) */
    size_t count;
    char number[3][24];
    char column[IG_COLUMN_ROLES][128];
    char delimiter[2];
} ig_data_words;

/* False when memory is short. */
bool ig_data_words_init(ig_data_words *words, const ig_options *options);

void ig_data_words_free(ig_data_words *words);

#endif
