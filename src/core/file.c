/* Files, and a list of the mapped and unfinished ones for signal handlers. Temporary
 * names are fixed, so that the next writer overwrites what a killed one left; a lock
 * decides who may use them. */
#define _GNU_SOURCE /* renameat2 */
#include "core/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/array.h"

ig_status ig_fail_io(ig_error *error, const char *path, int number)
{
    if (number == ENOMEM)
        return ig_fail_memory(error, path);
    if (number == EWOULDBLOCK)
        return ig_fail(error, IG_IO, "%s: another process is writing it", path);
    return ig_fail(error, IG_IO, "%s: %s", path, strerror(number));
}

int ig_file_flush(FILE *file)
{
    errno = 0;
    if (fflush(file) == 0 && !ferror(file))
        return 0;
    /* stdio forgets why an earlier write failed: try again. */
    return !errno && write(fileno(file), "\n", 1) >= 0 ? EIO : errno;
}

enum { LISTED = 1024, COPIED = 64 << 20 };

/* The mapped and unfinished files: the library's only global state. */
static struct ig_listed {
    atomic_bool taken, ready;
    const void *bytes; /* of a mapping; NULL: an unfinished file */
    struct stat as;    /* when it was mapped */
    char name[PATH_MAX];
} listed[LISTED];

static struct ig_listed *list_file(const char *path, const void *bytes, struct stat as)
{
    struct ig_listed *entry = listed;

    while (entry < listed + LISTED && atomic_exchange(&entry->taken, true))
        entry++;
    if (entry == listed + LISTED)
        return NULL;
    entry->bytes = bytes;
    entry->as = as;
    snprintf(entry->name, sizeof entry->name, "%s", path);
    atomic_store(&entry->ready, true);
    return entry;
}

static void unlist(struct ig_listed *entry)
{
    if (entry) {
        atomic_store(&entry->ready, false);
        atomic_store(&entry->taken, false);
    }
}

const char *ig_mapping_name(const void *address)
{
    uintptr_t at = (uintptr_t)address;

    for (const struct ig_listed *e = listed; e < listed + LISTED; e++)
        if (atomic_load(&e->ready) && e->bytes && at >= (uintptr_t)e->bytes &&
            at - (uintptr_t)e->bytes < (size_t)e->as.st_size)
            return e->name;
    return NULL;
}

void ig_writers_remove_unfinished(void)
{
    for (const struct ig_listed *e = listed; e < listed + LISTED; e++)
        if (atomic_load(&e->ready) && !e->bytes)
            unlink(e->name);
}

/* --- reading ---------------------------------------------------------------------- */

static ig_status check_regular(const char *path, const struct stat *info,
                               ig_error *error)
{
    if (S_ISREG(info->st_mode))
        return IG_OK;
    return ig_fail(error, IG_IO, "%s: is %s", path,
                   S_ISDIR(info->st_mode) ? "a directory" : "not a regular file");
}

bool ig_file_unchanged(const struct stat *was, const struct stat *now)
{
    return was->st_dev == now->st_dev && was->st_ino == now->st_ino &&
           was->st_size == now->st_size && was->st_mtim.tv_sec == now->st_mtim.tv_sec &&
           was->st_mtim.tv_nsec == now->st_mtim.tv_nsec;
}

ig_status ig_mapping_open(ig_mapping *mapping, const char *path, ig_error *error)
{
    ig_status status = IG_OK;
    struct stat info;
    bool copied;
    size_t size, at;
    ssize_t n;
    void *bytes;
    int fd;

    *mapping = (ig_mapping){0};
    /* Without O_NONBLOCK, open would block on a named pipe without a writer. */
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &info) != 0) {
        status = ig_fail_io(error, path, errno);
    } else if ((status = check_regular(path, &info, error)) == IG_OK &&
               info.st_size > 0) {
        size = (size_t)info.st_size;
        copied = size <= COPIED;
        bytes = mmap(NULL, size, copied ? PROT_READ | PROT_WRITE : PROT_READ,
                     copied ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_PRIVATE,
                     copied ? -1 : fd, 0);
        if (bytes == MAP_FAILED)
            status = ig_fail_io(error, path, errno);
        else
            *mapping =
                (ig_mapping){bytes, size, copied ? NULL : list_file(path, bytes, info)};
        for (at = 0; copied && status == IG_OK && at < size; at += (size_t)n)
            if ((n = read(fd, (char *)bytes + at, size - at)) <= 0)
                status = n ? ig_fail_io(error, path, errno)
                           : ig_fail(error, IG_IO,
                                     "%s: became shorter while it was read", path);
    }
    if (fd >= 0)
        close(fd);
    if (status != IG_OK)
        ig_mapping_close(mapping);
    return status;
}

