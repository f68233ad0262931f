/* Arrays: growing and sorting. */
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

ig_status ig_array_grow(void *array, size_t *capacity, size_t needed, size_t size,
                        const char *what, ig_error *error)
{
    size_t wanted = *capacity + *capacity / 2;
    void *old, *grown;

    if (needed <= *capacity)
        return IG_OK;
    if (wanted < needed)
        wanted = needed < 16 ? 16 : needed;
    grown = ig_alloc(wanted, size);
    if (!grown)
        return ig_fail_memory(error, what);
    memcpy(&old, array, sizeof old);
    if (old)
        memcpy(grown, old, *capacity * size);
    ig_free(old);
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return IG_OK;
}

static int compare32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static int compare64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

void ig_array_sort32(uint32_t *values, size_t count)
{
    if (count)
        qsort(values, count, sizeof *values, compare32);
}

void ig_array_sort64(uint64_t *values, size_t count)
{
    if (count)
        qsort(values, count, sizeof *values, compare64);
}
