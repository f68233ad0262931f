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

/* A version to be opened, or a file of a folder as it was at the last look. */
typedef struct version_file {
    const char *name, *path;
    struct stat as;
    enum { IS_NEW, IS_OPEN, IS_REFUSED, IS_GONE } state;
    bool met; /* in this look */
} version_file;

typedef struct found {
    version_file *file;
    size_t count, capacity;
    ig_arena texts;     /* names and paths */
    ig_arrays *arrays;  /* whose matrices the versions are, or NULL */
    const char *folder; /* that has the files, or NULL */
    const char *meta;   /* its table, or NULL */
    bool by_path;       /* two files have one name */
    bool named;         /* by the user, also in this order */
    size_t start, end;  /* bytes of file names that are no part of a version's name */
    ig_error *error;
} found;

/* A folder whose files are versions, and which may grow. */
struct ig_folder {
    found of; /* its files */
    ig_dataset_options options;
    size_t opened; /* versions, before any joined */
    bool gone;     /* its table is */
};

static ig_status add_file(found *f, const char *name, size_t length, const char *path)
{
    ig_status status = ig_array_grow(&f->file, &f->capacity, f->count + 1,
                                     sizeof *f->file, "versions", f->error);
    version_file *file;

    if (status != IG_OK)
        return status;
    file = &f->file[f->count];
    *file = (version_file){.name = ig_arena_text(&f->texts, name, length),
                           .path = ig_arena_text(&f->texts, path, strlen(path)),
                           .met = true};
    stat(path, &file->as);
    if (!file->name || !file->path)
        return ig_fail_memory(f->error, path);
    f->count++;
    return IG_OK;
}

static void free_found(found *f)
{
    if (f->arrays)
        ig_arrays_free(f->arrays);
    IG_FREE(f->file, f->arrays);
    ig_arena_free(&f->texts);
    *f = (found){0};
}

/* --- names ------------------------------------------------------------------------ */

/* The part of a path that names its version, without its extension: the file, or all of
 * the path where two files have one name. */
static const char *get_stem(const found *f, const char *path, size_t *length)
{
    const char *stem = ig_path_stem(path, length);

    if (!f->by_path)
        return stem;
    *length += (size_t)(stem - path);
    return path;
}

/* Letters, digits and the rest: a name is cut between two of these. */
static int get_class(char c)
{
    return isdigit((unsigned char)c) ? 1 : isalpha((unsigned char)c) || c < 0 ? 2 : 0;
}

/* Whether two stems share `count` bytes at one end, and the second can be cut there. */
static bool shares_end(const char *a, size_t na, const char *b, size_t nb, size_t count,
                       bool end)
{
    size_t cut = end ? nb - count : count;

    return count <= na && count <= nb &&
           memcmp(end ? a + na - count : a, end ? b + nb - count : b, count) == 0 &&
           (cut == 0 || cut == nb || get_class(b[cut]) == 0 ||
            get_class(b[cut]) != get_class(b[cut - 1]));
}

/* Bytes that all stems have in common at their start or end, whole words and numbers
 * only. */
static size_t count_common(const found *f, bool end)
{
    size_t na, nb, common;
    const char *a = get_stem(f, f->file->path, &na), *b;

    common = na;
    for (size_t k = 0; k < f->count && common; k++) {
        b = get_stem(f, f->file[k].path, &nb);
        if (shares_end(a, na, b, nb, common, end))
            continue;
        common--;
        k = SIZE_MAX; /* from the first on */
    }
    return common;
}

/* Two files of one name, or of one stem: *twin and the result; f->count: none. */
static size_t find_twin(const found *f, bool stems, size_t *twin)
{
    ig_names seen = {0};
    uint32_t number = 0;
    size_t k = 0, length;

    for (; k < f->count; k++) {
        const char *name = f->file[k].name;

        length = strlen(name);
        if (stems)
            name = get_stem(f, f->file[k].path, &length);
        if (ig_names_add(&seen, name, length, &number, f->error) != IG_OK || number < k)
            break;
    }
    ig_names_free(&seen);
    *twin = number;
    return k;
}

/* Name versions by what differs in their file names; by all of these if one is left
 * with nothing. */
