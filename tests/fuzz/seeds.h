/* What every fuzzer shares: seeds that it brings itself, so that no corpus need be kept,
 * and a check that ends the run. Included once, after SEEDS is defined. */
#ifndef TESTS_FUZZ_SEEDS_H
#define TESTS_FUZZ_SEEDS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
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

/* What must hold for every input. */
static inline void must(int holds)
{
    if (!holds)
        abort();
}

#endif
