/* File contents as bytes: mapped, decompressed or read from a pipe. Only this file
 * includes zlib.h. */
#include "data/content.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "core/array.h"
#include "core/memory.h"

enum { FIRST_READ = 1 << 16, POLL_MS = 100 /* between checks of `stop` */ };

/* --- progress --------------------------------------------------------------------- */

ig_status ig_reading_report(const ig_reading *r, const char *doing, const char *file,
                            double part, ig_error *error)
{
    if (r && r->stop && atomic_load_explicit(r->stop, memory_order_relaxed))
        return ig_fail(error, IG_INTERRUPTED, "%s: reading cancelled", file);
    if (r)
        r->report(r->context, doing, file, part);
    return IG_OK;
}

ig_status ig_reading_at(const ig_reading *r, const char *file, size_t done, size_t size,
                        size_t *reported, ig_error *error)
{
    if (!r || done - *reported < IG_READING_STEP)
        return IG_OK;
    *reported = done;
    return ig_reading_report(r, "reading", file,
                             size ? (double)done / (double)size : -1, error);
}

/* --- decompression ---------------------------------------------------------------- */

/* zlib's windowBits of gzip and of raw deflate. */
enum { GZIP = 15 + 16, RAW = -15 };

/* Inflate until the block, of which *got bytes are filled, is full or the stream, whose
 * bytes end at `end`, does. zlib counts in unsigned int, so it gets a chunk at a
 * time. */
static int inflate_more(z_stream *z, const unsigned char *end, unsigned char *block,
                        size_t capacity, size_t *got)
{
    static const size_t chunk = (size_t)1 << 30;
    int result = Z_OK;

    while (result == Z_OK && *got < capacity) {
        size_t left = (size_t)(end - z->next_in), room = capacity - *got;

        z->avail_in = (unsigned)(left < chunk ? left : chunk);
        z->next_out = block + *got;
        z->avail_out = (unsigned)(room < chunk ? room : chunk);
        result = inflate(z, Z_NO_FLUSH);
        *got = (size_t)(z->next_out - block);
        if (result == Z_OK && z->next_in == end && z->avail_out > 0)
            result = Z_BUF_ERROR;
    }
    return result;
}

size_t ig_inflate(const unsigned char *bytes, size_t size, unsigned char *out,
                  size_t capacity, uint32_t *crc)
{
    /* Older zlib versions lack const in next_in. */
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)bytes};
    size_t got = 0;
    int result = inflateInit2(&z, RAW);

    if (result == Z_OK)
        result = inflate_more(&z, bytes + size, out, capacity, &got);
    inflateEnd(&z);
    if (crc)
        *crc = result == Z_STREAM_END ? (uint32_t)crc32_z(0, out, got) : 0;
    return got;
}

static bool is_gzip(const unsigned char *bytes, size_t size)
{
    return size >= 3 && bytes[0] == 0x1f && bytes[1] == 0x8b && bytes[2] == 8;
}

/* Make room for more bytes of a content of unknown size. */
static ig_status grow_block(ig_content *content, size_t *capacity, const char *name,
                            ig_error *error)
{
    ig_status status = ig_array_grow(&content->block, capacity,
                                     *capacity ? 2 * *capacity : FIRST_READ, 1, name,
                                     error);

    content->bytes = content->block;
    return status;
}