static ig_status name_found(found *f)
{
    size_t length, shortest = SIZE_MAX;

    f->by_path = find_twin(f, true, &length) < f->count;
    f->start = count_common(f, false);
    f->end = count_common(f, true);
    for (size_t k = 0; k < f->count; k++) {
        get_stem(f, f->file[k].path, &length);
        shortest = length < shortest ? length : shortest;
    }
    if (f->start + f->end >= shortest)
        f->start = f->end = 0;
    for (size_t k = 0; k < f->count; k++) {
        const char *stem = get_stem(f, f->file[k].path, &length);

        f->file[k].name =
            ig_arena_text(&f->texts, stem + f->start, length - f->start - f->end);
        if (!f->file[k].name)
            return ig_fail_memory(f->error, stem);
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

/* Name of the innermost folder that has all files, for ig_free; or NULL. */
static char *name_folder(const found *f)
{
    const char *first = f->file->path, *slash;
    char folder[PATH_MAX], full[PATH_MAX];
    size_t common = strlen(first);

    for (size_t k = 0; k < f->count; k++)
        while (common && (first[common - 1] != '/' ||
                          strncmp(first, f->file[k].path, common) != 0))
            common--;
    snprintf(folder, sizeof folder, "%.*s", common ? (int)common : 1,
             common ? first : ".");
    slash = realpath(folder, full) ? strrchr(full, '/') : NULL;
    return slash && slash[1] ? ig_strdup(slash + 1) : NULL;
}

/* --- finding ---------------------------------------------------------------------- */

/* The table of a folder and its .npy files. */
static ig_status find_in_folder(found *f, const char *folder)
{
    static const char *const usual[] = {"set.csv", "meta.csv", "set.tsv", "meta.tsv"};
    char path[PATH_MAX];
    DIR *dir = opendir(folder);
    ig_status status = IG_OK;
    struct dirent *entry;

    if (!dir && errno != ENOENT) /* a removed one has no files */
        return ig_fail_io(f->error, folder, errno);
    f->folder = ig_arena_text(&f->texts, folder, strlen(folder));
    for (size_t i = 0; i < sizeof usual / sizeof *usual && !f->meta; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, usual[i]);
        if (access(path, F_OK) == 0)
            f->meta = ig_arena_text(&f->texts, path, strlen(path));
    }
    while (dir && status == IG_OK && (entry = readdir(dir))) {
        snprintf(path, sizeof path, "%s%s%s", folder,
                 folder[strlen(folder) - 1] == '/' ? "" : "/", entry->d_name);
        if (ig_path_ends(path, ".npy") && entry->d_name[0] != '.')
            status = add_file(f, entry->d_name, strlen(entry->d_name), path);
    }
    if (dir)
        closedir(dir);
    return status == IG_OK && !f->folder ? ig_fail_memory(f->error, folder) : status;
}

/* The matrices of a file. */
static ig_status find_in_file(found *f, const char *path,
                              const ig_dataset_options *options)
{
    size_t matrices;
    ig_status status;

    if (ig_path_is_stream(path) || ig_path_ends(path, ".gz"))
        return IG_OK; /* cannot be read twice, or not cheaply */
    f->arrays = ig_alloc(1, sizeof *f->arrays);
    if (!f->arrays)
        return ig_fail_memory(f->error, path);
    status = ig_arrays_open(f->arrays, path, options, false, f->error);
    matrices = status == IG_OK ? ig_arrays_matrices(f->arrays, options) : 0;
    for (size_t i = 0; i < f->arrays->count && matrices > 1 && status == IG_OK; i++) {
        const ig_array *m = &f->arrays->array[i];

        if (ig_array_is_matrix(m))
            status = add_file(f, m->name, strlen(m->name), path);
    }
    f->arrays->shared = f->count > 0;
    return status;
}

/* Versions of --versions: FILE … or NAME=FILE …. */
static ig_status find_each(found *f, const char *const *data, size_t n)
{
    ig_status status = IG_OK;
    size_t named = 0;

    for (size_t i = 0; i < n && status == IG_OK; i++) {
        size_t length = strcspn(data[i], "=/");
        bool has_name = length && data[i][length] == '=' && access(data[i], F_OK) != 0;

        named += has_name;
        status = add_file(f, data[i], has_name ? length : 0,
                          data[i] + (has_name ? length + 1 : 0));
    }
    f->named = named > 0;
    if (status == IG_OK && named && named < n)
        return ig_fail(f->error, IG_USAGE,
                       "--versions: either all files have a name (NAME=FILE) or none");
    return status == IG_OK && !named ? name_found(f) : status;
}

/* Keep the version `only`. */
static ig_status keep_only(found *f, const char *only)
{
    const char *name[32];
    char list[IG_LIST_SIZE];
    size_t n = f->count < 32 ? f->count : 32;

    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->file[i].name, only) == 0) {
            f->file[0] = f->file[i];
            f->count = 1;
            return IG_OK;
        }
    for (size_t i = 0; i < n; i++)
        name[i] = f->file[i].name;
    return ig_fail(f->error, IG_USAGE, "--only %s: the versions are %s", only,
                   n ? ig_quote_list(list, name, n) : "none, it is one dataset");
}

