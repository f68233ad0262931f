/* Arrays: growth, search, sorting; and a text builder. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/memory.h"

/* Grow an array by half, or to `needed` elements of `size` bytes if that is more; the
 * new ones are zero. `array` is the address of the pointer to the first, which may be
 * NULL. IG_OK, or IG_NOMEM ("out of memory for WHAT") with the array unchanged. */
ig_status ig_array_grow(void *array, size_t *capacity, size_t needed, size_t size,
                        const char *what, ig_error *error);

/* Index of the first value ≥ `value` in an ascending array. */
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

/* Sort integers in ascending order. */
void ig_array_sort32(uint32_t *values, size_t count);
void ig_array_sort64(uint64_t *values, size_t count);

/* Stable counting sort of items 0 … count−1 by key; one ≥ `keys` excludes an item.
 *   start  out  (keys + 2) items of key k are order[start[k]] … order[start[k + 1] − 1]
 *   order  out  (count)
 * O(count + keys). Inline, so that `key` is inlined too. */
static inline void ig_array_order(size_t count, size_t keys,
                                  size_t (*key)(const void *context, size_t i),
                                  const void *context, uint32_t *start, uint32_t *order)
{
    for (size_t k = 0; k < keys + 2; k++)
        start[k] = 0;
    /* Counts are offset by two and shift down by one while the items are placed. */
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

/* Union-find over rows 0 … n−1: joined[i] = i initially. The root of a set is its
 * lowest row. */
uint32_t ig_joined_root(uint32_t *joined, uint32_t row);
void ig_joined_add(uint32_t *joined, uint32_t a, uint32_t b);

/* A text that grows; a zeroed one is empty. It remembers an allocation failure, so that
 * the caller checks once, at the end. */
typedef struct ig_builder {
    char *text;    /* (size) zero-terminated; NULL when empty */
    size_t length; /* bytes before the terminating zero */
    size_t size;
    bool failed; /* out of memory: further appends are ignored */
} ig_builder;

/* Append printf-formatted text. */
void ig_builder_add(ig_builder *builder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void ig_builder_list(ig_builder *builder, const char *format, va_list list)
    __attribute__((format(printf, 2, 0)));

/* Reset the builder, and release the text, or return it (ig_free it); NULL if an append
 * failed. */
void ig_builder_free(ig_builder *builder);
char *ig_builder_take(ig_builder *builder);

/* vprintf into the arena. NULL when memory is short. */
char *ig_arena_format(ig_arena *arena, const char *format, va_list list)
    __attribute__((format(printf, 2, 0)));
