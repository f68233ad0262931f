/* A folder of its own for a test program, which works in it, so that messages name
 * files as a user would see them ("demo.csv:311: …"). Included once by a test
 * program. */
#pragma once

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch_path[] = "/tmp/isogloss-test-XXXXXX";
static char scratch_from[4096]; /* where the program worked before */

/* Group set-up: make the folder and work in it. */
static int scratch_enter(void **state)
{
    return getcwd(scratch_from, sizeof scratch_from) && mkdtemp(scratch_path) &&
                   chdir(scratch_path) == 0
               ? 0
               : -1;
}

/* Remove what is in a folder. */
static inline void scratch_clear(const char *path)
{
    DIR *directory = opendir(path);
    struct dirent *entry;
    char name[1024];

    while (directory && (entry = readdir(directory)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (snprintf(name, sizeof name, "%s/%s", path, entry->d_name) >=
            (int)sizeof name)
            abort();
        if (remove(name) != 0) {
            scratch_clear(name);
            remove(name);
        }
    }
    if (directory)
        closedir(directory);
}

static inline void scratch_remove(const char *path)
{
    scratch_clear(path);
    remove(path);
}

/* Group tear-down: remove the folder. */
static int scratch_leave(void **state)
{
    if (chdir(scratch_from) != 0)
        return -1;
    scratch_remove(scratch_path);
    return 0;
}

/* Write a file whole. */
static inline void scratch_write(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(name, "wb");

    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        abort();
}

static inline void scratch_text(const char *name, const char *text)
{
    scratch_write(name, text, strlen(text));
}

/* Entries of the folder, or of one in it, without the dots. */
static inline size_t scratch_entries(const char *path)
{
    DIR *directory = opendir(path);
    struct dirent *entry;
    size_t count = 0;

    while (directory && (entry = readdir(directory)) != NULL)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (directory)
        closedir(directory);
    return count;
}

/* A .npy of version 1.0 with the given dictionary, and `size` bytes of values. */
static inline void scratch_npy(const char *name, const char *dictionary,
                               const void *values, size_t size)
{
    size_t length = strlen(dictionary);
    FILE *file = fopen(name, "wb");

    if (!file || fwrite("\x93NUMPY\x01\x00", 1, 8, file) != 8 ||
        fputc((int)(length & 255), file) == EOF ||
        fputc((int)(length >> 8), file) == EOF ||
        fwrite(dictionary, 1, length, file) != length ||
        (size && fwrite(values, 1, size, file) != size) || fclose(file) != 0)
        abort();
}

/* A .npy of float rows in C order. */
static inline void scratch_rows(const char *name, const float *rows, size_t n, size_t d)
{
    char text[128];

    snprintf(text, sizeof text,
             "{'descr': '<f4', 'fortran_order': False, 'shape': (%zu, %zu), }\n", n, d);
    scratch_npy(name, text, rows, n * d * sizeof *rows);
}