/* Find, order and check the versions of DATA; none: it is one dataset. */
static ig_status find_versions(found *f, const char *const *data, size_t n,
                               const ig_dataset_options *options)
{
    size_t twin, other;
    struct stat info;
    ig_status status = IG_OK;

    if (options->versions) {
        status = find_each(f, data, n);
    } else if (n == 1 && stat(data[0], &info) == 0) { /* not LANG=FILE or a pattern */
        status = S_ISDIR(info.st_mode) ? find_in_folder(f, data[0])
                                       : find_in_file(f, data[0], options);
        if (f->folder && !f->meta)
            f->count = 0;
        if (status == IG_OK && f->folder && f->count)
            status = name_found(f);
    }
    if (status == IG_OK && f->count > 1 && !f->named && !f->arrays)
        qsort(f->file, f->count, sizeof *f->file, compare_names);
    twin = status == IG_OK ? find_twin(f, false, &other) : f->count;
    if (twin < f->count)
        return ig_fail(f->error, IG_USAGE,
                       "two versions are called %s: %s and %s; NAME=FILE names them",
                       f->file[twin].name, f->file[other].path, f->file[twin].path);
    return status == IG_OK && options->only ? keep_only(f, options->only) : status;
}

/* --- a folder that grows ---------------------------------------------------------- */

enum { ROOM = 4096 }; /* versions that may join */

/* The name of a version that joins: what differs in its file name, as of the others;
 * all of it if it lacks the rest, with its extension if another version has that
 * name. */
static char *make_name(const ig_versions *v, const char *path)
{
    const found *f = &v->folder->of;
    size_t start = f->start, end = f->end, n, m;
    const char *stem = ig_path_stem(path, &n);
    const char *other = ig_path_stem(v->set[0]->inside->part->file, &m);
    char *name;

    if (n <= start + end || memcmp(stem, other, start) != 0 ||
        memcmp(stem + n - end, other + m - end, end) != 0)
        start = end = 0;
    name = ig_path_format("%.*s", (int)(n - start - end), stem + start);
    for (size_t k = 0; k < v->count && name; k++)
        if (strcmp(v->set[k]->version, name) == 0) {
            ig_free(name);
            return ig_strdup(stem);
        }
    return name;
}

static ig_status join_file(ig_versions *v, const char *path, const atomic_bool *stop,
                           ig_error *error)
{
    ig_dataset *set = NULL;
    ig_status status =
        v->count < ig_versions_room(v)
            ? ig_dataset_open_version(&set, v->set[0], path, &v->folder->options, error)
            : ig_fail(error, IG_VALUE, "%s: no room for more than %d new versions",
                      path, ROOM);

    if (status == IG_OK)
        status = ig_dataset_check(set, NULL, stop, error);
    if (status == IG_OK && !(set->inside->version = make_name(v, path)))
        status = ig_fail_memory(error, path);
    if (status != IG_OK) {
        ig_dataset_free(set);
        return status;
    }
    set->version = set->inside->version;
    ig_dataset_release(set);
    v->set[v->count++] = set;
    return IG_OK;
}

/* Compare a file of the folder with what it was. A new one joins when it is as it was
 * at the look before. Returns whether something was reported. */
