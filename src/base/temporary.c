/* Temporary names: made, locked, found again. */
#include "base/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

enum { MOST_LINKS = 40, LINK_SIZE = 4096 };

ig_status ig_fail_io(ig_error *error, const char *path, int number)
{
    char text[256];

    if (strerror_r(number, text, sizeof text) != 0)
        snprintf(text, sizeof text, "error %d", number);
    return ig_fail(error, IG_IO, "%s: %s", path, text);
}

char *ig_temporary_name(const char *path, const char *kind)
{
    size_t size = strlen(path) + strlen(kind) + 32;
    char *name = ig_alloc(size, 1);

    if (name)
        snprintf(name, size, "%s.%s-%ld", path, kind, (long)getpid());
    return name;
}

bool ig_temporary_is(const char *name, const char *base, bool *kept)
{
    const char *dash = strrchr(name, '-');
    size_t digits = dash ? strspn(dash + 1, "0123456789") : 0;
    size_t length = dash ? (size_t)(dash - name) : 0;

    if (!digits || dash[1 + digits] != '\0' || length < 5)
        return false;
    *kept = memcmp(dash - 4, ".old", 4) == 0;
    if (!*kept && memcmp(dash - 4, ".tmp", 4) != 0)
        return false;
    return !base || (strlen(base) == length - 4 && memcmp(name, base, length - 4) == 0);
}

/* Whether a name in a folder is that of an open file; else errno is ENOENT, or says
 * why that cannot be known. */
static bool is_named(int fd, int folder, const char *name)
{
    struct stat ours, there;

    if (fstat(fd, &ours) != 0 ||
        fstatat(folder, name, &there, AT_SYMLINK_NOFOLLOW) != 0)
        return false;
    errno = ENOENT;
    return ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

bool ig_temporary_lock(int fd, const char *path)
{
    /* A file system without locks has none who looks for what is not locked. */
    while (flock(fd, LOCK_EX) != 0 && errno == EINTR)
        continue;
    return is_named(fd, AT_FDCWD, path);
}

bool ig_temporary_is_named(int fd, const char *path)
{
    return is_named(fd, AT_FDCWD, path);
}

/* The folder that holds `path`, in a block of its own, or NULL. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = ig_strdup(slash ? path : ".");

    if (folder && slash)
        folder[slash == path ? 1 : slash - path] = '\0';
    return folder;
}

void ig_temporary_left(const char *path,
                       void (*found)(void *context, int folder, const char *name,
                                     bool kept),
                       void *context)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    char *folder = folder_of(path);
    DIR *directory = folder ? opendir(folder) : NULL;

    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        bool kept;
        int fd;

        if (!ig_temporary_is(entry->d_name, base, &kept))
            continue;
        fd = openat(dirfd(directory), entry->d_name,
                    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        /* What is locked by nobody may be gone, and its name taken anew. */
        if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
            is_named(fd, dirfd(directory), entry->d_name))
            found(context, dirfd(directory), entry->d_name, kept);
        if (fd >= 0)
            close(fd);
    }
    if (directory)
        closedir(directory);
    ig_free(folder);
}

char *ig_path_follow_links(const char *path)
{
    char *at = ig_strdup(path);
    char target[LINK_SIZE];

    for (int links = 0; at; links++) {
        ssize_t n = readlink(at, target, sizeof target - 1);
        char *folder, *slash = strrchr(at, '/'), *next;
        size_t size;

        if (n <= 0)
            return at;
        target[n] = '\0';
        folder = links < MOST_LINKS ? folder_of(at) : NULL;
        size = folder ? strlen(folder) + (size_t)n + 2 : 0;
        next = size ? ig_alloc(size, 1) : NULL;
        if (next && (target[0] == '/' || !slash))
            snprintf(next, size, "%s", target);
        else if (next)
            snprintf(next, size, "%s/%s", folder, target);
        ig_free(folder);
        ig_free(at);
        at = next;
    }
    return NULL;
}

void ig_temporary_sync(const char *path)
{
    char *folder = folder_of(path);
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

    /* Some file systems cannot; the file itself is complete then too. */
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    ig_free(folder);
}
