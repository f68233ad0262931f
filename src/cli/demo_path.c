/* Where the demo set lies: found from where the program lies, so that a build and an
 * installation that was moved both have it. */
#include "cli/demo_path.h"

#include <limits.h>
#include <stdbool.h>
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

/* Where files of the demo lie, seen from the program. */
static const char *const places[] = {"data", "../data", "../share/isogloss"};

/* The path of a file of the demo, in a block of its own. */
static ig_status find_file(char **path, const char *file, ig_error *error)
{
    char folder[PATH_MAX], name[64];

    *path = NULL;
    own_folder(folder, sizeof folder);
    for (size_t i = 0; i <= sizeof places / sizeof *places; i++) {
        bool installed = i == sizeof places / sizeof *places;

        if (!installed && !*folder)
            continue;
        snprintf(name, sizeof name, "%s/%s", installed ? "" : places[i], file);
        *path = ig_path_join(installed ? IG_DATADIR : folder, installed ? file : name);
        if (!*path)
            return ig_fail_memory(error, "a file name");
        if (access(*path, R_OK) == 0)
            return IG_OK;
        ig_free(*path);
        *path = NULL;
    }
    return ig_fail(error, IG_IO,
                   "the demo set is not there: looked for %s in %s/data, %s/../data, "
                   "%s/../share/isogloss and %s",
                   file, folder, folder, folder, IG_DATADIR);
}

/* The sets of vectors that the demo's table has. */
static const char *const sets[] = {"demo", "demo-e5"};

enum { SETS = sizeof sets / sizeof *sets };

const char *ig_demo_set(size_t i)
{
    return i < SETS ? sets[i] : NULL;
}

ig_status ig_demo_path(char **path, ig_error *error)
{
    return find_file(path, "demo.npy", error);
}

/* A path in the options' arena. */
static ig_status keep(ig_options *options, const char **out, const char *file,
                      ig_error *error)
{
    char *path;
    ig_status status = find_file(&path, file, error);

    if (status != IG_OK)
        return status;
    *out = ig_arena_text(&options->arena, path, strlen(path));
    ig_free(path);
    return *out ? IG_OK : ig_fail_memory(error, "a file name");
}

ig_status ig_demo_take(ig_options *options, size_t i, const char **set,
                       const char **meta, ig_error *error)
{
    char file[32];
    ig_status status;

    snprintf(file, sizeof file, "%s.npy", sets[i]);
    status = keep(options, set, file, error);
    return status == IG_OK && i > 0 && !*meta ? keep(options, meta, "demo.csv", error)
                                              : status;
}

/* The path in place of one word. */
static ig_status replace(ig_options *options, const char **word, const char **meta,
                         ig_error *error)
{
    size_t i = 0;

    while (i < SETS && *word && strcmp(*word, sets[i]) != 0)
        i++;
    return *word && i < SETS && access(*word, F_OK) != 0
               ? ig_demo_take(options, i, word, meta, error)
               : IG_OK;
}

ig_status ig_demo_words(ig_options *options, ig_error *error)
{
    ig_status status = IG_OK;

    if (options->command == IG_OBJECTIVES || options->command == IG_HELP) /* names */
        return IG_OK;
    for (size_t i = 0; i < options->words && status == IG_OK; i++)
        status = replace(options, &options->word[i], &options->set.meta, error);
    for (size_t i = 0; i < options->tests && status == IG_OK; i++)
        status = replace(options, &options->test[i].set, &options->test[i].meta, error);
    return status == IG_OK
               ? replace(options, &options->train_on, &options->train_meta, error)
               : status;
}
