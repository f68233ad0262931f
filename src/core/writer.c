/* Atomic writes of files and directories. Temporary names are fixed, so that the next
 * writer overwrites what a killed one left; a lock decides who may use them. */
#define _GNU_SOURCE /* fopencookie */
#include "core/writer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/memory.h"

static const char FILLED[] = ".tmp-0", EARLIER[] = ".old-0";

/* --- streams: fopencookie, or funopen on other C libraries ------------------------ */

/* False with errno once a write failed. */
static bool put_bytes(ig_stream *s, const char *bytes, size_t length)
{
    if (s->put && !s->why)
        s->why = s->put(bytes, length);
    while (!s->put && length && !s->why) {
        ssize_t n = write(s->fd, bytes, length);

        if (n <= 0) {
            s->why = n < 0 ? errno : EIO;
            break;
        }
        bytes += n;
        length -= (size_t)n;
    }
    errno = s->why;
    return !s->why;
}

#if defined(__linux__)
static ssize_t write_stream(void *stream, const char *bytes, size_t length)
{
    return put_bytes(stream, bytes, length) ? (ssize_t)length : 0;
}

bool ig_stream_open(ig_stream *s)
{
    s->file = fopencookie(s, "w", (cookie_io_functions_t){.write = write_stream});
    return s->file != NULL;
}
#else
static int write_stream(void *stream, const char *bytes, int length)
{
    return put_bytes(stream, bytes, (size_t)length) ? length : -1;
}

bool ig_stream_open(ig_stream *s)
{
    s->file = funopen(s, NULL, write_stream, NULL, NULL);
    return s->file != NULL;
}
#endif

int ig_stream_flush(ig_stream *s)
{
    errno = 0;
    if ((fflush(s->file) != 0 || ferror(s->file)) && !s->why)
        return errno ? errno : EIO; /* of the C library itself */
    return s->why;
}

/* Flush and close, with the descriptor. 0, or the errno of the first failure. */
static int close_stream(ig_stream *s)
{
    int why = ig_stream_flush(s);

    fclose(s->file);
    if (close(s->fd) != 0 && !why)
        why = errno;
    return why;
}

/* --- locks and names -------------------------------------------------------------- */

/* Open or create a regular file and lock it without waiting. Returns the descriptor, or
 * −1 with errno; EWOULDBLOCK: another process holds the lock. */
static int open_locked(const char *path)
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

static ig_status fail_open(ig_error *error, const char *path, int why)
{
    if (why == EWOULDBLOCK)
        return ig_fail(error, IG_IO, "%s: another process is writing it", path);
    return ig_fail_io(error, path, why);
}

/* The file that `path` names, through symbolic links. Allocated, or NULL. */
static char *resolve_link(const char *path)
{
    char real[PATH_MAX];
    struct stat info;
    bool link = lstat(path, &info) == 0 && S_ISLNK(info.st_mode);

    return ig_strdup(link && realpath(path, real) ? real : path);
}

/* --- files ------------------------------------------------------------------------ */

static void free_writer(ig_writer *w)
{
    ig_listed_remove(w->listed);
    IG_FREE(w->shown, w->path, w->temporary);
    *w = (ig_writer){0};
}

/* The descriptor that a writer of `path` writes, or −1 with errno. */
static int open_output(ig_writer *w, const char *path)
{
    int fd;

    if (ig_path_is_stream(path)) {
        fd = ig_path_standard(path);
        return fd >= 0 ? dup(fd) : open(path, O_WRONLY | O_CLOEXEC);
    }
    w->path = resolve_link(path);
    w->temporary = w->path ? ig_path_format("%s%s", w->path, FILLED) : NULL;
    errno = ENOMEM;
    fd = w->temporary ? open_locked(w->temporary) : -1;
    if (fd >= 0 && (ftruncate(fd, 0) != 0 ||
                    !(w->listed = ig_listed_add(w->temporary, NULL, 0)))) {
        unlink(w->temporary);
        close(fd);
        fd = -1;
    }
    return fd;
}

/* As ig_writer_open; messages name it `shown`. */
static ig_status open_writer(ig_writer *w, const char *path, const char *shown,
                             ig_error *error)
{
    struct stat info;
    bool exists = stat(path, &info) == 0;
    ig_status status;

    *w = (ig_writer){.shown = ig_strdup(shown)};
    if (exists && S_ISDIR(info.st_mode)) {
        free_writer(w);
        return ig_fail(error, IG_IO, "%s: is a directory", shown);
    }
    errno = ENOMEM;
    w->stream.fd = w->shown ? open_output(w, path) : -1;
    if (w->stream.fd >= 0 && ig_stream_open(&w->stream)) {
        w->file = w->stream.file;
        if (exists && w->temporary)
            (void)fchmod(w->stream.fd, info.st_mode & 0777);
        return IG_OK;
    }
    status = fail_open(error, shown, errno);
    if (w->stream.fd >= 0)
        close(w->stream.fd);
    free_writer(w);
    return status;
}

