/* Atomic writes of files and directories. Temporary names are fixed, so that the next
 * writer overwrites what a killed one left; a lock decides who may use them. */
#define _GNU_SOURCE /* fopencookie */
#include "core/writer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
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

/* --- locks ------------------------------------------------------------------------ */

/* True if a name refers to an open file. */
static bool is_named(int fd, const char *path)
{
    struct stat ours, there;

    return fstat(fd, &ours) == 0 && lstat(path, &there) == 0 &&
           ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

/* Open or create a regular file and lock it without waiting. Returns the descriptor, or
 * −1 with errno; EWOULDBLOCK: another process holds the lock. */
static int open_locked(const char *path)
{
    for (;;) {
        int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666), why;

        if (fd < 0)
            return -1;
        do
            why = flock(fd, LOCK_EX | LOCK_NB) != 0 ? errno : 0;
        while (why == EINTR);
        if (why != EWOULDBLOCK && is_named(fd, path))
            return fd;
        close(fd); /* held, or released in the meantime */
        errno = why;
        if (why == EWOULDBLOCK)
            return -1;
    }
}

/* --- files ------------------------------------------------------------------------ */

/* Sync the directory of `path`, so that a rename survives a power failure. Some file
 * systems do not support it; the file itself is complete in any case. */
static void sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder =
        ig_path_format("%.*s", slash ? (int)(slash + 1 - path) : 1, slash ? path : ".");
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    ig_free(folder);
}

static void free_names(ig_writer *w)
{
    ig_listed_remove(w->listed);
    IG_FREE(w->shown, w->path, w->temporary);
    *w = (ig_writer){0};
}

/* Open the writer whose names are set, NULL ones for lack of memory.
 *   direct  in  without a temporary file */
static ig_status open_file(ig_writer *w, const char *name, bool direct, ig_error *error)
{
    ig_status status;
    int fd = -1, why;

    errno = ENOMEM;
    if (direct && w->shown) {
        fd = ig_path_standard(name);
        fd = fd >= 0 ? dup(fd) : open(name, O_WRONLY | O_CLOEXEC);
    } else if (w->shown && w->path && w->temporary) {
        fd = open_locked(w->temporary);
    }
    if (fd >= 0 && (direct || (ftruncate(fd, 0) == 0 &&
                               (w->listed = ig_listed_add(w->temporary, NULL, 0))))) {
        w->stream.fd = fd;
        if (ig_stream_open(&w->stream)) {
            w->file = w->stream.file;
            return IG_OK;
        }
    }
    why = errno;
    if (fd >= 0) {
        if (w->temporary)
            unlink(w->temporary);
        close(fd);
    }
    status = why == EWOULDBLOCK
                 ? ig_fail(error, IG_IO, "%s: another process is writing it", name)
                 : ig_fail_io(error, name, why);
    free_names(w);
    return status;
}

ig_status ig_writer_open(ig_writer *writer, const char *path, ig_error *error)
{
    struct stat info;
    bool exists = stat(path, &info) == 0, direct;
    ig_status status;

    *writer = (ig_writer){0};
    if (exists && S_ISDIR(info.st_mode))
        return ig_fail(error, IG_IO, "%s: is a directory", path);
    if (!exists && errno == ELOOP)
        return ig_fail_io(error, path, errno);
    direct = ig_path_is_stream(path);
    writer->shown = ig_strdup(strcmp(path, "-") ? path : "standard output");
    writer->path = direct ? NULL : ig_path_follow_links(path);
    if (writer->path)
        writer->temporary = ig_path_format("%s%s", writer->path, FILLED);
    status = open_file(writer, path, direct, error);
    if (status == IG_OK && exists && !direct)
        (void)fchmod(writer->stream.fd, info.st_mode & 0777);
    return status;
}

ig_status ig_writer_end(ig_writer *w, ig_status status, ig_error *error)
{
    int why = ig_stream_flush(&w->stream), at_close;

    if (status == IG_OK && !why && w->temporary &&
        (fsync(w->stream.fd) != 0 || rename(w->temporary, w->path) != 0))
        why = errno;
    if (w->temporary && (why || status != IG_OK))
        unlink(w->temporary);
    else if (w->temporary && strcmp(w->temporary, w->path) != 0)
        sync_folder(w->path);
    /* This releases the lock. Closing a synced file cannot fail. */
    at_close = close_stream(&w->stream);
    if (!why && !w->temporary)
        why = at_close;
    if (why)
        status = ig_fail_io(error, w->shown, why);
    free_names(w);
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
    char *target = ig_path_follow_links(path);
    struct stat info = {0};
    int fd = -1, why;

    *part = (ig_part){.temporary = target ? ig_path_format("%s.part", target) : NULL};
    ig_free(target);
    if (!part->temporary)
        return ig_fail_memory(error, path);
    fd = part->stream.fd = open_locked(part->temporary);
    if (fd >= 0 && fstat(fd, &info) == 0 &&
        pread(fd, part->head, IG_PART_HEAD, 0) >= 0 && ig_stream_open(&part->stream)) {
        part->file = part->stream.file;
        part->size = info.st_size == 0 ? SIZE_MAX : 0;
        if (info.st_size > IG_PART_HEAD)
            part->size = (size_t)info.st_size - IG_PART_HEAD;
        return IG_OK;
    }
    why = errno;
    if (fd >= 0)
        close(fd);
    if (why == EWOULDBLOCK)
        ig_fail(error, IG_IO, "%s: another program is writing it", part->temporary);
    else
        ig_fail_io(error, part->temporary, why);
    ig_part_close(part);
    return why == ENOMEM ? IG_NOMEM : IG_IO;
}

