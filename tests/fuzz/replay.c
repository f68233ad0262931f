/* Tries the seeds of every fuzzer and its corpus (tests/fuzz/corpus/NAME, inputs that
 * failed once among them), without a fuzzer: TAP of a test each. Make knows the fuzzers
 * from the names of their files: FUZZERS(DO) is DO(first) DO(second) and so on. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DECLARE(name)                                                                  \
    void fuzz_seeds_##name(void);                                                      \
    int fuzz_one_##name(const uint8_t *data, size_t size);
FUZZERS(DECLARE)

#define ENTRY(name) {#name, fuzz_seeds_##name, fuzz_one_##name},
static const struct fuzzer {
    const char *name;
    void (*seeds)(void);
    int (*one)(const uint8_t *data, size_t size);
} fuzzers[] = {FUZZERS(ENTRY)};

static const size_t count = sizeof fuzzers / sizeof *fuzzers;

static void try_file(const struct fuzzer *fuzzer, const char *path)
{
    FILE *file = fopen(path, "rb");
    long size = -1;
    uint8_t *bytes;

    if (file && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (size < 0)
        abort();
    rewind(file);
    bytes = malloc((size_t)size + 1);
    if (!bytes || fread(bytes, 1, (size_t)size, file) != (size_t)size)
        abort();
    fclose(file);
    fuzzer->one(bytes, (size_t)size);
    free(bytes);
}

/* The files of its corpus, if it has one; returns how many. */
static size_t try_corpus(const struct fuzzer *fuzzer, const char *corpus)
{
    char folder[4200], path[4500];
    struct dirent *entry;
    size_t files = 0;
    DIR *directory;

    snprintf(folder, sizeof folder, "%s/%s", corpus, fuzzer->name);
    directory = opendir(folder);
    while (directory && (entry = readdir(directory)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        try_file(fuzzer, path);
        files++;
    }
    if (directory)
        closedir(directory);
    return files;
}

int main(void)
{
    char from[4096], corpus[4150];

    /* A fuzzer may work in a folder of its own. */
    if (!getcwd(from, sizeof from))
        return 1;
    snprintf(corpus, sizeof corpus, "%s/tests/fuzz/corpus", from);
    printf("1..%zu\n", count);
    for (size_t i = 0; i < count; i++) {
        size_t files;

        fuzzers[i].seeds();
        files = try_corpus(&fuzzers[i], corpus);
        printf("ok %zu - %s: its seeds and %zu files\n", i + 1, fuzzers[i].name, files);
        fflush(stdout); /* the next one may end the program */
    }
    return 0;
}
