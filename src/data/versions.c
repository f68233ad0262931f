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

/* A version to be opened, or a file of a folder as it was when it was looked at. */
typedef struct version_file {
    const char *name, *path;
    struct stat as;
    enum { IS_NEW, IS_OPEN, IS_REFUSED } state;
} version_file;

struct ig_found {
    version_file *file;
    size_t count, capacity;
    ig_arena texts;     /* names and paths */
    ig_arrays arrays;   /* the open file whose matrices the versions are */
    const char *folder; /* that has the files, or NULL */
    const char *meta;   /* its table, or NULL */
    size_t start, end;  /* bytes of paths that are no part of a version's name */
    bool named;         /* by the user, also in this order */
    bool languages;     /* the files are no versions but languages of one dataset */
    size_t opened;      /* versions, before any joined */
    ig_dataset_options options; /* of versions that join */
};

static ig_status add_file(ig_found *f, const char *name, size_t length,
                          const char *path, ig_error *error)
{
    version_file file = {.name = ig_arena_text(&f->texts, name, length),
                         .path = ig_arena_text(&f->texts, path, strlen(path))};
    ig_status status = ig_array_grow(&f->file, &f->capacity, f->count + 1,
                                     sizeof *f->file, "versions", error);

    if (status == IG_OK && (!file.name || !file.path))
        status = ig_fail_memory(error, "versions");
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

/* Letters, digits and the rest: a name is cut between two of these. */
static int get_class(char c)
{
    return isdigit((unsigned char)c) ? 1 : isalpha((unsigned char)c) || c < 0 ? 2 : 0;
}

/* Whether two stems share `count` bytes at one end, and the second can be cut there
 * with something left of it; `taken`: bytes cut at the other end. */
static bool shares_end(const char *a, const char *b, size_t count, bool end,
                       size_t taken)
{
    size_t na = measure_stem(a), nb = measure_stem(b), cut = end ? nb - count : count;

    return count + taken < nb &&
           memcmp(end ? a + na - count : a, end ? b + cut : b, count) == 0 &&
           (cut == 0 || cut == nb || get_class(b[cut]) == 0 ||
            get_class(b[cut]) != get_class(b[cut - 1]));
}

/* Bytes that all stems have in common at their start or end, whole words and numbers
 * only. */
static size_t count_common(const ig_found *f, bool end)
{
    size_t common = measure_stem(f->file->path), taken = end ? f->start : 0;

    for (size_t k = 0; k < f->count && common; k++)
        if (!shares_end(f->file->path, f->file[k].path, common, end, taken)) {
            common--;
            k = SIZE_MAX; /* from the first on */
        }
    return common;
}

/* Name versions by what differs in their paths. */
static ig_status name_found(ig_found *f, ig_error *error)
{
    f->start = count_common(f, false);
    f->end = count_common(f, true);
    for (size_t k = 0; k < f->count; k++) {
        version_file *file = &f->file[k];

        file->name = ig_arena_text(&f->texts, file->path + f->start,
                                   measure_stem(file->path) - f->start - f->end);
        if (!file->name)
            return ig_fail_memory(error, "versions");
    }
    return IG_OK;
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

static ig_status check_names(const ig_found *f, ig_error *error)
{
    ig_names seen = {0};
    uint32_t number = 0;
    ig_status status = IG_OK;

    for (size_t k = 0; k < f->count && status == IG_OK; k++) {
        const char *name = f->file[k].name;

        status = ig_names_add(&seen, name, strlen(name), &number, error);
        if (status == IG_OK && number < k)
            status = ig_fail(error, IG_USAGE,
                             "two versions are called %s: %s and %s; NAME=FILE names "
                             "them",
                             name, f->file[number].path, f->file[k].path);
    }
    ig_names_free(&seen);
    return status;
}

/* --- finding ---------------------------------------------------------------------- */

/* The table of a folder and its .npy files. */
static ig_status find_in_folder(ig_found *f, const char *folder, ig_error *error)
{
    static const char *const usual[] = {"set.csv", "meta.csv", "set.tsv", "meta.tsv"};
    const char *between = folder[strlen(folder) - 1] == '/' ? "" : "/";
    char path[PATH_MAX];
    DIR *dir = opendir(folder);
    ig_status status = IG_OK;
    struct dirent *entry;

    if (!dir && errno != ENOENT) /* a removed one has no files */
        return ig_fail_io(error, folder, errno);
    f->folder = ig_arena_text(&f->texts, folder, strlen(folder));
    for (size_t i = 0; i < sizeof usual / sizeof *usual && !f->meta; i++) {
        snprintf(path, sizeof path, "%s%s%s", folder, between, usual[i]);
        if (access(path, F_OK) == 0)
            f->meta = ig_arena_text(&f->texts, path, strlen(path));
    }
    while (dir && status == IG_OK && (entry = readdir(dir))) {
        snprintf(path, sizeof path, "%s%s%s", folder, between, entry->d_name);
        if (ig_path_ends(path, ".npy") && entry->d_name[0] != '.')
            status = add_file(f, entry->d_name, strlen(entry->d_name), path, error);
    }
    if (dir)
        closedir(dir);
    return status == IG_OK && !f->folder ? ig_fail_memory(error, folder) : status;
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
    if (status != IG_OK || ig_arrays_matrices(a, options) < 2 ||
        ig_arrays_are_languages(a, options))
        return status;
    a->shared = true;
    for (size_t i = 0; i < a->count && status == IG_OK; i++)
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
    size_t named = 0;

    for (size_t i = 0; i < n && status == IG_OK; i++) {
        size_t length = strcspn(data[i], "=/");
        bool has_name = length && data[i][length] == '=' && access(data[i], F_OK) != 0;

        named += has_name;
        status =
            add_file(f, data[i], length, data[i] + (has_name ? length + 1 : 0), error);
    }
    f->named = named > 0;
    if (status == IG_OK && named && named < n)
        return ig_fail(error, IG_USAGE,
                       "--versions: either all files have a name (NAME=FILE) or none");
    return status == IG_OK && !named ? name_found(f, error) : status;
}

/* Names of versions for messages. */
static const char *list_names(const ig_found *f, char out[IG_LIST_SIZE])
{
    const char *name[32];
    size_t n = f->count < 32 ? f->count : 32;

    for (size_t i = 0; i < n; i++)
        name[i] = f->file[i].name;
    return ig_quote_list(out, name, n);
}

/* Keep the version `only`. */
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
                   f->count ? list_names(f, list) : "none, it is one dataset");
}

