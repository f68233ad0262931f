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
#include "core/file.h"
#include "data/dataset_parts.h"
#include "data/format.h"
#include "data/names.h"

/* A file, or a matrix of one: a version to be opened, or in a folder that is looked at
 * again as it was when it was opened or tried. */
typedef struct version_file {
    char *name, *path;
    const char *key; /* of its matrix in the file, or NULL */
    struct stat as;
    enum { IS_TRIED, IS_OPEN, IS_REFUSED, IS_GONE } state;
    bool met; /* in this look */
} version_file;

typedef struct search {
    version_file *item;
    size_t count, capacity;
    bool by_path;  /* two files have one name */
    bool named;    /* by the user, also in this order */
    ig_names keys; /* of matrices */
    char *meta;    /* table of a folder, or NULL */
    char *place;   /* name of the innermost folder that has all files, or NULL */
    const char *folder;
    size_t start, end; /* bytes of file names that are no part of a version's name */
    ig_error *error;
} search;

/* A folder whose files are versions, and which may grow. */
struct ig_folder {
    char *path;
    ig_dataset_options options;
    search of;      /* its files */
    size_t opened;  /* versions, before any joined */
    struct stat as; /* when it was read last */
    bool again;     /* read it once more, though it looks the same */
    bool gone;      /* its table is */
    const atomic_bool *stop;
};

static ig_status add_file(search *s, const char *name, size_t length, const char *path,
                          const char *key)
{
    ig_status status = ig_array_grow(&s->item, &s->capacity, s->count + 1,
                                     sizeof *s->item, "versions", s->error);
    version_file *f;

    if (status != IG_OK)
        return status;
    f = &s->item[s->count++];
    *f = (version_file){ig_path_format("%.*s", (int)length, name), ig_strdup(path), key,
                        .met = true};
    stat(path, &f->as);
    return f->name && f->path ? IG_OK : ig_fail_memory(s->error, path);
}

/* --- names ------------------------------------------------------------------------ */

/* Letters, digits and the rest: a name is cut between two of these. */
static int get_class(char c)
{
    return isdigit((unsigned char)c) ? 1 : isalpha((unsigned char)c) || c < 0 ? 2 : 0;
}

/* The part of version k's path that names it, without its extension: the file, or
 * all of the path where two files have one name. */
static const char *get_stem(const search *s, size_t k, size_t *length)
{
    const char *path = s->item[k].path, *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path, *dot = strrchr(file, '.');

    if (!s->by_path)
        path = file;
    *length = dot && dot > file ? (size_t)(dot - path) : strlen(path);
    return path;
}

/* Bytes that all stems have in common at their start or end, whole words and numbers
 * only. */
static size_t count_common(const search *s, bool end)
{
    size_t na, common;
    const char *a = get_stem(s, 0, &na);

#define BYTE(text, length, i) ((text)[end ? (length)-1 - (i) : (i)])
    common = na;
    for (size_t k = 1; k < s->count; k++) {
        size_t nb, i = 0;
        const char *b = get_stem(s, k, &nb);

        while (i < common && i < nb && BYTE(a, na, i) == BYTE(b, nb, i))
            i++;
        common = i;
    }
    for (size_t k = 0; k < s->count && common; k++) {
        size_t nb;
        const char *b = get_stem(s, k, &nb);
        int after = common < nb ? get_class(BYTE(b, nb, common)) : 0;

        if (!after || after != get_class(BYTE(b, nb, common - 1)))
            continue;
        common--;
        k = SIZE_MAX; /* from the first on */
    }
#undef BYTE
    return common;
}

/* Two items of one name, or of one stem: *twin and the result; s->count: none. */
static size_t find_twin(const search *s, bool stems, size_t *twin)
{
    ig_names seen = {0};
    uint32_t number = 0;
    size_t k = 0, length;

    for (; k < s->count; k++) {
        const char *name = s->item[k].name;

        length = strlen(name);
        if (stems)
            name = get_stem(s, k, &length);
        if (ig_names_add(&seen, name, length, &number, s->error) != IG_OK || number < k)
            break;
    }
    ig_names_free(&seen);
    *twin = number;
    return k;
}

