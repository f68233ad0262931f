/* Atomic writes of files and directories. Temporary names are fixed, so that the next
 * writer overwrites what a killed one left; a lock decides who may use them. */
#include "core/writer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

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

/* --- files ------------------------------------------------------------------------ */

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
    } else if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        errno = EISDIR;
    } else {
        snprintf(w->temporary, sizeof w->temporary, "%s%s", w->path, FILLED);
        fd = ig_open_locked(w->temporary);
        if (fd >= 0)
            w->listed = ig_listed_add(w->temporary, NULL, 0);
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
    ig_listed_remove(w->listed);
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
    ig_listed_remove(w->listed);
    *w = (ig_writer){0};
    return status;
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

        if (d->kind->owns(name))
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
    DIR *directory = opendir(d->path);
    size_t entries = 0;
    struct stat info;

    if (!directory)
        return errno == ENOENT ? IG_OK : ig_fail_io(error, d->path, errno);
    d->exists = d->kind->marker &&
                fstatat(dirfd(directory), d->kind->marker, &info, 0) == 0 &&
                S_ISREG(info.st_mode);
    while (readdir(directory))
        entries++;
    closedir(directory);
    if (d->exists || entries <= 2) /* "." and ".." */
        return IG_OK;
    return ig_fail(error, IG_IO, "%s: exists and %s", d->path, d->kind->refusal);
}

ig_status ig_dir_open(ig_dir *dir, const char *path, const ig_dir_kind *kind,
                      ig_error *error)
{
    ig_status status;

    *dir = (ig_dir){.kind = kind};
    resolve_link(path, dir->path);
    snprintf(dir->temporary, sizeof dir->temporary, "%s%s", dir->path, FILLED);
    snprintf(dir->earlier, sizeof dir->earlier, "%s%s", dir->path, EARLIER);
    snprintf(dir->lock, sizeof dir->lock, "%s.lock", dir->path);
    dir->lock_fd = ig_open_locked(dir->lock);
    if (dir->lock_fd < 0) { /* name a missing parent by the path */
        status = ig_fail_io(error, errno == ENOENT ? path : dir->lock, errno);
        *dir = (ig_dir){0};
        return status;
    }
    /* Of a killed writer: bring back a directory that it had renamed. */
    if (rename(dir->earlier, dir->path) != 0)
        remove_directory(dir, dir->earlier, dir->path);
    remove_directory(dir, dir->temporary, dir->path);
    status = check_replaceable(dir, error);
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
    int why = 0;

    if (status == IG_OK && rename(dir->path, dir->earlier) != 0 && errno != ENOENT)
        why = errno;
    else if (status == IG_OK && rename(dir->temporary, dir->path) != 0) {
        why = errno;
        (void)rename(dir->earlier, dir->path);
    }
    if (why)
        return ig_fail(error, IG_IO, "%s: %s; the new files are in %s", dir->path,
                       strerror(why), dir->temporary);
    remove_directory(dir, status == IG_OK ? dir->earlier : dir->temporary, dir->path);
    return status;
}