static bool look_at_file(ig_versions *v, const version_file *now,
                         const atomic_bool *stop, ig_versions_news *news)
{
    found *f = &v->folder->of;
    version_file *file = NULL;
    ig_error error;

    for (size_t i = 0; i < f->count && !file; i++)
        if (strcmp(f->file[i].path, now->path) == 0)
            file = &f->file[i];
    if (!file) {
        f->error = NULL;
        add_file(f, now->name, strlen(now->name),
                 now->path); /* or the next look does */
        return false;
    }
    file->met = true;
    if (file->state == IS_GONE || !ig_file_unchanged(&file->as, &now->as)) {
        bool opened = file->state == IS_GONE || file->state == IS_OPEN;

        if (opened)
            snprintf(news->text, sizeof news->text,
                     file->as.st_ino == now->as.st_ino
                         ? "%s was changed in place; open it anew to read it"
                         : "%s was replaced; the version that was opened stays",
                     now->path);
        file->as = now->as;
        file->state = opened ? IS_OPEN : IS_NEW;
        return news->is_error = opened;
    }
    if (file->state != IS_NEW || !f->meta)
        return false;
    file->state = IS_OPEN;
    if (join_file(v, now->path, stop, &error) == IG_OK)
        return false;
    file->state = error.status == IG_INTERRUPTED ? IS_NEW : IS_REFUSED;
    memcpy(news->text, error.message, sizeof news->text);
    return news->is_error = true;
}

/* Report a version whose file was there and is not. */
static bool look_for_gone(found *f, ig_versions_news *news)
{
    for (size_t i = 0; i < f->count; i++) {
        if (f->file[i].met || f->file[i].state != IS_OPEN)
            continue;
        f->file[i].state = IS_GONE;
        snprintf(news->text, sizeof news->text, "%s was removed; its version stays",
                 f->file[i].path);
        return true;
    }
    return false;
}

/* Put the versions that have joined before other news. */
static void report_joined(const ig_versions *v, size_t joined, ig_versions_news *news)
{
    char other[IG_ERROR_SIZE], more[48] = "";

    memcpy(other, news->text, sizeof other);
    if (joined > 1)
        snprintf(more, sizeof more, " and %zu before it", joined - 1);
    snprintf(news->text, sizeof news->text, "%.80s%s joined%s%.160s",
             v->set[v->count - 1]->version, more, *other ? "; " : "", other);
}

bool ig_versions_look(ig_versions *v, const atomic_bool *stop, ig_versions_news *news)
{
    struct ig_folder *folder = v->folder;
    ig_error error;
    found now = {.error = &error};
    size_t before = v->count;
    bool reported = false;

    *news = (ig_versions_news){0};
    if (!folder || find_in_folder(&now, folder->of.folder) != IG_OK) {
        free_found(&now);
        return false;
    }
    news->is_error = !now.meta;
    if (folder->gone != !now.meta)
        snprintf(news->text, sizeof news->text,
                 now.meta ? "the table of %s is back"
                          : "waiting for the table of %s; its versions stay",
                 folder->of.folder);
    folder->gone = !now.meta;
    folder->of.meta = folder->gone ? NULL : folder->options.meta;
    for (size_t i = 0; i < folder->of.count; i++)
        folder->of.file[i].met = false;
    if (now.count)
        qsort(now.file, now.count, sizeof *now.file, compare_names);
    for (size_t i = 0; i < now.count && !reported; i++) /* one report a look */
        reported = look_at_file(v, &now.file[i], stop, news);
    if (!reported && !folder->gone)
        look_for_gone(&folder->of, news);
    free_found(&now);
    if (v->count > before)
        report_joined(v, v->count - before, news);
    return news->text[0] != '\0';
}

/* --- opening ---------------------------------------------------------------------- */

/* Watch the folder of the versions: its files, and their names and paths, are moved
 * there. */
