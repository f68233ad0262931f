/* Finds the versions that DATA arguments give, names and opens them. */
#include "data/versions.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/array.h"
#include "data/arrays.h"
#include "data/dataset_parts.h"

enum { ROOM = 4096 }; /* versions that may join */

/* A version to be opened, or a file of a folder as it was at the last look. */
typedef struct version_file {
    const char *name, *path;
    struct stat as;
    enum { IS_NEW, IS_OPEN, IS_REFUSED } state;
} version_file;

struct ig_found {
    version_file *file;
    size_t count, capacity;
    ig_arena texts;             /* names and paths */
    size_t common;              /* bytes that all paths begin with, up to a word */
    ig_arrays arrays;           /* the open file whose matrices the versions are */
    const char *meta;           /* table of the folder, or NULL */
    bool languages;             /* the files are languages of one dataset */
    size_t opened;              /* versions, before any joined */
    ig_dataset_options options; /* of versions that join */
};

static ig_status add_file(ig_found *f, const char *name, size_t length,
                          const char *path, ig_error *error)
{
    version_file file = {.name = ig_arena_text(&f->texts, name, length),
                         .path = ig_arena_text(&f->texts, path, strlen(path))};
    ig_status status = f->texts.failed
                           ? ig_fail_memory(error, "versions")
                           : ig_array_grow(&f->file, &f->capacity, f->count + 1,
                                           sizeof *f->file, "versions", error);

    if (status != IG_OK)
        return status;
    stat(path, &file.as);
    f->file[f->count++] = file;
    return IG_OK;
}

static void free_found(ig_found *f)
{
    ig_arrays_free(&f->arrays);
    ig_free(f->file);
    ig_arena_free(&f->texts);
}

/* --- names ------------------------------------------------------------------------ */

