/* Paths in a session's file. */
#include "tui/session_paths.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/builder.h"

void ig_session_folder(char out[PATH_MAX], const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        snprintf(out, PATH_MAX, ".");
    else
        snprintf(out, PATH_MAX, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

/* A path with its folder resolved, its own name as it is, and so those of folders that
 * are not there. */
static bool resolve(char out[PATH_MAX], const char *path)
{
    const char *name = strrchr(path, '/');
    char folder[PATH_MAX], real[PATH_MAX];

    name = name ? name + 1 : path;
    ig_session_folder(folder, path);
    while (!realpath(folder, real)) {
        char *slash = strrchr(folder, '/');

        if (strcmp(folder, ".") == 0 || slash == folder)
            return false;
        if (slash)
            *slash = '\0';
        name = slash ? path + (slash + 1 - folder) : path;
        if (!slash)
            memcpy(folder, ".", 2);
    }
    return (size_t)snprintf(out, PATH_MAX, "%s/%s", strcmp(real, "/") == 0 ? "" : real,
                            name) < PATH_MAX;
}

char *ig_session_path_from(const char *folder, const char *path)
{
    char real[PATH_MAX], from[PATH_MAX];
    size_t same = 0, i = 0;
    ig_builder out = {0};

    if (*path == '/' || !resolve(real, path) || !realpath(folder, from))
        return ig_strdup(path);
    for (; from[i] && from[i] == real[i]; i++)
        if (from[i] == '/')
            same = i;
    if (!from[i] && real[i] == '/')
        same = i; /* the folder is a beginning of the path */
    if (strcmp(from, "/") != 0)
        for (const char *at = from + same; *at; at++)
            if (*at == '/' && at[1])
                ig_builder_add(&out, "../");
    ig_builder_add(&out, "%s", real + same + 1);
    return ig_builder_take(&out);
}

const char *ig_session_path_in(ig_arena *arena, const char *folder, const char *path)
{
    char whole[2 * PATH_MAX];

    if (*path == '/' || strcmp(folder, ".") == 0)
        return ig_arena_text(arena, path, strlen(path));
    snprintf(whole, sizeof whole, "%s/%.*s", strcmp(folder, "/") == 0 ? "" : folder,
             PATH_MAX - 1, path);
    return ig_arena_text(arena, whole, strlen(whole));
}

size_t ig_session_language(const char *word, const char *found)
{
    size_t length = strcspn(word, "=/");

    return word[length] == '=' && access(found, F_OK) != 0 ? length + 1 : 0;
}
