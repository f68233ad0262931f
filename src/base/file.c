/* Files: mapped for reading, and written so that they are complete or absent.
 *
 * What is written goes to PATH.tmp-PID first, is synced, and takes its name by
 * rename(2). A mapped file that somebody cuts short while it is read raises SIGBUS; the
 * library installs no handler, but keeps a list of what is mapped for the program's. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/temporary.h"

/* --- what is mapped --------------------------------------------------------------- */

/* A mapping as a signal handler may find it. The list only grows; an entry whose
 * mapping is closed is free for the next one. This is the library's one piece of shared
 * state: SIGBUS tells an address and nothing else. */
struct ig_mapped {
    struct ig_mapped *next;
    atomic_bool taken;
    _Atomic(uintptr_t) bytes; /* 0: nothing is mapped */
    size_t size;
    char *name; /* of the file; stays until the entry is taken again */
};

static _Atomic(struct ig_mapped *) mapped;

/* An entry of the list that is the caller's, or NULL. */
static struct ig_mapped *take_entry(void)
{
    struct ig_mapped *entry = atomic_load(&mapped);

    for (; entry; entry = entry->next)
        if (!atomic_exchange(&entry->taken, true))
            return entry;
    entry = ig_alloc(1, sizeof *entry);
    if (!entry)
        return NULL;
    atomic_init(&entry->taken, true);
    entry->next = atomic_load(&mapped);
    while (!atomic_compare_exchange_weak(&mapped, &entry->next, entry))
        continue;
    return entry;
}

static bool list_mapping(ig_mapping *mapping, const char *path)
{
    struct ig_mapped *entry = take_entry();
    char *name = entry ? ig_strdup(path) : NULL;

    if (!name) {
        if (entry)
            atomic_store(&entry->taken, false);
        return false;
    }
    ig_free(entry->name);
    entry->name = name;
    entry->size = mapping->size;
    atomic_store(&entry->bytes, (uintptr_t)mapping->bytes);
    mapping->listed = entry;
    return true;
}

const char *ig_mapping_name(const void *address)
{
    uintptr_t at = (uintptr_t)address;

    for (struct ig_mapped *m = atomic_load(&mapped); m; m = m->next) {
        uintptr_t bytes = atomic_load(&m->bytes);

        if (bytes && at >= bytes && at - bytes < m->size)
            return m->name;
    }
    return NULL;
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
        return ig_fail_io(error, path, errno);
    if (fstat(fd, &info) != 0) {
        status = ig_fail_io(error, path, errno);
    } else if (S_ISDIR(info.st_mode)) {
        status = ig_fail(error, IG_IO, "%s: is a directory", path);
    } else if (!S_ISREG(info.st_mode)) {
        status = ig_fail(error, IG_IO, "%s: is not a regular file", path);
    } else if ((uintmax_t)info.st_size > SIZE_MAX / 2) {
        status = ig_fail(error, IG_IO, "%s: too large to map", path);
    } else if (info.st_size > 0) {
        bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes == MAP_FAILED)
            status = ig_fail_io(error, path, errno);
        else
            *mapping = (ig_mapping){bytes, (size_t)info.st_size, NULL};
    }
    close(fd);
    if (mapping->bytes && !list_mapping(mapping, path)) {
        ig_mapping_close(mapping);
        return ig_fail_memory(error, path);
    }
    return status;
}

void ig_mapping_expect(const ig_mapping *mapping, const void *bytes, size_t size)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t from = (uintptr_t)bytes, first = (uintptr_t)mapping->bytes;

    if (from < first || from - first > mapping->size ||
        size > mapping->size - (from - first))
        return;
    size += from % page;
    from -= from % page;
    posix_madvise((void *)from, size, POSIX_MADV_WILLNEED);
}

void ig_mapping_scattered(const ig_mapping *mapping, bool scattered)
{
    if (mapping->size)
        posix_madvise((void *)mapping->bytes, mapping->size,
                      scattered ? POSIX_MADV_RANDOM : POSIX_MADV_NORMAL);
}

void ig_mapping_close(ig_mapping *mapping)
{
    if (mapping->listed) {
        atomic_store(&mapping->listed->bytes, 0);
        atomic_store(&mapping->listed->taken, false);
    }
    if (mapping->bytes)
        munmap((void *)(uintptr_t)mapping->bytes, mapping->size);
    *mapping = (ig_mapping){0};
}

/* --- what is unfinished ----------------------------------------------------------- */

/* A temporary file as a signal handler may find it; the list only grows, as that of
 * mappings. */
struct ig_unfinished {
    struct ig_unfinished *next;
    atomic_bool taken;
    atomic_bool there; /* the name is that of a file, or about to be */
    char *name;        /* stays until the entry is taken again */
};

static _Atomic(struct ig_unfinished *) unfinished;

/* Before the file of that name is made; false when memory is short. */
static bool list_unfinished(ig_writer *writer)
{
    struct ig_unfinished *entry = atomic_load(&unfinished);
    char *name = ig_strdup(writer->temporary);

    while (entry && atomic_exchange(&entry->taken, true))
        entry = entry->next;
    if (name && !entry && (entry = ig_alloc(1, sizeof *entry))) {
        atomic_init(&entry->taken, true);
        entry->next = atomic_load(&unfinished);
        while (!atomic_compare_exchange_weak(&unfinished, &entry->next, entry))
            continue;
    }
    if (!name || !entry) {
        if (entry)
            atomic_store(&entry->taken, false);
        ig_free(name);
        return false;
    }
    ig_free(entry->name);
    entry->name = name;
    atomic_store(&entry->there, true);
    writer->listed = entry;
    return true;
}