/* Bytes of a path before its extension: its stem. */
static size_t measure_stem(const char *path)
{
    size_t length;
    const char *file = ig_path_stem(path, &length);

    return (size_t)(file - path) + length;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* The name of a file: its stem without what all begin with; of one that begins in
 * another way, its file name. NULL when memory is short. */
static const char *make_name(ig_found *f, const char *path)
{
    size_t n = measure_stem(path);

    return n > f->common && memcmp(path, f->file->path, f->common) == 0
               ? ig_arena_text(&f->texts, path + f->common, n - f->common)
               : strrchr(path, '/') + 1;
}

/* Natural order: runs of digits by their number. */
static int compare_names(const void *a, const void *b)
{
    const char *first = ((const version_file *)a)->name, *x = first;
    const char *second = ((const version_file *)b)->name, *y = second;

    while (*x && *y) {
        bool digits = isdigit((unsigned char)*x) && isdigit((unsigned char)*y);
        char *after[2];
        unsigned long long m = digits ? strtoull(x, &after[0], 10) : (unsigned char)*x;
        unsigned long long n = digits ? strtoull(y, &after[1], 10) : (unsigned char)*y;

        if (m != n)
            return m < n ? -1 : 1;
        x = digits ? after[0] : x + 1;
        y = digits ? after[1] : y + 1;
    }
    return *x || *y ? (*x != 0) - (*y != 0) : strcmp(first, second);
}

/* Name and order files. */
static ig_status name_files(ig_found *f, ig_error *error)
{
    const char *first = f->file->path;

    f->common = measure_stem(first);
    for (size_t k = 0; k < f->count; k++) {
        const char *path = f->file[k].path;
        size_t n = measure_stem(path), i = 0;

        while (i < f->common && i + 1 < n && path[i] == first[i])
            i++;
        f->common = i;
    }
    while (f->common && is_word(first[f->common - 1]))
        f->common--;
    for (size_t k = 0; k < f->count; k++)
        f->file[k].name = make_name(f, f->file[k].path);
    if (f->texts.failed)
        return ig_fail_memory(error, "versions");
    qsort(f->file, f->count, sizeof *f->file, compare_names);
    return IG_OK;
}

static ig_status check_names(const ig_found *f, ig_error *error)
{
    for (size_t k = 1; k < f->count; k++)
        for (size_t i = 0; i < k; i++)
            if (strcmp(f->file[i].name, f->file[k].name) == 0)
                return ig_fail(error, IG_USAGE,
                               "two versions are called %s: %s and %s; NAME=FILE names "
                               "them",
                               f->file[i].name, f->file[i].path, f->file[k].path);
    return IG_OK;
}

/* --- finding ---------------------------------------------------------------------- */

/* The table of a folder and its .npy files. */
static ig_status find_in_folder(ig_found *f, const char *folder, ig_error *error)
{
    static const char *const usual[] = {"set.csv", "meta.csv", "set.tsv", "meta.tsv"};
    const char *between = folder[strlen(folder) - 1] == '/' ? "" : "/";
    char path[PATH_MAX];
    DIR *dir = opendir(folder);
    ig_status status = dir ? IG_OK : ig_fail_io(error, folder, errno);
    struct dirent *entry;

    for (size_t i = 0; i < sizeof usual / sizeof *usual && !f->meta; i++) {
        snprintf(path, sizeof path, "%s%s%s", folder, between, usual[i]);
        if (access(path, F_OK) == 0)
            f->meta = ig_arena_text(&f->texts, path, strlen(path));
    }
    while (status == IG_OK && (entry = readdir(dir))) {
        snprintf(path, sizeof path, "%s%s%s", folder, between, entry->d_name);
        if (ig_path_ends(path, ".npy") && entry->d_name[0] != '.')
            status = add_file(f, entry->d_name, strlen(entry->d_name), path, error);
    }
    if (dir)
        closedir(dir);
    return status;
}

/* The versions of a folder with a table; without one, the languages of a dataset. */
static ig_status find_versions_in(ig_found *f, const char *folder,
                                  const char *converter, ig_error *error)
{
    ig_status status = find_in_folder(f, folder, error);

    if (status == IG_OK && f->count)
        status = name_files(f, error);
    f->languages = !f->meta && f->count > 1;
    for (size_t i = 0; i < f->count && f->languages; i++)
        f->languages = ig_name_is_language(f->file[i].name);
    f->count = f->meta || f->languages ? f->count : 0;
    if (status == IG_OK && !f->count)
        return ig_fail(error, IG_IO,
                       "%s: is a directory without .npy files beside a meta.csv, and "
                       "without one for each language; if it is of save_to_disk, "
                       "convert it: python3 '%s' '%s' set.npy",
                       folder, converter ? converter : "convert.py", folder);
    return status;
}

/* The matrices of a file. */
static ig_status find_in_file(ig_found *f, const char *path,
                              const ig_dataset_options *options, ig_error *error)
{
    ig_arrays *a = &f->arrays;
    ig_status status;

    if (ig_path_is_stream(path) || ig_path_ends(path, ".gz"))
        return IG_OK; /* cannot be read twice, or not cheaply */
    status = ig_arrays_open(a, path, options, false, error);
    a->shared = status == IG_OK && a->kind == IG_VERSIONS;
    for (size_t i = 0; i < a->count && a->shared && status == IG_OK; i++)
        if (ig_array_is_matrix(&a->array[i]))
            status =
                add_file(f, a->array[i].name, strlen(a->array[i].name), path, error);
    return status;
}

/* Versions of --versions: FILE … or NAME=FILE …. */
static ig_status find_each(ig_found *f, const char *const *data, size_t n,
                           ig_error *error)
{
    ig_status status = IG_OK;
    bool named = false;

    for (size_t i = 0; i < n && status == IG_OK; i++) {
        size_t length = strcspn(data[i], "=/");
        bool has_name = length && data[i][length] == '=' && access(data[i], F_OK) != 0;

        named |= has_name;
        status = has_name ? add_file(f, data[i], length, data[i] + length + 1, error)
                          : add_file(f, data[i], measure_stem(data[i]), data[i], error);
    }
    if (status == IG_OK && !named)
        status = name_files(f, error);
    return status == IG_OK ? check_names(f, error) : status;
}

const char *ig_versions_list(const ig_versions *versions, char out[IG_LIST_SIZE])
{
    const ig_found *f = versions->found;
    const char *name[32];
    size_t n = f->count < 32 ? f->count : 32;

    for (size_t i = 0; i < n; i++)
        name[i] = f->file[i].name;
    return ig_quote_list(out, name, n);
}

static ig_status keep_only(ig_found *f, const char *only, ig_error *error)
{
    char list[IG_LIST_SIZE];

    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->file[i].name, only) == 0) {
            f->file[0] = f->file[i];
            f->count = 1;
            return IG_OK;
        }
    return ig_fail(error, IG_USAGE, "--only %s: the versions are %s", only,
                   f->count ? ig_versions_list(&(ig_versions){.found = f}, list)
                            : "none, it is one dataset");
}

