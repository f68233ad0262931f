/* Files: mapped for reading, and written so that they are complete or absent.
 *
 * What is written goes to PATH.tmp-PID first, is synced, and takes its name by
 * rename(2). A mapped file that somebody cuts short while it is read ends the process
 * (SIGBUS): that is how mappings are, and what a signal handler, which the library
 * refuses to install, would be needed for. */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

/* "PATH: what the system says". */
static ig_status fail_io(ig_error *error, const char *path, int number)
{
    char text[256];

    if (strerror_r(number, text, sizeof text) != 0)
        snprintf(text, sizeof text, "error %d", number);
    return ig_fail(error, IG_IO, "%s: %s", path, text);
}

ig_status ig_mapping_open(ig_mapping *mapping, const char *path, ig_error *error)
{
    ig_status status = IG_OK;
    struct stat info;
    void *bytes;
    int fd;

    *mapping = (ig_mapping){0};
    /* Without O_NONBLOCK, a named pipe nobody writes to would hang here. */
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return fail_io(error, path, errno);
    if (fstat(fd, &info) != 0) {
        status = fail_io(error, path, errno);
    } else if (S_ISDIR(info.st_mode)) {
        status = ig_fail(error, IG_IO, "%s: is a directory", path);
    } else if (!S_ISREG(info.st_mode)) {
        status = ig_fail(error, IG_IO, "%s: is not a regular file", path);
    } else if ((uintmax_t)info.st_size > SIZE_MAX / 2) {
        status = ig_fail(error, IG_IO, "%s: too large to map", path);
    } else if (info.st_size > 0) {
        bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes == MAP_FAILED)
            status = fail_io(error, path, errno);
        else
            *mapping = (ig_mapping){bytes, (size_t)info.st_size};
    }
    close(fd);
    return status;
}

void ig_mapping_close(ig_mapping *mapping)
{
    if (mapping->bytes)
        munmap((void *)(uintptr_t)mapping->bytes, mapping->size);
    *mapping = (ig_mapping){0};
}

/* "PATH.KIND-PID" in a block of its own, or NULL. */
static char *name_beside(const char *path, const char *kind)
{
    size_t size = strlen(path) + strlen(kind) + 32;
    char *name = ig_alloc(size, 1);

    if (name)
        snprintf(name, size, "%s.%s-%ld", path, kind, (long)getpid());
    return name;
}

/* Sync the folder that holds `path`, so that the rename survives a power cut. Some file
 * systems cannot; the file itself is complete then too, so that is no failure. */
static void sync_parent(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *parent = slash ? ig_strdup(path) : ig_strdup(".");
    int fd;

    if (!parent)
        return;
    if (slash)
        parent[slash == path ? 1 : slash - path] = '\0';
    fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    ig_free(parent);
}

static void writer_reset(ig_writer *writer)
{
    ig_free(writer->path);
    ig_free(writer->temporary);
    *writer = (ig_writer){0};
}

