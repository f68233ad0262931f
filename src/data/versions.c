/* Finds the versions that DATA arguments give, names and opens them. */
#include "data/versions.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/array.h"
#include "data/reader.h"

enum { ROOM = 4096 }; /* versions that may join */

/* A version, or a file of a folder that may become one. */
typedef struct version_file {
    const char *name, *path; /* the name first, by which they are sorted */
    struct stat as;          /* at the last look */
    bool changed;            /* unlike at the look before */
    bool open, refused;
} version_file;

struct ig_found {
    version_file *file;
    size_t count, capacity;
    ig_arena texts;             /* names and paths */
    const char *first;          /* a path, which all begin like … */
    size_t common;              /* … for so many bytes, up to a word */
    const char *folder;         /* whose files they are, with a table; or NULL */
    ig_dataset_options options; /* of the versions */
};

static ig_status add_file(ig_found *f, const char *name, size_t length,
                          const char *path, ig_error *error)
{
    version_file file = {.name = ig_arena_text(&f->texts, name, length),
                         .path = ig_arena_text(&f->texts, path, strlen(path)),
                         .changed = true};

    if (f->texts.failed || ig_array_grow(&f->file, &f->capacity, f->count + 1,
                                         sizeof file, "versions", NULL) != IG_OK)
        return ig_fail_memory(error, "versions");
    f->file[f->count++] = file;
    return IG_OK;
}

/* Bytes of a path before its extension: its stem. */
static size_t measure_stem(const char *path)
{
    size_t length;
    const char *file = ig_path_stem(path, &length);

    return (size_t)(file - path) + length;
}

/* Name a file: its stem without what all begin with; of others the whole file name. */
static void name_file(ig_found *f, version_file *file)
{
    size_t n = measure_stem(file->path);
    const char *name = file->path + f->common;

    if (n > f->common && memcmp(file->path, f->first, f->common) == 0 &&
        (name = ig_arena_text(&f->texts, name, n - f->common)))
        file->name = name;
}

int ig_version_compare(const void *a, const void *b)
{
    static const char digits[] = "0123456789";
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    bool inside = false; /* of a number: its longer rest is that of the greater one */
    size_t n, m;

    for (; *x && *x == *y; x++, y++)
        inside = strchr(digits, *x);
    n = strspn(x, digits);
    m = strspn(y, digits);
    return n != m && (inside || (n && m)) ? (n > m) - (n < m) : strcmp(x, y);
}

/* Name and order files. */
static void name_files(ig_found *f)
{
    f->first = f->count ? f->file->path : "";
    f->common = measure_stem(f->first);
    for (size_t k = 0; k < f->count; k++) {
        size_t n = measure_stem(f->file[k].path), i = 0;

        while (i < f->common && i + 1 < n && f->file[k].path[i] == f->first[i])
            i++;
        f->common = i;
    }
    while (f->common && (isalnum((unsigned char)f->first[f->common - 1]) ||
                         (unsigned char)f->first[f->common - 1] >= 0x80))
        f->common--;
    for (size_t k = 0; k < f->count; k++)
        name_file(f, &f->file[k]);
    if (f->count)
        qsort(f->file, f->count, sizeof *f->file, ig_version_compare);
}

/* Look at the .npy files of a folder, and add those that are new. */
static ig_status scan_folder(ig_found *f, const char *folder, ig_error *error)
{
    DIR *dir = opendir(folder);
    ig_status status = dir ? IG_OK : ig_fail_io(error, folder, errno);
    struct dirent *entry;
    struct stat now;
    char path[PATH_MAX];

    while (status == IG_OK && (entry = readdir(dir))) {
        size_t k = 0;

        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (!ig_path_ends(path, ".npy") || entry->d_name[0] == '.' ||
            stat(path, &now) != 0)
            continue;
        while (k < f->count && strcmp(f->file[k].path, path) != 0)
            k++;
        if (k == f->count)
            status = add_file(f, entry->d_name, strlen(entry->d_name), path, error);
        if (status != IG_OK)
            break;
        f->file[k].changed |= !ig_file_unchanged(&f->file[k].as, &now);
        f->file[k].as = now;
    }
    if (dir)
        closedir(dir);
    return status;
}

/* The versions of a folder with a table; without one, the languages of a dataset. */
static ig_status find_in_folder(ig_found *f, const char *folder, ig_error *error)
{
    static const char *const usual[] = {"set.csv", "meta.csv", "set.tsv", "meta.tsv"};
    const char *converter = f->options.converter ? f->options.converter : "convert.py";
    const char *meta = NULL;
    ig_status status = scan_folder(f, folder, error);
    char path[PATH_MAX];

    for (size_t i = 0; i < sizeof usual / sizeof *usual && !meta; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, usual[i]);
        if (access(path, F_OK) == 0)
            meta = ig_arena_text(&f->texts, path, strlen(path));
    }
    name_files(f);
    f->folder = meta ? ig_arena_text(&f->texts, folder, strlen(folder)) : NULL;
    f->options.meta = f->options.meta ? f->options.meta : meta;
    f->options.languages = !meta && f->count > 1;
    for (size_t i = 0; i < f->count && f->options.languages; i++)
        f->options.languages = ig_name_is_language(f->file[i].name);
    if (status == IG_OK && (!f->count || !(meta || f->options.languages)))
        return ig_fail(error, IG_IO,
                       "%s: is a directory without .npy files and a meta.csv, or one "
                       "for each language; files of another table: --versions %s/*.npy "
                       "--meta TABLE.csv; of save_to_disk: python3 '%s' '%s' set.npy",
                       folder, folder, converter, folder);
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
    if (!named)
        name_files(f);
    return status;
}

