/* Arrays: growing and sorting. */
#include "core/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

uint32_t ig_joined_root(uint32_t *joined, uint32_t row)
{
    while (joined[row] != row)
        row = joined[row] = joined[joined[row]];
    return row;
}

void ig_joined_add(uint32_t *joined, uint32_t a, uint32_t b)
{
    a = ig_joined_root(joined, a);
    b = ig_joined_root(joined, b);
    joined[a > b ? a : b] = a > b ? b : a;
}

void ig_builder_list(ig_builder *b, const char *format, va_list list)
{
    va_list again;
    int length;

    va_copy(again, list);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    b->failed |= length < 0 ||
                 ig_array_grow(&b->text, &b->size, b->length + (size_t)length + 1, 1,
                               "a text", NULL) != IG_OK;
    if (b->failed)
        return;
    vsnprintf(b->text + b->length, (size_t)length + 1, format, list);
    b->length += (size_t)length;
}

void ig_builder_add(ig_builder *b, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    ig_builder_list(b, format, list);
    va_end(list);
}

char *ig_builder_take(ig_builder *b)
{
    char *text = b->failed ? NULL : b->text;

    ig_free(b->failed ? b->text : NULL);
    *b = (ig_builder){0};
    return text;
}

void ig_builder_free(ig_builder *b)
{
    ig_free(b->text);
    *b = (ig_builder){0};
}

char *ig_arena_format(ig_arena *arena, const char *format, va_list list)
{
    ig_builder built = {0};
    char *text;

    ig_builder_list(&built, format, list);
    text = ig_arena_text(arena, built.text, built.failed ? SIZE_MAX / 2 : built.length);
    ig_builder_free(&built);
    return text;
}