/* Find, order and check the versions of DATA; none: it is one dataset. */
static ig_status find_versions(ig_found *f, const char *const *data, size_t n,
                               const ig_dataset_options *options, ig_error *error)
{
    struct stat info;
    ig_status status = IG_OK;

    if (options->versions) {
        status = find_each(f, data, n, error);
    } else if (n == 1 && stat(data[0], &info) == 0) { /* not LANG=FILE or a pattern */
        status = S_ISDIR(info.st_mode) ? find_in_folder(f, data[0], error)
                                       : find_in_file(f, data[0], options, error);
        if (status == IG_OK && f->folder && f->count)
            status = name_found(f, error);
        f->languages = f->folder && !f->meta && f->count > 1;
        for (size_t i = 0; i < f->count && f->languages; i++)
            f->languages = ig_name_is_language(f->file[i].name);
        f->count = f->folder && !f->meta && !f->languages ? 0 : f->count;
    }
    if (status == IG_OK && f->count && !f->named && !f->arrays.shared)
        qsort(f->file, f->count, sizeof *f->file, compare_names);
    if (status == IG_OK)
        status = check_names(f, error);
    return status == IG_OK && options->only ? keep_only(f, options->only, error)
                                            : status;
}

/* --- opening ---------------------------------------------------------------------- */

enum { ROOM = 4096 }; /* versions that may join */

/* Name a dataset of several files for the folder of the first. */
static void name_set(ig_dataset *set, const char *path)
{
    char full[PATH_MAX], *slash = realpath(path, full) ? strrchr(full, '/') : NULL;
    char *name = NULL;

    if (slash) {
        *slash = '\0';
        name = ig_strdup(slash > full ? strrchr(full, '/') + 1 : "/");
    }
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

    if (status != IG_OK)
        return status;
    set->version = set->inside->version = ig_strdup(name);
    if (!set->version) {
        ig_dataset_free(set);
        return ig_fail_memory(error, "versions");
    }
    v->set[v->count++] = set;
    return IG_OK;
}