ig_status ig_writer_open(ig_writer *writer, const char *path, ig_error *error)
{
    return open_writer(writer, path, strcmp(path, "-") ? path : "standard output",
                       error);
}

ig_status ig_writer_end(ig_writer *w, ig_status status, ig_error *error)
{
    int why = ig_stream_flush(&w->stream), at_close;

    if (status == IG_OK && !why && w->temporary &&
        (fsync(w->stream.fd) != 0 || rename(w->temporary, w->path) != 0))
        why = errno;
    if (w->temporary && (why || status != IG_OK))
        unlink(w->temporary);
    at_close = close_stream(&w->stream); /* releases the lock */
    if (why || at_close)
        status = ig_fail_io(error, w->shown, why ? why : at_close);
    free_writer(w);
    return status;
}

void ig_writer_abort(ig_writer *writer)
{
    if (writer->file)
        ig_writer_end(writer, IG_INTERRUPTED, NULL);
}

/* --- resumable files -------------------------------------------------------------- */

ig_status ig_part_open(ig_part *part, const char *path, ig_error *error)
{
    struct stat info;
    int fd;

    *part = (ig_part){.temporary = ig_path_format("%s.part", path)};
    if (!part->temporary)
        return ig_fail_memory(error, path);
    fd = part->stream.fd = open_locked(part->temporary);
    if (fd < 0 || fstat(fd, &info) != 0 || pread(fd, part->head, IG_PART_HEAD, 0) < 0 ||
        !ig_stream_open(&part->stream)) {
        ig_status status = fail_open(error, part->temporary, errno);

        if (fd >= 0)
            close(fd);
        ig_part_close(part);
        return status;
    }
    part->file = part->stream.file;
    part->size = info.st_size == 0 ? SIZE_MAX : 0;
    if (info.st_size > IG_PART_HEAD)
        part->size = (size_t)info.st_size - IG_PART_HEAD;
    return IG_OK;
}

ig_status ig_part_keep(ig_part *part, const char head[IG_PART_HEAD], size_t size,
                       ig_error *error)
{
    int fd = part->stream.fd;

    errno = EIO;
    if (pwrite(fd, head, IG_PART_HEAD, 0) != IG_PART_HEAD ||
        ftruncate(fd, (off_t)(IG_PART_HEAD + size)) != 0 || lseek(fd, 0, SEEK_END) < 0)
        return ig_fail_io(error, part->temporary, errno);
    return IG_OK;
}

ig_status ig_part_flush(ig_part *part, ig_error *error)
{
    int why = ig_stream_flush(&part->stream);

    return why ? ig_fail_io(error, part->temporary, why) : IG_OK;
}

void ig_part_close(ig_part *part)
{
    struct stat info;

    if (part->file) {
        ig_stream_flush(&part->stream);
        if (part->size == SIZE_MAX && fstat(part->stream.fd, &info) == 0 &&
            info.st_size <= IG_PART_HEAD)
            unlink(part->temporary);
        close_stream(&part->stream);
    }
    ig_free(part->temporary);
    *part = (ig_part){0};
}

/* --- directories ------------------------------------------------------------------ */

/* Remove a directory, which is no symbolic link, and the program's files in it. Other
 * content moves to the directory `into`, where its names are free. */
