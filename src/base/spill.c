/* Arrays in memory or in a file without a name. */
#ifdef __linux__
#define _GNU_SOURCE /* O_TMPFILE, fallocate */
#include <linux/magic.h>
#include <sys/vfs.h>
#endif

#include "base/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/temporary.h"

/* --- the directory ---------------------------------------------------------------- */

/* Whether files of a directory lie in memory. */
static bool is_memory(const char *directory)
{
#ifdef __linux__
    struct statfs system;

    return statfs(directory, &system) == 0 &&
           (system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC);
#else
    (void)directory;
    return false;
#endif
}

/* errno of what keeps files from being made in a directory; 0: nothing. */
static int refusal(const char *directory)
{
    struct stat info;

    if (stat(directory, &info) != 0)
        return errno;
    if (!S_ISDIR(info.st_mode))
        return ENOTDIR;
    return access(directory, W_OK | X_OK) == 0 ? 0 : errno;
}

ig_status ig_spill_directory(const char *wanted, const char **directory, double *free,
                             ig_error *error)
{
    const char *const list[] = {wanted, "/var/tmp", "/tmp"};
    struct statvfs info;

    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        int refused = list[i] ? refusal(list[i]) : ENOENT;

        if (i == 0 && wanted && refused)
            return ig_fail_io(error, wanted, refused);
        if (refused || is_memory(list[i]) || statvfs(list[i], &info) != 0)
            continue;
        *directory = list[i];
        *free = (double)info.f_bavail * (double)info.f_frsize;
        return IG_OK;
    }
    return ig_fail(
        error, IG_IO,
        "%s%s/var/tmp and /tmp cannot hold a large file: they are not there, "
        "refuse it or lie in memory themselves",
        wanted ? wanted : "", wanted ? ", " : "");
}

/* --- the file --------------------------------------------------------------------- */

/* A new file that has no name; −1: errno tells why not. */
static int make_file(const char *directory)
{
    char *name;
    int file;

#ifdef O_TMPFILE
    file = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0)
        return file;
#endif
    name = ig_path_join(directory, "isogloss-rows-XXXXXX");
    file = name ? mkstemp(name) : -1;
    if (file >= 0) {
        fcntl(file, F_SETFD, FD_CLOEXEC);
        unlink(name);
    }
    ig_free(name);
    return file;
}

/* Have the system set all of its room aside, where it can; what it cannot, writing
 * finds out. */
static int reserve(int file, size_t size)
{
    if (ftruncate(file, (off_t)size) != 0)
        return errno;
#ifdef __linux__
    while (fallocate(file, 0, 0, (off_t)size) != 0)
        if (errno != EINTR)
            return errno == ENOSPC || errno == EFBIG || errno == EDQUOT ? errno : 0;
#endif
    return 0;
}

static ig_status fail_file(const ig_spill *spill, int number, ig_error *error)
{
    char what[512];

    snprintf(what, sizeof what,
             "%s: a file of %.2g GB, of what does not fit into memory",
             spill->directory, (double)spill->size / 1e9);
    return ig_fail_io(error, what, number);
}

/* errno of what keeps a file from being mapped; 0: it is. */
static int map_file(const ig_spill *spill, const void **bytes)
{
    void *at = mmap(NULL, spill->size, PROT_READ, MAP_SHARED, spill->file, 0);

    *bytes = at == MAP_FAILED ? NULL : at;
    return *bytes ? 0 : errno;
}

static ig_status init_file(ig_spill *spill, const char *directory, ig_error *error)
{
    int failed = 0;

    spill->directory = ig_strdup(directory);
    if (!spill->directory)
        return ig_fail_memory(error, directory);
    spill->file = make_file(directory);
    if (spill->file < 0)
        return fail_file(spill, errno, error);
    spill->in_file = true;
    if (spill->size == 0)
        return IG_OK;
    failed = reserve(spill->file, spill->size);
    if (!failed) {
        failed = map_file(spill, &spill->bytes);
        if (!failed)
            failed = map_file(spill, &spill->single);
        if (!failed)
            posix_madvise((void *)(uintptr_t)spill->single, spill->size,
                          POSIX_MADV_RANDOM);
    }
    return failed ? fail_file(spill, failed, error) : IG_OK;
}

ig_status ig_spill_init(ig_spill *spill, size_t count, size_t size,
                        const char *directory, ig_error *error)
{
    ig_status status = IG_OK;

    *spill = (ig_spill){.file = -1};
    if (size && count > SIZE_MAX / 2 / size)
        return ig_fail_memory(error, "the rows");
    spill->size = count * size;
    if (directory) {
        status = init_file(spill, directory, error);
    } else {
        spill->bytes = spill->single = spill->memory = ig_alloc(count, size);
        status = spill->memory ? IG_OK : ig_fail_memory(error, "the rows");
    }
    if (status != IG_OK)
        ig_spill_free(spill);
    return status;
}

void ig_spill_free(ig_spill *spill)
{
    if (spill->in_file) {
        if (spill->bytes)
            munmap((void *)(uintptr_t)spill->bytes, spill->size);
        if (spill->single)
            munmap((void *)(uintptr_t)spill->single, spill->size);
        close(spill->file);
    }
    ig_free(spill->memory);
    ig_free(spill->directory);
    *spill = (ig_spill){0};
}

/* --- writing ---------------------------------------------------------------------- */

void *ig_spill_place(const ig_spill *spill, size_t at, void *scratch)
{
    return spill->memory ? (char *)spill->memory + at : scratch;
}

void ig_spill_put(ig_spill *spill, size_t at, size_t size, const void *scratch)
{
    for (size_t done = 0; spill->in_file && done < size;) {
        ssize_t n = pwrite(spill->file, (const char *)scratch + done, size - done,
                           (off_t)(at + done));
        int none = 0;

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            atomic_compare_exchange_strong(&spill->error, &none, n ? errno : ENOSPC);
            return;
        }
        done += (size_t)n;
    }
}

void ig_spill_copy(ig_spill *spill, size_t at, size_t size, const void *from)
{
    if (spill->memory)
        memcpy((char *)spill->memory + at, from, size);
    else
        ig_spill_put(spill, at, size, from);
}

ig_status ig_spill_check(const ig_spill *spill, ig_error *error)
{
    int failed = atomic_load(&spill->error);

    return failed ? fail_file(spill, failed, error) : IG_OK;
}