static ig_status open_found(ig_versions *v, ig_found *f,
                            const ig_dataset_options *options, ig_error *error)
{
    ig_dataset_options of = *options;
    ig_status status = IG_OK;

    v->set = ig_alloc(f->count + ROOM, sizeof *v->set);
    if (!v->set)
        return ig_fail_memory(error, "versions");
    of.meta = of.meta ? of.meta : f->meta;
    of.arrays = f->arrays.shared ? &f->arrays : NULL;
    for (size_t i = 0; i < f->count && status == IG_OK; i++) {
        if (of.arrays)
            of.column[IG_COLUMN_VECTOR] = f->file[i].name;
        f->file[i].state = IS_OPEN;
        status = open_next(v, f->file[i].name, f->file[i].path, &of, error);
        if (status == IG_OK && i == 0 && !of.arrays)
            name_set(v->set[0], f->file->path); /* the others share the name */
    }
    of.inputs = NULL; /* these are of the thread that opens DATA */
    of.reading = NULL;
    f->options = of;
    f->opened = f->count;
    v->folder = options->only ? NULL : f->folder;
    return status;
}

/* Open a dataset without versions: DATA, or the files of a folder as NAME=FILE. */
static ig_status open_one(ig_versions *v, ig_found *f, const char *const *data,
                          size_t n, const ig_dataset_options *options, ig_error *error)
{
    ig_dataset_options of = *options;
    const char **word = ig_alloc(f->count, sizeof *word);
    char text[PATH_MAX];
    ig_status status;

    of.arrays = f->arrays.format ? &f->arrays : NULL;
    v->set = ig_alloc(1, sizeof *v->set);
    for (size_t i = 0; i < f->count && word; i++) {
        snprintf(text, sizeof text, "%s=%s", f->file[i].name, f->file[i].path);
        word[i] = ig_arena_text(&f->texts, text, strlen(text));
    }
    if (!word || !v->set || (f->count && !word[f->count - 1]))
        status = ig_fail_memory(error, "a dataset");
    else
        status = ig_dataset_open(v->set, f->count ? word : data,
                                 f->count ? f->count : n, &of, error);
    v->count = status == IG_OK;
    if (status == IG_OK && f->count)
        name_set(*v->set, f->file->path);
    ig_free(word);
    return status;
}

ig_status ig_versions_open(ig_versions *versions, const char *const *data, size_t n,
                           const ig_dataset_options *options, ig_error *error)
{
    ig_found *f = ig_alloc(1, sizeof *f);
    ig_status status = f ? find_versions(f, data, n, options, error)
                         : ig_fail_memory(error, "versions");

    *versions = (ig_versions){.found = f};
    if (status == IG_OK)
        status = f->count && !f->languages
                     ? open_found(versions, f, options, error)
                     : open_one(versions, f, data, n, options, error);
    if (status != IG_OK)
        ig_versions_free(versions);
    return status;
}

ig_status ig_versions_names(ig_names *names, const char *const *data, size_t n,
                            const ig_dataset_options *options, ig_error *error)
{
    ig_found f = {0};
    ig_status status = find_versions(&f, data, n, options, error);
    uint32_t number;

    for (size_t i = 0; i < f.count && !f.languages && status == IG_OK; i++)
        status =
            ig_names_add(names, f.file[i].name, strlen(f.file[i].name), &number, error);
    free_found(&f);
    return status;
}

size_t ig_versions_room(const ig_versions *versions)
{
    return versions->folder ? versions->found->opened + ROOM : versions->count;
}