/* Find the versions of DATA; none: it is one dataset. */
static ig_status find_versions(ig_found *f, const char *const *data, size_t n,
                               const ig_dataset_options *options, ig_error *error)
{
    struct stat info;
    ig_status status = IG_OK;

    if (options->versions)
        status = find_each(f, data, n, error);
    else if (n == 1 && stat(data[0], &info) == 0) /* not LANG=FILE or a pattern */
        status = S_ISDIR(info.st_mode)
                     ? find_versions_in(f, data[0], options->converter, error)
                     : find_in_file(f, data[0], options, error);
    return status == IG_OK && options->only ? keep_only(f, options->only, error)
                                            : status;
}

/* --- opening ---------------------------------------------------------------------- */

/* Name a dataset of several files for the folder of the first. */
static void name_set(ig_dataset *set, const char *path)
{
    char full[PATH_MAX], *slash = realpath(path, full) ? strrchr(full, '/') : NULL;
    char *name = NULL;

    if (slash)
        *slash = '\0';
    if (slash && (slash = strrchr(full, '/')))
        name = ig_strdup(slash + 1);
    if (name) {
        ig_free(set->inside->name);
        set->name = set->inside->name = name;
    }
}

/* Open the next version: the first is a dataset with its table, the others are vectors
 * alone. */
static ig_status open_next(ig_versions *v, const char *name, const char *path,
                           const ig_dataset_options *options, ig_error *error)
{
    ig_dataset *set = NULL;
    ig_status status =
        v->count == 0 ? ig_dataset_open(&set, &path, 1, options, error)
                      : ig_dataset_open_version(&set, v->set[0], path, options, error);

    if (status == IG_OK) {
        set->version = name;
        v->set[v->count++] = set;
    }
    return status;
}

static ig_status open_versions(ig_versions *v, ig_dataset_options *of, ig_error *error)
{
    ig_found *f = v->found;
    ig_status status = IG_OK;

    of->meta = of->meta ? of->meta : f->meta;
    for (size_t i = 0; i < f->count && status == IG_OK; i++) {
        if (of->arrays)
            of->column[IG_COLUMN_VECTOR] = f->file[i].name;
        f->file[i].state = IS_OPEN;
        status = open_next(v, f->file[i].name, f->file[i].path, of, error);
        if (status == IG_OK && i == 0 && !of->arrays)
            name_set(v->set[0], f->file->path); /* the others share the name */
    }
    of->inputs = NULL; /* these are of the thread that opens DATA */
    of->reading = NULL;
    f->options = *of;
    f->opened = f->count;
    return status;
}

/* Open a dataset without versions: DATA, or the files of a folder as NAME=FILE. */
static ig_status open_one(ig_versions *v, const char *const *data, size_t n,
                          const ig_dataset_options *options, ig_error *error)
{
    ig_found *f = v->found;
    const char **word = ig_arena_array(&f->texts, f->count, sizeof *word);
    ig_status status;

    for (size_t i = 0; i < f->count && word; i++) {
        size_t size = strlen(f->file[i].name) + strlen(f->file[i].path) + 2;
        char *text = ig_arena_bytes(&f->texts, size);

        if (text)
            snprintf(text, size, "%s=%s", f->file[i].name, f->file[i].path);
        word[i] = text;
    }
    if (f->texts.failed)
        return ig_fail_memory(error, "a dataset");
    status = ig_dataset_open(v->set, f->count ? word : data, f->count ? f->count : n,
                             options, error);
    v->count = status == IG_OK;
    if (status == IG_OK && f->count)
        name_set(*v->set, f->file->path);
    for (size_t k = 1; status == IG_OK && f->count && k < (*v->set)->languages; k++)
        if ((*v->set)->language_rows[k] != (*v->set)->language_rows[0])
            return ig_fail(error, IG_SHAPE,
                           "%s: %s has %zu rows but %s has %zu, and rows of one number "
                           "are read as translations",
                           data[0], (*v->set)->language[k],
                           (size_t)(*v->set)->language_rows[k], (*v->set)->language[0],
                           (size_t)(*v->set)->language_rows[0]);
    return status;
}

