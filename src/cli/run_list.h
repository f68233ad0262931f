/* The runs that the explorer opens with: those of --run, and all in a folder. */
#ifndef CLI_RUN_LIST_H
#define CLI_RUN_LIST_H

#include "cli/options.h"

/* A zeroed struct may be freed. */
typedef struct ig_run_list {
    const char **path; /* (count) */
    size_t count;
    size_t strict; /* the first so many must have the set's dimensions */
    ig_arena arena;
} ig_run_list;

/* Collect them; those of the folder by their names. IG_IO when the folder cannot be
 * read or holds no run, or IG_NOMEM. */
ig_status ig_run_list_make(ig_run_list *list, const ig_options *options,
                           ig_error *error);

void ig_run_list_free(ig_run_list *list);

#endif