void ig_writers_remove_unfinished(void)
{
    for (struct ig_unfinished *u = atomic_load(&unfinished); u; u = u->next)
        if (atomic_load(&u->there))
            unlink(u->name);
}

/* --- one file --------------------------------------------------------------------- */

static void writer_reset(ig_writer *writer)
{
    if (writer->listed) {
        atomic_store(&writer->listed->there, false);
        atomic_store(&writer->listed->taken, false);
    }
    ig_free(writer->shown);
    ig_free(writer->path);
    ig_free(writer->temporary);
    *writer = (ig_writer){0};
}

static void remove_left(void *context, int folder, const char *name, bool kept)
{
    struct stat info;

    (void)context;
    if (!kept && fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(info.st_mode))
        unlinkat(folder, name, 0);
}

/* A new, locked file of the temporary name, or −1. */
static int create(const ig_writer *writer, mode_t mode)
{
    for (;;) {
        int fd = open(writer->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);

        int failed;

        if (fd < 0 || ig_temporary_lock(fd, writer->temporary))
            return fd;
        failed = errno;
        close(fd);
        if (failed != ENOENT) { /* else taken for a file that was left, and removed */
            unlink(writer->temporary);
            errno = failed;
            return -1;
        }
    }
}

/* Standard output or error, when that is the file of `info`; −1 when neither is. */
static int standard_output(const struct stat *info)
{
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
        struct stat standard;

        if (fstat(fd, &standard) == 0 && standard.st_dev == info->st_dev &&
            standard.st_ino == info->st_ino)
            return fd;
    }
    return -1;
}

/* Open what is written directly: "-", what standard output goes to, what is no regular
 * file. False when `path` is to be replaced as a whole. */
static bool open_directly(const char *path, bool exists, const struct stat *info,
                          int *fd)
{
    int standard = STDOUT_FILENO;

    if (strcmp(path, "-") != 0)
        standard = exists ? standard_output(info) : -1;
    if (standard >= 0)
        *fd = dup(standard);
    else if (exists && !S_ISREG(info->st_mode))
        *fd = open(path, O_WRONLY | O_CLOEXEC);
    else
        return false;
    return true;
}

ig_status ig_writer_open(ig_writer *writer, const char *path, ig_error *error)
{
    ig_status status;
    struct stat info;
    bool exists = stat(path, &info) == 0;
    int fd = -1;

    *writer = (ig_writer){0};
    if (exists && S_ISDIR(info.st_mode))
        return ig_fail(error, IG_IO, "%s: is a directory", path);
    if (!exists && errno == ELOOP)
        return ig_fail_io(error, path, errno);
    writer->shown = ig_strdup(strcmp(path, "-") ? path : "standard output");
    if (!writer->shown)
        return ig_fail_memory(error, path);
    if (!open_directly(path, exists, &info, &fd)) {
        writer->path = ig_path_follow_links(path);
        if (writer->path)
            writer->temporary = ig_temporary_name(writer->path, "tmp");
        if (!writer->temporary || !list_unfinished(writer)) {
            writer_reset(writer);
            return ig_fail_memory(error, path);
        }
        ig_temporary_left(writer->path, remove_left, NULL);
        fd = create(writer, exists ? info.st_mode & 0777 : 0666);
    }
    if (fd >= 0)
        writer->stream = ig_stream_new(fd);
    if (writer->stream) {
        writer->file = writer->stream->file;
        return IG_OK;
    }
    status = errno == ENOMEM ? ig_fail_memory(error, path)
                             : ig_fail_io(error, path, errno);
    if (fd >= 0) {
        close(fd);
        if (writer->temporary)
            unlink(writer->temporary);
    }
    writer_reset(writer);
    return status;
}

/* Sync and rename what is written; 0 or an errno. */
static int put_in_place(const ig_writer *writer)
{
    if (!writer->temporary)
        return 0;
    if (fsync(writer->stream->fd) != 0 || rename(writer->temporary, writer->path) != 0)
        return errno;
    ig_temporary_sync(writer->path);
    return 0;
}

ig_status ig_writer_commit(ig_writer *writer, ig_error *error)
{
    int why = ig_stream_flush(writer->stream), closed;
    ig_status status;

    if (!why)
        why = put_in_place(writer);
    if (writer->temporary && why)
        unlink(writer->temporary);
    /* Only now the lock is given up. What was synced cannot fail to close. */
    closed = ig_stream_close(writer->stream);
    if (!why && !writer->temporary)
        why = closed;
    status = why ? ig_fail_io(error, writer->shown, why) : IG_OK;
    writer_reset(writer);
    return status;
}

ig_status ig_writer_end(ig_writer *writer, ig_status status, ig_error *error)
{
    if (status == IG_OK)
        return ig_writer_commit(writer, error);
    if (writer->stream && writer->stream->why)
        status = ig_fail_io(error, writer->shown, writer->stream->why);
    ig_writer_abort(writer);
    return status;
}

void ig_writer_abort(ig_writer *writer)
{
    if (writer->temporary)
        unlink(writer->temporary);
    ig_stream_close(writer->stream);
    writer_reset(writer);
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

bool ig_path_is_stream(const char *path)
{
    struct stat info;

    if (strcmp(path, "-") == 0)
        return true;
    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode) &&
           (!S_ISREG(info.st_mode) || standard_output(&info) >= 0);
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