static void remove_directory(const ig_dir *d, const char *path, const char *into)
{
    int from = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int to = open(into, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = from < 0 ? NULL : fdopendir(from);
    struct dirent *entry;
    struct stat info;

    while (directory && (entry = readdir(directory)) != NULL) {
        const char *name = entry->d_name;

        if (fstatat(from, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (S_ISREG(info.st_mode) &&
            (d->kind->owns(name) || ig_path_ends(name, FILLED)))
            unlinkat(from, name, 0);
        else if (to >= 0 && fstatat(to, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            renameat(from, name, to, name);
    }
    if (to >= 0)
        close(to);
    if (directory)
        closedir(directory);
    else if (from >= 0)
        close(from);
    rmdir(path);
}

/* The directory may be replaced if it is absent, empty, or has the marker of its
 * kind. */
static ig_status check_replaceable(ig_dir *d, ig_error *error)
{
    const char *marker = d->kind->marker;
    DIR *directory = opendir(d->path);
    size_t entries = 0;
    struct stat info;

    if (!directory && errno == ENOENT)
        return IG_OK;
    if (!directory && errno == ENOTDIR && lstat(d->path, &info) == 0)
        return ig_fail(error, IG_IO, "%s: exists and is not a directory", d->path);
    if (!directory)
        return ig_fail_io(error, d->path, errno);
    d->exists = marker && fstatat(dirfd(directory), marker, &info, 0) == 0 &&
                S_ISREG(info.st_mode);
    while (readdir(directory))
        entries++;
    closedir(directory);
    if (d->exists || entries <= 2) /* "." and ".." */
        return IG_OK;
    if (!marker)
        return ig_fail(error, IG_IO, "%s: exists and is not empty", d->path);
    return ig_fail(error, IG_IO, "%s: exists and is not a %s directory (no %s in it)",
                   d->path, d->kind->what, marker);
}

/* Resolve a path without its trailing slashes. False: out of memory. */
static bool set_names(ig_dir *d, const char *path)
{
    size_t length = strlen(path);
    char *plain;

    while (length > 1 && path[length - 1] == '/')
        length--;
    plain = ig_path_format("%.*s", (int)length, path);
    d->path = plain ? resolve_link(plain) : NULL;
    ig_free(plain);
    if (!d->path)
        return false;
    d->temporary = ig_path_format("%s%s", d->path, FILLED);
    d->earlier = ig_path_format("%s%s", d->path, EARLIER);
    d->lock = ig_path_format("%s.lock", d->path);
    return d->temporary && d->earlier && d->lock;
}

ig_status ig_dir_open(ig_dir *dir, const char *path, const ig_dir_kind *kind,
                      ig_error *error)
{
    ig_status status = IG_OK;

    *dir = (ig_dir){.kind = kind, .lock_fd = -1};
    if (!set_names(dir, path))
        status = ig_fail_memory(error, path);
    else if (!*path)
        status = ig_fail(error, IG_IO, "empty directory name");
    else if ((dir->lock_fd = open_locked(dir->lock)) < 0) /* names a missing parent */
        status = fail_open(error, errno == ENOENT ? path : dir->lock, errno);
    if (status == IG_OK) {
        /* Of a killed writer: bring back a directory that it had renamed. */
        if (rename(dir->earlier, dir->path) != 0)
            remove_directory(dir, dir->earlier, dir->path);
        remove_directory(dir, dir->temporary, dir->path);
        status = check_replaceable(dir, error);
    }
    if (status != IG_OK)
        ig_dir_close(dir);
    return status;
}

void ig_dir_close(ig_dir *dir)
{
    if (dir->lock && dir->lock_fd >= 0) {
        unlink(dir->lock);
        close(dir->lock_fd);
    }
    ig_listed_remove(dir->listed);
    IG_FREE(dir->path, dir->temporary, dir->earlier, dir->lock);
    *dir = (ig_dir){0};
}

bool ig_dir_is_temporary(const char *name)
{
    return ig_path_ends(name, FILLED) || ig_path_ends(name, EARLIER);
}

ig_status ig_dir_begin(ig_dir *dir, ig_error *error)
{
    if (mkdir(dir->temporary, 0777) == 0 &&
        (dir->listed = ig_listed_add(dir->temporary, NULL, 0)))
        return IG_OK;
    return ig_fail_io(error, dir->path, errno);
}

ig_status ig_dir_file(const ig_dir *dir, ig_writer *writer, const char *name,
                      ig_error *error)
{
    char *shown = ig_path_join(dir->path, name);
    char *path = ig_path_join(dir->temporary, name);
    ig_status status = shown && path ? open_writer(writer, path, shown, error)
                                     : ig_fail_memory(error, name);

    IG_FREE(shown, path);
    return status;
}

ig_status ig_dir_end(ig_dir *dir, ig_status status, ig_error *error)
{
    ig_listed_remove(dir->listed);
    dir->listed = NULL;
    if (status == IG_OK && rename(dir->path, dir->earlier) != 0 && errno != ENOENT)
        status = ig_fail_io(error, dir->earlier, errno);
    if (status == IG_OK && rename(dir->temporary, dir->path) != 0) {
        status = ig_fail_io(error, dir->path, errno);
        (void)rename(dir->earlier, dir->path);
    }
    remove_directory(dir, status == IG_OK ? dir->earlier : dir->temporary, dir->path);
    return status;
}