ig_status ig_mapping_check(const ig_mapping *mapping, ig_error *error)
{
    const struct ig_listed *e = mapping->listed;
    struct stat now;

    if (!e || stat(e->name, &now) != 0 || now.st_ino != e->as.st_ino ||
        ig_file_unchanged(&e->as, &now))
        return IG_OK;
    return ig_fail(error, IG_IO, "%s changed after it was opened; open it anew",
                   e->name);
}

void ig_mapping_close(ig_mapping *mapping)
{
    unlist(mapping->listed);
    if (mapping->bytes)
        munmap((void *)(uintptr_t)mapping->bytes, mapping->size);
    *mapping = (ig_mapping){0};
}

char *ig_path_format(const char *format, ...)
{
    ig_builder path = {0};
    va_list list;

    va_start(list, format);
    ig_builder_list(&path, format, list);
    va_end(list);
    return ig_builder_take(&path);
}

char *ig_path_join(const char *directory, const char *name)
{
    return ig_path_format("%s%s%s", directory,
                          !*directory || ig_path_ends(directory, "/") ? "" : "/", name);
}

const char *ig_path_stem(const char *path, size_t *length)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash && slash[1] ? slash + 1 : path;
    size_t end = strlen(name) - (ig_path_ends(name, ".gz") ? strlen(".gz") : 0);

    *length = end;
    while (end > 1 && name[end - 1] != '.')
        end--;
    if (end > 1)
        *length = end - 1;
    return name;
}

char *ig_path_with(const char *path, const char *ending)
{
    size_t length;
    const char *name = ig_path_stem(path, &length);

    return ig_path_format("%.*s%s", (int)(name + length - path), path, ending);
}

bool ig_path_ends(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);

    return tail <= length && strcasecmp(path + length - tail, ending) == 0;
}

bool ig_path_is_stream(const char *path)
{
    struct stat info;

    return strcmp(path, "-") == 0 ||
           (stat(path, &info) == 0 && !S_ISREG(info.st_mode) &&
            !S_ISDIR(info.st_mode) &&
            (!S_ISFIFO(info.st_mode) || strncmp(path, "/dev/", 5) == 0));
}

void ig_inputs_add(ig_inputs *inputs, const char *path)
{
    struct ig_input *input = NULL;

    if (inputs && path && access(path, F_OK) == 0)
        input = ig_arena_array(&inputs->arena, 1, sizeof *input + strlen(path) + 1);
    if (!input)
        return;
    input->before = inputs->last;
    strcpy(input->path, path);
    inputs->last = input;
}

/* IG_IO: it is neither empty nor has the marker of its kind (*exists). */
static ig_status check_directory(const char *path, const ig_dir_kind *kind,
                                 bool *exists, ig_error *error)
{
    DIR *directory = opendir(path);
    size_t entries = 0;
    struct stat info;

    if (!directory)
        return ig_fail_io(error, path, errno);
    *exists = kind->marker && fstatat(dirfd(directory), kind->marker, &info, 0) == 0 &&
              S_ISREG(info.st_mode);
    while (readdir(directory))
        entries++;
    closedir(directory);
    if (*exists || entries <= 2) /* "." and ".." */
        return IG_OK;
    return ig_fail(error, IG_IO, "%s: exists and %s", path, kind->refusal);
}