static void free_search(search *s)
{
    for (size_t i = 0; i < s->count; i++) {
        IG_FREE(s->item[i].name, s->item[i].path);
    }
    IG_FREE(s->item, s->meta, s->place);
    ig_names_free(&s->keys);
}

/* The files are one dataset, which is named for the folder that has them all. */
static void name_place(search *s)
{
    const char *first = s->item[0].path, *slash;
    char folder[PATH_MAX], full[PATH_MAX];
    size_t common = strlen(first);

    for (size_t k = 0; k < s->count; k++)
        while (common && (first[common - 1] != '/' ||
                          strncmp(first, s->item[k].path, common) != 0))
            common--;
    snprintf(folder, sizeof folder, "%.*s", (int)common, common ? first : "");
    slash = realpath(common ? folder : ".", full) ? strrchr(full, '/') : NULL;
    if (slash && slash[1])
        s->place = ig_strdup(slash + 1);
}

/* Name versions by what differs in their file names; by all of these if one is left
 * with nothing. */
static ig_status name_found(search *s)
{
    size_t start, end, length;
    bool whole = false;

    s->by_path = find_twin(s, true, &length) < s->count;
    start = count_common(s, false);
    end = count_common(s, true);
    for (size_t k = 0; k < s->count; k++) {
        get_stem(s, k, &length);
        whole |= start + end >= length;
    }
    s->start = whole ? 0 : start;
    s->end = whole ? 0 : end;
    for (size_t k = 0; k < s->count; k++) {
        const char *stem = get_stem(s, k, &length);

        ig_free(s->item[k].name);
        s->item[k].name =
            ig_path_format("%.*s", (int)(length - s->start - s->end), stem + s->start);
        if (!s->item[k].name)
            return ig_fail_memory(s->error, stem);
    }
    return IG_OK;
}

/* Natural order: runs of digits by their number, then by length. */
static int by_name(const void *a, const void *b)
{
    const char *x = ((const version_file *)a)->name,
               *y = ((const version_file *)b)->name;

    for (; *x && *y; x++, y++) {
        if (isdigit((unsigned char)*x) && isdigit((unsigned char)*y)) {
            size_t zx = strspn(x, "0"), zy = strspn(y, "0");
            size_t nx = strspn(x + zx, "0123456789"), ny = strspn(y + zy, "0123456789");
            int order = nx != ny ? (nx < ny ? -1 : 1) : memcmp(x + zx, y + zy, nx);

            if (order)
                return order;
            if (zx != zy)
                return zx < zy ? -1 : 1;
            x += zx + nx - 1;
            y += zy + ny - 1;
        } else if (*x != *y) {
            return (unsigned char)*x < (unsigned char)*y ? -1 : 1;
        }
    }
    return (unsigned char)*x - (unsigned char)*y;
}

/* --- finding ---------------------------------------------------------------------- */

