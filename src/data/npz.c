/* .npz archives of numpy.savez and savez_compressed: members one after another, each
 * behind a header with its name and sizes [APPNOTE 4.3.7], which the directory at the
 * end of the archive repeats. Arrays in use are unpacked, a stored matrix is used in
 * place. */
#include <string.h>

#include "data/arrays.h"

enum {
    MEMBER = 0x04034b50, /* signatures */
    DIRECTORY = 0x02014b50,
    FLAGS = 6, /* offsets in the header of a member */
    METHOD = 8,
    CRC = 14,
    PACKED_SIZE = 18,
    SIZE = 22,
    NAME_LENGTH = 26,
    EXTRA_LENGTH = 28,
    HEADER = 30,
    DEFLATED = 8,  /* method */
    ENCRYPTED = 1, /* flags */
    UNSIZED = 8,
    WIDE = 1,   /* kind of extra field: sizes of 64 bits */
    HEAD = 2048 /* unpacked bytes to parse; numpy writes 128 before the values */
};

static uint64_t get(const unsigned char *at, size_t count)
{
    uint64_t value = 0;

    while (count-- > 0)
        value = value << 8 | at[count];
    return value;
}

/* List the member at *at, and move *at behind it. An array whose header cannot be read
 * matters only if it is used. */
static ig_status list_member(ig_arrays *a, size_t *at, ig_error *error)
{
    const unsigned char *head = a->content.bytes + *at, *extra, *bytes;
    size_t left = a->content.size - *at, length, start, method, present;
    unsigned char unpacked[HEAD];
    char name[128] = "";
    ig_array m = {0};

    if (left < HEADER || get(head, 4) != MEMBER)
        goto damaged;
    method = get(head + METHOD, 2);
    if ((method && method != DEFLATED) || head[FLAGS] & (ENCRYPTED | UNSIZED))
        return ig_fail(error, IG_FORMAT,
                       "%s: is encrypted, packed other than by deflate, or was written "
                       "to a pipe; np.savez writes files that can be read",
                       a->path);
    length = get(head + NAME_LENGTH, 2);
    start = HEADER + length + get(head + EXTRA_LENGTH, 2);
    m.packed_size = get(head + PACKED_SIZE, 4);
    m.size = get(head + SIZE, 4);
    m.crc = (uint32_t)get(head + CRC, 4);
    m.packed = head + start;
    /* Sizes of 64 bits, which numpy writes for arrays of any size. */
    for (extra = head + HEADER + length; start <= left && extra + 20 <= m.packed;
         extra += 4 + get(extra + 2, 2))
        if (get(extra, 2) == WIDE) {
            m.size = get(extra + 4, 8);
            m.packed_size = get(extra + 12, 8);
        }
    if (start > left || m.packed_size > left - start || m.size > SIZE_MAX / 2 ||
        (!method && m.packed_size != m.size))
        goto damaged;
    *at += start + m.packed_size;
    if (length < 4 || length >= sizeof name ||
        memcmp(head + HEADER + length - 4, ".npy", 4) != 0)
        return IG_OK;
    memcpy(name, head + HEADER, length - 4);
    m.bytes = method ? NULL : m.packed;
    bytes = method ? unpacked : m.packed;
    present = method ? ig_inflate(m.packed, m.packed_size, unpacked, HEAD, NULL)
                     : m.size;
    m.known = ig_npy_parse(&m.npy, name, bytes, present, m.size, NULL) == IG_OK;
    return ig_arrays_add(a, name, &m, error);
damaged:
    return ig_fail(error, IG_FORMAT, "%s: is a damaged or shortened .npz archive",
                   a->path);
}

static ig_status list_members(ig_arrays *a, ig_error *error)
{
    size_t at = 0, size = a->content.size;
    ig_status status = IG_OK;

    while (status == IG_OK &&
           (size - at < 4 || get(a->content.bytes + at, 4) != DIRECTORY))
        status = list_member(a, &at, error);
    return status;
}

const ig_format ig_format_npz = {.ending = {".npz"},
                                 .magic = "PK\x03\x04",
                                 .example = {"set.npz", "LANG=vectors.npz"},
                                 .list = list_members};
