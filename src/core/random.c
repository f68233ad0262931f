/* Random numbers: xoshiro256** with SplitMix64 seeding. */
#include "core/random.h"

#include <math.h>

void ig_random_init(ig_random *random, uint64_t seed, uint64_t stream)
{
    uint64_t x = seed;

    x = ig_splitmix(&x) ^ (stream * 0xd1342543de82ef95u);
    for (int i = 0; i < 4; i++)
        random->state[i] = ig_splitmix(&x);
}

static uint64_t rotate(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

uint64_t ig_random_next(ig_random *random)
{
    uint64_t *s = random->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

size_t ig_random_below(ig_random *random, size_t bound)
{
    /* Rejection sampling: values below `reject` would bias the low remainders. */
    uint64_t n = bound, reject = (0 - n) % n, x;

    do
        x = ig_random_next(random);
    while (x < reject);
    return (size_t)(x % n);
}

double ig_random_unit(ig_random *random)
{
    return (double)(ig_random_next(random) >> 11) * 0x1p-53;
}

double ig_random_normal(ig_random *random)
{
    double u = 1.0 - ig_random_unit(random), v = ig_random_unit(random);

    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
}

void ig_random_shuffle(ig_random *random, uint32_t *items, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = ig_random_below(random, i);
        uint32_t t = items[i - 1];

        items[i - 1] = items[j];
        items[j] = t;
    }
}