ig_status ig_versions_open(ig_versions *v, const char *const *data, size_t n,
                           const ig_dataset_options *options, ig_error *error)
{
    ig_dataset_options of = *options;
    ig_found *f = ig_alloc(1, sizeof *f);
    ig_status status = f ? find_versions(f, data, n, options, error)
                         : ig_fail_memory(error, "versions");

    *v = (ig_versions){.found = f};
    if (status == IG_OK && !(v->set = ig_alloc(f->count + ROOM, sizeof *v->set)))
        status = ig_fail_memory(error, "versions");
    if (status == IG_OK) {
        of.arrays = f->arrays.format ? &f->arrays : NULL;
        status = f->count && !f->languages ? open_versions(v, &of, error)
                                           : open_one(v, data, n, &of, error);
        if (f->meta && f->count && !options->only)
            v->folder = ig_arena_text(&f->texts, data[0], strlen(data[0]));
    }
    if (status != IG_OK)
        ig_versions_free(v);
    return status;
}

ig_status ig_versions_names(ig_names *names, const char *const *data, size_t n,
                            const ig_dataset_options *options, ig_error *error)
{
    ig_found f = {0};
    ig_status status = find_versions(&f, data, n, options, error);

    for (size_t i = 0; i < f.count && !f.languages && status == IG_OK; i++)
        ig_names_add(names, f.file[i].name, strlen(f.file[i].name));
    if (names->texts.failed)
        status = ig_fail_memory(error, "versions");
    free_found(&f);
    return status;
}

size_t ig_versions_room(const ig_versions *versions)
{
    return versions->folder ? versions->found->opened + ROOM : versions->count;
}

void ig_versions_free(ig_versions *versions)
{
    /* Version 0 owns the rows of all. */
    for (size_t i = versions->count; i-- > 0;)
        ig_dataset_free(versions->set[i]);
    if (versions->found)
        free_found(versions->found);
    IG_FREE(versions->set, versions->found);
    *versions = (ig_versions){0};
}

/* --- a folder that grows ---------------------------------------------------------- */

/* Open a file of the folder as a version, if its values are finite. */
static ig_status join_file(ig_versions *v, const char *path, const atomic_bool *stop,
                           ig_error *error)
{
    const char *name = make_name(v->found, path);
    ig_status status;

    if (!name || v->count == ig_versions_room(v))
        return ig_fail(error, IG_NOMEM, "%s: no room for more versions", path);
    status = open_next(v, name, path, &v->found->options, error);
    if (status != IG_OK)
        return status;
    status = ig_dataset_check(v->set[v->count - 1], NULL, stop, error);
    ig_dataset_release(v->set[v->count - 1]);
    if (status != IG_OK)
        ig_dataset_free(v->set[--v->count]);
    return status;
}

/* Look at a file of the folder: one that is new joins when it is as it was at the look
 * before. */
static void look_at_file(ig_versions *v, const version_file *now,
                         const atomic_bool *stop, ig_error *error)
{
    ig_found *f = v->found;
    version_file *file = NULL;
    ig_status status;

    for (size_t i = 0; i < f->count && !file; i++)
        if (strcmp(f->file[i].path, now->path) == 0)
            file = &f->file[i];
    if (!file) {
        add_file(f, now->name, strlen(now->name), now->path, NULL);
    } else if (!ig_file_unchanged(&file->as, &now->as)) {
        file->as = now->as;
        if (file->state == IS_OPEN)
            ig_fail(error, IG_VALUE, "%s was changed; open it anew to read it",
                    file->path);
        else
            file->state = IS_NEW;
    } else if (file->state == IS_NEW) {
        status = join_file(v, file->path, stop, error); /* it keeps the path */
        if (status != IG_INTERRUPTED)
            file->state = status == IG_OK ? IS_OPEN : IS_REFUSED;
    }
}

bool ig_versions_look(ig_versions *v, const atomic_bool *stop, ig_versions_news *news)
{
    ig_found now = {0};
    size_t before = v->count;
    ig_error error = {0};

    if (v->folder && find_in_folder(&now, v->folder, NULL) == IG_OK && now.meta &&
        now.count) {
        qsort(now.file, now.count, sizeof *now.file, compare_names);
        for (size_t i = 0; i < now.count && !*error.message; i++)
            look_at_file(v, &now.file[i], stop, &error);
    }
    free_found(&now);
    news->is_error = *error.message != '\0';
    snprintf(news->text, sizeof news->text, "%s", error.message);
    if (v->count > before && !news->is_error)
        snprintf(news->text, sizeof news->text, "%s joined",
                 v->set[v->count - 1]->version);
    return *news->text;
}
