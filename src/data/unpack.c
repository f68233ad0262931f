/* Packed bytes, by zlib; the one file that includes zlib.h. */
#include "data/unpack.h"

#include <zlib.h>

#include "base/array.h"
#include "base/memory.h"

/* Bytes that deflate can make of one, at most (1032 by its design). */
enum { MOST_OF_ONE = 1040, FIRST_BLOCK = 1 << 16, GZIP_WINDOW = 15 + 16 };

/* zlib counts in unsigned int. */
static const size_t piece = (size_t)1 << 30;

static void *allocate(void *context, unsigned count, unsigned size)
{
    (void)context;
    return ig_alloc(count, size);
}

static void release(void *context, void *block)
{
    (void)context;
    ig_free(block);
}

static z_stream stream_of(const unsigned char *bytes)
{
    /* zlib reads what next_in points to, but older ones do not say so. */
    return (z_stream){.zalloc = allocate,
                      .zfree = release,
                      .next_in = (unsigned char *)(uintptr_t)bytes};
}

bool ig_unpack_is_gzip(const unsigned char *bytes, size_t size)
{
    return size >= 3 && bytes[0] == 0x1f && bytes[1] == 0x8b && bytes[2] == 8;
}

static ig_status fail_packed(const char *name, const z_stream *z, int result,
                             ig_error *error)
{
    if (result == Z_MEM_ERROR)
        return ig_fail_memory(error, name);
    if (result == Z_BUF_ERROR || result == Z_OK)
        return ig_fail(error, IG_FORMAT, "%s: the packed data is cut short", name);
    return ig_fail(error, IG_FORMAT, "%s: the packed data is damaged (%s)", name,
                   z->msg ? z->msg : "no deflate stream");
}

/* Hand zlib the next input, when it has none: what lies from its place to `end`. */
static void feed(z_stream *z, const unsigned char *end)
{
    size_t left = (size_t)(end - z->next_in);

    if (z->avail_in == 0)
        z->avail_in = (unsigned)(left < piece ? left : piece);
}

/* Room for more output behind *got bytes of the block. */
static ig_status make_room(z_stream *z, void **block, size_t *capacity, size_t got,
                           const char *name, ig_error *error)
{
    unsigned char *bytes;
    ig_status status = IG_OK;

    if (got == *capacity)
        status =
            ig_array_grow(block, capacity, got ? got * 2 : FIRST_BLOCK, 1, name, error);
    bytes = *block;
    z->next_out = bytes + got;
    z->avail_out = (unsigned)(*capacity - got < piece ? *capacity - got : piece);
    return status;
}

ig_status ig_unpack_gzip(const ig_reading *reading, const char *name,
                         const unsigned char *bytes, size_t size, void **block,
                         size_t *got, ig_error *error)
{
    const unsigned char *end = bytes + size;
    z_stream z = stream_of(bytes);
    size_t capacity = 0, said = 0;
    int result = inflateInit2(&z, GZIP_WINDOW);
    ig_status status = result == Z_OK ? IG_OK : fail_packed(name, &z, result, error);

    *block = NULL;
    *got = 0;
    if (status != IG_OK)
        return status;
    for (;;) {
        feed(&z, end);
        status = make_room(&z, block, &capacity, *got, name, error);
        if (status != IG_OK)
            break;
        result = inflate(&z, Z_NO_FLUSH);
        *got = (size_t)(z.next_out - (unsigned char *)*block);
        status = ig_reading_grow(reading, name, *got, &said, error);
        if (status != IG_OK)
            break;
        if (result == Z_STREAM_END) {
            size_t left = (size_t)(end - z.next_in);

            /* Members follow one another; zeros may fill up the end. */
            if (!ig_unpack_is_gzip(z.next_in, left))
                break;
            inflateReset(&z);
        } else if (result != Z_OK || (z.next_in == end && z.avail_out > 0)) {
            status = fail_packed(name, &z, result, error);
            break;
        }
    }
    inflateEnd(&z);
    if (status != IG_OK) {
        ig_free(*block);
        *block = NULL;
    }
    return status;
}

ig_status ig_unpack_deflate(const char *name, const char *member,
                            const unsigned char *bytes, size_t size, size_t expected,
                            void **block, ig_error *error)
{
    const unsigned char *end = bytes + size;
    z_stream z = stream_of(bytes);
    unsigned char *out = NULL, over;
    int result = Z_OK;

    *block = NULL;
    if (expected / MOST_OF_ONE > size)
        return ig_fail(error, IG_FORMAT,
                       "%s: %s cannot hold the %zu bytes that are promised in %zu "
                       "packed ones",
                       name, member, expected, size);
    out = ig_alloc(expected, 1);
    if (!out || inflateInit2(&z, -15) != Z_OK) {
        ig_free(out);
        return ig_fail_memory(error, name);
    }
    z.next_out = out;
    while (result == Z_OK) {
        size_t done = (size_t)(z.next_out - out), left = expected - done;

        feed(&z, end);
        z.avail_out = (unsigned)(left < piece ? left : piece);
        if (left == 0) { /* the end of the stream is still to come */
            z.next_out = &over;
            z.avail_out = 1;
            result = inflate(&z, Z_NO_FLUSH);
            z.next_out = out + expected + (z.avail_out ? 0 : 1);
            break;
        }
        result = inflate(&z, Z_NO_FLUSH);
        if (result == Z_OK && z.next_in == end && z.avail_out > 0)
            result = Z_BUF_ERROR;
    }
    inflateEnd(&z);
    if (result == Z_STREAM_END && z.next_out == out + expected) {
        *block = out;
        return IG_OK;
    }
    ig_free(out);
    return ig_fail(error, IG_FORMAT,
                   "%s: %s is damaged: it does not unpack to its %zu bytes", name,
                   member, expected);
}

size_t ig_unpack_head(const unsigned char *bytes, size_t size, unsigned char *out,
                      size_t most)
{
    z_stream z = stream_of(bytes);
    int result;

    if (inflateInit2(&z, -15) != Z_OK)
        return 0;
    z.next_out = out;
    z.avail_out = (unsigned)most;
    feed(&z, bytes + size);
    result = inflate(&z, Z_SYNC_FLUSH);
    inflateEnd(&z);
    return result == Z_OK || result == Z_STREAM_END ? most - z.avail_out : 0;
}

uint32_t ig_unpack_crc(uint32_t crc, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;

    while (size > 0) {
        size_t n = size < piece ? size : piece;

        crc = (uint32_t)crc32(crc, at, (unsigned)n);
        at += n;
        size -= n;
    }
    return crc;
}
