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
    WIDE = 1 /* kind of extra field: sizes of 64 bits */
};

static uint64_t get(const unsigned char *at, size_t count)
{
    uint64_t value = 0;

    while (count-- > 0)
        value = value << 8 | at[count];
    return value;
}

/* Take the sizes of 64 bits, which numpy writes for arrays of any size. False: they
 * exceed memory. */
static bool read_sizes(ig_array *m, const unsigned char *extra, size_t length)
{
    for (size_t at = 0; at + 20 <= length; at += 4 + get(extra + at + 2, 2))
        if (get(extra + at, 2) == WIDE) {
            m->size = get(extra + at + 4, 8);
            m->packed_size = get(extra + at + 12, 8);
        }
    return m->size <= SIZE_MAX / 2;
}

/* Add an array to the list. One whose header cannot be read matters only if it is
 * used. */
static ig_status add_array(ig_arrays *a, ig_array *m, const char *name, ig_error *error)
{
    enum { HEAD = 2048 }; /* numpy writes 128 bytes */
    unsigned char head[HEAD];
    const unsigned char *bytes = m->bytes ? m->bytes : head;
    size_t present =
        m->bytes ? m->size
                 : ig_inflate(m->packed, m->packed_size, head, sizeof head, NULL);

    m->known = ig_npy_parse(&m->npy, name, bytes, present, m->size, NULL) == IG_OK;
    return ig_arrays_add(a, name, m, error);
}

static ig_status fail_damaged(const ig_arrays *a, ig_error *error)
{
    return ig_fail(error, IG_FORMAT, "%s: is a damaged or shortened .npz archive",
                   a->path);
}

/* List the member at *at, and move *at behind it. */
static ig_status list_member(ig_arrays *a, size_t *at, ig_error *error)
{
    const unsigned char *head = a->content.bytes + *at;
    size_t left = a->content.size - *at, start, length, extra, method;
    char name[128] = "";
    ig_array m;

    if (left < HEADER || get(head, 4) != MEMBER)
        return fail_damaged(a, error);
    method = get(head + METHOD, 2);
    if ((method && method != DEFLATED) || head[FLAGS] & (ENCRYPTED | UNSIZED))
        return ig_fail(error, IG_FORMAT,
                       "%s: is encrypted, packed other than by deflate, or was written "
                       "to a pipe; np.savez writes files that can be read",
                       a->path);
    length = get(head + NAME_LENGTH, 2);
    extra = get(head + EXTRA_LENGTH, 2);
    start = HEADER + length + extra;
    m = (ig_array){.size = get(head + SIZE, 4),
                   .packed_size = get(head + PACKED_SIZE, 4),
                   .packed = head + start,
                   .crc = (uint32_t)get(head + CRC, 4)};
    if (start > left || !read_sizes(&m, m.packed - extra, extra) ||
        m.packed_size > left - start || (!method && m.packed_size != m.size))
        return fail_damaged(a, error);
    m.bytes = method ? NULL : m.packed;
    *at += start + m.packed_size;
    if (length < 4 || length >= sizeof name ||
        memcmp(head + HEADER + length - 4, ".npy", 4) != 0)
        return IG_OK;
    memcpy(name, head + HEADER, length - 4);
    return add_array(a, &m, name, error);
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
                                 .alone = "set.npz",
                                 .of_language = "LANG=vectors.npz",
                                 .list = list_members};
