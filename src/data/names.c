/* Names numbered by first appearance, and quoting for messages. */
#include "data/names.h"

#include <string.h>

#include "core/text.h"

/* The last byte is added: ids that count up are adjacent, with few cache misses. */
static uint32_t hash_name(const char *bytes, size_t length)
{
    uint64_t hash = ig_fnv(IG_FNV_BEGIN, bytes, length - (length > 0));

    return (uint32_t)(hash ^ hash >> 32) +
           (length ? (unsigned char)bytes[length - 1] : 0);
}

/* The slot of a name, or the free one for it. */
static uint64_t *find_slot(const ig_names *names, const char *bytes, size_t length,
                           uint32_t hash)
{
    size_t mask = names->slots - 1, at = hash & mask;

    for (; names->slot[at]; at = (at + 1) & mask) {
        const char *name = names->name[(uint32_t)names->slot[at] - 1];

        if (names->slot[at] >> 32 == hash && strlen(name) == length &&
            memcmp(name, bytes, length) == 0)
            break;
    }
    return &names->slot[at];
}

static void grow_names(ig_names *names)
{
    size_t slots = names->slots ? names->slots * 2 : 16;
    ig_names grown = {.name = ig_alloc(slots / 2, sizeof *grown.name),
                      .slot = ig_alloc(slots, sizeof *grown.slot),
                      .slots = slots};

    if (!grown.name || !grown.slot) {
        names->texts.failed = true;
        IG_FREE(grown.name, grown.slot);
        return;
    }
    for (size_t i = 0; i < names->count; i++) {
        const char *name = grown.name[i] = names->name[i];
        uint32_t hash = hash_name(name, strlen(name));

        *find_slot(&grown, name, strlen(name), hash) = (uint64_t)hash << 32 | (i + 1);
    }
    IG_FREE(names->slot, names->name);
    names->slot = grown.slot;
    names->name = grown.name;
    names->slots = slots;
}

uint32_t ig_names_add(ig_names *names, const char *bytes, size_t length)
{
    uint32_t hash = hash_name(bytes, length);
    const char *name;
    uint64_t *slot;

    if (2 * (names->count + 1) > names->slots && !names->texts.failed)
        grow_names(names);
    if (names->texts.failed)
        return 0;
    slot = find_slot(names, bytes, length, hash);
    if (!*slot && (name = ig_arena_text(&names->texts, bytes, length))) {
        names->name[names->count] = name;
        *slot = (uint64_t)hash << 32 | ++names->count;
    }
    return *slot ? (uint32_t)*slot - 1 : 0;
}

uint32_t ig_names_find(const ig_names *names, const char *bytes, size_t length)
{
    if (!names->slots)
        return UINT32_MAX;
    return (uint32_t)*find_slot(names, bytes, length, hash_name(bytes, length)) - 1;
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

const char *ig_quote(char out[IG_QUOTE_SIZE], const char *bytes, size_t length)
{
    char *to = out;
    size_t size;

    for (size_t at = 0; at < length; at += size) {
        int32_t c = ig_text_decode(bytes + at, length - at, &size);

        if (to + size + sizeof "…" > out + IG_QUOTE_SIZE) {
            strcpy(to, "…");
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
    enum { MORE = 40 }; /* bytes of " … and N more" */
    char quoted[IG_QUOTE_SIZE], *at = out;
    size_t i = 0;

    for (*at = '\0'; i < count && i < IG_LISTED; i++) {
        ig_quote(quoted, name[i], strlen(name[i]));
        if (at + strlen(quoted) + 2 + MORE > out + IG_LIST_SIZE)
            break;
        at = stpcpy(stpcpy(at, i ? ", " : ""), quoted);
    }
    if (i < count)
        sprintf(at, " … and %zu more", count - i);
    return out;
}

bool ig_quote_is_text(const char *bytes, size_t length)
{
    unsigned char high = 0;

    for (size_t i = 0; i < length; i++)
        high |= (unsigned char)bytes[i];
    return !(length && memchr(bytes, '\0', length)) &&
           (high < 0x80 || ig_text_valid(bytes, length) == length);
}
