/* .npz archives of numpy.savez and savez_compressed, .npy files, and headerless floats.
 * All headers of an archive are read, but only arrays in use are unpacked; a stored
 * matrix is mapped. */
#include <stdio.h>
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
    DEFLATED = 8,
    COMMENT_MOST = 65535
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
    return ig_fail(error, IG_FORMAT, "%s: is a damaged zip archive: %s",
                   a->source->path, what);
}

/* Find the directory of an archive, from its end; of zip64 where there is one. */
static ig_status find_directory(const ig_arrays *a, size_t *at, size_t *entries,
                                ig_error *error)
{
    const unsigned char *bytes = a->source->content->bytes;
    size_t size = a->source->content->size, end, lowest;
    uint64_t start, count, wide;

    if (size < END_SIZE)
        return fail_zip(a, "it is cut short", error);
    end = size - END_SIZE;
    lowest = end > COMMENT_MOST ? end - COMMENT_MOST : 0;
    while (get(bytes + end, 4) != END) {
        if (end == lowest)
            return fail_zip(a, "its directory, at the end of the file, is missing",
                            error);
        end--;
    }
    count = get(bytes + end + 10, 2);
    start = get(bytes + end + 16, 4);
    if (end >= LOCATOR_SIZE && get(bytes + end - LOCATOR_SIZE, 4) == LOCATOR64) {
        wide = get(bytes + end - LOCATOR_SIZE + 8, 8);
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

/* Sizes and position of an entry, from the zip64 extra field if 32 bits are
 * saturated. */
static bool read_sizes(const unsigned char *entry, size_t name, size_t extra,
                       uint64_t *packed, uint64_t *size, uint64_t *at)
{
    const unsigned char *field = entry + ENTRY_SIZE + name, *end = field + extra;
    uint64_t *wide[3] = {size, packed, at};

    *packed = get(entry + 20, 4);
    *size = get(entry + 24, 4);
    *at = get(entry + 42, 4);
    while (end - field >= 4) {
        const unsigned char *value = field + 4;
        bool wide_sizes = get(field, 2) == 1;

        if (get(field + 2, 2) > (size_t)(end - value))
            return false;
        field = value + get(field + 2, 2);
        for (size_t k = 0; k < 3 && wide_sizes; k++) {
            if (*wide[k] != 0xffffffffu)
                continue;
            if (field - value < 8)
                return false;
            *wide[k] = get(value, 8);
            value += 8;
        }
    }
    return true;
}

/* Read the .npy header of a member without unpacking its values. An unreadable array
 * only matters if it is used. */
static ig_status read_header(ig_arrays *a, ig_array *m, const char *name,
                             ig_error *error)
{
    enum { HEADER = 2048 }; /* numpy writes 128 bytes */
    unsigned char head[HEADER];
    ig_error why;
    size_t got = m->size < HEADER ? m->size : HEADER, start;

    if (m->bytes)
        memcpy(head, m->bytes, got);
    else
        got = ig_inflate(m->packed, m->packed_size, head, sizeof head, 0, NULL);
    start = got > 6 && head[6] > 1 ? 12 : 10;
    if (m->size < 10 || got < start)
        return ig_fail(error, IG_FORMAT, "%s: the array %s is %s", a->source->path,
                       name, m->size < 10 ? "cut short" : "damaged");
    if (start + (head[8] | (size_t)head[9] << 8) <= got &&
        (start == 10 || (head[10] == 0 && head[11] == 0)))
        m->known = ig_npy_parse(&m->npy, name, head, m->size, &why) == IG_OK;
    else
        ig_fail(&why, IG_FORMAT, "%s: the .npy header is too long", name);
    if (!m->known && !a->unread.message[0])
        a->unread = why;
    return IG_OK;
}

/* List an entry of the directory. All writers store members in order; overlapping ones
 * would let a small file unpack to any size, so each begins at *behind or later. */
static ig_status list_entry(ig_arrays *a, const unsigned char *entry, size_t room,
                            size_t *behind, size_t *next, ig_error *error)
{
    const ig_content *file = a->source->content;
    ig_array m = {.crc = (uint32_t)get(entry + 16, 4)};
    const unsigned char *local;
    char name[128] = "";
    size_t length, extra, method = (size_t)get(entry + 10, 2);
    uint64_t packed, size, at, start;
    ig_status status;

    if (get(entry, 4) != ENTRY)
        return fail_zip(a, "an entry of its directory is missing", error);
    length = (size_t)get(entry + 28, 2);
    extra = (size_t)get(entry + 30, 2);
    *next = ENTRY_SIZE + length + extra + (size_t)get(entry + 32, 2);
    if (*next > room)
        return fail_zip(a, "an entry of its directory is cut short", error);
    memcpy(name, entry + ENTRY_SIZE, length < sizeof name ? length : sizeof name - 1);
    if ((entry[8] & 1) || (method && method != DEFLATED))
        return ig_fail(error, IG_FORMAT, "%s: %s is %s, not stored or deflated",
                       a->source->path, name,
                       entry[8] & 1 ? "encrypted" : "packed in another way");
    if (!read_sizes(entry, length, extra, &packed, &size, &at) ||
        file->size < LOCAL_SIZE || at > file->size - LOCAL_SIZE)
        return fail_zip(a, "a member is outside the file", error);
    local = file->bytes + at;
    start = at + LOCAL_SIZE + get(local + 26, 2) + get(local + 28, 2);
    if (get(local, 4) != LOCAL || start > file->size || packed > file->size - start ||
        size > SIZE_MAX / 2 || (!method && packed != size))
        return fail_zip(a, "a member is outside the file", error);
    if (at < *behind)
        return fail_zip(a, "its members overlap or are out of order", error);
    *behind = (size_t)(start + packed);
    m.packed = file->bytes + start;
    m.packed_size = (size_t)packed;
    m.size = (size_t)size;
    m.bytes = method ? NULL : m.packed;
    length = strlen(name);
    if (length < 4 || strcmp(name + length - 4, ".npy") != 0)
        return IG_OK;
    name[length - 4] = '\0';
    status = read_header(a, &m, name, error);
    return status == IG_OK ? ig_arrays_add(a, name, length - 4, &m, error) : status;
}

static ig_status list_members(ig_arrays *a, ig_error *error)
{
    const ig_content *file = a->source->content;
    size_t at = 0, entries = 0, behind = 0, next = 0;
    ig_status status = find_directory(a, &at, &entries, error);

    for (; status == IG_OK && entries > 0; entries--, at += next)
        status = file->size - at < ENTRY_SIZE
                     ? fail_zip(a, "an entry of its directory is missing", error)
                     : list_entry(a, file->bytes + at, file->size - at, &behind, &next,
                                  error);
    return status;
}

const ig_format ig_format_npz = {.ending = {".npz"},
                                 .magic = "PK\x03\x04",
                                 .alone = "set.npz",
                                 .of_language = "LANG=vectors.npz",
                                 .list = list_members};

/* --- .npy and headerless floats --------------------------------------------------- */

/* One array, or those of the versions "0", "1", …: (versions, rows, dims). */
static ig_status list_npy(ig_arrays *a, ig_error *error)
{
    const ig_content *content = a->source->content;
    ig_array m = {.bytes = content->bytes, .known = true};
    ig_status status =
        ig_npy_parse(&m.npy, a->source->path, content->bytes, content->size, error);
    size_t versions = m.npy.shape[0];
    char name[24];

    if (status != IG_OK || m.npy.dimensions != 3)
        return status == IG_OK ? ig_arrays_add(a, "", 0, &m, error) : status;
    if (m.npy.fortran)
        return ig_fail(error, IG_FORMAT,
                       "%s: versions are read in C order, this is in Fortran order; "
                       "np.ascontiguousarray mends it",
                       a->source->path);
    m.npy.dimensions = 2;
    m.npy.count = m.npy.shape[1] * m.npy.shape[2];
    memmove(m.npy.shape, m.npy.shape + 1, 2 * sizeof *m.npy.shape);
    for (size_t i = 0; status == IG_OK && i < versions; i++) {
        status = ig_arrays_add(a, name, (size_t)sprintf(name, "%zu", i), &m, error);
        m.npy.offset += m.npy.count * m.npy.item;
    }
    return status;
}

const ig_format ig_format_npy = {.ending = {".npy"},
                                 .magic = "\x93NUMPY",
                                 .alone = "set.npy with set.csv",
                                 .of_language = "LANG=vectors.npy,texts.txt",
                                 .list = list_npy};

static bool has_raw_dim(const ig_dataset_options *options)
{
    return options->raw_dim > 0;
}

static ig_status read_raw(const ig_source *source, ig_vectors *v, ig_error *error)
{
    const ig_raw_type *type = &ig_raw_types[source->options->type];
    size_t size = source->content->size, dims = source->options->raw_dim, row;

    row = dims * ig_dtype_size(type->dtype);
    if (dims > SIZE_MAX / 16)
        return ig_fail(error, IG_VALUE, "%s: --dim %zu is no number of floats a row",
                       source->path, dims);
    if (size == 0 || size % row != 0)
        return ig_fail(error, IG_FORMAT,
                       "%s: its %zu bytes are not whole rows of %zu (--dim %zu, %s)",
                       source->path, size, row, dims, type->name);
    /* Headerless files are always little-endian. */
    *v = (ig_vectors){.values = source->content->bytes,
                      .rows = size / row,
                      .dims = dims,
                      .dtype = type->dtype,
                      .swapped = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__};
    v->content = ig_content_move(source->content);
    return IG_OK;
}

const ig_format ig_format_raw = {.alone = "vectors.raw with --dim N and --meta FILE",
                                 .of_language = "LANG=vectors.raw",
                                 .applies = has_raw_dim,
                                 .read = read_raw};
