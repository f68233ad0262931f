/* Text storage, names numbered by first appearance, and quoting for messages. */
#include "data/names.h"

#include <string.h>

#include "core/array.h"
#include "core/text.h"

enum { FIRST_SLOTS = 16 };

const char *ig_texts_add(ig_arena *texts, const char *bytes, size_t length)
{
    size_t nuls = 0;
    char *copy, *at;

    for (size_t i = 0; i < length; i++)
        nuls += bytes[i] == '\0';
    if (nuls == 0)
        return ig_arena_text(texts, bytes, length);
    copy = at = ig_arena_bytes(texts, length + 2 * nuls + 1);
    for (size_t i = 0; i < length && copy; i++)
        if (bytes[i])
            *at++ = bytes[i];
        else
            at = stpcpy(at, "\xe2\x90\x80");
    if (copy)
        *at = '\0';
    return copy;
}

/* SplitMix64 finalizer. */
static uint64_t mix_bits(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Hash all bytes but the last, then add the last to both halves: ids that differ in the
 * last digit occupy adjacent slots, so counting ids cause a tenth of the cache
 * misses. */
static uint64_t hash_bytes(const char *bytes, size_t length)
{
    uint64_t last = length ? (unsigned char)bytes[length - 1] : 0;
    size_t rest = length ? length - 1 : 0;
    uint64_t h = length;
    uint64_t word;

    for (; rest >= sizeof word; bytes += sizeof word, rest -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        h = mix_bits(h ^ word);
    }
    word = 0;
    memcpy(&word, bytes, rest);
    return mix_bits(h ^ word) + last + (last << 32);
}

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

/* Double the slots. Rehashes the names, since a slot stores only half of a hash. */
static ig_status grow_slots(ig_names *names, ig_error *error)
{
    size_t slots = names->slots ? names->slots * 2 : FIRST_SLOTS;
    uint64_t *slot = ig_alloc(slots, sizeof *slot);

    if (!slot)
        return ig_fail_memory(error, "names");
    for (size_t i = 0; i < names->count; i++) {
        uint64_t hash = hash_bytes(names->name[i], strlen(names->name[i]));
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
    uint64_t hash = hash_bytes(bytes, length);
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
    at = find_slot(names, bytes, length, hash_bytes(bytes, length));
    return names->slot[at] ? (uint32_t)names->slot[at] - 1 : UINT32_MAX;
}

void ig_names_free(ig_names *names)
{
    IG_FREE(names->name, names->slot);
    ig_arena_free(&names->texts);
    *names = (ig_names){0};
}

uint64_t ig_fnv(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *p = bytes;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ p[i]) * 0x100000001b3u;
    return hash;
}

/* --- in messages ------------------------------------------------------------------ */

static const char ellipsis[] = "…";

const char *ig_quote(char out[IG_QUOTE_SIZE], const char *bytes, size_t length)
{
    char *to = out, *end = out + IG_QUOTE_SIZE - sizeof ellipsis;
    size_t size;

    for (size_t at = 0; at < length; at += size) {
        int32_t c = ig_text_decode(bytes + at, length - at, &size);

        /* The last characters fit in place of the ellipsis. */
        if (to + size > end && to + (length - at) >= out + IG_QUOTE_SIZE) {
            strcpy(to, ellipsis);
            return out;
        }
        if (ig_text_is_control(c))
            *to++ = '?';
        else
            to = (char *)memcpy(to, bytes + at, size) + size;
    }
    *to = '\0';
    return out;
}

const char *ig_quote_list(char out[IG_LIST_SIZE], const char *const *name, size_t count)
{
    char quoted[IG_QUOTE_SIZE];
    char *at = out, *end = out + IG_LIST_SIZE - sizeof ellipsis - 2;

    *at = '\0';
    for (size_t i = 0; i < count; i++) {
        ig_quote(quoted, name[i], strlen(name[i]));
        if (at + strlen(quoted) > end) {
            strcpy(at, ellipsis);
            break;
        }
        at = stpcpy(at, quoted);
        at = stpcpy(at, i + 1 < count ? ", " : "");
    }
    return out;
}

bool ig_quote_is_text(const char *bytes, size_t length)
{
    unsigned char high = 0;
    bool nul = false;

    for (size_t i = 0; i < length; i++) {
        high |= (unsigned char)bytes[i];
        nul |= bytes[i] == '\0';
    }
    return !nul && (high < 0x80 || ig_text_valid(bytes, length) == length);
}
