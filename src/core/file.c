/* Files mapped for reading, inputs and names; and a list of the mapped and unfinished
 * ones for the program's signal handlers. */
#define _DEFAULT_SOURCE /* madvise: posix_madvise keeps pages */
#include "core/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/array.h"

ig_status ig_fail_io(ig_error *error, const char *path, int number)
{
    char text[256];

    if (number == ENOMEM)
        return ig_fail_memory(error, path);
    if (number == EWOULDBLOCK)
        return ig_fail(error, IG_IO, "%s: another process is writing it", path);
    if (strerror_r(number, text, sizeof text) != 0)
        snprintf(text, sizeof text, "error %d", number);
    return ig_fail(error, IG_IO, "%s: %s", path, text);
}

int ig_file_flush(FILE *file)
{
    int fd = fileno(file);

    errno = 0;
    if (fflush(file) == 0 && !ferror(file))
        return 0;
    /* stdio forgets why an earlier write failed: try again. */
    if (!errno && (fd < 0 || write(fd, "\n", 1) >= 0))
        return EIO;
    return errno;
}

/* --- for signal handlers ---------------------------------------------------------- */

enum { LISTED = 1024 };

/* The mapped and unfinished files: the library's only global state. */
static struct ig_listed {
    atomic_bool taken, ready;
    const void *bytes; /* of a mapping; NULL: an unfinished file */
    size_t size;
    char name[PATH_MAX];
} listed[LISTED];

struct ig_listed *ig_listed_add(const char *path, const void *bytes, size_t size)
{
    struct ig_listed *entry = listed;

    while (entry < listed + LISTED && atomic_exchange(&entry->taken, true))
        entry++;
    if (entry == listed + LISTED)
        return NULL;
    entry->bytes = bytes;
    entry->size = size;
    snprintf(entry->name, sizeof entry->name, "%s", path);
    atomic_store(&entry->ready, true);
    return entry;
}

void ig_listed_remove(struct ig_listed *entry)
{
    if (!entry)
        return;
    atomic_store(&entry->ready, false);
    atomic_store(&entry->taken, false);
}

const char *ig_mapping_name(const void *address)
{
    uintptr_t at = (uintptr_t)address;

    for (const struct ig_listed *e = listed; e < listed + LISTED; e++)
        if (atomic_load(&e->ready) && e->bytes && at >= (uintptr_t)e->bytes &&
            at - (uintptr_t)e->bytes < e->size)
            return e->name;
    return NULL;
}

void ig_writers_remove_unfinished(void)
{
    for (const struct ig_listed *e = listed; e < listed + LISTED; e++)
        if (atomic_load(&e->ready) && !e->bytes)
            unlink(e->name);
}

/* --- reading ---------------------------------------------------------------------- */

bool ig_file_unchanged(const struct stat *was, const struct stat *now)
{
    return was->st_dev == now->st_dev && was->st_ino == now->st_ino &&
           was->st_size == now->st_size && was->st_mtim.tv_sec == now->st_mtim.tv_sec &&
           was->st_mtim.tv_nsec == now->st_mtim.tv_nsec;
}

ig_status ig_mapping_open(ig_mapping *mapping, const char *path, ig_error *error)
{
    ig_status status = IG_OK;
    struct stat info;
    size_t size;
    void *bytes;
    int fd;

    *mapping = (ig_mapping){0};
    /* Without O_NONBLOCK, open would block on a named pipe without a writer. */
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &info) != 0) {
        status = ig_fail_io(error, path, errno);
    } else if (!S_ISREG(info.st_mode)) {
        status = ig_fail(error, IG_IO, "%s: is %s", path,
                         S_ISDIR(info.st_mode) ? "a directory" : "not a regular file");
    } else if (info.st_size > 0) {
        size = (size_t)info.st_size;
        bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes == MAP_FAILED)
            status = ig_fail_io(error, path, errno);
        else
            *mapping = (ig_mapping){bytes, size, ig_listed_add(path, bytes, size)};
    }
    if (fd >= 0)
        close(fd);
    return status;
}

void ig_pages_release(const void *bytes, size_t size)
{
    uintptr_t before = (uintptr_t)bytes % (uintptr_t)sysconf(_SC_PAGESIZE);

    madvise((void *)((uintptr_t)bytes - before), size + before, MADV_DONTNEED);
}

void ig_mapping_close(ig_mapping *mapping)
{
    ig_listed_remove(mapping->listed);
    if (mapping->bytes)
        munmap((void *)(uintptr_t)mapping->bytes, mapping->size);
    *mapping = (ig_mapping){0};
}

/* --- names ------------------------------------------------------------------------ */

char *ig_path_format(const char *format, ...)
{
    ig_builder path = {0};
    va_list list;

    va_start(list, format);
    ig_builder_list(&path, format, list);
    va_end(list);
    return ig_builder_take(&path);
}

char *ig_path_join(const char *directory, const char *name)
{
    size_t length = strlen(directory);
    bool slash = !length || directory[length - 1] == '/';

    return ig_path_format("%s%s%s", directory, slash ? "" : "/", name);
}

const char *ig_path_stem(const char *path, size_t *length)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash && slash[1] ? slash + 1 : path;
    size_t end = strlen(name);

    if (ig_path_ends(name, ".gz"))
        end -= strlen(".gz");
    *length = end;
    while (end > 1 && name[end - 1] != '.')
        end--;
    if (end > 1)
        *length = end - 1;
    return name;
}

char *ig_path_with(const char *path, const char *ending)
{
    size_t length;
    const char *name = ig_path_stem(path, &length);

    return ig_path_format("%.*s%s", (int)(name + length - path), path, ending);
}

bool ig_path_ends(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);

    return tail <= length && strcasecmp(path + length - tail, ending) == 0;
}

bool ig_path_is_stream(const char *path)
{
    struct stat info;

    return strcmp(path, "-") == 0 ||
           (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode));
}

/* --- input files ------------------------------------------------------------------ */

void ig_inputs_add(ig_inputs *inputs, const char *path)
{
    size_t size = strlen(path) + 1;
    struct ig_input *input = NULL;

    if (inputs && access(path, F_OK) == 0)
        input = ig_arena_array(&inputs->arena, 1, sizeof *input + size);
    if (!input)
        return;
    input->before = inputs->last;
    memcpy(input->path, path, size);
    inputs->last = input;
}

ig_status ig_inputs_check(const ig_inputs *inputs, const char *output, ig_error *error)
{
    struct stat out, in;

    if (inputs && inputs->arena.failed)
        return ig_fail_memory(error, "the names of the inputs");
    if (!inputs || !output || stat(output, &out) != 0)
        return IG_OK;
    for (const struct ig_input *at = inputs->last; at; at = at->before)
        if (stat(at->path, &in) == 0 && in.st_dev == out.st_dev &&
            in.st_ino == out.st_ino)
            return ig_fail(error, IG_USAGE, "%s: refusing to overwrite the input %s",
                           output, at->path);
    return IG_OK;
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
