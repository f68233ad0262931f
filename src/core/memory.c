/* Memory: checked, aligned, zeroed blocks, and arenas; messages of errors. */
#include "core/memory.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

enum { ALIGNMENT = 64, FIRST_BLOCK = 1024, BLOCK_SIZE = 256 * 1024 };

/* Countdown to the allocation that fails; set by tests only. */
static atomic_long fail_countdown;

void ig_alloc_fail_at(long n)
{
    atomic_store(&fail_countdown, n);
}

/* From calloc, whose large blocks use no memory before they are touched. Before the
 * block is the address of the whole. */
void *ig_alloc(size_t count, size_t size)
{
    char *whole, *block;

    if (size && count > SIZE_MAX / 2 / size)
        return NULL;
    if (atomic_load_explicit(&fail_countdown, memory_order_relaxed) > 0 &&
        atomic_fetch_sub(&fail_countdown, 1) == 1)
        return NULL;
    whole = calloc(1, count * size + ALIGNMENT);
    if (!whole)
        return NULL;
    block = whole + ALIGNMENT - (uintptr_t)whole % ALIGNMENT;
    memcpy(block - sizeof whole, &whole, sizeof whole);
    return block;
}

void ig_free(void *block)
{
    char *whole = NULL;

    if (block)
        memcpy(&whole, (char *)block - sizeof whole, sizeof whole);
    free(whole);
}

void ig_free_all(void *const *block, size_t count)
{
    while (count-- > 0)
        ig_free(block[count]);
}

struct ig_arena_block {
    struct ig_arena_block *next;
    size_t size;
    _Alignas(ALIGNMENT) unsigned char bytes[];
};

/* `size` bytes at a multiple of `align`, in the head block or in a new one. */
static void *take_bytes(ig_arena *arena, size_t size, size_t align)
{
    struct ig_arena_block *head = arena->head;
    size_t at = (arena->used + align - 1) / align * align, room = FIRST_BLOCK;

    if (head && !arena->failed && at <= head->size && head->size - at >= size) {
        arena->used = at + size;
        return head->bytes + at;
    }
    if (head) /* many arenas have little content, so the first block is small */
        room = head->size < BLOCK_SIZE / 2 ? 2 * head->size : BLOCK_SIZE;
    room = room < size ? size : room;
    head = size <= SIZE_MAX / 4 && !arena->failed ? ig_alloc(1, sizeof *head + room)
                                                  : NULL;
    if (!head) {
        arena->failed = true;
        return NULL;
    }
    *head = (struct ig_arena_block){.next = arena->head, .size = room};
    arena->head = head;
    arena->used = size;
    return head->bytes;
}

void *ig_arena_array(ig_arena *arena, size_t count, size_t size)
{
    return take_bytes(arena,
                      size && count > SIZE_MAX / 4 / size ? SIZE_MAX : count * size,
                      ALIGNMENT);
}

char *ig_arena_text(ig_arena *arena, const char *text, size_t length)
{
    char *copy = take_bytes(arena, length + 1, 1);

    return copy && text ? memcpy(copy, text, length) : copy;
}

void ig_arena_free(ig_arena *arena)
{
    while (arena->head) {
        struct ig_arena_block *next = arena->head->next;

        ig_free(arena->head);
        arena->head = next;
    }
    *arena = (ig_arena){0};
}

ig_status ig_fail(ig_error *error, ig_status status, const char *format, ...)
{
    va_list args;

    if (!error)
        return status;
    error->status = status;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    return status;
}

ig_status ig_fail_memory(ig_error *error, const char *what)
{
    return ig_fail(error, IG_NOMEM, "out of memory for %s", what);
}