const char *ig_versions_list(const ig_versions *versions, char out[IG_LIST_SIZE])
{
    return list_names(versions->found, out);
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

/* The name of a version that joins: what differs in its path, as of the others; its
 * file if it lacks the rest or the name is taken. */
static const char *make_name(const ig_versions *v, const char *path)
{
    ig_found *f = v->found;
    const char *other = f->file->path, *name = NULL;
    size_t n = measure_stem(path), m = measure_stem(other);

    if (n > f->start + f->end && memcmp(path, other, f->start) == 0 &&
        memcmp(path + n - f->end, other + m - f->end, f->end) == 0)
        name = ig_arena_text(&f->texts, path + f->start, n - f->start - f->end);
    for (size_t k = 0; k < v->count && name; k++)
        if (strcmp(v->set[k]->version, name) == 0)
            name = NULL;
    return name ? name : strrchr(path, '/') + 1;
}

/* Look at a file of the folder: one that is new joins when it is as it was at the look
 * before. Returns whether it was refused. */
static bool look_at_file(ig_versions *v, const version_file *now,
                         const atomic_bool *stop, ig_error *error)
{
    ig_found *f = v->found;
    version_file *file = NULL;
    ig_status status;

    for (size_t i = 0; i < f->count && !file; i++)
        if (strcmp(f->file[i].path, now->path) == 0)
            file = &f->file[i];
    if (!file) {
        /* Where memory is short, the next look finds it. */
        add_file(f, now->name, strlen(now->name), now->path, NULL);
        return false;
    }
    if (file->state != IS_OPEN && !ig_file_unchanged(&file->as, &now->as)) {
        file->as = now->as;
        file->state = IS_NEW;
        return false;
    }
    if (file->state != IS_NEW || !f->meta)
        return false;
    status = v->count < ig_versions_room(v)
                 ? open_next(v, make_name(v, now->path), now->path, &f->options, error)
                 : ig_fail(error, IG_VALUE, "%s: no room for more than %d new versions",
                           now->path, ROOM);
    if (status == IG_OK) {
        status = ig_dataset_check(v->set[v->count - 1], NULL, stop, error);
        ig_dataset_release(v->set[v->count - 1]);
        if (status != IG_OK)
            ig_dataset_free(v->set[--v->count]);
    }
    file->state = status == IG_OK            ? IS_OPEN
                  : status == IG_INTERRUPTED ? IS_NEW
                                             : IS_REFUSED;
    return file->state == IS_REFUSED;
}

/* Whether the file of a version is another than before; reported once. */
static bool look_for_changed(ig_found *f, char text[IG_ERROR_SIZE])
{
    for (size_t i = 0; i < f->count; i++) {
        version_file *file = &f->file[i];
        struct stat now = {0};
        bool gone = stat(file->path, &now) != 0;

        if (file->state != IS_OPEN || ig_file_unchanged(&file->as, &now))
            continue;
        file->as = now;
        snprintf(text, IG_ERROR_SIZE,
                 gone ? "%s was removed; its version stays"
                      : "%s was changed; open it anew to read it",
                 file->path);
        return true;
    }
    return false;
}

bool ig_versions_look(ig_versions *v, const atomic_bool *stop, ig_versions_news *news)
{
    ig_found *f = v->found, now = {0};
    size_t before = v->count;
    ig_error error = {0};
    char joined[160] = "";

    *news = (ig_versions_news){0};
    if (!v->folder || find_in_folder(&now, v->folder, &error) != IG_OK) {
        free_found(&now);
        return false;
    }
    news->is_error = !now.meta;
    if (!f->meta != !now.meta)
        snprintf(error.message, sizeof error.message,
                 now.meta ? "the table of %s is back"
                          : "waiting for the table of %s; its versions stay",
                 v->folder);
    f->meta = now.meta ? f->options.meta : NULL;
    if (now.count)
        qsort(now.file, now.count, sizeof *now.file, compare_names);
    for (size_t i = 0; i < now.count && !news->is_error; i++) /* one refusal a look */
        news->is_error = look_at_file(v, &now.file[i], stop, &error);
    if (!*error.message)
        news->is_error = look_for_changed(f, error.message);
    free_found(&now);
    if (v->count > before + 1)
        snprintf(joined, sizeof joined, "%.80s and %zu before it joined%s",
                 v->set[v->count - 1]->version, v->count - before - 1,
                 *error.message ? "; " : "");
    else if (v->count > before)
        snprintf(joined, sizeof joined, "%.80s joined%s", v->set[before]->version,
                 *error.message ? "; " : "");
    snprintf(news->text, sizeof news->text, "%s%.800s", joined, error.message);
    return *news->text;
}