const char *ig_versions_list(const ig_versions *versions, char out[IG_LIST_SIZE])
{
    const ig_found *f = versions->found;
    const char *name[IG_LISTED];

    for (size_t i = 0; i < f->count && i < IG_LISTED; i++)
        name[i] = f->file[i].name;
    return ig_quote_list(out, name, f->count);
}

/* Keep the version --only. */
static ig_status choose_version(ig_found *f, ig_error *error)
{
    const char *only = f->options.only;
    char list[IG_LIST_SIZE];

    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->file[i].name, only) == 0) {
            f->file[0] = f->file[i];
            f->count = 1;
            return IG_OK;
        }
    return ig_fail(error, IG_USAGE, "--only %s: %s%s", only,
                   f->count ? "the versions are "
                            : "DATA has no versions (search --to chooses languages)",
                   f->count ? ig_versions_list(&(ig_versions){.found = f}, list) : "");
}

/* Name a dataset for the folder of its first file. */
static void name_set(ig_found *f, ig_dataset *set)
{
    char path[PATH_MAX];
    const char *name = realpath(f->file->path, path) ? basename(dirname(path)) : "/";

    if (*name != '/' && (name = ig_arena_text(&f->texts, name, strlen(name))))
        set->name = name;
}

/* Open the next version: the first is a dataset with its table, others are vectors. */
static ig_status open_next(ig_versions *v, version_file *file, ig_error *error)
{
    ig_dataset_options *options = &v->found->options;
    ig_dataset *set = NULL;
    ig_status status;

    options->base = v->count ? v->set[0] : NULL;
    status = ig_dataset_open(&set, (const char *const *)&file->path, 1, options, error);
    if (status != IG_OK)
        return status;
    if (v->count == 0)
        name_set(v->found, set);
    file->open = true;
    file->changed = false;
    set->version = file->name;
    v->set[v->count++] = set;
    return IG_OK;
}

/* The files of a folder as languages of one dataset: LANG=FILE …; NULL: no memory. */
static const char **list_languages(ig_found *f)
{
    const char **word = ig_arena_array(&f->texts, f->count, sizeof *word);
    char text[2 * PATH_MAX];

    for (size_t i = 0; i < f->count && word; i++)
        word[i] = ig_arena_text(&f->texts, text,
                                (size_t)snprintf(text, sizeof text, "%s=%s",
                                                 f->file[i].name, f->file[i].path));
    return word;
}

ig_status ig_versions_open(ig_versions *v, const char *const *data, size_t n,
                           const ig_dataset_options *options, ig_error *error)
{
    ig_found *f = ig_alloc(1, sizeof *f);
    ig_status status = IG_OK;
    struct stat info;

    *v = (ig_versions){.found = f};
    if (!f)
        return ig_fail_memory(error, "versions");
    f->options = *options;
    if (options->versions)
        status = find_each(f, data, n, error);
    else if (n == 1 && stat(data[0], &info) == 0 && S_ISDIR(info.st_mode))
        status = find_in_folder(f, data[0], error);
    if (status == IG_OK && options->only)
        status = choose_version(f, error);
    if (f->options.languages)
        data = list_languages(f);
    if (status == IG_OK &&
        (f->texts.failed || !(v->set = ig_alloc(f->count + ROOM, sizeof *v->set))))
        status = ig_fail_memory(error, "versions");
    for (size_t i = 0; i < f->count && !f->options.languages && status == IG_OK; i++)
        status = open_next(v, &f->file[i], error);
    if (status == IG_OK && !v->count) { /* one dataset */
        status =
            ig_dataset_open(v->set, data, f->count ? f->count : n, &f->options, error);
        v->count = status == IG_OK;
    }
    if (v->count && f->options.languages)
        name_set(f, v->set[0]);
    f->options.inputs = NULL; /* these are of the thread that opens DATA */
    f->options.reading = NULL;
    v->folder = options->only ? NULL : f->folder;
    v->room = v->count + (v->folder ? ROOM : 0);
    if (status != IG_OK)
        ig_versions_free(v);
    return status;
}

void ig_versions_free(ig_versions *versions)
{
    /* Version 0 owns the rows of all. */
    for (size_t i = versions->count; i-- > 0;)
        ig_dataset_free(versions->set[i]);
    if (versions->found) {
        ig_free(versions->found->file);
        ig_arena_free(&versions->found->texts);
    }
    IG_FREE(versions->set, versions->found);
    *versions = (ig_versions){0};
}

void ig_versions_look(ig_versions *v, const atomic_bool *stop, ig_error *news)
{
    ig_found *f = v->found;
    ig_status status = scan_folder(f, v->folder, NULL);

    *news = (ig_error){0};
    qsort(f->file, f->count, sizeof *f->file, ig_version_compare);
    for (size_t i = 0; i < f->count && status == IG_OK; i++) {
        version_file *file = &f->file[i];

        if (file->changed) {
            file->changed = file->refused = false;
            if (file->open)
                status = ig_fail(news, IG_VALUE,
                                 "%s was changed; open it anew to read it", file->path);
        } else if (!file->open && !file->refused && v->count < v->room) {
            name_file(f, file);
            status = open_next(v, file, news);
            if (status == IG_OK &&
                (status = ig_dataset_check(v->set[v->count - 1], NULL, stop, news)) !=
                    IG_OK)
                ig_dataset_free(v->set[--v->count]);
            file->open = status == IG_OK;
            file->refused = !file->open && status != IG_INTERRUPTED;
            if (file->open)
                snprintf(news->message, sizeof news->message, "%s joined", file->name);
        }
    }
    if (status == IG_INTERRUPTED)
        *news = (ig_error){0};
}