ig_status ig_writer_open(ig_writer *writer, const char *path, ig_error *error)
{
    ig_status status;
    struct stat info;
    mode_t mode = 0666;
    bool exists = stat(path, &info) == 0;
    int fd;

    *writer = (ig_writer){0};
    if (exists && S_ISDIR(info.st_mode))
        return ig_fail(error, IG_IO, "%s: is a directory", path);
    writer->path = ig_strdup(path);
    if (!writer->path)
        return ig_fail_memory(error, path);
    if (exists && !S_ISREG(info.st_mode)) {
        /* A terminal, a pipe, /dev/null: written directly, for it cannot be renamed. */
        fd = open(path, O_WRONLY | O_CLOEXEC);
    } else {
        writer->temporary = name_beside(path, "tmp");
        if (!writer->temporary) {
            writer_reset(writer);
            return ig_fail_memory(error, path);
        }
        if (exists)
            mode = info.st_mode & 0777;
        /* A file of this name was left by an earlier process of our number. */
        unlink(writer->temporary);
        fd = open(writer->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    }
    if (fd >= 0)
        writer->file = fdopen(fd, "wb");
    if (writer->file)
        return IG_OK;
    status = fail_io(error, path, errno);
    if (fd >= 0) {
        close(fd);
        if (writer->temporary)
            unlink(writer->temporary);
    }
    writer_reset(writer);
    return status;
}

ig_status ig_writer_commit(ig_writer *writer, ig_error *error)
{
    ig_status status = IG_OK;
    FILE *file = writer->file;
    bool failed = ferror(file) != 0;

    errno = 0;
    if (fflush(file) != 0 || (!failed && writer->temporary && fsync(fileno(file)) != 0))
        status = fail_io(error, writer->path, errno);
    else if (failed)
        status =
            ig_fail(error, IG_IO, "%s: could not be written in full", writer->path);
    if (fclose(file) != 0 && status == IG_OK)
        status = fail_io(error, writer->path, errno);
    writer->file = NULL;
    if (writer->temporary && status == IG_OK) {
        if (rename(writer->temporary, writer->path) == 0)
            sync_parent(writer->path);
        else
            status = fail_io(error, writer->path, errno);
    }
    if (writer->temporary && status != IG_OK)
        unlink(writer->temporary);
    writer_reset(writer);
    return status;
}

void ig_writer_abort(ig_writer *writer)
{
    if (writer->file)
        fclose(writer->file);
    if (writer->temporary)
        unlink(writer->temporary);
    writer_reset(writer);
}

/* True for "." and "..", which a walk over a directory leaves out. */
static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Open a directory for a walk; links to directories are not followed. */
static DIR *open_walk(int parent, const char *name)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *directory = fd < 0 ? NULL : fdopendir(fd);

    if (fd >= 0 && !directory)
        close(fd);
    return directory;
}

/* Remove `name` under `parent` and all that is in it; links are removed, not followed.
 * */
static void remove_tree(int parent, const char *name)
{
    DIR *directory = open_walk(parent, name);
    struct dirent *entry;

    if (!directory) {
        unlinkat(parent, name, 0);
        return;
    }
    while ((entry = readdir(directory)) != NULL) {
        if (!is_dots(entry->d_name))
            remove_tree(dirfd(directory), entry->d_name);
    }
    closedir(directory);
    unlinkat(parent, name, AT_REMOVEDIR);
}

/* Sync every file under a directory, then the directory; 0 or an errno. */
static int sync_tree(int parent, const char *name)
{
    DIR *directory = open_walk(parent, name);
    struct dirent *entry;
    int failed = 0;
    int fd;

    if (!directory && errno != ENOTDIR)
        return errno;
    if (!directory) {
        fd = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0)
            return errno;
        failed = fsync(fd) != 0 ? errno : 0;
        close(fd);
        return failed;
    }
    while (!failed && (entry = readdir(directory)) != NULL) {
        if (!is_dots(entry->d_name))
            failed = sync_tree(dirfd(directory), entry->d_name);
    }
    /* As for sync_parent: a file system that cannot sync a folder is no failure. */
    if (!failed)
        fsync(dirfd(directory));
    closedir(directory);
    return failed;
}

/* True when a directory exists and has no entries. */
static bool is_empty_directory(const char *path)
{
    DIR *directory = opendir(path);
    struct dirent *entry;
    bool empty = directory != NULL;

    if (!directory)
        return false;
    while (empty && (entry = readdir(directory)) != NULL)
        empty = is_dots(entry->d_name);
    closedir(directory);
    return empty;
}

/* May `path` be replaced: it is absent, an empty directory or an earlier run. */
static ig_status check_replaceable(const char *path, bool *exists, ig_error *error)
{
    struct stat info;
    char *run;
    bool is_run;

    *exists = lstat(path, &info) == 0;
    if (!*exists)
        return errno == ENOENT ? IG_OK : fail_io(error, path, errno);
    if (!S_ISDIR(info.st_mode))
        return ig_fail(error, IG_IO, "%s: exists and is not a directory", path);
    run = ig_path_join(path, "run.json");
    if (!run)
        return ig_fail_memory(error, path);
    is_run = access(run, F_OK) == 0;
    ig_free(run);
    if (!is_run && !is_empty_directory(path))
        return ig_fail(error, IG_IO,
                       "%s: exists and is not a run directory (no run.json in it)",
                       path);
    return IG_OK;
}

