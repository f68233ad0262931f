/* What every fuzzer shares: seeds that it brings itself, and a check that ends the run.
 * Included once, after SEEDS is defined. In the program that tries all seeds and the
 * corpus (replay.c) each fuzzer has names of its own. */
#ifndef TESTS_FUZZ_SEEDS_H
#define TESTS_FUZZ_SEEDS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

#endif
