/* Where the demo set lies: found from where the program lies, so that a build and an
 * installation that was moved both have it. */
#include "cli/demo_path.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

#ifndef IG_DATADIR
#define IG_DATADIR "/usr/local/share/isogloss"
#endif

/* The folder of this program, "" when it cannot be known. */
static void own_folder(char *folder, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", folder, size - 1);
    char *slash;

    folder[n > 0 ? n : 0] = '\0';
    slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
}

ig_status ig_demo_path(char **path, ig_error *error)
{
    static const char *const place[] = {"data/demo.npy", "../data/demo.npy",
                                        "../share/isogloss/demo.npy"};
    char folder[PATH_MAX];

    *path = NULL;
    own_folder(folder, sizeof folder);
    for (size_t i = 0; i < sizeof place / sizeof place[0] && *folder; i++) {
        *path = ig_path_join(folder, place[i]);
        if (!*path)
            return ig_fail_memory(error, "a file name");
        if (access(*path, R_OK) == 0)
            return IG_OK;
        ig_free(*path);
    }
    *path = ig_path_join(IG_DATADIR, "demo.npy");
    if (!*path)
        return ig_fail_memory(error, "a file name");
    if (access(*path, R_OK) == 0)
        return IG_OK;
    ig_free(*path);
    *path = NULL;
    return ig_fail(
        error, IG_IO,
        "the demo set is not there: looked for demo.npy in %s/data, %s/../data, "
        "%s/../share/isogloss and %s",
        folder, folder, folder, IG_DATADIR);
}

/* The path in place of one word. */
static ig_status replace(ig_options *options, const char **word, ig_error *error)
{
    char *path;
    ig_status status;

    if (!*word || strcmp(*word, "demo") != 0 || access(*word, F_OK) == 0)
        return IG_OK;
    status = ig_demo_path(&path, error);
    if (status != IG_OK)
        return status;
    *word = ig_arena_text(&options->arena, path, strlen(path));
    ig_free(path);
    return *word ? IG_OK : ig_fail_memory(error, "a file name");
}

ig_status ig_demo_words(ig_options *options, ig_error *error)
{
    ig_status status = IG_OK;

    if (options->command == IG_OBJECTIVES) /* takes names of presets */
        return IG_OK;
    for (size_t i = 0; i < options->words && status == IG_OK; i++)
        status = replace(options, &options->word[i], error);
    return status == IG_OK ? replace(options, &options->train_on, error) : status;
}
