/* Which runs to open. */
#include "cli/run_list.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/file.h"
#include "runs/run.h"
#include "runs/run_directory.h"

static ig_status add(ig_run_list *list, const char *path, ig_error *error)
{
    const char **grown =
        ig_arena_alloc(&list->arena, (list->count + 1) * sizeof *grown);
    const char *copy = ig_arena_text(&list->arena, path, strlen(path));

    ig_dir_recover(path, &ig_run_dir);
    if (!grown || !copy)
        return ig_fail_memory(error, "the list of runs");
    if (list->count)
        memcpy(grown, list->path, list->count * sizeof *grown);
    list->path = grown;
    list->path[list->count++] = copy;
    return IG_OK;
}

/* FOLDER/NAME when that is a run directory. */
static ig_status add_entry(ig_run_list *list, const char *folder, const char *name,
                           ig_error *error)
{
    char *path = ig_path_join(folder, name);
    char *inside = path ? ig_path_join(path, "run.json") : NULL;
    ig_status status = inside ? IG_OK : ig_fail_memory(error, "the list of runs");

    if (status == IG_OK && name[0] != '.' && !ig_dir_is_temporary(name) &&
        access(inside, F_OK) == 0)
        status = add(list, path, error);
    ig_free(inside);
    ig_free(path);
    return status;
}

/* A run whose writer was killed while its name was taken away gets that back. */
static void recover_entry(const char *folder, const char *name)
{
    char *path = ig_dir_is_temporary(name) ? ig_path_join(folder, name) : NULL;

    if (path) {
        *strrchr(path, '.') = '\0';
        ig_dir_recover(path, &ig_run_dir);
    }
    ig_free(path);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static ig_status add_folder(ig_run_list *list, const char *folder, ig_error *error)
{
    DIR *open = opendir(folder);
    size_t before = list->count;
    ig_status status = IG_OK;

    if (!open)
        return ig_fail(error, IG_IO, "%s: %s", folder, strerror(errno));
    for (struct dirent *entry; (entry = readdir(open));)
        recover_entry(folder, entry->d_name);
    rewinddir(open);
    for (struct dirent *entry; status == IG_OK && (entry = readdir(open));)
        status = add_entry(list, folder, entry->d_name, error);
    closedir(open);
    if (status == IG_OK && list->count == before)
        return ig_fail(error, IG_IO, "%s holds no run directories", folder);
    if (status == IG_OK)
        qsort(list->path + before, list->count - before, sizeof *list->path, by_name);
    return status;
}

ig_status ig_run_list_make(ig_run_list *list, const ig_options *options,
                           ig_error *error)
{
    ig_status status = IG_OK;

    *list = (ig_run_list){0};
    for (size_t i = 0; i < options->run_paths && status == IG_OK; i++)
        status = add(list, options->run_path[i], error);
    list->strict = list->count;
    if (status == IG_OK && options->runs)
        status = add_folder(list, options->runs, error);
    if (status != IG_OK)
        ig_run_list_free(list);
    return status;
}

void ig_run_list_free(ig_run_list *list)
{
    ig_arena_free(&list->arena);
    *list = (ig_run_list){0};
}
