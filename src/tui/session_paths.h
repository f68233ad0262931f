/* Paths in a session's file: kept as they are seen from its folder. */
#ifndef TUI_SESSION_PATHS_H
#define TUI_SESSION_PATHS_H

#include <limits.h>
#include <stddef.h>

#include "base/memory.h"

/* The folder of a file, "." for one without; cut to fit. */
void ig_session_folder(char out[PATH_MAX], const char *path);

/* A path as it is seen from a folder; one that is absolute, or leads nowhere, stays as
 * it is. For ig_free; NULL when memory is short. */
char *ig_session_path_from(const char *folder, const char *path);

/* A path that is seen from a folder, as it is from the working folder, of the arena;
 * NULL when memory is short. */
const char *ig_session_path_in(ig_arena *arena, const char *folder, const char *path);

/* Bytes of "LANG=" before the paths of a word of DATA, 0: it is one path, which `found`
 * is from the working folder. */
size_t ig_session_language(const char *word, const char *found);

#endif
