/* Zip archives (APPNOTE 6.3, with zip64 fields), as written by numpy.savez. */
#include "data/zip.h"

#include <string.h>

#include "core/memory.h"
#include "data/content.h"

enum {
    END = 0x06054b50, /* signatures */
    END64 = 0x06064b50,
    LOCATOR64 = 0x07064b50,
    ENTRY = 0x02014b50,
    LOCAL = 0x04034b50,
    END_SIZE = 22, /* size of the fixed part of each */
    LOCATOR_SIZE = 20,
    END64_SIZE = 56,
    ENTRY_SIZE = 46,
    LOCAL_SIZE = 30,
    EXTRA64 = 1, /* zip64 extra field */
    STORED = 0,
    DEFLATED = 8,
    COMMENT_MOST = 65535
};

/* --- reading ---------------------------------------------------------------------- */

static uint64_t read_number(const unsigned char *at, size_t count)
{
    uint64_t value = 0;

    while (count-- > 0)
        value = value << 8 | at[count];
    return value;
}

static ig_status fail_zip(const ig_zip *zip, const char *what, ig_error *error)
{
    return ig_fail(error, IG_FORMAT, "%s: is a damaged zip archive: %s", zip->path,
                   what);
}

/* Position of the directory from the zip64 end record, if there is one. */
static void find_directory64(const ig_zip *zip, size_t end, uint64_t *at,
                             uint64_t *entries)
{
    const unsigned char *bytes = zip->bytes;
    uint64_t record;

    if (end < LOCATOR_SIZE || read_number(bytes + end - LOCATOR_SIZE, 4) != LOCATOR64)
        return;
    record = read_number(bytes + end - LOCATOR_SIZE + 8, 8);
    if (zip->size < END64_SIZE || record > zip->size - END64_SIZE ||
        read_number(bytes + record, 4) != END64)
        return;
    *entries = read_number(bytes + record + 32, 8);
    *at = read_number(bytes + record + 48, 8);
}

ig_status ig_zip_open(ig_zip *zip, const char *path, const unsigned char *bytes,
                      size_t size, ig_error *error)
{
    uint64_t at, entries;
    size_t end, lowest;

    *zip = (ig_zip){.path = path, .bytes = bytes, .size = size};
    if (size < END_SIZE)
        return fail_zip(zip, "it is cut short", error);
    end = size - END_SIZE;
    lowest = end > COMMENT_MOST ? end - COMMENT_MOST : 0;
    while (read_number(bytes + end, 4) != END) {
        if (end == lowest)
            return fail_zip(zip, "its directory, at the end of the file, is missing",
                            error);
        end--;
    }
    entries = read_number(bytes + end + 10, 2);
    at = read_number(bytes + end + 16, 4);
    find_directory64(zip, end, &at, &entries);
    if (at > end || entries > (end - at) / ENTRY_SIZE)
        return fail_zip(zip, "its directory is outside the file", error);
    zip->at = (size_t)at;
    zip->left = (size_t)entries;
    return IG_OK;
}

/* Sizes and position of an entry, from the zip64 extra field if 32 bits are
 * saturated. */
static bool read_sizes(const unsigned char *entry, size_t name, size_t extra,
                       uint64_t *packed, uint64_t *size, uint64_t *at)
{
    const unsigned char *field = entry + ENTRY_SIZE + name, *end = field + extra;
    uint64_t *wide[3] = {size, packed, at};

    *packed = read_number(entry + 20, 4);
    *size = read_number(entry + 24, 4);
    *at = read_number(entry + 42, 4);
    while (end - field >= 4) {
        size_t length = (size_t)read_number(field + 2, 2);
        bool wide_sizes = read_number(field, 2) == EXTRA64;
        const unsigned char *value = field + 4;

        if (length > (size_t)(end - value))
            return false;
        field = value + length;
        for (size_t k = 0; k < 3 && wide_sizes; k++) {
            if (*wide[k] != 0xffffffffu)
                continue;
            if (field - value < 8)
                return false;
            *wide[k] = read_number(value, 8);
            value += 8;
        }
    }
    return true;
}

ig_status ig_zip_next(ig_zip *zip, ig_zip_member *member, bool *any, ig_error *error)
{
    const unsigned char *entry = zip->bytes + zip->at, *local;
    size_t name, extra, comment, room = zip->size - zip->at, method;
    uint64_t packed, size, at, start;

    *any = zip->left > 0;
    if (!*any)
        return IG_OK;
    if (room < ENTRY_SIZE || read_number(entry, 4) != ENTRY)
        return fail_zip(zip, "an entry of its directory is missing", error);
    name = (size_t)read_number(entry + 28, 2);
    extra = (size_t)read_number(entry + 30, 2);
    comment = (size_t)read_number(entry + 32, 2);
    if (name + extra + comment > room - ENTRY_SIZE)
        return fail_zip(zip, "an entry of its directory is cut short", error);
    *member = (ig_zip_member){.crc = (uint32_t)read_number(entry + 16, 4)};
    memcpy(member->name, entry + ENTRY_SIZE,
           name < sizeof member->name - 1 ? name : sizeof member->name - 1);
    method = (size_t)read_number(entry + 10, 2);
    if ((entry[8] & 1) || (method != STORED && method != DEFLATED))
        return ig_fail(error, IG_FORMAT, "%s: %s is %s, not stored or deflated",
                       zip->path, member->name,
                       entry[8] & 1 ? "encrypted" : "packed in another way");
    member->deflated = method == DEFLATED;
    if (!read_sizes(entry, name, extra, &packed, &size, &at) ||
        zip->size < LOCAL_SIZE || at > zip->size - LOCAL_SIZE)
        return fail_zip(zip, "a member is outside the file", error);
    local = zip->bytes + at;
    start = at + LOCAL_SIZE + read_number(local + 26, 2) + read_number(local + 28, 2);
    if (read_number(local, 4) != LOCAL || start > zip->size ||
        packed > zip->size - start || size > SIZE_MAX / 2 ||
        (!member->deflated && packed != size))
        return fail_zip(zip, "a member is outside the file", error);
    /* All writers store members in order; overlapping members would let a small file
     * decompress to any size (zip bomb). */
    if (at < zip->end)
        return fail_zip(zip, "its members overlap or are out of order", error);
    zip->end = (size_t)(start + packed);
    member->bytes = zip->bytes + start;
    member->packed = (size_t)packed;
    member->size = (size_t)size;
    zip->at += ENTRY_SIZE + name + extra + comment;
    zip->left--;
    return IG_OK;
}

size_t ig_zip_head(const ig_zip_member *member, unsigned char *out, size_t max_bytes)
{
    if (member->deflated)
        return ig_unpack_head(member->bytes, member->packed, out, max_bytes);
    max_bytes = member->size < max_bytes ? member->size : max_bytes;
    memcpy(out, member->bytes, max_bytes);
    return max_bytes;
}

ig_status ig_zip_unpack(const ig_zip *zip, const ig_zip_member *member,
                        const unsigned char **bytes, void **block, ig_error *error)
{
    ig_status status;

    *block = NULL;
    *bytes = member->bytes;
    if (!member->deflated)
        return IG_OK;
    status = ig_unpack_deflate(zip->path, member->name, member->bytes, member->packed,
                               member->size, block, error);
    *bytes = *block;
    if (status != IG_OK || ig_unpack_crc(0, *block, member->size) == member->crc)
        return status;
    ig_free(*block);
    *block = NULL;
    return ig_fail(error, IG_FORMAT, "%s: %s is damaged: its checksum differs",
                   zip->path, member->name);
}
