/* Files: mapped for reading, and written atomically.
 *
 * PATH is written as PATH.tmp-0, which is locked (flock), synced and renamed. The
 * name is fixed, so that the next writer overwrites what a killed one left. Signal
 * handlers need to know the mapped files (SIGBUS) and the unfinished ones: the
 * library installs no handler, but keeps a list for the program's. */
#define _DEFAULT_SOURCE /* madvise: posix_madvise keeps pages */
#include "core/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/array.h"
#include "core/memory.h"

enum { MAX_LINKS = 40, LINK_SIZE = 4096 };

ig_status ig_fail_io(ig_error *error, const char *path, int number)
{
    char text[256];

    if (number == ENOMEM)
        return ig_fail_memory(error, path);
    if (strerror_r(number, text, sizeof text) != 0)
        snprintf(text, sizeof text, "error %d", number);
    return ig_fail(error, IG_IO, "%s: %s", path, text);
}

/* --- list for signal handlers ----------------------------------------------------- */

enum { UNUSED, UNFINISHED }; /* special values of `bytes` */

/* A mapping or an unfinished file. The list only grows; released entries are reused.
 * This is the library's only global state. */
struct ig_listed {
    struct ig_listed *next;
    atomic_bool taken;
    _Atomic(uintptr_t) bytes; /* address of the mapping, or UNUSED or UNFINISHED */
    size_t size;
    char *name; /* valid until the entry is reused */
};

static _Atomic(struct ig_listed *) listed;

/* Returns NULL when memory is short. */
static struct ig_listed *list_file(const char *path, uintptr_t bytes, size_t size)
{
    struct ig_listed *entry = atomic_load(&listed);
    char *name = ig_strdup(path);

    while (entry && atomic_exchange(&entry->taken, true))
        entry = entry->next;
    if (name && !entry && (entry = ig_alloc(1, sizeof *entry))) {
        atomic_init(&entry->taken, true);
        entry->next = atomic_load(&listed);
        while (!atomic_compare_exchange_weak(&listed, &entry->next, entry))
            continue;
    }
    if (!name || !entry) {
        if (entry)
            atomic_store(&entry->taken, false);
        ig_free(name);
        return NULL;
    }
    ig_free(entry->name);
    entry->name = name;
    entry->size = size;
    atomic_store(&entry->bytes, bytes);
    return entry;
}

static void unlist_file(struct ig_listed *entry)
{
    if (!entry)
        return;
    atomic_store(&entry->bytes, UNUSED);
    atomic_store(&entry->taken, false);
}

bool ig_file_unchanged(const struct stat *was, const struct stat *now)
{
    return was->st_dev == now->st_dev && was->st_ino == now->st_ino &&
           was->st_size == now->st_size && was->st_mtim.tv_sec == now->st_mtim.tv_sec &&
           was->st_mtim.tv_nsec == now->st_mtim.tv_nsec;
}

const char *ig_mapping_name(const void *address)
{
    for (struct ig_listed *e = atomic_load(&listed); e; e = e->next) {
        uintptr_t at = (uintptr_t)address, bytes = atomic_load(&e->bytes);

        if (bytes > UNFINISHED && at >= bytes && at - bytes < e->size)
            return e->name;
    }
    return NULL;
}

void ig_writers_remove_unfinished(void)
{
    for (struct ig_listed *e = atomic_load(&listed); e; e = e->next)
        if (atomic_load(&e->bytes) == UNFINISHED)
            unlink(e->name);
}

/* --- reading ---------------------------------------------------------------------- */

ig_status ig_mapping_open(ig_mapping *mapping, const char *path, ig_error *error)
{
    ig_status status = IG_OK;
    struct stat info;
    void *bytes = NULL;
    int fd;

    *mapping = (ig_mapping){0};
    /* Without O_NONBLOCK, open would block on a named pipe without a writer. */
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
    if (mapping->bytes &&
        !(mapping->listed = list_file(path, (uintptr_t)bytes, mapping->size))) {
        ig_mapping_close(mapping);
        return ig_fail_memory(error, path);
    }
    return status;
}

void ig_mapping_release(const ig_mapping *mapping)
{
    if (mapping->size)
        madvise((void *)(uintptr_t)mapping->bytes, mapping->size, MADV_DONTNEED);
}

void ig_mapping_close(ig_mapping *mapping)
{
    unlist_file(mapping->listed);
    if (mapping->bytes)
        munmap((void *)(uintptr_t)mapping->bytes, mapping->size);
    *mapping = (ig_mapping){0};
}

/* --- names ------------------------------------------------------------------------ */

char *ig_path_format(const char *format, ...)
{
    va_list args, again;
    char *path = NULL;
    int length;

    va_start(args, format);
    va_copy(again, args);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length >= 0)
        path = ig_alloc((size_t)length + 1, 1);
    if (path)
        vsnprintf(path, (size_t)length + 1, format, args);
    va_end(args);
    return path;
}