static void dir_writer_reset(ig_dir_writer *writer)
{
    ig_free(writer->path);
    ig_free(writer->temporary);
    *writer = (ig_dir_writer){0};
}

ig_status ig_dir_writer_open(ig_dir_writer *writer, const char *path, ig_error *error)
{
    ig_status status;
    size_t length;
    bool exists;

    *writer = (ig_dir_writer){0};
    writer->path = ig_strdup(path);
    if (!writer->path)
        return ig_fail_memory(error, path);
    length = strlen(writer->path);
    while (length > 1 && writer->path[length - 1] == '/')
        writer->path[--length] = '\0';
    status = check_replaceable(writer->path, &exists, error);
    if (status == IG_OK) {
        writer->temporary = name_beside(writer->path, "tmp");
        if (!writer->temporary) {
            status = ig_fail_memory(error, path);
        } else {
            remove_tree(AT_FDCWD, writer->temporary);
            if (mkdir(writer->temporary, 0777) != 0)
                status = fail_io(error, writer->path, errno);
        }
    }
    if (status != IG_OK)
        dir_writer_reset(writer);
    return status;
}

/* Put the finished directory in the place of `path`; the earlier one is moved aside and
 * removed only after that succeeded, or moved back. */
static ig_status swap_in(ig_dir_writer *writer, ig_error *error)
{
    ig_status status;
    char *aside = NULL;
    bool exists;

    status = check_replaceable(writer->path, &exists, error);
    if (status != IG_OK)
        return status;
    if (exists) {
        aside = name_beside(writer->path, "old");
        if (!aside)
            return ig_fail_memory(error, writer->path);
        remove_tree(AT_FDCWD, aside);
        if (rename(writer->path, aside) != 0) {
            status = fail_io(error, writer->path, errno);
            goto done;
        }
    }
    if (rename(writer->temporary, writer->path) != 0) {
        status = fail_io(error, writer->path, errno);
        if (aside)
            (void)rename(aside, writer->path);
        goto done;
    }
    sync_parent(writer->path);
    if (aside)
        remove_tree(AT_FDCWD, aside);
done:
    ig_free(aside);
    return status;
}

ig_status ig_dir_writer_commit(ig_dir_writer *writer, ig_error *error)
{
    int failed = sync_tree(AT_FDCWD, writer->temporary);
    ig_status status;

    status = failed ? fail_io(error, writer->path, failed) : swap_in(writer, error);
    if (status != IG_OK)
        remove_tree(AT_FDCWD, writer->temporary);
    dir_writer_reset(writer);
    return status;
}

void ig_dir_writer_abort(ig_dir_writer *writer)
{
    if (writer->temporary)
        remove_tree(AT_FDCWD, writer->temporary);
    dir_writer_reset(writer);
}

char *ig_path_join(const char *directory, const char *name)
{
    size_t length = strlen(directory);
    size_t size = length + strlen(name) + 2;
    char *path = ig_alloc(size, 1);
    bool slash = length > 0 && directory[length - 1] == '/';

    if (path)
        snprintf(path, size, "%s%s%s", directory, slash || !length ? "" : "/", name);
    return path;
}

bool ig_path_ends(const char *path, const char *ending)
{
    size_t length = strlen(path);
    size_t tail = strlen(ending);

    if (tail > length)
        return false;
    for (size_t i = 0; i < tail; i++) {
        char c = path[length - tail + i];

        if (c >= 'A' && c <= 'Z')
            c = (char)(c + ('a' - 'A'));
        if (c != ending[i])
            return false;
    }
    return true;
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
