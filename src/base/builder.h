/* Text built piece by piece. A builder remembers that a piece failed (no memory), so
 * that one asks once, at the end, and never takes half a text for the whole. */
#ifndef BASE_BUILDER_H
#define BASE_BUILDER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

/* A zeroed builder is a valid empty one. */
typedef struct ig_builder {
    char *text;    /* (size) ended by a zero byte; NULL before the first piece */
    size_t length; /* bytes before the zero byte */
    size_t size;
    bool failed; /* a piece is missing; nothing more is added */
} ig_builder;

/* Append text as printf would write it. */
void ig_builder_add(ig_builder *builder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Append `length` bytes. */
void ig_builder_put(ig_builder *builder, const char *bytes, size_t length);

/* Append `length` bytes that the caller writes to where this points, or NULL. */
char *ig_builder_room(ig_builder *builder, size_t length);

/* The whole text, for ig_free, or NULL when any piece failed. The builder is empty
 * again. */
char *ig_builder_take(ig_builder *builder);

/* Release the text; the builder is empty again. */
void ig_builder_free(ig_builder *builder);

/* The text that vprintf would write, of the arena, or NULL. */
char *ig_arena_format(ig_arena *arena, const char *format, va_list list)
    __attribute__((format(printf, 2, 0)));

#endif
