/* .npz archives of numpy.savez and savez_compressed: the headers of all arrays are read
 * once, arrays in use are unpacked, and a stored matrix is used in place. */
#include <string.h>

#include "data/arrays.h"

/* Records of zip [APPNOTE 6.3, with zip64 fields]: signatures, and sizes of their
 * fixed parts. */
enum {
    END = 0x06054b50,
    END64 = 0x06064b50,
    LOCATOR64 = 0x07064b50,
    ENTRY = 0x02014b50,
    LOCAL = 0x04034b50,
    END_SIZE = 22,
    LOCATOR_SIZE = 20,
    END64_SIZE = 56,
    ENTRY_SIZE = 46,
    LOCAL_SIZE = 30,
    DEFLATED = 8
};

static uint64_t get(const unsigned char *at, size_t count)
{
    uint64_t value = 0;

    while (count-- > 0)
        value = value << 8 | at[count];
    return value;
}

static ig_status fail_zip(const ig_arrays *a, const char *what, ig_error *error)
{
    return ig_fail(error, IG_FORMAT, "%s: is a damaged zip archive: %s", a->path, what);
}

/* Find the directory of an archive, which ends it (numpy writes no comment); of zip64
 * where there is one. */
static ig_status find_directory(const ig_arrays *a, size_t *at, size_t *entries,
                                ig_error *error)
{
    const unsigned char *bytes = a->content.bytes, *locator;
    size_t size = a->content.size, end = size - END_SIZE;
    uint64_t start, count, wide;

    if (size < END_SIZE || get(bytes + end, 4) != END)
        return fail_zip(a, "its directory, at the end of the file, is missing", error);
    count = get(bytes + end + 10, 2);
    start = get(bytes + end + 16, 4);
    locator = end >= LOCATOR_SIZE ? bytes + end - LOCATOR_SIZE : NULL;
    if (locator && get(locator, 4) == LOCATOR64) {
        wide = get(locator + 8, 8);
        if (size >= END64_SIZE && wide <= size - END64_SIZE &&
            get(bytes + wide, 4) == END64) {
            count = get(bytes + wide + 32, 8);
            start = get(bytes + wide + 48, 8);
        }
    }
    if (start > end || count > (end - start) / ENTRY_SIZE)
        return fail_zip(a, "its directory is outside the file", error);
    *at = (size_t)start;
    *entries = (size_t)count;
    return IG_OK;
}

/* Size, packed size and position of an entry, from the zip64 extra field where 32 bits
 * are saturated. */
static bool read_sizes(const unsigned char *entry, size_t name, size_t extra,
                       uint64_t size[3])
{
    static const size_t offset[3] = {24, 20, 42};
    const unsigned char *field = entry + ENTRY_SIZE + name, *end = field + extra,
                        *value;

    for (size_t k = 0; k < 3; k++)
        size[k] = get(entry + offset[k], 4);
    for (; end - field >= 4; field = value) {
        bool wide = get(field, 2) == 1;

        if (get(field + 2, 2) > (size_t)(end - field) - 4)
            return false;
        value = field + 4 + get(field + 2, 2);
        field += 4;
        for (size_t k = 0; k < 3 && wide; k++) {
            if (size[k] != 0xffffffffu)
                continue;
            if (value - field < 8)
                return false;
            size[k] = get(field, 8);
            field += 8;
        }
    }
    return true;
}

/* Add an array to the list. One whose header cannot be read only matters if it is
 * used. */
static ig_status add_member(ig_arrays *a, ig_array *m, const char *name, size_t length,
                            ig_error *error)
{
    enum { HEADER = 2048 }; /* numpy writes 128 bytes */
    unsigned char head[HEADER];
    const unsigned char *bytes = m->bytes ? m->bytes : head;
    size_t present =
        m->bytes ? m->size
                 : ig_inflate(m->packed, m->packed_size, head, sizeof head, NULL);
    ig_error why;

    m->known = ig_npy_parse(&m->npy, name, bytes, present, m->size, &why) == IG_OK;
    if (!m->known && !a->unread.message[0])
        a->unread = why;
    return ig_arrays_add(a, name, length, m, error);
}

/* List an entry of the directory. All writers store members in order; overlapping ones
 * would let a small file unpack to any size, so each begins at *behind or later. */
static ig_status list_entry(ig_arrays *a, const unsigned char *entry, size_t room,
                            size_t *behind, size_t *next, ig_error *error)
{
    const ig_content *file = &a->content;
    ig_array m = {.crc = (uint32_t)get(entry + 16, 4)};
    const unsigned char *local;
    char name[128] = "";
    size_t length, extra, method = (size_t)get(entry + 10, 2), start;
    uint64_t size[3];

    length = (size_t)get(entry + 28, 2);
    extra = (size_t)get(entry + 30, 2);
    *next = ENTRY_SIZE + length + extra + (size_t)get(entry + 32, 2);
    if (get(entry, 4) != ENTRY || *next > room)
        return fail_zip(a, "an entry of its directory is damaged", error);
    memcpy(name, entry + ENTRY_SIZE, length < sizeof name ? length : sizeof name - 1);
    if ((entry[8] & 1) || (method && method != DEFLATED))
        return ig_fail(error, IG_FORMAT,
                       "%s: %s is encrypted or packed in another way than by deflate",
                       a->path, name);
    if (!read_sizes(entry, length, extra, size) || file->size < LOCAL_SIZE ||
        size[2] > file->size - LOCAL_SIZE)
        return fail_zip(a, "a member is outside the file", error);
    local = file->bytes + size[2];
    start = (size_t)(size[2] + LOCAL_SIZE + get(local + 26, 2) + get(local + 28, 2));
    if (get(local, 4) != LOCAL || start > file->size || size[1] > file->size - start ||
        size[0] > SIZE_MAX / 2 || (!method && size[1] != size[0]))
        return fail_zip(a, "a member is outside the file", error);
    if (size[2] < *behind)
        return fail_zip(a, "its members overlap or are out of order", error);
    m.size = (size_t)size[0];
    m.packed_size = (size_t)size[1];
    m.packed = file->bytes + start;
    m.bytes = method ? NULL : m.packed;
    *behind = start + m.packed_size;
    length = strlen(name);
    if (length < 4 || strcmp(name + length - 4, ".npy") != 0)
        return IG_OK;
    name[length - 4] = '\0';
    return add_member(a, &m, name, length - 4, error);
}

static ig_status list_members(ig_arrays *a, ig_error *error)
{
    size_t at = 0, entries = 0, behind = 0, next = 0;
    ig_status status = find_directory(a, &at, &entries, error);

    for (; status == IG_OK && entries > 0; entries--, at += next)
        status = a->content.size - at < ENTRY_SIZE
                     ? fail_zip(a, "an entry of its directory is missing", error)
                     : list_entry(a, a->content.bytes + at, a->content.size - at,
                                  &behind, &next, error);
    return status;
}

const ig_format ig_format_npz = {.ending = {".npz"},
                                 .magic = "PK\x03\x04",
                                 .alone = "set.npz",
                                 .of_language = "LANG=vectors.npz",
                                 .list = list_members};
