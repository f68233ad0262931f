/* Memory: one place through which the library allocates, so that sizes are checked for
 * overflow once and a test can make the N-th allocation fail. All blocks are released
 * with ig_free. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* A zeroed block of count × size bytes, 64-byte aligned (a cache line, one 512-bit
 * vector), or NULL when memory is short or the product overflows. count 0 gives a block
 * that may be freed and not read. */
void *ig_alloc(size_t count, size_t size);

/* Release a block; NULL is accepted. */
void ig_free(void *block);

/* A copy of `text` of its own, or NULL. */
char *ig_strdup(const char *text);

/* For tests: let the n-th next allocation fail (1 = the very next); 0 turns it off. */
void ig_alloc_fail_at(long n);

/* An arena: blocks that live and die together, for texts and parsed trees. A zeroed
 * arena is a valid empty one. */
typedef struct ig_arena {
    struct ig_arena_block *head;
    size_t used;  /* bytes taken of the head block */
    size_t total; /* bytes handed out, for reports */
} ig_arena;

/* `size` zeroed bytes aligned for any scalar type, or NULL. */
void *ig_arena_alloc(ig_arena *arena, size_t size);

/* `length` bytes of text copied and ended by a zero byte, or NULL. */
char *ig_arena_text(ig_arena *arena, const char *text, size_t length);

/* Release every block; the arena is empty again. */
void ig_arena_free(ig_arena *arena);

#endif