static bool is_folder(const char *path)
{
    struct stat s;

    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* The table of a folder and its .npy files; nothing if it has no table. */
static ig_status find_in_folder(search *s, const char *folder)
{
    static const char *const usual[] = {"set.csv", "meta.csv", "set.tsv", "meta.tsv"};
    DIR *dir = opendir(folder);
    ig_status status = IG_OK;
    struct dirent *entry;

    if (!dir && errno != ENOENT) /* a removed one has no files */
        return ig_fail(s->error, IG_IO, "%s: %s", folder, strerror(errno));
    for (size_t i = 0; i < sizeof usual / sizeof *usual && !s->meta; i++) {
        s->meta = ig_path_join(folder, usual[i]);
        if (s->meta && access(s->meta, F_OK) != 0) {
            ig_free(s->meta);
            s->meta = NULL;
        }
    }
    s->folder = folder;
    while (dir && s->meta && status == IG_OK && (entry = readdir(dir))) {
        char *path = ig_path_join(folder, entry->d_name);

        if (!path)
            status = ig_fail_memory(s->error, folder);
        else if (ig_path_ends(path, ".npy") && entry->d_name[0] != '.')
            status = add_file(s, "", 0, path, NULL);
        ig_free(path);
    }
    if (dir)
        closedir(dir);
    return status == IG_OK && s->count ? name_found(s) : status;
}

static ig_status find_in_file(search *s, const char *file,
                              const ig_dataset_options *options)
{
    ig_status status = ig_dataset_matrices(file, options, &s->keys, s->error);

    for (size_t i = 0; i < s->keys.count && s->keys.count > 1 && status == IG_OK; i++)
        status = add_file(s, s->keys.name[i], strlen(s->keys.name[i]), file,
                          s->keys.name[i]);
    return status;
}

/* Versions of --versions: FILE … or NAME=FILE …. */
static ig_status find_each(search *s, const char *const *data, size_t n)
{
    ig_status status = IG_OK;
    size_t named = 0;

    for (size_t i = 0; i < n && status == IG_OK; i++) {
        size_t length = strcspn(data[i], "=/");
        bool has_name = length && data[i][length] == '=' && access(data[i], F_OK) != 0;

        named += has_name;
        status = add_file(s, data[i], has_name ? length : 0,
                          data[i] + (has_name ? length + 1 : 0), NULL);
    }
    s->named = named > 0;
    if (status == IG_OK && named && named < n)
        return ig_fail(s->error, IG_USAGE,
                       "--versions: either all files have a name (NAME=FILE) or none");
    return status == IG_OK && !named ? name_found(s) : status;
}

/* Keep the version `only`. */
static ig_status keep_only(search *s, const char *only)
{
    const char *name[32];
    char list[IG_LIST_SIZE];
    size_t n = s->count < 32 ? s->count : 32;

    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->item[i].name, only) == 0) {
            version_file first = s->item[0];

            s->item[0] = s->item[i];
            s->item[i] = first;
            while (s->count > 1) {
                s->count--;
                IG_FREE(s->item[s->count].name, s->item[s->count].path);
            }
            return IG_OK;
        }
    for (size_t i = 0; i < n; i++)
        name[i] = s->item[i].name;
    return ig_fail(s->error, IG_USAGE, "--only %s: the versions are %s", only,
                   n ? ig_quote_list(list, name, n) : "none, it is one dataset");
}

/* --- a folder that grows ---------------------------------------------------------- */

enum { ROOM = 4096 }; /* versions that may join */

/* Whether the folder, or a file where it was, is other than at the last look. */
static bool is_changed(const ig_folder *f, const struct stat *folder)
{
    struct stat now;

    for (size_t i = 0; i < f->of.count; i++)
        if (stat(f->of.item[i].path, &now) == 0 &&
            !ig_file_unchanged(&f->of.item[i].as, &now))
            return true;
    return !ig_file_unchanged(&f->as, folder);
}

/* The name of a version that joins: what differs in its file name, as of the others;
 * all of it if it lacks the rest or another version is called so. */
