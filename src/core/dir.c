/* Atomic writes of directories. */
#include "core/dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"

/* Names beside PATH, fixed: the lock decides who may use them. */
static const char LOCK[] = ".lock", FILLED[] = ".tmp-0", EARLIER[] = ".old-0";

/* --- the lock: one line with process, host and start time ------------------------- */

/* Write this process into the lock file. 0 or an errno. */
static int write_holder(int fd)
{
    char host[256] = "", text[384], since[32];
    time_t now = time(NULL);
    struct tm utc;
    int n;

    if (gethostname(host, sizeof host - 1) != 0 || !*host)
        strcpy(host, "localhost");
    strftime(since, sizeof since, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    n = snprintf(text, sizeof text, "%ld %s %s\n", (long)getpid(), host, since);
    errno = EIO;
    return ftruncate(fd, 0) == 0 && pwrite(fd, text, (size_t)n, 0) == n ? 0 : errno;
}

static ig_status fail_locked(const ig_dir *d, ig_error *error)
{
    FILE *file = fopen(d->lock, "r");
    char host[256], since[32];
    long process;
    bool known = file && fscanf(file, "%ld %255s %31s", &process, host, since) == 3;

    if (file)
        fclose(file);
    if (!known)
        return ig_fail(error, IG_IO, "%s: another process is writing it (%s)", d->path,
                       d->lock);
    return ig_fail(error, IG_IO,
                   "%s: process %ld on %s has been writing it since %s (%s)", d->path,
                   process, host, since, d->lock);
}

static ig_status acquire_lock(ig_dir *d, ig_error *error)
{
    int why;

    d->lock = ig_path_format("%s%s", d->path, LOCK);
    if (!d->lock)
        return ig_fail_memory(error, d->path);
    d->lock_fd = ig_lock_open(d->lock);
    why = d->lock_fd < 0 ? errno : write_holder(d->lock_fd);
    if (why == 0)
        return IG_OK;
    if (why == EWOULDBLOCK)
        fail_locked(d, error);
    else /* a missing parent is reported by the directory itself */
        ig_fail_io(error, why != ENOENT ? d->lock : d->path, why);
    return IG_IO;
}

/* --- content ---------------------------------------------------------------------- */

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

static bool is_absent(const char *path)
{
    struct stat info;

    return lstat(path, &info) != 0 && errno == ENOENT;
}

/* After a killed writer, with its lock: bring back a directory that it had renamed, and
 * remove what it left. */
static void clean_up(const ig_dir_kind *kind, const char *path)
{
    char *filled = ig_path_format("%s%s", path, FILLED);
    char *earlier = ig_path_format("%s%s", path, EARLIER);

    if (earlier && (!is_absent(path) || rename(earlier, path) != 0))
        remove_directory(kind, earlier, path);
    if (filled)
        remove_directory(kind, filled, path);
    IG_FREE(filled, earlier);
}

/* `path` without trailing slashes and with symbolic links resolved, or NULL. */
static char *plain_path(const char *path)
{
    char *plain = ig_strdup(path), *followed;
    size_t length = plain ? strlen(plain) : 0;

    while (length > 1 && plain[length - 1] == '/')
        plain[--length] = '\0';
    followed = plain ? ig_path_follow_links(plain) : NULL;
    ig_free(plain);
    return followed;
}

void ig_dir_recover(const char *path, const ig_dir_kind *kind)
{
    char *plain = plain_path(path);
    char *lock = plain ? ig_path_format("%s%s", plain, LOCK) : NULL;
    int fd = lock && access(lock, F_OK) == 0 ? ig_lock_open(lock) : -1;

    if (fd >= 0) {
        clean_up(kind, plain);
        close(fd);
    }
    IG_FREE(lock, plain);
}

bool ig_dir_is_temporary(const char *name)
{
    return ig_path_ends(name, FILLED) || ig_path_ends(name, EARLIER);
}

/* --- locked directory ------------------------------------------------------------- */

/* Check that the directory may be replaced: it is absent, empty, or has the marker of
 * its kind.
 *   filled  out  it exists and is not empty
 *   marker  out  of the marker; st_ino 0: none */
static ig_status check_replaceable(const ig_dir *d, bool *filled, struct stat *marker,
                                   ig_error *error)
{
    DIR *directory = opendir(d->path);
    ig_status status = IG_OK;
    struct dirent *entry;
    struct stat info;

    *filled = false;
    *marker = (struct stat){0};
    if (!directory && errno == ENOENT)
        return IG_OK;
    if (!directory && errno == ENOTDIR && lstat(d->path, &info) == 0)
        return ig_fail(error, IG_IO, "%s: exists and is not a directory", d->path);
    if (!directory)
        return ig_fail_io(error, d->path, errno);
    while (status == IG_OK && (entry = next_entry(directory)) != NULL) {
        *filled = true;
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
    if (status != IG_OK || !*filled || marker->st_ino)
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
    bool filled;

    *dir = (ig_dir){.kind = kind, .path = plain_path(path), .lock_fd = -1};
    if (!dir->path)
        status = ig_fail_memory(error, path);
    else if (!*dir->path)
        status = ig_fail(error, IG_IO, "empty directory name");
    if (status == IG_OK)
        status = acquire_lock(dir, error);
    if (status == IG_OK) {
        clean_up(kind, dir->path);
        status = check_replaceable(dir, &filled, &dir->marker, error);
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
    IG_FREE(dir->lock, dir->path);
    *dir = (ig_dir){0};
}

/* --- writer ----------------------------------------------------------------------- */

ig_status ig_dir_writer_open(ig_dir_writer *writer, ig_dir *dir, ig_error *error)
{
    int why = ENOMEM;

    *writer = (ig_dir_writer){dir, ig_path_format("%s%s", dir->path, FILLED)};
    if (writer->temporary) /* of a commit that failed */
        remove_directory(dir->kind, writer->temporary, NULL);
    if (writer->temporary && mkdir(writer->temporary, 0777) == 0)
        return IG_OK;
    if (writer->temporary)
        why = errno;
    ig_free(writer->temporary);
    *writer = (ig_dir_writer){0};
    return ig_fail_io(error, dir->path, why);
}

/* Create a file, let `put` write it, and sync it. Returns `put`'s status, and in *why 0
 * or an errno. */
static ig_status put_file(const char *path,
                          ig_status (*put)(FILE *file, void *context, ig_error *error),
                          void *context, int *why, ig_error *error)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), at_close;
    ig_stream *stream = fd >= 0 ? ig_stream_new(fd) : NULL;
    ig_status status;

    *why = errno;
    if (!stream) {
        if (fd >= 0)
            close(fd);
        return IG_IO;
    }
    status = put(stream->file, context, error);
    *why = ig_stream_flush(stream);
    if (!*why && fsync(fd) != 0)
        *why = errno;
    at_close = ig_stream_close(stream);
    *why = *why ? *why : at_close;
    return status;
}

ig_status ig_dir_writer_put(ig_dir_writer *writer, const char *name,
                            ig_status (*put)(FILE *file, void *context,
                                             ig_error *error),
                            void *context, ig_error *error)
{
    char *path = ig_path_join(writer->temporary, name);
    char *shown = ig_path_join(writer->dir->path, name); /* its name in the end */
    ig_status status = IG_NOMEM;
    int why = ENOMEM;

    if (path && shown)
        status = put_file(path, put, context, &why, error);
    if (why)
        status = ig_fail_io(error, shown ? shown : name, why);
    IG_FREE(path, shown);
    return status;
}

/* Move the new directory to its place; the existing one is called PATH.old-0 in
 * between. 0, or an errno with nothing changed. */
static int swap_directories(const ig_dir_writer *w, bool filled)
{
    const ig_dir *d = w->dir;
    char *earlier = ig_path_format("%s%s", d->path, EARLIER);
    int why = !earlier                                  ? ENOMEM
              : filled && rename(d->path, earlier) != 0 ? errno
              : rename(w->temporary, d->path) != 0      ? errno
                                                        : 0;

    if (why && earlier && filled && is_absent(d->path))
        (void)rename(earlier, d->path);
    if (!why && filled)
        remove_directory(d->kind, earlier, d->path);
    ig_free(earlier);
    return why;
}

ig_status ig_dir_writer_commit(ig_dir_writer *writer, ig_error *error)
{
    ig_dir *d = writer->dir;
    struct stat marker;
    bool filled;
    ig_status status = check_replaceable(d, &filled, &marker, NULL);
    int why;

    if (status != IG_OK || (filled && !ig_file_unchanged(&d->marker, &marker))) {
        ig_fail(error, IG_IO,
                "%s: another program changed it meanwhile; the new files are kept in "
                "%s, rename it",
                d->path, writer->temporary);
        ig_free(writer->temporary);
        *writer = (ig_dir_writer){0};
        return IG_IO;
    }
    why = swap_directories(writer, filled);
    if (why) {
        ig_fail_io(error, d->path, why);
        ig_dir_writer_abort(writer);
        return IG_IO;
    }
    ig_path_sync_folder(d->path);
    check_replaceable(d, &filled, &d->marker, NULL);
    ig_free(writer->temporary);
    *writer = (ig_dir_writer){0};
    return IG_OK;
}

void ig_dir_writer_abort(ig_dir_writer *writer)
{
    if (writer->temporary)
        remove_directory(writer->dir->kind, writer->temporary, NULL);
    ig_free(writer->temporary);
    *writer = (ig_dir_writer){0};
}
