/* Memory: all allocations of the library, so that size overflow is checked once and
 * tests can make the N-th allocation fail. Release all blocks with ig_free. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* A zeroed block of count × size bytes, 64-byte aligned (a cache line, one 512-bit
 * vector), or NULL when memory is short or the size overflows. A block of count 0 may
 * be freed but not read. */
void *ig_alloc(size_t count, size_t size);

/* Release a block; NULL is accepted. IG_FREE releases several. */
void ig_free(void *block);
void ig_free_all(void *const *block, size_t count);
#define IG_FREE(...)                                                                   \
    ig_free_all((void *[]){__VA_ARGS__},                                               \
                sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))

/* An allocated copy of `text`, or NULL. */
char *ig_strdup(const char *text);

/* For tests: make the n-th allocation from now fail (1 = the next); 0 disables it. */
void ig_alloc_fail_at(long n);

/* An arena: blocks released together, for texts and parse trees. A zeroed arena is
 * empty and valid. */
typedef struct ig_arena {
    struct ig_arena_block *head;
    size_t used;                  /* bytes used in the head block */
    struct ig_arena_block *array; /* blocks of ig_arena_array … */
    bool failed;                  /* … of which one could not be had */
} ig_arena;

/* `size` zeroed bytes aligned for any scalar type, or NULL. */
void *ig_arena_alloc(ig_arena *arena, size_t size);

/* The same without alignment, for texts. */
char *ig_arena_bytes(ig_arena *arena, size_t size);

/* A block as of ig_alloc, or NULL, which `failed` remembers: many arrays need one
 * check. */
void *ig_arena_array(ig_arena *arena, size_t count, size_t size);

/* A zero-terminated copy of `length` bytes, or NULL. */
char *ig_arena_text(ig_arena *arena, const char *text, size_t length);

/* Release every block and reset the arena. */
void ig_arena_free(ig_arena *arena);

#endif
