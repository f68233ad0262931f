/* Files that several calls of the program write: held by a lock, renamed when whole. */
#include "base/part.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/temporary.h"

static void reset(ig_part *part)
{
    ig_free(part->path);
    ig_free(part->temporary);
    *part = (ig_part){0};
}

/* The file's descriptor, locked and known to be the one of its name, or −1. */
static int open_locked(const char *name, ig_error *error)
{
    for (;;) {
        struct stat ours, there;
        int fd = open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);

        if (fd < 0 || (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno != EWOULDBLOCK &&
                       errno != ENOLCK && errno != EOPNOTSUPP)) {
            ig_fail_io(error, name, errno);
        } else if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            ig_fail(error, IG_IO, "%s: another program is writing it", name);
        } else if (fstat(fd, &ours) != 0 || stat(name, &there) != 0 ||
                   ours.st_ino != there.st_ino || ours.st_dev != there.st_dev) {
            close(fd); /* it got its last name just now */
            continue;
        } else if (!S_ISREG(ours.st_mode)) {
            ig_fail(error, IG_IO, "%s: is not a regular file", name);
        } else {
            return fd;
        }
        if (fd >= 0)
            close(fd);
        return -1;
    }
}

ig_status ig_part_open(ig_part *part, const char *path, ig_error *error)
{
    size_t size;
    off_t end;
    int fd;

    *part = (ig_part){.path = ig_path_follow_links(path)};
    size = part->path ? strlen(part->path) + sizeof ".part" : 0;
    part->temporary = size ? ig_alloc(size, 1) : NULL;
    if (!part->temporary) {
        reset(part);
        return ig_fail_memory(error, path);
    }
    snprintf(part->temporary, size, "%s.part", part->path);
    fd = open_locked(part->temporary, error);
    part->stream = fd >= 0 ? ig_stream_new(fd) : NULL;
    if (!part->stream) {
        ig_status status =
            fd < 0 ? IG_IO /* told already */ : ig_fail_memory(error, part->temporary);

        if (fd >= 0)
            close(fd);
        reset(part);
        return status;
    }
    part->file = part->stream->file;
    end = lseek(fd, 0, SEEK_END);
    if (end > 0 && pread(fd, part->head, IG_PART_HEAD, 0) < 0) {
        ig_fail_io(error, part->temporary, errno);
        ig_part_close(part);
        return IG_IO;
    }
    size = end > IG_PART_HEAD ? (size_t)end - IG_PART_HEAD : 0;
    part->size = end > 0 ? size : SIZE_MAX;
    return IG_OK;
}

/* 0 or an errno. */
static int write_head(ig_part *part, const char *head)
{
    int why = ig_stream_flush(part->stream);

    if (why)
        return why;
    if (fseeko(part->file, 0, SEEK_SET) != 0)
        return errno;
    fwrite(head, 1, IG_PART_HEAD, part->file);
    return ig_stream_flush(part->stream);
}

ig_status ig_part_keep(ig_part *part, const char head[IG_PART_HEAD], size_t size,
                       ig_error *error)
{
    int why = write_head(part, head);

    if (!why && (ftruncate(part->stream->fd, (off_t)(IG_PART_HEAD + size)) != 0 ||
                 fseeko(part->file, 0, SEEK_END) != 0))
        why = errno;
    return why ? ig_fail_io(error, part->temporary, why) : IG_OK;
}

ig_status ig_part_flush(ig_part *part, ig_error *error)
{
    int why = ig_stream_flush(part->stream);

    return why ? ig_fail_io(error, part->temporary, why) : IG_OK;
}

ig_status ig_part_commit(ig_part *part, const char head[IG_PART_HEAD], ig_error *error)
{
    ig_status status = IG_OK;
    int why = write_head(part, head);

    if (!why &&
        (fsync(part->stream->fd) != 0 || rename(part->temporary, part->path) != 0))
        why = errno;
    if (why)
        status = ig_fail_io(error, part->temporary, why);
    else
        ig_temporary_sync(part->path);
    ig_stream_close(part->stream);
    reset(part);
    return status;
}

void ig_part_close(ig_part *part)
{
    struct stat info;

    if (part->stream) {
        ig_stream_flush(part->stream);
        if (part->size == SIZE_MAX && fstat(part->stream->fd, &info) == 0 &&
            info.st_size <= IG_PART_HEAD)
            unlink(part->temporary);
        ig_stream_close(part->stream);
    }
    reset(part);
}
