/* Paths that are typed at the bottom. */
#ifndef TUI_PATH_WORDS_H
#define TUI_PATH_WORDS_H

#include "tui/app.h"

/* A path as a shell would read it: ~ is the home folder. False (and a note): it is too
 * long, or empty. */
bool ig_path_typed(ig_app *app, char *out, size_t size, const char *typed);

/* Complete the path between byte `start` and the cursor: names of the folder that it
 * leads to, "~/" being the home folder; folders end in "/". */
void ig_complete_path(ig_app *app, size_t start);

#endif
