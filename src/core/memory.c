/* Memory: checked, aligned, zeroed blocks, and arenas. */
#ifdef __linux__
#define _DEFAULT_SOURCE /* madvise */
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "core/memory.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const size_t LARGE = (size_t)4 << 20;

enum { ALIGNMENT = 64, FIRST_BLOCK = 1024, BLOCK_SIZE = 256 * 1024, ARENA_ALIGN = 16 };

/* Countdown to the allocation that fails; set by tests only. */
static atomic_long fail_countdown;

void ig_alloc_fail_at(long n)
{
    atomic_store(&fail_countdown, n);
}

static bool must_fail(void)
{
    if (atomic_load_explicit(&fail_countdown, memory_order_relaxed) <= 0)
        return false;
    return atomic_fetch_sub(&fail_countdown, 1) == 1;
}

/* Zero a block. Whole pages of a large block are returned to the system, which zeroes
 * them on first touch: untouched pages use no memory. */
static void clear(char *block, size_t bytes)
{
#ifdef __linux__
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t before = (page - (uintptr_t)block % page) % page;
    size_t whole = bytes >= LARGE ? (bytes - before) / page * page : 0;

    if (whole && madvise(block + before, whole, MADV_DONTNEED) == 0) {
        memset(block, 0, before);
        memset(block + before + whole, 0, bytes - before - whole);
        return;
    }
#endif
    memset(block, 0, bytes);
}

void *ig_alloc(size_t count, size_t size)
{
    void *block;
    size_t bytes;

    if (size && count > SIZE_MAX / 2 / size)
        return NULL;
    bytes = count * size;
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes == 0)
        bytes = ALIGNMENT;
    if (must_fail() || posix_memalign(&block, ALIGNMENT, bytes) != 0)
        return NULL;
    clear(block, bytes);
    return block;
}

void ig_free(void *block)
{
    free(block);
}

void ig_free_all(void *const *block, size_t count)
{
    while (count-- > 0)
        free(block[count]);
}

char *ig_strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = ig_alloc(size, 1);

    return copy ? memcpy(copy, text, size) : NULL;
}

struct ig_arena_block {
    struct ig_arena_block *next;
    size_t size;
    _Alignas(ARENA_ALIGN) unsigned char bytes[];
};

/* `size` bytes at a multiple of `align`. */
static void *take_bytes(ig_arena *arena, size_t size, size_t align)
{
    struct ig_arena_block *block = arena->head;
    size_t at = (arena->used + align - 1) / align * align;

    if (size > SIZE_MAX / 4)
        return NULL;
    if (!block || at > block->size || block->size - at < size) {
        /* Start small: there may be many arenas with little content. */
        size_t room = block ? 2 * block->size : FIRST_BLOCK;

        room = room > BLOCK_SIZE ? BLOCK_SIZE : room;
        room = room < size ? size : room;
        block = ig_alloc(1, sizeof *block + room);
        if (!block)
            return NULL;
        *block = (struct ig_arena_block){.next = arena->head, .size = room};
        arena->head = block;
        at = 0;
    }
    arena->used = at + size;
    return block->bytes + at;
}

void *ig_arena_alloc(ig_arena *arena, size_t size)
{
    return take_bytes(arena, size, ARENA_ALIGN);
}

char *ig_arena_bytes(ig_arena *arena, size_t size)
{
    return take_bytes(arena, size, 1);
}

void *ig_arena_array(ig_arena *arena, size_t count, size_t size)
{
    bool fits = !size || count <= SIZE_MAX / 4 / size;
    struct ig_arena_block *block = fits ? ig_alloc(1, ALIGNMENT + count * size) : NULL;

    arena->failed |= !block;
    if (!block)
        return NULL;
    block->next = arena->array;
    arena->array = block;
    return (char *)block + ALIGNMENT;
}

char *ig_arena_text(ig_arena *arena, const char *text, size_t length)
{
    char *copy = ig_arena_bytes(arena, length + 1);

    if (!copy)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static void free_blocks(struct ig_arena_block *block)
{
    while (block) {
        struct ig_arena_block *next = block->next;

        ig_free(block);
        block = next;
    }
}

void ig_arena_free(ig_arena *arena)
{
    free_blocks(arena->head);
    free_blocks(arena->array);
    *arena = (ig_arena){0};
}
