/* Memory: all allocations of the library, so that size overflow is checked once and
 * tests can make the N-th allocation fail. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A zeroed block of count × size bytes, 64-byte aligned (a cache line, one 512-bit
 * vector), or NULL when memory is short or the size overflows. */
void *ig_alloc(size_t count, size_t size);

/* Release a block; NULL is accepted. IG_FREE releases several. */
void ig_free(void *block);
void ig_free_all(void *const *block, size_t count);
#define IG_FREE(...)                                                                   \
    ig_free_all((void *[]){__VA_ARGS__},                                               \
                sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))

/* For tests: make the n-th allocation from now fail (1 = the next); 0 disables it. */
void ig_alloc_fail_at(long n);

/* An arena: zeroed blocks released together. It remembers a failure: many allocations
 * need one check, before their first use. A zeroed arena is empty. */
typedef struct ig_arena {
    struct ig_arena_block *head;
    size_t used; /* bytes used in the head block */
    bool failed; /* memory was short */
} ig_arena;

/* An array aligned as by ig_alloc. NULL after a failure. */
void *ig_arena_array(ig_arena *arena, size_t count, size_t size);

/* A zero-terminated copy of `length` bytes, or with NULL so many zero bytes; NULL after
 * a failure. Not aligned. */
char *ig_arena_text(ig_arena *arena, const char *text, size_t length);

/* Release every block and reset the arena. */
void ig_arena_free(ig_arena *arena);