static ig_status watch_folder(ig_versions *v, found *f,
                              const ig_dataset_options *options)
{
    struct ig_folder *folder = ig_alloc(1, sizeof *folder);

    if (!folder)
        return ig_fail_memory(f->error, f->folder);
    *folder = (struct ig_folder){.of = *f, .options = *options, .opened = f->count};
    folder->options.meta = options->meta ? options->meta : f->meta;
    folder->options.inputs = NULL; /* these are of the thread that opens DATA */
    folder->options.reading = NULL;
    *f = (found){0};
    v->folder = folder;
    return IG_OK;
}

/* Open the versions: the first is a dataset with its table, the others are vectors
 * alone. */
static ig_status open_found(ig_versions *v, found *f, const ig_dataset_options *options,
                            ig_error *error)
{
    ig_dataset_options of = *options;
    ig_status status = IG_OK;

    v->set = ig_alloc(f->count + (f->folder ? ROOM : 0), sizeof *v->set);
    if (!v->set)
        return ig_fail_memory(error, "versions");
    of.meta = of.meta ? of.meta : f->meta;
    of.arrays = f->arrays;
    for (size_t i = 0; i < f->count && status == IG_OK; i++) {
        const char *path = f->file[i].path;
        ig_dataset *set;

        if (f->arrays)
            of.column[IG_COLUMN_VECTOR] = f->file[i].name;
        f->file[i].state = IS_OPEN;
        status = i == 0 ? ig_dataset_open(&set, &path, 1, &of, error)
                        : ig_dataset_open_version(&set, v->set[0], path, &of, error);
        if (status != IG_OK)
            return status;
        v->set[v->count++] = set;
        set->version = set->inside->version = ig_strdup(f->file[i].name);
        if (!set->version)
            status = ig_fail_memory(error, "versions");
    }
    if (status == IG_OK && !f->arrays) {
        char *name = name_folder(f);

        if (name) {
            ig_free(v->set[0]->inside->name);
            v->set[0]->name = v->set[0]->inside->name = name;
        }
    }
    if (status == IG_OK && f->folder && !options->only)
        status = watch_folder(v, f, options);
    v->arrays = f->arrays;
    f->arrays = NULL;
    return status;
}

ig_status ig_versions_open(ig_versions *versions, const char *const *data, size_t n,
                           const ig_dataset_options *options, ig_error *error)
{
    found f = {.error = error};
    ig_dataset_options of = *options;
    ig_status status = find_versions(&f, data, n, options);

    *versions = (ig_versions){0};
    if (status == IG_OK && f.count) {
        status = open_found(versions, &f, options, error);
    } else if (status == IG_OK) { /* a dataset without versions */
        of.arrays = f.arrays;
        versions->set = ig_alloc(1, sizeof *versions->set);
        versions->count = versions->set != NULL;
        status = versions->set ? ig_dataset_open(versions->set, data, n, &of, error)
                               : ig_fail_memory(error, "a dataset");
    }
    free_found(&f);
    if (status != IG_OK)
        ig_versions_free(versions);
    return status;
}

ig_status ig_versions_names(ig_names *names, const char *const *data, size_t n,
                            const ig_dataset_options *options, ig_error *error)
{
    found f = {.error = error};
    ig_status status = find_versions(&f, data, n, options);
    uint32_t number;

    for (size_t i = 0; i < f.count && status == IG_OK; i++)
        status =
            ig_names_add(names, f.file[i].name, strlen(f.file[i].name), &number, error);
    free_found(&f);
    return status;
}

size_t ig_versions_room(const ig_versions *versions)
{
    return versions->folder ? versions->folder->opened + ROOM : versions->count;
}

const char *ig_versions_list(const ig_versions *versions, char out[IG_LIST_SIZE])
{
    const char *name[32];
    size_t n = versions->count < 32 ? versions->count : 32;

    for (size_t i = 0; i < n; i++)
        name[i] = versions->set[i]->version;
    return ig_quote_list(out, name, n);
}

void ig_versions_free(ig_versions *versions)
{
    /* Version 0 owns the rows of all. */
    for (size_t i = versions->count; i-- > 0;)
        ig_dataset_free(versions->set[i]);
    ig_free(versions->set);
    if (versions->folder)
        free_found(&versions->folder->of);
    if (versions->arrays)
        ig_arrays_free(versions->arrays);
    IG_FREE(versions->folder, versions->arrays);
    *versions = (ig_versions){0};
}
