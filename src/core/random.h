/* Random numbers: xoshiro256** (Blackman & Vigna 2018), seeded through SplitMix64. The
 * same seed gives the same sequence on every machine. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct ig_random {
    uint64_t state[4];
} ig_random;

/* SplitMix64: the next of a sequence whose state is one number. */
static inline uint64_t ig_splitmix(uint64_t *x)
{
    uint64_t z = (*x += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Seed a sequence. `stream` separates uses of one seed (epochs, validation, init). */
void ig_random_init(ig_random *random, uint64_t seed, uint64_t stream);

/* 64 uniform bits; unbiased uniform in 0 … bound−1, bound > 0; in [0, 1) with 53
 * bits; standard normal (Box–Muller, one of the two values). */
uint64_t ig_random_next(ig_random *random);
size_t ig_random_below(ig_random *random, size_t bound);
double ig_random_unit(ig_random *random);
double ig_random_normal(ig_random *random);

/* Shuffle n indices in place (Fisher–Yates). */
void ig_random_shuffle(ig_random *random, uint32_t *items, size_t n);
