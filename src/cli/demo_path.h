/* Paths of the demo datasets. */
#pragma once

#include "cli/options.h"

/* The path of a file of the program: in build/../data, in bin/../share/isogloss, or in
 * the installed data directory. IG_OK, IG_NOMEM, or IG_IO with the folders searched. */
ig_status ig_demo_path(ig_arena *arena, const char *file, const char **path,
                       ig_error *error);

/* A demo. */
typedef struct ig_demo {
    const char *name, *file, *meta; /* meta NULL: it has the file's name */
    const char *subject;            /* of a sentence about its vectors */
    const char *next;               /* command of another one */
    const char *server;             /* program that serves its encoder, or NULL */
} ig_demo;

/* "demo", "demo-e5", "demo-layers"; NULL: another name. */
const ig_demo *ig_demo_named(const char *name);

/* The path of a demo, and in *meta that of its table unless one is given or it has the
 * file's name. Returns as ig_demo_path. */
ig_status ig_demo_take(ig_arena *arena, const ig_demo *demo, const char **set,
                       const char **meta, ig_error *error);

/* Replace the names of demos by these paths in DATA, --train and --test, unless a file
 * has that name; and find the converter of other formats. */
ig_status ig_demo_words(ig_options *options, ig_error *error);
