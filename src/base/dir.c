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

/* Rounds in which another writer of the same path came in between. */
enum { MOST_ROUNDS = 1000 };

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

    if (plain)
        ig_temporary_left(plain, recover_left, &(struct left){kind, plain});
    ig_free(plain);
}

bool ig_dir_is_temporary(const char *name)
{
    bool kept;

    return ig_temporary_is(name, NULL, &kept);
}

/* --- writing one ------------------------------------------------------------------ */

/* What stands at the final name. */
typedef enum there { NOTHING, EMPTY, FILLED } there;

/* Look through an open directory: is it filled, and has it the kind's marker. */
static ig_status look_through(const ig_dir_writer *w, DIR *directory, there *found,
                              bool *marked, ig_error *error)
{
    struct dirent *entry;
    struct stat info;

    *found = EMPTY;
    *marked = false;
    while ((entry = readdir(directory)) != NULL) {
        if (is_dots(entry->d_name))
            continue;
        *found = FILLED;
        if (!w->kind->owns(entry->d_name) ||
            fstatat(dirfd(directory), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (!S_ISREG(info.st_mode))
            return ig_fail(error, IG_IO,
                           "%s: %s in it is not a file that isogloss wrote, and is in "
                           "the way",
                           w->shown, entry->d_name);
        if (w->kind->marker && strcmp(entry->d_name, w->kind->marker) == 0)
            *marked = true;
    }
    return IG_OK;
}

/* Whether an open directory is still the one of that name: another writer may have put
 * its own there, and emptied this one. */
static bool is_still(DIR *directory, const char *path)
{
    struct stat ours, now;

    return fstat(dirfd(directory), &ours) == 0 && stat(path, &now) == 0 &&
           ours.st_dev == now.st_dev && ours.st_ino == now.st_ino;
}

/* May `path` be replaced: it is absent, empty, or a directory of the kind. */
static ig_status check_replaceable(const ig_dir_writer *w, there *found,
                                   ig_error *error)
{
    bool marked, still = false;
    struct stat info;

    while (!still) {
        DIR *directory = opendir(w->path);
        ig_status status;

        *found = NOTHING;
        if (!directory && errno == ENOENT)
            return IG_OK;
        if (!directory && errno == ENOTDIR && lstat(w->path, &info) == 0)
            return ig_fail(error, IG_IO, "%s: exists and is not a directory", w->shown);
        if (!directory)
            return ig_fail_io(error, w->shown, errno);
        status = look_through(w, directory, found, &marked, error);
        still = is_still(directory, w->path);
        closedir(directory);
        if (status != IG_OK || *found == EMPTY || marked)
            return status;
    }
    if (w->kind->marker)
        return ig_fail(error, IG_IO,
                       "%s: exists and is not a %s directory (no %s in it)", w->shown,
                       w->kind->what, w->kind->marker);
    return ig_fail(error, IG_IO, "%s: exists and is not empty", w->shown);
}

static void writer_reset(ig_dir_writer *writer)
{
    if (writer->walk)
        closedir(writer->walk);
    ig_free(writer->shown);
    ig_free(writer->path);
    ig_free(writer->temporary);
    *writer = (ig_dir_writer){0};
}

/* Make the temporary directory and lock it. */
static ig_status create(ig_dir_writer *writer, ig_error *error)
{
    int failed;

    writer->temporary = ig_temporary_name(writer->path, "tmp");
    if (!writer->temporary)
        return ig_fail_memory(error, writer->shown);
    while (mkdir(writer->temporary, 0777) == 0) {
        writer->walk = open_walk(AT_FDCWD, writer->temporary);
        if (writer->walk && ig_temporary_lock(dirfd(writer->walk), writer->temporary))
            return IG_OK;
        failed = errno;
        if (writer->walk)
            closedir(writer->walk);
        writer->walk = NULL;
        if (failed != ENOENT) {
            rmdir(writer->temporary);
            errno = failed;
            break;
        }
        /* Before it was locked, another writer took it for one that was left. */
    }
    return errno == ENOMEM ? ig_fail_memory(error, writer->shown)
                           : ig_fail_io(error, writer->shown, errno);
}

ig_status ig_dir_writer_open(ig_dir_writer *writer, const char *path,
                             const ig_dir_kind *kind, ig_error *error)
{
    ig_status status;
    there found;

    *writer = (ig_dir_writer){.kind = kind, .shown = plain_path(path)};
    writer->path = writer->shown ? ig_strdup(writer->shown) : NULL;
    if (!writer->path) {
        writer_reset(writer);
        return ig_fail_memory(error, path);
    }
    ig_temporary_left(writer->path, recover_left, &(struct left){kind, writer->path});
    status = check_replaceable(writer, &found, error);
    if (status == IG_OK)
        status = create(writer, error);
    if (status != IG_OK)
        writer_reset(writer);
    return status;
}

/* "DIR/NAME: WHY" with the name that the directory will have. */
static ig_status fail_file(const ig_dir_writer *writer, const char *name, int number,
                           ig_error *error)
{
    char *path = number != ENOMEM ? ig_path_join(writer->shown, name) : NULL;
    ig_status status = path ? ig_fail_io(error, path, number)
                            : ig_fail_memory(error, writer->shown);

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

    if (rename(w->path, aside) != 0)
        return false;
    if (rename(w->temporary, w->path) == 0)
        return true;
    failed = errno;
    (void)rename(aside, w->path);
    errno = failed;
    return false;
}

/* Put the new directory in the place of one that stands there. That one is locked
 * meanwhile: so writers go one after another, and none takes it for one that was left
 * while it is cleared. 0 or an errno; ENOENT: another writer was quicker. */
static int swap(const ig_dir_writer *w)
{
    char *aside = ig_temporary_name(w->path, "old");
    DIR *earlier = aside ? opendir(w->path) : NULL;
    int failed = 0;

    if (!aside)
        failed = ENOMEM;
    else if (!earlier)
        failed = errno;
    else if (!ig_temporary_lock(dirfd(earlier), w->path))
        failed = ENOENT;
    else if (exchange(w->temporary, w->path))
        discard(w->kind, earlier, AT_FDCWD, w->temporary, w->path);
    else if (swap_by_steps(w, aside))
        discard(w->kind, earlier, AT_FDCWD, aside, w->path);
    else
        failed = errno;
    if (earlier)
        closedir(earlier);
    ig_free(aside);
    return failed;
}

static ig_status put_in_place(ig_dir_writer *w, ig_error *error)
{
    int failed = 0;

    for (int round = 0; round < MOST_ROUNDS; round++) {
        there found;
        ig_status status = check_replaceable(w, &found, error);

        if (status != IG_OK)
            return status;
        if (found == FILLED)
            failed = swap(w);
        else
            failed = rename(w->temporary, w->path) == 0 ? 0 : errno;
        if (!failed) {
            ig_temporary_sync(w->path);
            return IG_OK;
        }
        if (failed != ENOENT && failed != EEXIST && failed != ENOTEMPTY)
            break;
    }
    return failed == ENOMEM ? ig_fail_memory(error, w->shown)
                            : ig_fail_io(error, w->shown, failed);
}

ig_status ig_dir_writer_commit(ig_dir_writer *writer, ig_error *error)
{
    int failed = sync_tree(AT_FDCWD, writer->temporary);
    ig_status status = failed ? ig_fail_io(error, writer->shown, failed)
                              : put_in_place(writer, error);

    if (status != IG_OK)
        discard(writer->kind, writer->walk, AT_FDCWD, writer->temporary, NULL);
    writer_reset(writer);
    return status;
}

void ig_dir_writer_abort(ig_dir_writer *writer)
{
    if (writer->temporary)
        discard(writer->kind, writer->walk, AT_FDCWD, writer->temporary, NULL);
    writer_reset(writer);
}