ig_status ig_output_check(const char *output, const ig_dir_kind *kind,
                          const ig_inputs *inputs, bool overwrite, ig_error *error)
{
    char in[PATH_MAX], out[PATH_MAX] = "";
    struct stat info, of;
    bool exists;
    ig_status status = IG_OK;

    if (inputs && inputs->arena.failed)
        return ig_fail_memory(error, "the names of the inputs");
    if (!output || stat(output, &info) != 0 || (overwrite && !realpath(output, out)))
        return kind && errno == ENOTDIR ? ig_fail_io(error, output, errno) : IG_OK;
    for (const struct ig_input *at = inputs ? inputs->last : NULL; at; at = at->before)
        if ((stat(at->path, &of) == 0 && of.st_dev == info.st_dev &&
             of.st_ino == info.st_ino) ||
            (overwrite && realpath(at->path, in) &&
             strncmp(in, out, strlen(out)) == 0 && in[strlen(out)] == '/'))
            return ig_fail(error, IG_USAGE, "%s: refusing to overwrite the input %s",
                           output, at->path);
    exists = S_ISREG(info.st_mode) && info.st_size;
    if (kind)
        status = check_directory(output, kind, &exists, error);
    else if (!S_ISDIR(info.st_mode) && !ig_path_is_stream(output))
        status = check_regular(output, &info, error);
    if (status != IG_OK || overwrite || !exists)
        return status;
    return ig_fail(error, IG_USAGE,
                   "%s exists: --overwrite replaces it, or choose another name",
                   output);
}

void ig_field_put(FILE *out, const char *text, char between)
{
    const char quoted[] = {'"', '\r', '\n', between, '\0'};
    size_t length = strlen(text);
    bool padded = length && (strchr(" \t", text[0]) || strchr(" \t", text[length - 1]));

    if (!padded && !strpbrk(text, quoted)) {
        fputs(text, out);
        return;
    }
    putc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text, out);
    }
    putc('"', out);
}

/* --- writing ---------------------------------------------------------------------- */

static const char FILLED[] = ".tmp-0", EARLIER[] = ".old-0";

int ig_open_locked(const char *path)
{
    for (;;) {
        int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666), why;
        struct stat ours, there;

        if (fd < 0)
            return -1;
        why = flock(fd, LOCK_EX | LOCK_NB) != 0 ? errno : 0;
        if (why != EWOULDBLOCK && fstat(fd, &ours) == 0 && lstat(path, &there) == 0 &&
            ours.st_dev == there.st_dev && ours.st_ino == there.st_ino)
            return fd;
        close(fd); /* held, or renamed by its holder meanwhile */
        errno = why;
        if (why == EWOULDBLOCK)
            return -1;
    }
}

/* The file or directory that `path` names, through symbolic links and without trailing
 * slashes. The system refuses a name that is cut here. */
static void resolve_link(const char *path, char out[IG_TARGET_SIZE])
{
    char real[PATH_MAX];
    struct stat info;
    size_t length = strlen(path);

    while (length > 1 && path[length - 1] == '/')
        length--;
    snprintf(out, IG_TARGET_SIZE, "%.*s", (int)length, path);
    if (lstat(out, &info) == 0 && S_ISLNK(info.st_mode) && realpath(out, real))
        snprintf(out, IG_TARGET_SIZE, "%s", real);
}

ig_status ig_writer_open(ig_writer *w, const char *path, ig_error *error)
{
    bool out = strcmp(path, "-") == 0;
    struct stat info;
    int fd = -1, why;

    *w = (ig_writer){0};
    snprintf(w->shown, sizeof w->shown, "%s", out ? "standard output" : path);
    resolve_link(path, w->path);
    if (ig_path_is_stream(path)) {
        fd = out ? dup(STDOUT_FILENO) : open(path, O_WRONLY | O_CLOEXEC);
    } else if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        return check_regular(path, &info, error);
    } else {
        snprintf(w->temporary, sizeof w->temporary, "%s%s", w->path, FILLED);
        fd = ig_open_locked(w->temporary);
        if (fd >= 0)
            w->listed = list_file(w->temporary, NULL, (struct stat){0});
        if (fd >= 0 && stat(w->path, &info) == 0)
            (void)fchmod(fd, info.st_mode & 0777);
    }
    if (fd >= 0 && (!*w->temporary || ftruncate(fd, 0) == 0) &&
        (w->file = fdopen(fd, "w")))
        return IG_OK;
    why = errno;
    if (fd >= 0) {
        unlink(w->temporary);
        close(fd);
    }
    unlist(w->listed);
    return ig_fail_io(error, w->shown, why);
}

ig_status ig_writer_end(ig_writer *w, ig_status status, ig_error *error)
{
    int why = ig_file_flush(w->file);

    if (status == IG_OK && !why && *w->temporary &&
        (fsync(fileno(w->file)) != 0 || rename(w->temporary, w->path) != 0))
        why = errno;
    if (*w->temporary && (why || status != IG_OK))
        unlink(w->temporary);
    if (fclose(w->file) != 0 && !why) /* releases the lock */
        why = errno;
    if (why)
        status = ig_fail_io(error, w->shown, why);
    unlist(w->listed);
    *w = (ig_writer){0};
    return status;
}