char *ig_path_join(const char *directory, const char *name)
{
    size_t length = strlen(directory);
    bool slash = !length || directory[length - 1] == '/';

    return ig_path_format("%s%s%s", directory, slash ? "" : "/", name);
}

const char *ig_path_stem(const char *path, size_t *length)
{
    const char *slash = strrchr(path, '/'),
               *name = slash && slash[1] ? slash + 1 : path;
    const char *dot = strrchr(name, '.');

    *length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    return name;
}

char *ig_path_with(const char *path, const char *ending)
{
    char *plain = ig_path_ends(path, ".gz")
                      ? ig_path_format("%.*s", (int)strlen(path) - 3, path)
                      : ig_strdup(path);
    size_t length = 0;
    const char *name = plain ? ig_path_stem(plain, &length) : NULL;
    char *with = plain ? ig_path_format("%.*s%s", (int)(name - plain) + (int)length,
                                        plain, ending)
                       : NULL;

    ig_free(plain);
    return with;
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

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return !slash
               ? ig_strdup(".")
               : ig_path_format("%.*s", slash == path ? 1 : (int)(slash - path), path);
}

char *ig_path_follow_links(const char *path)
{
    char *at = ig_strdup(path);
    char target[LINK_SIZE];

    for (int links = 0; at; links++) {
        ssize_t n = readlink(at, target, sizeof target - 1);
        int folder = strrchr(at, '/') ? (int)(strrchr(at, '/') + 1 - at) : 0;
        char *next = NULL;

        if (n <= 0)
            return at;
        target[n] = '\0';
        if (links < MAX_LINKS)
            next = ig_path_format("%.*s%s", target[0] == '/' ? 0 : folder, at, target);
        ig_free(at);
        at = next;
    }
    return NULL;
}

void ig_path_sync_folder(const char *path)
{
    char *folder = folder_of(path);
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

    /* Some file systems do not support it; the file itself is complete in any case. */
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    ig_free(folder);
}

/* --- locks ------------------------------------------------------------------------ */

/* True if a name refers to an open file. */
static bool is_named(int fd, const char *path)
{
    struct stat ours, there;

    return fstat(fd, &ours) == 0 && lstat(path, &there) == 0 &&
           ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

int ig_lock_open(const char *path)
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

/* --- atomic writes ---------------------------------------------------------------- */

static void reset_writer(ig_writer *writer)
{
    unlist_file(writer->listed);
    IG_FREE(writer->shown, writer->path, writer->temporary);
    *writer = (ig_writer){0};
}

/* The descriptor of standard output or error if it refers to that file, else −1. */
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

bool ig_path_is_stream(const char *path)
{
    struct stat info;

    if (strcmp(path, "-") == 0)
        return true;
    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode) &&
           (!S_ISREG(info.st_mode) || standard_output(&info) >= 0);
}

static int open_directly(const char *path)
{
    struct stat info;
    int standard = STDOUT_FILENO;

    if (strcmp(path, "-") != 0)
        standard = stat(path, &info) == 0 ? standard_output(&info) : -1;
    return standard >= 0 ? dup(standard) : open(path, O_WRONLY | O_CLOEXEC);
}

/* Open the empty temporary file of a writer, with the permissions of the file it
 * replaces. Returns the descriptor, or −1 with errno. */
static int open_temporary(ig_writer *writer, const char *path, const struct stat *old)
{
    int fd = -1;

    errno = ENOMEM;
    writer->path = ig_path_follow_links(path);
    if (writer->path)
        writer->temporary = ig_path_format("%s.tmp-0", writer->path);
    if (writer->temporary)
        fd = ig_lock_open(writer->temporary);
    if (fd >= 0 && old)
        (void)fchmod(fd, old->st_mode & 0777);
    if (fd < 0 || (ftruncate(fd, 0) == 0 &&
                   (writer->listed = list_file(writer->temporary, UNFINISHED, 0))))
        return fd;
    unlink(writer->temporary);
    close(fd);
    errno = ENOMEM;
    return -1;
}

ig_status ig_writer_open(ig_writer *writer, const char *path, ig_error *error)
{
    struct stat info;
    bool exists = stat(path, &info) == 0;
    int fd = -1, why;

    *writer = (ig_writer){0};
    if (exists && S_ISDIR(info.st_mode))
        return ig_fail(error, IG_IO, "%s: is a directory", path);
    if (!exists && errno == ELOOP)
        return ig_fail_io(error, path, errno);
    writer->shown = ig_strdup(strcmp(path, "-") ? path : "standard output");
    errno = ENOMEM;
    if (writer->shown)
        fd = ig_path_is_stream(path)
                 ? open_directly(path)
                 : open_temporary(writer, path, exists ? &info : NULL);
    if (fd >= 0)
        writer->stream = ig_stream_new(fd);
    if (writer->stream) {
        writer->file = writer->stream->file;
        return IG_OK;
    }
    why = errno;
    if (fd >= 0) {
        close(fd);
        if (writer->temporary)
            unlink(writer->temporary);
    }
    reset_writer(writer);
    return why == EWOULDBLOCK
               ? ig_fail(error, IG_IO, "%s: another process is writing it", path)
               : ig_fail_io(error, path, why);
}

