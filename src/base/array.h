/* Arrays: growing one, searching a sorted one, sorting numbers or by a small key. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Grow an array by half, or to `needed` if that is more.
 *   array     in/out  address of the pointer to its first element, which may be NULL
 *   capacity  in/out  elements that it has room for
 *   size      in      bytes of an element
 *   what      in      what is short of memory, for the message
 * Elements keep their values, new ones are zero. IG_OK, or IG_NOMEM with the array as
 * it was. */
ig_status ig_array_grow(void *array, size_t *capacity, size_t needed, size_t size,
                        const char *what, ig_error *error);

/* Whether element i of a sorted array stands before what is looked for. */
typedef bool ig_array_before(const void *context, size_t i);

/* How many of `count` sorted elements stand before what is looked for: where it is, or
 * where it would be put in. Inline, so that `before` is too. */
static inline size_t ig_array_bisect(size_t count, ig_array_before *before,
                                     const void *context)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (before(context, middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The place of the first value of an ascending array that is `value` or more. */
static inline size_t ig_array_find(const uint32_t *sorted, size_t count, uint32_t value)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Order numbers ascending. */
void ig_array_sort32(uint32_t *values, size_t count);
void ig_array_sort64(uint64_t *values, size_t count);

/* The key of item i: below `keys`, or anything else to leave the item out. */
typedef size_t ig_array_key(const void *context, size_t i);

/* Order items 0 … count−1 by key, those of a key as they stood (a counting sort).
 *   start  out  (keys + 2) items of key k are order[start[k]] … order[start[k + 1] − 1]
 *   order  out  (count)
 * O(count + keys). Inline, so that `key` is too. */
static inline void ig_array_order(size_t count, size_t keys, ig_array_key *key,
                                  const void *context, uint32_t *start, uint32_t *order)
{
    for (size_t k = 0; k < keys + 2; k++)
        start[k] = 0;
    /* Counted two places on and summed, then moved one place back while filling. */
    for (size_t i = 0; i < count; i++) {
        size_t k = key(context, i);

        if (k < keys)
            start[k + 2]++;
    }
    for (size_t k = 2; k < keys + 2; k++)
        start[k] += start[k - 1];
    for (size_t i = 0; i < count; i++) {
        size_t k = key(context, i);

        if (k < keys)
            order[start[k + 1]++] = (uint32_t)i;
    }
}

#endif