/* Remove a directory, which is no symbolic link, and the program's files in it. Other
 * content moves to the directory `into`, where its names are free. */
static void remove_directory(const ig_dir *d, const char *path, const char *into)
{
    int from = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int to = open(into, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = from < 0 ? NULL : fdopendir(from);
    struct dirent *entry;

    while (directory && (entry = readdir(directory)) != NULL) {
        const char *name = entry->d_name;

        if (d->kind->owns(name))
            unlinkat(from, name, 0);
        else if (to >= 0 && faccessat(to, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0)
            renameat(from, name, to, name);
    }
    if (to >= 0)
        close(to);
    if (directory)
        closedir(directory);
    rmdir(path);
}

ig_status ig_dir_open(ig_dir *dir, const char *path, const ig_dir_kind *kind,
                      ig_error *error)
{
    ig_status status;
    struct stat info;

    *dir = (ig_dir){.kind = kind};
    resolve_link(path, dir->path);
    snprintf(dir->temporary, sizeof dir->temporary, "%s%s", dir->path, FILLED);
    snprintf(dir->earlier, sizeof dir->earlier, "%s%s", dir->path, EARLIER);
    snprintf(dir->lock, sizeof dir->lock, "%s.isogloss-lock", dir->path);
    dir->lock_fd = ig_open_locked(dir->lock);
    if (dir->lock_fd < 0) { /* name the path, unless its lock is in the way */
        status = ig_fail_io(
            error, errno == EWOULDBLOCK || errno == ELOOP ? dir->lock : path, errno);
        *dir = (ig_dir){0};
        return status;
    }
    /* Of a killed writer: bring back a directory that it had renamed. */
    if (rename(dir->earlier, dir->path) != 0)
        remove_directory(dir, dir->earlier, dir->path);
    remove_directory(dir, dir->temporary, dir->path);
    status = lstat(dir->temporary, &info) == 0 && !S_ISDIR(info.st_mode)
                 ? ig_fail_io(error, dir->temporary, ENOTDIR)
                 : ig_output_check(dir->path, kind, NULL, true, error);
    if (status != IG_OK)
        ig_dir_close(dir);
    return status;
}

void ig_dir_close(ig_dir *dir)
{
    if (*dir->lock) {
        unlink(dir->lock);
        close(dir->lock_fd);
    }
    *dir = (ig_dir){0};
}

ig_status ig_dir_file(const ig_dir *dir, ig_writer *w, const char *name,
                      ig_error *error)
{
    *w = (ig_writer){0};
    snprintf(w->shown, sizeof w->shown, "%s/%s", dir->path, name);
    snprintf(w->path, sizeof w->path, "%s/%s", dir->temporary, name);
    strcpy(w->temporary, w->path); /* it moves with the directory */
    if ((mkdir(dir->temporary, 0777) == 0 || errno == EEXIST) &&
        (w->file = fopen(w->path, "we")))
        return IG_OK;
    return ig_fail_io(error, w->shown, errno);
}

ig_status ig_dir_end(ig_dir *dir, ig_status status, ig_error *error)
{
    bool replaced = status != IG_OK;
    struct stat info;
    int why = 0;

#ifdef RENAME_EXCHANGE /* a reader finds one of the two at any time */
    if (!replaced && lstat(dir->path, &info) == 0 && S_ISDIR(info.st_mode))
        replaced = renameat2(AT_FDCWD, dir->temporary, AT_FDCWD, dir->path,
                             RENAME_EXCHANGE) == 0;
#endif
    if (!replaced && rename(dir->path, dir->earlier) != 0 && errno != ENOENT)
        why = errno;
    else if (!replaced && rename(dir->temporary, dir->path) != 0) {
        why = errno;
        (void)rename(dir->earlier, dir->path);
    }
    if (why)
        return ig_fail(error, IG_IO, "%s: %s; the new files are in %s", dir->path,
                       strerror(why), dir->temporary);
    remove_directory(dir, replaced ? dir->temporary : dir->earlier, dir->path);
    return status;
}