ig_status ig_writer_commit(ig_writer *writer, ig_error *error)
{
    int why = ig_stream_flush(writer->stream), at_close;
    ig_status status;

    if (!why && writer->temporary &&
        (fsync(writer->stream->fd) != 0 ||
         rename(writer->temporary, writer->path) != 0))
        why = errno;
    if (writer->temporary && why)
        unlink(writer->temporary);
    else if (writer->temporary)
        ig_path_sync_folder(writer->path);
    /* This releases the lock. Closing a synced file cannot fail. */
    at_close = ig_stream_close(writer->stream);
    if (!why && !writer->temporary)
        why = at_close;
    status = why ? ig_fail_io(error, writer->shown, why) : IG_OK;
    reset_writer(writer);
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
    reset_writer(writer);
}

/* --- resumable writes ------------------------------------------------------------- */

static void reset_part(ig_part *part)
{
    IG_FREE(part->path, part->temporary);
    *part = (ig_part){0};
}

ig_status ig_part_open(ig_part *part, const char *path, ig_error *error)
{
    struct stat info = {0};
    int fd = -1, why;

    *part = (ig_part){.path = ig_path_follow_links(path)};
    part->temporary = part->path ? ig_path_format("%s.part", part->path) : NULL;
    if (!part->temporary) {
        reset_part(part);
        return ig_fail_memory(error, path);
    }
    fd = ig_lock_open(part->temporary);
    if (fd >= 0 && fstat(fd, &info) == 0 &&
        (info.st_size == 0 || pread(fd, part->head, IG_PART_HEAD, 0) >= 0))
        part->stream = ig_stream_new(fd);
    why = errno;
    if (part->stream) {
        part->file = part->stream->file;
        part->size = info.st_size == 0 ? SIZE_MAX : 0;
        if (info.st_size > IG_PART_HEAD)
            part->size = (size_t)info.st_size - IG_PART_HEAD;
        return IG_OK;
    }
    if (fd >= 0)
        close(fd);
    if (why == EWOULDBLOCK)
        ig_fail(error, IG_IO, "%s: another program is writing it", part->temporary);
    else
        ig_fail_io(error, part->temporary, why);
    reset_part(part);
    return why == ENOMEM ? IG_NOMEM : IG_IO;
}

/* Returns 0 or an errno. */
static int write_head(ig_part *part, const char *head)
{
    int why = ig_stream_flush(part->stream);

    if (!why && fseeko(part->file, 0, SEEK_SET) != 0)
        why = errno;
    if (why)
        return why;
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
        ig_path_sync_folder(part->path);
    ig_stream_close(part->stream);
    reset_part(part);
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
    reset_part(part);
}

/* --- input files ------------------------------------------------------------------ */

struct ig_input {
    dev_t device;
    ino_t number;
    char *path;
};

ig_status ig_inputs_add(ig_inputs *inputs, const char *path, ig_error *error)
{
    struct stat info;
    char *copy = NULL;

    if (!inputs || stat(path, &info) != 0)
        return IG_OK;
    if (ig_array_grow(&inputs->file, &inputs->capacity, inputs->count + 1,
                      sizeof *inputs->file, path, error) == IG_OK)
        copy = ig_strdup(path);
    if (!copy)
        return ig_fail_memory(error, path);
    inputs->file[inputs->count++] = (struct ig_input){info.st_dev, info.st_ino, copy};
    return IG_OK;
}

ig_status ig_inputs_check(const ig_inputs *inputs, const char *output, ig_error *error)
{
    struct stat info;

    if (!inputs || !output || stat(output, &info) != 0)
        return IG_OK;
    for (size_t i = 0; i < inputs->count; i++) {
        const struct ig_input *file = &inputs->file[i];

        if (file->device != info.st_dev || file->number != info.st_ino)
            continue;
        if (strcmp(file->path, output) == 0)
            return ig_fail(error, IG_USAGE, "%s is an input; refusing to overwrite it",
                           output);
        return ig_fail(error, IG_USAGE,
                       "%s is %s, which is an input; refusing to overwrite it", output,
                       file->path);
    }
    return IG_OK;
}

const char *ig_inputs_last(const ig_inputs *inputs)
{
    return inputs->count ? inputs->file[inputs->count - 1].path : NULL;
}

void ig_inputs_free(ig_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        ig_free(inputs->file[i].path);
    ig_free(inputs->file);
    *inputs = (ig_inputs){0};
}

/* --- CSV fields ------------------------------------------------------------------- */

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
