/* Names (languages, ids, categories) numbered by first appearance; quoting. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"
#include "core/memory.h"

/* An open-addressing hash table. Zeroed: empty. */
typedef struct ig_names {
    size_t count;
    const char **name; /* (count) without NUL inside */
    uint64_t *slot; /* (slots) hash in the high half, number + 1 in the low; 0: free */
    size_t slots;   /* 0 or a power of two, at least twice count */
    ig_arena texts; /* failed: memory was short, and names are missing */
} ig_names;

/* Number of a name, added if new. O(1) expected. Where memory is short 0, with
 * names->texts.failed. */
uint32_t ig_names_add(ig_names *names, const char *bytes, size_t length);

/* Number of a name, or UINT32_MAX. */
uint32_t ig_names_find(const ig_names *names, const char *bytes, size_t length);

void ig_names_free(ig_names *names);

/* FNV-1a, continued from `hash` over further bytes. */
#define IG_FNV_BEGIN 0xcbf29ce484222325u
uint64_t ig_fnv(uint64_t hash, const void *bytes, size_t size);

enum { IG_QUOTE_SIZE = 64, IG_LIST_SIZE = 256, IG_LISTED = 10 };

/* Copy `bytes` to fit, control characters and invalid UTF-8 as '?'. Returns `out`. */
const char *ig_quote(char out[IG_QUOTE_SIZE], const char *bytes, size_t length);

/* "a, b, c … and 4 more" of `count` names, of which the first IG_LISTED are read, and
 * fewer printed if they do not fit. Returns `out`. */
const char *ig_quote_list(char out[IG_LIST_SIZE], const char *const *name,
                          size_t count);

/* Whether the bytes are UTF-8 without NUL, fast for ASCII; and the message if not. */
bool ig_quote_is_text(const char *bytes, size_t length);
#define IG_NOT_UTF8                                                                    \
    "is not valid UTF-8 or has NUL; if it is Latin-1, iconv -f latin1 -t utf-8 helps"
