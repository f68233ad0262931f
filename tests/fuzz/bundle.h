/* For fuzzers of what reads several files: one input is a bundle of them, each after a
 * line "%%NAME" of its own. They are written to a folder in which the fuzzer then works,
 * so that no name in them leads elsewhere. Included once by a fuzzer. */
#ifndef TESTS_FUZZ_BUNDLE_H
#define TESTS_FUZZ_BUNDLE_H

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "seeds.h"

static char bundle_folder[] = "/tmp/isogloss-fuzz-XXXXXX";

/* Empty a folder. */
static void bundle_clear(const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;
    char name[600];

    while (folder && (entry = readdir(folder)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (unlink(name) != 0) {
            bundle_clear(name);
            rmdir(name);
        }
    }
    if (folder)
        closedir(folder);
}

static void bundle_leave(void)
{
    must(chdir("/") == 0);
    bundle_clear(bundle_folder);
    rmdir(bundle_folder);
}

/* Work in an empty folder. */
static inline void bundle_enter(void)
{
    static int entered;

    if (!entered) {
        must(mkdtemp(bundle_folder) != NULL);
        atexit(bundle_leave);
    }
    entered = 1;
    must(chdir(bundle_folder) == 0);
    bundle_clear(bundle_folder);
}

static const uint8_t *bundle_next(const uint8_t *at, const uint8_t *end)
{
    while (at + 2 < end && memcmp(at, "\n%%", 3) != 0)
        at++;
    return at + 2 < end ? at : end;
}

/* Whether a name is one for a file in the folder. */
static int bundle_good(const char *name)
{
    return *name && *name != '.' &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789._-=")] == '\0';
}

/* Write the files; returns how many. What is before the first name is left out. */
static inline size_t bundle_write(const uint8_t *data, size_t size)
{
    const uint8_t *end = data + size, *at = data;
    size_t files = 0;

    bundle_enter();
    if (size < 2 || memcmp(data, "%%", 2) != 0)
        at = bundle_next(data, end);
    while (at < end) {
        const uint8_t *name, *text, *next;
        char path[40] = "";
        FILE *file;

        name = at + (*at == '\n') + 2;
        text = memchr(name, '\n', (size_t)(end - name));
        if (!text)
            break;
        next = bundle_next(text, end);
        if ((size_t)(text - name) < sizeof path)
            memcpy(path, name, (size_t)(text - name));
        text += text < next;
        if (bundle_good(path) && strlen(path) == (size_t)(text - name - 1) &&
            (file = fopen(path, "wb")) != NULL) {
            must(fwrite(text, 1, (size_t)(next - text), file) == (size_t)(next - text));
            must(fclose(file) == 0);
            files++;
        }
        at = next;
    }
    return files;
}

/* The bytes of a file of the bundle with a zero byte behind them, in a block of their
 * own; NULL when there is none. */
static inline char *bundle_text(const char *name)
{
    FILE *file = fopen(name, "rb");
    char *text = NULL;
    long size = -1;

    if (!file)
        return NULL;
    must(fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0);
    rewind(file);
    text = calloc((size_t)size + 1, 1);
    must(text && fread(text, 1, (size_t)size, file) == (size_t)size);
    fclose(file);
    return text;
}

#endif