static char *make_name(const ig_versions *v, const char *path)
{
    const ig_folder *f = v->folder;
    const ig_dataset *first = v->set[0];
    const char *other = strrchr(first->inside->part->file, '/') + 1;
    const char *stem = strrchr(path, '/') + 1;
    size_t n = strlen(stem) - 4, m = strlen(other) - 4;
    size_t start = f->of.start, end = f->of.end;
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

static ig_status join_file(ig_versions *v, const char *path, ig_error *error)
{
    ig_folder *f = v->folder;
    ig_dataset *set = NULL;
    ig_status status =
        v->count < ig_versions_room(v)
            ? ig_dataset_open_version(&set, v->set[0], path, &f->options, error)
            : ig_fail(error, IG_VALUE, "%s: no room for more than %d new versions",
                      path, ROOM);

    if (status == IG_OK)
        status = ig_dataset_check(set, NULL, f->stop, error);
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

/* A file of the folder, now. Returns whether it was reported. */
static bool look_at_file(ig_versions *v, const char *path, ig_versions_news *news)
{
    ig_folder *f = v->folder;
    version_file *file = NULL;
    struct stat now;
    ig_error error;
    bool known;

    f->of.error = &error;
    for (size_t i = 0; i < f->of.count && !file; i++)
        if (strcmp(f->of.item[i].path, path) == 0)
            file = &f->of.item[i];
    known = file != NULL;
    if (stat(path, &now) != 0 || (!known && add_file(&f->of, "", 0, path, NULL)))
        return false; /* removed since, or no memory: the next look finds it */
    file = known ? file : &f->of.item[f->of.count - 1];
    file->met = true;
    if (file->state == IS_GONE ||
        (file->state == IS_OPEN && !ig_file_unchanged(&file->as, &now))) {
        snprintf(news->text, sizeof news->text,
                 file->as.st_ino == now.st_ino
                     ? "%s was changed in place; open it anew to read it"
                     : "%s was replaced; the version that was opened stays",
                 path);
        file->as = now;
        file->state = IS_OPEN;
        return news->is_error = true;
    }
    if (known && !ig_file_unchanged(&file->as, &now)) {
        file->state = IS_TRIED;
        file->as = now;
        known = false;
    }
    if (file->state != IS_TRIED)
        return false;
    if (join_file(v, path, &error) == IG_OK) {
        file->state = IS_OPEN;
        return false;
    }
    f->again = true;
    if (!known)
        return false;
    file->state = IS_REFUSED;
    memcpy(news->text, error.message, sizeof news->text);
    return news->is_error = true;
}

/* Files that were there and are not. */
static bool look_for_gone(ig_folder *f, ig_versions_news *news)
{
    for (size_t i = 0; i < f->of.count; i++) {
        version_file *file = &f->of.item[i];

        if (file->met || file->state == IS_GONE)
            continue;
        if (file->state != IS_OPEN) { /* anew when it comes back */
            IG_FREE(file->name, file->path);
            *file = f->of.item[--f->of.count];
            i--;
            continue;
        }
        file->state = IS_GONE;
        f->again = true;
        snprintf(news->text, sizeof news->text, "%s was removed; its version stays",
                 file->path);
        return true;
    }
    return false;
}

bool ig_versions_look(ig_versions *v, const atomic_bool *stop, ig_versions_news *news)
{
    ig_folder *f = v->folder;
    ig_error error;
    search s = {.error = &error};
    size_t before = v->count, joined;
    struct stat now = {0};
    bool changed, reported;

    *news = (ig_versions_news){0};
    if (!f)
        return false;
    changed = stat(f->path, &now) != 0 || is_changed(f, &now);
    if (!changed && !f->again)
        return false;
    /* The clock of file systems is coarse: a file that appears right after this look
     * may leave the folder's time as it is. */
    f->stop = stop;
    f->again = changed;
    f->as = now;
    if (find_in_folder(&s, f->path) == IG_OK) {
        news->is_error = !s.meta;
        if (f->gone != !s.meta)
            snprintf(news->text, sizeof news->text,
                     s.meta ? "the table of %s is back"
                            : "waiting for the table of %s; its versions stay",
                     f->path);
        f->gone = !s.meta;
        if (s.count)
            qsort(s.item, s.count, sizeof *s.item, by_name);
        for (size_t i = 0; i < f->of.count; i++)
            f->of.item[i].met = false;
        reported = !s.meta; /* one report a look */
        for (size_t i = 0; i < s.count && !reported; i++)
            reported = look_at_file(v, s.item[i].path, news);
        reported = reported || look_for_gone(f, news);
        f->again |= reported && s.meta;
    }
    free_search(&s);
    joined = v->count - before;
    if (joined) {
        char what[IG_ERROR_SIZE], more[48] = "";

        memcpy(what, news->text, sizeof what);
        if (joined > 1)
            snprintf(more, sizeof more, " and %zu before it", joined - 1);
        snprintf(news->text, sizeof news->text, "%.80s%s joined%s%.160s",
                 v->set[v->count - 1]->version, more, *what ? "; " : "", what);
    }
    return news->text[0] != '\0';
}

/* --- opening ---------------------------------------------------------------------- */

/* The first version is a dataset with its table; the others are vectors alone. */
static ig_status open_found(ig_versions *v, search *s,
                            const ig_dataset_options *options, ig_error *error)
{
    ig_dataset_options of = *options;
    ig_folder *folder = NULL;
    ig_status status = IG_OK;

    v->set = ig_alloc(s->count + (s->folder ? ROOM : 0), sizeof *v->set);
    if (!v->set)
        return ig_fail_memory(error, "versions");
    if (s->meta && !of.meta)
        of.meta = s->meta;
    for (size_t i = 0; i < s->count && status == IG_OK; i++) {
        version_file *f = &s->item[i];
        const char *path = f->path;
        ig_dataset *set;

        if (f->key)
            of.column[IG_COLUMN_VECTOR] = f->key;
        f->state = IS_OPEN;
        status = i == 0 ? ig_dataset_open(&set, &path, 1, &of, error)
                        : ig_dataset_open_version(&set, v->set[0], path, &of, error);
        if (status != IG_OK)
            return status;
        v->set[v->count++] = set;
        if (i == 0 && s->place) {
            ig_free(set->inside->name);
            set->name = set->inside->name = s->place;
            s->place = NULL;
        }
        set->inside->version = ig_strdup(f->name);
        set->version = set->inside->version;
        if (!set->version)
            status = ig_fail_memory(error, "versions");
    }
    if (!s->folder || options->only || status != IG_OK)
        return status;
    folder = v->folder = ig_alloc(1, sizeof *folder);
    if (!folder || !(folder->path = ig_strdup(s->folder)))
        return ig_fail_memory(error, s->folder);
    folder->options = *options;
    folder->options.inputs = NULL; /* these are of the thread that opens DATA */
    folder->options.reading = NULL;
    folder->opened = s->count;
    folder->of = *s;
    *s = (search){0};
    return IG_OK;
}

/* Find, order and check the versions of DATA; none: it is one dataset. */
static ig_status find_versions(search *s, const char *const *data, size_t n,
                               const ig_dataset_options *options)
{
    size_t twin, other;
    ig_status status = IG_OK;

    if (options->versions)
        status = find_each(s, data, n);
    else if (n == 1 && is_folder(data[0]))
        status = find_in_folder(s, data[0]);
    else if (n == 1 && access(data[0], F_OK) == 0) /* not LANG=FILE or a pattern */
        status = find_in_file(s, data[0], options);
    if (status == IG_OK && s->count > 1 && !s->named && !s->keys.count)
        qsort(s->item, s->count, sizeof *s->item, by_name);
    twin = status == IG_OK ? find_twin(s, false, &other) : s->count;
    if (twin < s->count)
        return ig_fail(s->error, IG_USAGE,
                       "two versions are called %s: %s and %s; NAME=FILE names them",
                       s->item[twin].name, s->item[other].path, s->item[twin].path);
    if (status == IG_OK && s->count && !s->keys.count)
        name_place(s);
    return status == IG_OK && options->only ? keep_only(s, options->only) : status;
}

ig_status ig_versions_open(ig_versions *versions, const char *const *data, size_t n,
                           const ig_dataset_options *options, ig_error *error)
{
    search s = {.error = error};
    ig_status status = find_versions(&s, data, n, options);

    *versions = (ig_versions){0};
    if (status == IG_OK && s.count) {
        status = open_found(versions, &s, options, error);
    } else if (status == IG_OK) { /* a dataset without versions */
        versions->set = ig_alloc(1, sizeof *versions->set);
        versions->count = versions->set != NULL;
        status = versions->set ? ig_dataset_open(versions->set, data, n, options, error)
                               : ig_fail_memory(error, "a dataset");
    }
    free_search(&s);
    if (status != IG_OK)
        ig_versions_free(versions);
    return status;
}

ig_status ig_versions_names(ig_names *names, const char *const *data, size_t n,
                            const ig_dataset_options *options, ig_error *error)
{
    search s = {.error = error};
    ig_status status = find_versions(&s, data, n, options);
    uint32_t number;

    for (size_t i = 0; i < s.count && status == IG_OK; i++)
        status =
            ig_names_add(names, s.item[i].name, strlen(s.item[i].name), &number, error);
    free_search(&s);
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
    if (versions->folder) {
        ig_free(versions->folder->path);
        free_search(&versions->folder->of);
    }
    ig_free(versions->folder);
    *versions = (ig_versions){0};
}
