/* Patterns of file names. */
#include "data/pattern.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

/* What the patterns of a command line have found, one after the other. */
struct found {
    glob_t glob;
    bool any;
};

static bool is_pattern(const char *argument)
{
    return strpbrk(argument, "*?[") && access(argument, F_OK) != 0 &&
           argument[strcspn(argument, "=/")] != '=';
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The files of a pattern, appended to those found before. */
static ig_status find_files(struct found *found, const char *pattern, ig_error *error)
{
    size_t before = found->any ? found->glob.gl_pathc : 0;
    int failed =
        glob(pattern, GLOB_NOSORT | (found->any ? GLOB_APPEND : 0), NULL, &found->glob);

    found->any = true;
    if (failed == GLOB_NOMATCH)
        return ig_fail(error, IG_IO, "%s: no file has such a name", pattern);
    if (failed)
        return ig_fail(error, IG_IO, "%s: the files of this pattern cannot be found",
                       pattern);
    qsort(found->glob.gl_pathv + before, found->glob.gl_pathc - before, sizeof(char *),
          by_bytes);
    return IG_OK;
}

ig_status ig_patterns_expand(ig_patterns *list, const char *const *data, size_t n,
                             ig_error *error)
{
    struct found *found = ig_alloc(1, sizeof *found);
    size_t *until = ig_alloc(n, sizeof *until); /* files found up to each argument */
    ig_status status = found && until ? IG_OK : ig_fail_memory(error, "file names");
    size_t at = 0;

    *list = (ig_patterns){.found = found};
    for (size_t i = 0; i < n && status == IG_OK; i++) {
        if (is_pattern(data[i]))
            status = find_files(found, data[i], error);
        until[i] = status == IG_OK && found->any ? found->glob.gl_pathc : 0;
    }
    if (status == IG_OK) {
        list->file = ig_alloc(n + (n ? until[n - 1] : 0), sizeof *list->file);
        status = list->file ? IG_OK : ig_fail_memory(error, "file names");
    }
    for (size_t i = 0; i < n && status == IG_OK; i++) {
        if (at == until[i])
            list->file[list->files++] = data[i];
        while (at < until[i])
            list->file[list->files++] = found->glob.gl_pathv[at++];
    }
    ig_free(until);
    if (status != IG_OK)
        ig_patterns_free(list);
    return status;
}

void ig_patterns_free(ig_patterns *list)
{
    struct found *found = list->found;

    if (found && found->any)
        globfree(&found->glob);
    ig_free(found);
    ig_free(list->file);
    *list = (ig_patterns){0};
}
