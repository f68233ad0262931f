/* Names numbered by first appearance: languages, ids, categories. Open addressing. */
#ifndef DATA_NAMES_H
#define DATA_NAMES_H

#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"

/* Texts packed one after another, each ended by a zero byte, that die together. */
typedef struct ig_texts {
    ig_arena arena;
    char *at; /* room left in the newest block of the arena */
    size_t room;
    size_t block; /* size of that block: they double, for a column may hold little */
} ig_texts;

/* A copy of `length` bytes ended by a zero byte, or NULL. Zero bytes within are copied
 * as U+2400 (␀), for they would end the text. */
const char *ig_texts_add(ig_texts *texts, const char *bytes, size_t length);

void ig_texts_free(ig_texts *texts);

/* A zeroed struct holds no names. Names hold no zero bytes. */
typedef struct ig_names {
    size_t count;
    const char **name; /* (count) */
    size_t capacity;
    uint64_t *slot; /* (slots) hash in the high half, number + 1 in the low; 0: free */
    size_t slots;   /* 0 or a power of two, at least twice count */
    ig_texts texts;
} ig_names;

/* The number of a name, added when it is new. IG_OK or IG_NOMEM; the names stay as they
 * were when memory is short. O(1) expected. */
ig_status ig_names_add(ig_names *names, const char *bytes, size_t length,
                       uint32_t *number, ig_error *error);

/* The number of a name, or UINT32_MAX. */
uint32_t ig_names_find(const ig_names *names, const char *bytes, size_t length);

void ig_names_free(ig_names *names);

#endif
