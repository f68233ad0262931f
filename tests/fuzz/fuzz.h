/* What every fuzzer shares: seeds that it brings itself, a check that ends the run,
 * and a folder to work in. Included once, after SEEDS is defined. In the program that
 * tries all seeds and the corpus (replay.c) each fuzzer has names of its own. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scratch.h"

#ifdef FUZZ_NAME
#define FUZZ_JOIN(a, b)                    a##b
#define FUZZ_JOINED(a, b)                  FUZZ_JOIN(a, b)
#define LLVMFuzzerTestOneInput             FUZZ_JOINED(fuzz_one_, FUZZ_NAME)
#define LLVMFuzzerCustomMutator            FUZZ_JOINED(fuzz_mutate_, FUZZ_NAME)
#define LLVMFuzzerMutate(data, size, most) (size)
#else
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
#endif
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A seed whose bytes may hold zeros. */
typedef struct seed_input {
    const char *bytes;
    size_t size;
} seed_input;

#define SEED(text)                                                                     \
    {                                                                                  \
        text, sizeof text - 1                                                          \
    }

static const seed_input seeds[] = {SEEDS};

/* An input of a byte or none becomes a seed, any other one is mutated as usual. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    const seed_input *chosen = &seeds[seed % (sizeof seeds / sizeof *seeds)];

    if (size > 1 || chosen->size > most)
        return LLVMFuzzerMutate(data, size, most);
    memcpy(data, chosen->bytes, chosen->size);
    return chosen->size;
}

#ifdef FUZZ_NAME
/* Try all seeds. */
void FUZZ_JOINED(fuzz_seeds_, FUZZ_NAME)(void);
void FUZZ_JOINED(fuzz_seeds_, FUZZ_NAME)(void)
{
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
        LLVMFuzzerTestOneInput((const uint8_t *)seeds[i].bytes, seeds[i].size);
}
#endif

/* What must hold for every input. */
static inline void must(int holds)
{
    if (!holds)
        abort();
}

/* --- a folder of its own ---------------------------------------------------------- */

static void leave_folder(void)
{
    scratch_leave(NULL);
}

/* Work in an empty folder, so that no name in an input leads elsewhere. */
static inline void enter_folder(void)
{
    static int entered;

    if (!entered) {
        must(scratch_enter(NULL) == 0);
        atexit(leave_folder);
    }
    entered = 1;
    must(chdir(scratch_path) == 0);
    scratch_clear(".");
}

/* --- bundles: several files in one input, each after a line "%%NAME" -------------- */

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

    enter_folder();
    if (size < 2 || memcmp(data, "%%", 2) != 0)
        at = bundle_next(data, end);
    while (at < end) {
        const uint8_t *name, *text, *next;
        char path[40] = "";

        name = at + (*at == '\n') + 2;
        text = memchr(name, '\n', (size_t)(end - name));
        if (!text)
            break;
        next = bundle_next(text, end);
        if ((size_t)(text - name) < sizeof path)
            memcpy(path, name, (size_t)(text - name));
        text += text < next;
        if (bundle_good(path) && strlen(path) == (size_t)(text - name - 1)) {
            scratch_write(path, text, (size_t)(next - text));
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
