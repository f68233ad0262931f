/* Paths of the demo datasets. */
#pragma once

#include "cli/options.h"

/* The path of a file of the program: in build/../data, in bin/../share/isogloss, or in
 * the installed data directory. IG_OK, IG_NOMEM, or IG_IO with the folders searched. */
ig_status ig_demo_path(ig_arena *arena, const char *file, const char **path,
                       ig_error *error);

/* A demo: the command, or DATA of its name. */
typedef struct ig_demo {
    const char *name, *file, *meta; /* meta NULL: it has the file's name */
    const char *subject;            /* of a sentence about its vectors */
    const char *next;               /* command of another one */
    const char *server;             /* program that serves its encoder, or NULL */
    uint32_t row; /* an English sentence whose neighbours become its translations */
} ig_demo;

/* Replace the names of demos ("demo", "demo-e5", "demo-layers") by their paths in DATA,
 * --train and --test, unless a file has that name; set options->demo of that command;
 * and find the converter of other formats. Returns as ig_demo_path, or IG_USAGE. */
ig_status ig_demo_words(ig_options *options, ig_error *error);
