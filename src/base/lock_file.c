/* A lock on a name. */
#include "base/lock_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/temporary.h"

/* PATH.lock in a block of its own, or NULL. */
static char *name_lock(const char *path)
{
    size_t size = strlen(path) + sizeof ".lock";
    char *name = ig_alloc(size, 1);

    if (name)
        snprintf(name, size, "%s.lock", path);
    return name;
}

/* What a lock file says: one line. */
typedef struct holder {
    long process; /* 0: it says nothing */
    char host[256], since[32];
} holder;

static holder read_holder(int fd)
{
    char text[IG_LOCK_HOLDER] = "";
    holder h = {0};

    if (pread(fd, text, sizeof text - 1, 0) <= 0 ||
        sscanf(text, "%ld %255s %31s", &h.process, h.host, h.since) != 3 ||
        h.process <= 0)
        return (holder){0};
    return h;
}

/* This process; 0 or an errno. */
static int write_holder(int fd)
{
    char host[256] = "", text[IG_LOCK_HOLDER], since[32];
    time_t now = time(NULL);
    struct tm utc;
    int n;

    gethostname(host, sizeof host - 1);
    strftime(since, sizeof since, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    n = snprintf(text, sizeof text, "%ld %s %s\n", (long)getpid(),
                 *host ? host : "localhost", since);
    return ftruncate(fd, 0) == 0 && pwrite(fd, text, (size_t)n, 0) == n ? 0
           : errno                                                      ? errno
                                                                        : EIO;
}

/* Whether the file system knows no locks. */
static bool lacks_locks(int number)
{
    return number == ENOLCK || number == EOPNOTSUPP || number == ENOSYS ||
           number == EINVAL;
}

/* Without locks: whether the process that a file names may be alive. */
static bool may_live(const holder *h)
{
    char host[256] = "";

    gethostname(host, sizeof host - 1);
    return h->process && (strcmp(h->host, host) != 0 || h->process == (long)getpid() ||
                          kill((pid_t)h->process, 0) == 0 || errno != ESRCH);
}

static ig_status refuse(const char *shown, const char *name, const holder *h,
                        ig_error *error)
{
    if (!h->process)
        return ig_fail(error, IG_IO, "%s: another process is writing it (%s)", shown,
                       name);
    return ig_fail(error, IG_IO,
                   "%s: process %ld on %s has been writing it since %s (%s)", shown,
                   h->process, h->host, h->since, name);
}

ig_status ig_lock_file_take(ig_lock_file *lock, const char *path, const char *shown,
                            ig_error *error)
{
    char *name = name_lock(path);
    int fd = -1, why = 0;

    *lock = (ig_lock_file){0};
    if (!name)
        return ig_fail_memory(error, shown);
    for (;;) {
        holder was;

        fd = open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0) {
            why = errno;
            break;
        }
        do
            why = flock(fd, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
        while (why == EINTR);
        was = read_holder(fd);
        if (why && why != EWOULDBLOCK && !lacks_locks(why)) {
            close(fd);
            break;
        }
        if (why == EWOULDBLOCK || (why && may_live(&was))) {
            ig_status status = refuse(shown, name, &was, error);

            close(fd);
            ig_free(name);
            return status;
        }
        if (!ig_temporary_is_named(fd, name)) { /* its holder released it just now */
            close(fd);
            continue;
        }
        errno = 0;
        why = write_holder(fd);
        if (why) {
            unlink(name);
            close(fd);
            break;
        }
        if (was.process)
            snprintf(lock->left, sizeof lock->left, "process %ld on %s, since %s",
                     was.process, was.host, was.since);
        lock->path = name;
        lock->fd = fd;
        return IG_OK;
    }
    ig_free(name);
    return ig_fail_io(error, shown, why);
}

bool ig_lock_file_held(const ig_lock_file *lock)
{
    return lock->path && ig_temporary_is_named(lock->fd, lock->path);
}

void ig_lock_file_release(ig_lock_file *lock)
{
    if (lock->path) {
        if (ig_lock_file_held(lock))
            unlink(lock->path);
        close(lock->fd);
    }
    ig_free(lock->path);
    *lock = (ig_lock_file){0};
}

int ig_lock_file_left(const char *path)
{
    char *name = name_lock(path);
    int fd = name ? open(name, O_RDWR | O_NOFOLLOW | O_CLOEXEC) : -1;

    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
        close(fd);
        fd = -1;
    }
    ig_free(name);
    return fd;
}
