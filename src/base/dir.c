/* Directories written whole. */
#ifdef __linux__
#define _GNU_SOURCE /* syscall, for renameat2 */
#endif
#include "base/dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

#include "base/file.h"
#include "base/memory.h"
#include "base/temporary.h"

enum { MOST_NAMES = 1000 /* free names that are tried */ };

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

/* Exchange two names at once; false with errno when it cannot be done. */
static bool exchange(const char *a, const char *b)
{
#if defined(__linux__) && defined(SYS_renameat2)
    return syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, 2 /* RENAME_EXCHANGE */) ==
           0;
#elif defined(__APPLE__)
    return renamex_np(a, b, RENAME_SWAP) == 0;
#else
    (void)a;
    (void)b;
    errno = ENOSYS;
    return false;
#endif
}

/* Remove the directory `name`, which is open, and the program's files in it; what else
 * it holds moves to the directory `into` (NULL: there is none), or stays. Nothing is
 * allocated: it may be called because memory is short. */
static void discard(const ig_dir_kind *kind, DIR *directory, int parent,
                    const char *name, const char *into)
{
    int to = into ? open(into, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    struct dirent *entry;
    struct stat info;

    if (directory)
        rewinddir(directory);
    while (directory && (entry = readdir(directory)) != NULL) {
        int from = dirfd(directory);

        if (is_dots(entry->d_name) ||
            fstatat(from, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (S_ISREG(info.st_mode) && kind->owns(entry->d_name))
            unlinkat(from, entry->d_name, 0);
        else if (to >= 0 && fstatat(to, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            renameat(from, entry->d_name, to, entry->d_name);
    }
    if (to >= 0)
        close(to);
    unlinkat(parent, name, AT_REMOVEDIR);
}

/* --- what a killed writer left ---------------------------------------------------- */

struct left {
    const ig_dir_kind *kind;
    const char *path;
};

static void recover_left(void *context, int folder, const char *name, bool kept)
{
    const struct left *left = context;
    struct stat info;

    if (kept && lstat(left->path, &info) != 0 && errno == ENOENT)
        renameat(folder, name, AT_FDCWD, left->path);
    else if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
             S_ISDIR(info.st_mode)) {
        DIR *directory = open_walk(folder, name);

        discard(left->kind, directory, folder, name, left->path);
        if (directory)
            closedir(directory);
    }
}

/* `path` without the slashes that end it and with links followed, or NULL. */
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
    int lock = plain ? ig_lock_file_left(plain) : -1;

    if (lock >= 0) {
        ig_temporary_left(plain, recover_left, &(struct left){kind, plain});
        close(lock);
    }
    ig_free(plain);
}

bool ig_dir_is_temporary(const char *name)
{
    bool kept;

    return ig_temporary_is(name, NULL, &kept);
}

/* --- one that is locked
 * ------------------------------------------------------------ */

/* What stands at the final name. */
typedef enum there { NOTHING, EMPTY, FILLED } there;

/* Look through an open directory: whether it is filled, and the kind's marker in it. */
static ig_status look_through(const ig_dir *d, DIR *directory, there *found,
                              struct stat *marker, ig_error *error)
{
    struct dirent *entry;
    struct stat info;

    *found = EMPTY;
    while ((entry = readdir(directory)) != NULL) {
        if (is_dots(entry->d_name))
            continue;
        *found = FILLED;
        if (!d->kind->owns(entry->d_name) ||
            fstatat(dirfd(directory), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (!S_ISREG(info.st_mode))
            return ig_fail(error, IG_IO,
                           "%s: %s in it is not a file that isogloss wrote, and is in "
                           "the way",
                           d->shown, entry->d_name);
        if (d->kind->marker && strcmp(entry->d_name, d->kind->marker) == 0)
            *marker = info;
    }
    return IG_OK;
}

/* May the directory be replaced: it is absent, empty, or of the kind, which its marker
 * shows. */
static ig_status check_replaceable(const ig_dir *d, there *found, struct stat *marker,
                                   ig_error *error)
{
    DIR *directory = opendir(d->path);
    ig_status status;
    struct stat info;

    *found = NOTHING;
    *marker = (struct stat){0};
    if (!directory && errno == ENOENT)
        return IG_OK;
    if (!directory && errno == ENOTDIR && lstat(d->path, &info) == 0)
        return ig_fail(error, IG_IO, "%s: exists and is not a directory", d->shown);
    if (!directory)
        return ig_fail_io(error, d->shown, errno);
    status = look_through(d, directory, found, marker, error);
    closedir(directory);
    if (status != IG_OK || *found == EMPTY || marker->st_ino)
        return status;
    if (d->kind->marker)
        return ig_fail(error, IG_IO,
                       "%s: exists and is not a %s directory (no %s in it)", d->shown,
                       d->kind->what, d->kind->marker);
    return ig_fail(error, IG_IO, "%s: exists and is not empty", d->shown);
}

ig_status ig_dir_open(ig_dir *dir, const char *path, const ig_dir_kind *kind,
                      ig_error *error)
{
    ig_status status = IG_OK;
    there found;

    *dir = (ig_dir){.kind = kind, .shown = plain_path(path)};
    dir->path = dir->shown ? ig_strdup(dir->shown) : NULL;
    if (!dir->path)
        status = ig_fail_memory(error, path);
    else if (!*dir->path)
        status = ig_fail(error, IG_IO, "the name of a directory is empty");
    if (status == IG_OK)
        status = ig_lock_file_take(&dir->lock, dir->path, dir->shown, error);
    if (status == IG_OK) {
        ig_temporary_left(dir->path, recover_left, &(struct left){kind, dir->path});
        status = check_replaceable(dir, &found, &dir->marker, error);
    }
    if (status != IG_OK)
        ig_dir_close(dir);
    return status;
}

void ig_dir_close(ig_dir *dir)
{
    ig_lock_file_release(&dir->lock);
    ig_free(dir->shown);
    ig_free(dir->path);
    *dir = (ig_dir){0};
}

/* --- writing one ------------------------------------------------------------------ */

static void writer_reset(ig_dir_writer *writer)
{
    if (writer->walk)
        closedir(writer->walk);
    ig_free(writer->temporary);
    *writer = (ig_dir_writer){0};
}

ig_status ig_dir_writer_open(ig_dir_writer *writer, ig_dir *dir, ig_error *error)
{
    int failed = ENOMEM;

    *writer = (ig_dir_writer){.dir = dir};
    writer->temporary = ig_temporary_name(dir->path, "tmp");
    if (writer->temporary && mkdir(writer->temporary, 0777) == 0) {
        writer->walk = open_walk(AT_FDCWD, writer->temporary);
        if (writer->walk)
            return IG_OK;
        failed = errno;
        rmdir(writer->temporary);
    } else if (writer->temporary) {
        failed = errno;
    }
    writer_reset(writer);
    return failed == ENOMEM ? ig_fail_memory(error, dir->shown)
                            : ig_fail_io(error, dir->shown, failed);
}

/* "DIR/NAME: WHY" with the name that the directory will have. */
static ig_status fail_file(const ig_dir_writer *writer, const char *name, int number,
                           ig_error *error)
{
    const char *shown = writer->dir->shown;
    char *path = number != ENOMEM ? ig_path_join(shown, name) : NULL;
    ig_status status = path ? ig_fail_io(error, path, number)
                            : ig_fail_memory(error, shown);

    ig_free(path);
    return status;
}

/* A stream that writes a new file of the directory; NULL with errno. */
static ig_stream *open_file(const ig_dir_writer *writer, const char *name)
{
    int fd = openat(dirfd(writer->walk), name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
                    0666);
    ig_stream *stream = fd >= 0 ? ig_stream_new(fd) : NULL;
    int failed = errno;

    if (fd >= 0 && !stream)
        close(fd);
    errno = failed;
    return stream;
}

ig_status ig_dir_writer_put(ig_dir_writer *writer, const char *name,
                            ig_status (*put)(FILE *file, void *context,
                                             ig_error *error),
                            void *context, ig_error *error)
{
    ig_stream *stream = open_file(writer, name);
    ig_status status;
    int why;

    if (!stream)
        return fail_file(writer, name, errno, error);
    status = put(stream->file, context, error);
    why = ig_stream_close(stream);
    return why ? fail_file(writer, name, why, error) : status;
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
    /* A file system that cannot sync a folder is no failure. */
    if (!failed)
        fsync(dirfd(directory));
    closedir(directory);
    return failed;
}

/* The earlier directory is moved aside, the new one takes its name: for systems that
 * cannot exchange two names. False, with errno and everything as it was, on failure. */
static bool swap_by_steps(const ig_dir_writer *w, const char *aside)
{
    int failed;

    if (rename(w->dir->path, aside) != 0)
        return false;
    if (rename(w->temporary, w->dir->path) == 0)
        return true;
    failed = errno;
    (void)rename(aside, w->dir->path);
    errno = failed;
    return false;
}

/* Put the new directory in the place of one that stands there. 0 or an errno. */
static int swap(const ig_dir_writer *w)
{
    const ig_dir *d = w->dir;
    char *aside = ig_temporary_name(d->path, "old");
    DIR *earlier = aside ? opendir(d->path) : NULL;
    int failed = 0;

    if (!aside)
        failed = ENOMEM;
    else if (!earlier)
        failed = errno;
    else if (exchange(w->temporary, d->path))
        discard(d->kind, earlier, AT_FDCWD, w->temporary, d->path);
    else if (swap_by_steps(w, aside))
        discard(d->kind, earlier, AT_FDCWD, aside, d->path);
    else
        failed = errno;
    if (earlier)
        closedir(earlier);
    ig_free(aside);
    return failed;
}

/* Whether two looks saw one file, unchanged. */
static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
           a->st_mtime == b->st_mtime && a->st_size == b->st_size;
}

/* "PATH-N" in a block of its own, or NULL. */
static char *numbered(const char *path, int n)
{
    size_t size = strlen(path) + 16;
    char *name = ig_alloc(size, 1);

    if (name)
        snprintf(name, size, "%s-%d", path, n);
    return name;
}

/* Let the directory be one that is absent, PATH-2 or the next that is, locked. */
static ig_status move_to_free(ig_dir *d, ig_error *error)
{
    for (int n = 2; n < MOST_NAMES; n++) {
        ig_dir free = {.kind = d->kind,
                       .shown = numbered(d->shown, n),
                       .path = numbered(d->path, n),
                       .moved = d->moved + 1};
        struct stat info;
        bool taken = free.shown && free.path && lstat(free.path, &info) != 0 &&
                     errno == ENOENT &&
                     ig_lock_file_take(&free.lock, free.path, free.shown, NULL) ==
                         IG_OK;

        if (taken && lstat(free.path, &info) != 0 && errno == ENOENT) {
            ig_dir_close(d);
            *d = free;
            return IG_OK;
        }
        ig_dir_close(&free);
    }
    return ig_fail(error, IG_IO,
                   "%s: something else was written there meanwhile, and %s-2 to %s-%d "
                   "cannot be written",
                   d->shown, d->shown, d->shown, MOST_NAMES - 1);
}

static ig_status put_in_place(ig_dir_writer *w, ig_error *error)
{
    ig_dir *d = w->dir;
    struct stat marker;
    there found;
    ig_status status = check_replaceable(d, &found, &marker, NULL);
    int failed;

    if (status != IG_OK || !ig_lock_file_held(&d->lock) ||
        (found == FILLED && !is_same(&marker, &d->marker))) {
        status = move_to_free(d, error);
        found = NOTHING;
    }
    if (status != IG_OK)
        return status;
    failed = found == FILLED ? swap(w) : rename(w->temporary, d->path) == 0 ? 0 : errno;
    if (failed)
        return failed == ENOMEM ? ig_fail_memory(error, d->shown)
                                : ig_fail_io(error, d->shown, failed);
    ig_temporary_sync(d->path);
    check_replaceable(d, &found, &d->marker, NULL);
    return IG_OK;
}

ig_status ig_dir_writer_commit(ig_dir_writer *writer, ig_error *error)
{
    int failed = sync_tree(AT_FDCWD, writer->temporary);
    ig_status status = failed ? ig_fail_io(error, writer->dir->shown, failed)
                              : put_in_place(writer, error);

    if (status != IG_OK)
        ig_dir_writer_abort(writer);
    writer_reset(writer);
    return status;
}

void ig_dir_writer_abort(ig_dir_writer *writer)
{
    if (writer->temporary)
        discard(writer->dir->kind, writer->walk, AT_FDCWD, writer->temporary, NULL);
    writer_reset(writer);
}
