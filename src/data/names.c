/* Names numbered by first appearance, and packed texts. */
#include "data/names.h"

#include <string.h>

#include "base/array.h"

enum {
    FIRST_TEXT_BLOCK = 512,
    TEXT_BLOCK = 256 * 1024,
    FIRST_SLOTS = 16,
    NUL_SIZE = 3
};

/* Room for `size` bytes: of the newest block, or a block of their own when they are
 * many, so that the rest of the newest one is not given up for them. */
static char *texts_room(ig_texts *texts, size_t size)
{
    char *room;

    if (size > TEXT_BLOCK / 4)
        return ig_arena_alloc(&texts->arena, size);
    if (size > texts->room) {
        size_t block = texts->block ? 2 * texts->block : FIRST_TEXT_BLOCK;

        while (block < size)
            block *= 2;
        if (block > TEXT_BLOCK)
            block = TEXT_BLOCK;
        texts->room = 0;
        texts->at = ig_arena_alloc(&texts->arena, block);
        if (!texts->at)
            return NULL;
        texts->room = texts->block = block;
    }
    room = texts->at;
    texts->at += size;
    texts->room -= size;
    return room;
}

/* The first zero byte of bytes … end, or NULL. */
static const char *find_nul(const char *bytes, const char *end)
{
    return bytes < end ? memchr(bytes, '\0', (size_t)(end - bytes)) : NULL;
}

const char *ig_texts_add(ig_texts *texts, const char *bytes, size_t length)
{
    const char *end = bytes + length;
    const char *nul = find_nul(bytes, end);
    size_t size = length + 1;
    char *copy, *at;

    for (const char *p = nul; p; p = find_nul(p + 1, end))
        size += NUL_SIZE - 1;
    copy = at = texts_room(texts, size);
    if (!copy)
        return NULL;
    for (; nul; nul = find_nul(bytes, end)) {
        memcpy(at, bytes, (size_t)(nul - bytes));
        at += nul - bytes;
        memcpy(at, "\xe2\x90\x80", NUL_SIZE);
        at += NUL_SIZE;
        bytes = nul + 1;
    }
    if (end > bytes)
        memcpy(at, bytes, (size_t)(end - bytes));
    at[end - bytes] = '\0';
    return copy;
}

void ig_texts_free(ig_texts *texts)
{
    ig_arena_free(&texts->arena);
    *texts = (ig_texts){0};
}

/* The mixer of SplitMix64. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* All bytes but the last are mixed, the last is added to both halves: the ten numbers
 * of a decade lie side by side, and ids, which mostly count up, miss the cache a tenth
 * as often. */
static uint64_t hash_of(const char *bytes, size_t length)
{
    uint64_t last = length ? (unsigned char)bytes[length - 1] : 0;
    size_t rest = length ? length - 1 : 0;
    uint64_t h = length;
    uint64_t word;

    for (; rest >= sizeof word; bytes += sizeof word, rest -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        h = mix(h ^ word);
    }
    word = 0;
    memcpy(&word, bytes, rest);
    return mix(h ^ word) + last + (last << 32);
}

/* The slot that holds the name, or the free one where it belongs. */
static size_t find_slot(const ig_names *names, const char *bytes, size_t length,
                        uint64_t hash)
{
    size_t mask = names->slots - 1;
    size_t at = (size_t)hash & mask;

    for (;; at = (at + 1) & mask) {
        uint64_t slot = names->slot[at];
        const char *name;

        if (slot == 0)
            return at;
        if (slot >> 32 != hash >> 32)
            continue;
        name = names->name[(uint32_t)slot - 1];
        if (strncmp(name, bytes, length) == 0 && name[length] == '\0')
            return at;
    }
}

/* Double the slots. The names themselves are hashed again: the slot keeps half of it.
 * */
static ig_status grow_slots(ig_names *names, ig_error *error)
{
    size_t slots = names->slots ? names->slots * 2 : FIRST_SLOTS;
    uint64_t *slot = ig_alloc(slots, sizeof *slot);

    if (!slot)
        return ig_fail_memory(error, "names");
    for (size_t i = 0; i < names->count; i++) {
        uint64_t hash = hash_of(names->name[i], strlen(names->name[i]));
        size_t at = (size_t)hash & (slots - 1);

        while (slot[at])
            at = (at + 1) & (slots - 1);
        slot[at] = (hash >> 32 << 32) | (i + 1);
    }
    ig_free(names->slot);
    names->slot = slot;
    names->slots = slots;
    return IG_OK;
}

ig_status ig_names_add(ig_names *names, const char *bytes, size_t length,
                       uint32_t *number, ig_error *error)
{
    uint64_t hash = hash_of(bytes, length);
    ig_status status;
    size_t at;

    if (names->slots) {
        at = find_slot(names, bytes, length, hash);
        if (names->slot[at]) {
            *number = (uint32_t)names->slot[at] - 1;
            return IG_OK;
        }
    }
    if (2 * (names->count + 1) > names->slots) {
        status = grow_slots(names, error);
        if (status != IG_OK)
            return status;
    }
    status = ig_array_grow(&names->name, &names->capacity, names->count + 1,
                           sizeof *names->name, "names", error);
    if (status != IG_OK)
        return status;
    names->name[names->count] = ig_texts_add(&names->texts, bytes, length);
    if (!names->name[names->count])
        return ig_fail_memory(error, "names");
    at = find_slot(names, bytes, length, hash);
    names->slot[at] = (hash >> 32 << 32) | (names->count + 1);
    *number = (uint32_t)names->count++;
    return IG_OK;
}

uint32_t ig_names_find(const ig_names *names, const char *bytes, size_t length)
{
    size_t at;

    if (!names->slots)
        return UINT32_MAX;
    at = find_slot(names, bytes, length, hash_of(bytes, length));
    return names->slot[at] ? (uint32_t)names->slot[at] - 1 : UINT32_MAX;
}

void ig_names_free(ig_names *names)
{
    ig_free(names->name);
    ig_free(names->slot);
    ig_texts_free(&names->texts);
    *names = (ig_names){0};
}