ig_status ig_part_keep(ig_part *part, const char head[IG_PART_HEAD], size_t size,
                       ig_error *error)
{
    int fd = part->stream.fd, why = ig_stream_flush(&part->stream);

    errno = EIO;
    if (!why && (pwrite(fd, head, IG_PART_HEAD, 0) != IG_PART_HEAD ||
                 ftruncate(fd, (off_t)(IG_PART_HEAD + size)) != 0 ||
                 lseek(fd, 0, SEEK_END) < 0))
        why = errno;
    return why ? ig_fail_io(error, part->temporary, why) : IG_OK;
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

/* The lock file has one line, who writes the directory. 0 or an errno. */
static int write_holder(int fd)
{
    char host[256] = "", text[384], since[32];
    time_t now = time(NULL);
    struct tm utc;
    int n;

    if (gethostname(host, sizeof host - 1) != 0 || !*host)
        strcpy(host, "localhost");
    strftime(since, sizeof since, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    n = snprintf(text, sizeof text, "process %ld on %s has been writing it since %s",
                 (long)getpid(), host, since);
    errno = EIO;
    return ftruncate(fd, 0) == 0 && pwrite(fd, text, (size_t)n, 0) == n ? 0 : errno;
}

static ig_status acquire_lock(ig_dir *d, ig_error *error)
{
    char holder[384] = "another process is writing it";
    FILE *file;
    int why;

    d->lock_fd = open_locked(d->lock);
    why = d->lock_fd < 0 ? errno : write_holder(d->lock_fd);
    if (why == 0)
        return IG_OK;
    if (why != EWOULDBLOCK) /* a missing parent is reported by the directory itself */
        return ig_fail_io(error, why != ENOENT ? d->lock : d->path, why);
    file = fopen(d->lock, "r");
    if (file) {
        if (!fgets(holder, sizeof holder, file))
            strcpy(holder, "another process is writing it");
        fclose(file);
    }
    return ig_fail(error, IG_IO, "%s: %s (%s)", d->path, holder, d->lock);
}

/* The next entry except "." and "..", or NULL. */
static struct dirent *next_entry(DIR *directory)
{
    struct dirent *entry;

    do
        entry = directory ? readdir(directory) : NULL;
    while (entry &&
           (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
    return entry;
}

/* Remove a directory, which is no symbolic link, and the program's files in it. Other
 * content moves to the directory `into` (NULL: stays). */
static void remove_directory(const ig_dir_kind *kind, const char *path,
                             const char *into)
{
    int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int from = open(path, flags), to = into ? open(into, flags) : -1;
    DIR *directory = from < 0 ? NULL : fdopendir(from);
    struct dirent *entry;
    struct stat info;

    while ((entry = next_entry(directory)) != NULL) {
        if (fstatat(from, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (S_ISREG(info.st_mode) && kind->owns(entry->d_name))
            unlinkat(from, entry->d_name, 0);
        else if (to >= 0 && fstatat(to, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            renameat(from, entry->d_name, to, entry->d_name);
    }
    if (to >= 0)
        close(to);
    if (directory)
        closedir(directory);
    else if (from >= 0)
        close(from);
    rmdir(path);
}

/* After a killed writer, with its lock: bring back a directory that it had renamed, and
 * remove what it left. */
static void clean_up(const ig_dir *d)
{
    struct stat info;

    if (lstat(d->path, &info) == 0 || errno != ENOENT ||
        rename(d->earlier, d->path) != 0)
        remove_directory(d->kind, d->earlier, d->path);
    remove_directory(d->kind, d->temporary, d->path);
}

/* Resolve a path without its trailing slashes. False: out of memory. */
static bool set_names(ig_dir *d, const char *path, const ig_dir_kind *kind)
{
    size_t length = strlen(path);
    char *plain;

    while (length > 1 && path[length - 1] == '/')
        length--;
    plain = ig_path_format("%.*s", (int)length, path);
    *d = (ig_dir){.kind = kind, .lock_fd = -1};
    d->path = plain ? ig_path_follow_links(plain) : NULL;
    ig_free(plain);
    if (!d->path)
        return false;
    d->temporary = ig_path_format("%s%s", d->path, FILLED);
    d->earlier = ig_path_format("%s%s", d->path, EARLIER);
    d->lock = ig_path_format("%s.lock", d->path);
    return d->temporary && d->earlier && d->lock;
}

/* Check that the directory may be replaced: it is absent, empty, or has the marker of
 * its kind.
 *   marker  out  of the marker; st_ino 0: absent or empty */
static ig_status check_replaceable(const ig_dir *d, struct stat *marker,
                                   ig_error *error)
{
    DIR *directory = opendir(d->path);
    ig_status status = IG_OK;
    struct dirent *entry;
    struct stat info;
    bool filled = false;

    *marker = (struct stat){0};
    if (!directory && errno == ENOENT)
        return IG_OK;
    if (!directory && errno == ENOTDIR && lstat(d->path, &info) == 0)
        return ig_fail(error, IG_IO, "%s: exists and is not a directory", d->path);
    if (!directory)
        return ig_fail_io(error, d->path, errno);
    while (status == IG_OK && (entry = next_entry(directory)) != NULL) {
        filled = true;
        if (!d->kind->owns(entry->d_name) ||
            fstatat(dirfd(directory), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (!S_ISREG(info.st_mode))
            status = ig_fail(error, IG_IO,
                             "%s: %s in it was not written by isogloss; remove or "
                             "rename it",
                             d->path, entry->d_name);
        if (d->kind->marker && strcmp(entry->d_name, d->kind->marker) == 0)
            *marker = info;
    }
    closedir(directory);
    if (status != IG_OK || !filled || marker->st_ino)
        return status;
    if (d->kind->marker)
        return ig_fail(error, IG_IO,
                       "%s: exists and is not a %s directory (no %s in it)", d->path,
                       d->kind->what, d->kind->marker);
    return ig_fail(error, IG_IO, "%s: exists and is not empty", d->path);
}

ig_status ig_dir_open(ig_dir *dir, const char *path, const ig_dir_kind *kind,
                      ig_error *error)
{
    ig_status status = IG_OK;

    if (!set_names(dir, path, kind))
        status = ig_fail_memory(error, path);
    else if (!*dir->path)
        status = ig_fail(error, IG_IO, "empty directory name");
    if (status == IG_OK)
        status = acquire_lock(dir, error);
    if (status == IG_OK) {
        clean_up(dir);
        status = check_replaceable(dir, &dir->marker, error);
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

void ig_dir_recover(const char *path, const ig_dir_kind *kind)
{
    ig_dir dir;

    if (set_names(&dir, path, kind) && access(dir.lock, F_OK) == 0)
        dir.lock_fd = open_locked(dir.lock);
    if (dir.lock_fd >= 0)
        clean_up(&dir);
    ig_dir_close(&dir);
}

bool ig_dir_is_temporary(const char *name)
{
    return ig_path_ends(name, FILLED) || ig_path_ends(name, EARLIER);
}

ig_status ig_dir_begin(ig_dir *dir, ig_error *error)
{
    remove_directory(dir->kind, dir->temporary, NULL); /* of an end that failed */
    if (mkdir(dir->temporary, 0777) == 0 &&
        (dir->listed = ig_listed_add(dir->temporary, NULL, 0)))
        return IG_OK;
    return ig_fail_io(error, dir->path, errno);
}

ig_status ig_dir_file(const ig_dir *dir, ig_writer *writer, const char *name,
                      ig_error *error)
{
    *writer = (ig_writer){.shown = ig_path_join(dir->path, name),
                          .path = ig_path_join(dir->temporary, name),
                          .temporary = ig_path_join(dir->temporary, name)};
    return open_file(writer, writer->shown ? writer->shown : name, false, error);
}

ig_status ig_dir_end(ig_dir *dir, ig_status status, ig_error *error)
{
    struct stat marker;
    int why = 0;

    ig_listed_remove(dir->listed);
    dir->listed = NULL;
    if (status == IG_OK &&
        (check_replaceable(dir, &marker, NULL) != IG_OK ||
         (marker.st_ino && !ig_file_unchanged(&dir->marker, &marker))))
        return ig_fail(error, IG_IO,
                       "%s: another program changed it meanwhile; the new files are "
                       "kept in %s, rename it",
                       dir->path, dir->temporary);
    if (status == IG_OK && marker.st_ino && rename(dir->path, dir->earlier) != 0)
        why = errno;
    if (status == IG_OK && !why && rename(dir->temporary, dir->path) != 0) {
        why = errno;
        if (marker.st_ino)
            (void)rename(dir->earlier, dir->path);
    }
    if (why)
        status = ig_fail_io(error, dir->path, why);
    if (status != IG_OK) {
        remove_directory(dir->kind, dir->temporary, NULL);
        return status;
    }
    if (marker.st_ino)
        remove_directory(dir->kind, dir->earlier, dir->path);
    sync_folder(dir->path);
    check_replaceable(dir, &dir->marker, NULL);
    return IG_OK;
}