static ig_status unpack_gzip(const ig_reading *reading, const char *name,
                             const ig_content *packed, ig_content *content,
                             ig_error *error)
{
    const unsigned char *end = packed->bytes + packed->size;
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)packed->bytes};
    size_t capacity = 0, reported = 0;
    int result = inflateInit2(&z, GZIP);
    ig_status status = ig_reading_report(reading, "unpacking", name, -1, error);

    while (status == IG_OK && result == Z_OK) {
        status = grow_block(content, &capacity, name, error);
        if (status == IG_OK)
            result = inflate_more(&z, end, content->block, capacity, &content->size);
        if (status == IG_OK)
            status = ig_reading_at(reading, name, content->size, 0, &reported, error);
        /* gzip members may be concatenated, with zero padding at the end. */
        if (result == Z_STREAM_END && is_gzip(z.next_in, (size_t)(end - z.next_in)))
            result = inflateReset(&z);
    }
    inflateEnd(&z);
    if (status != IG_OK || result == Z_STREAM_END)
        return status;
    if (result == Z_MEM_ERROR)
        return ig_fail_memory(error, name);
    return ig_fail(error, IG_FORMAT, "%s: the packed data is %s", name,
                   result == Z_BUF_ERROR ? "cut short" : "damaged");
}

/* --- files ------------------------------------------------------------------------ */

static ig_status await_input(const ig_reading *reading, ig_error *error)
{
    struct pollfd input = {.fd = reading->input, .events = POLLIN};
    ig_status status;

    do
        status = ig_reading_report(reading, "reading", "standard input", -1, error);
    while (status == IG_OK && poll(&input, 1, POLL_MS) == 0);
    return status;
}

static ig_status read_stdin(const ig_reading *reading, ig_content *content,
                            ig_error *error)
{
    static const char name[] = "standard input";
    size_t capacity = 0, reported = 0;
    ig_status status = IG_OK;

    while (status == IG_OK) {
        ssize_t n;

        if (content->size == capacity)
            status = grow_block(content, &capacity, name, error);
        if (status == IG_OK && reading && reading->stop)
            status = await_input(reading, error);
        if (status != IG_OK)
            break;
        n = read(reading ? reading->input : STDIN_FILENO,
                 (unsigned char *)content->block + content->size,
                 capacity - content->size);
        if (n < 0 && errno != EINTR)
            return ig_fail(error, IG_IO, "%s: %s", name, strerror(errno));
        if (n == 0)
            break;
        content->size += n > 0 ? (size_t)n : 0;
        status = ig_reading_at(reading, name, content->size, 0, &reported, error);
    }
    return status;
}

ig_status ig_content_open(ig_content *content, const char *path,
                          const ig_reading *reading, ig_error *error)
{
    ig_status status;

    *content = (ig_content){0};
    if (strcmp(path, "-") == 0) {
        status = read_stdin(reading, content, error);
    } else {
        status = ig_mapping_open(&content->mapping, path, error);
        content->bytes = content->mapping.bytes;
        content->size = content->mapping.size;
    }
    if (status == IG_OK && is_gzip(content->bytes, content->size)) {
        ig_content packed = *content;

        *content = (ig_content){0};
        status = unpack_gzip(reading, path, &packed, content, error);
        ig_content_close(&packed);
    }
    if (status != IG_OK)
        ig_content_close(content);
    return status;
}

void ig_content_close(ig_content *content)
{
    ig_mapping_close(&content->mapping);
    ig_free(content->block);
    *content = (ig_content){0};
}

bool ig_content_ends(const char *path, const char *ending)
{
    char packed[32];

    snprintf(packed, sizeof packed, "%s.gz", ending);
    return ig_path_ends(path, ending) || ig_path_ends(path, packed);
}

/* --- lines ------------------------------------------------------------------------ */

ig_lines ig_lines_of(const void *bytes, size_t size)
{
    const char *at = bytes;
    size_t mark = size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    return size ? (ig_lines){at + mark, at + size, 0} : (ig_lines){"", "", 0};
}

bool ig_lines_next(ig_lines *l, const char **line, size_t *length)
{
    const char *newline;

    if (l->at == l->end)
        return false;
    *line = l->at;
    newline = memchr(l->at, '\n', (size_t)(l->end - l->at));
    *length = (size_t)((newline ? newline : l->end) - l->at);
    l->at = newline ? newline + 1 : l->end;
    if (*length > 0 && (*line)[*length - 1] == '\r')
        --*length;
    l->number++;
    return true;
}
