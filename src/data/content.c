/* File contents: mapped, decompressed or read from a pipe. Only here is zlib.h. */
#include "data/content.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "core/array.h"
#include "core/memory.h"

ig_status ig_reading_report(const ig_reading *r, const char *doing, const char *file,
                            double part, ig_error *error)
{
    if (r && r->stop && atomic_load_explicit(r->stop, memory_order_relaxed))
        return ig_fail(error, IG_INTERRUPTED, "%s: reading cancelled", file);
    if (r)
        r->report(r->context, doing, file, part);
    return IG_OK;
}

/* Read standard input or a packed file to its end. What is not gzip stays as it is. */
static ig_status read_stream(ig_content *content, const char *path,
                             const ig_reading *reading, ig_error *error)
{
    enum { STEP = 1 << 20 };
    bool input = strcmp(path, "-") == 0;
    const char *name = input ? "standard input" : path;
    gzFile file = input ? gzdopen(dup(reading ? reading->input : STDIN_FILENO), "rb")
                        : gzopen(path, "rb");
    size_t capacity = 0;
    int n = 1, code = file ? Z_OK : Z_ERRNO;
    ig_status status = IG_OK;

    while (code == Z_OK && n > 0) {
        status = ig_reading_report(reading, "reading", name, -1, error);
        if (status == IG_OK)
            status = ig_array_grow(&content->block, &capacity, content->size + STEP, 1,
                                   name, error);
        if (status != IG_OK)
            break;
        n = gzread(file, (char *)content->block + content->size, STEP);
        content->size += n > 0 ? (size_t)n : 0;
        gzerror(file, &code);
    }
    content->bytes = content->block;
    if (code == Z_ERRNO)
        status = ig_fail_io(error, name, errno);
    else if (code == Z_MEM_ERROR)
        status = ig_fail_memory(error, name);
    else if (code != Z_OK)
        status = ig_fail(error, IG_FORMAT, "%s: the packed data is %s", name,
                         code == Z_BUF_ERROR ? "cut short" : "damaged");
    gzclose(file);
    return status;
}

ig_status ig_content_open(ig_content *content, const char *path,
                          const ig_reading *reading, ig_error *error)
{
    static const unsigned char gzip[] = {0x1f, 0x8b, 8};
    bool stream = strcmp(path, "-") == 0;
    ig_status status = IG_OK;

    *content = (ig_content){0};
    if (!stream)
        status = ig_mapping_open(&content->mapping, path, error);
    content->bytes = content->mapping.bytes;
    content->size = content->mapping.size;
    if (stream || (content->size >= sizeof gzip &&
                   memcmp(content->bytes, gzip, sizeof gzip) == 0)) {
        ig_content_close(content);
        status = read_stream(content, path, reading, error);
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

uint32_t ig_crc32(const void *bytes, size_t size)
{
    return (uint32_t)crc32_z(0, bytes, size);
}

bool ig_content_is_own(const char *path)
{
    char mark[] = "<!-- isogloss 01234567 -->\n";
    size_t length = sizeof mark - 1;
    ig_mapping m;
    bool own = ig_mapping_open(&m, path, NULL) == IG_OK && m.size > length;

    if (own) {
        snprintf(mark, sizeof mark, IG_OWN_MARK, ig_crc32(m.bytes, m.size - length));
        own = memcmp((const char *)m.bytes + m.size - length, mark, length) == 0;
    }
    ig_mapping_close(&m);
    return own;
}

/* zlib counts in unsigned int, so it gets a chunk at a time. */
size_t ig_inflate(const unsigned char *bytes, size_t size, unsigned char *out,
                  size_t capacity, uint32_t *crc)
{
    static const size_t chunk = (size_t)1 << 30;
    /* Older zlib versions lack const in next_in. */
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)bytes};
    size_t used = 0;
    int result = inflateInit2(&z, -MAX_WBITS); /* without a header */

    while (result == Z_OK && used < capacity) {
        size_t left = (size_t)(bytes + size - z.next_in), room = capacity - used;

        z.avail_in = (unsigned)(left < chunk ? left : chunk);
        z.next_out = out + used;
        z.avail_out = (unsigned)(room < chunk ? room : chunk);
        result = inflate(&z, Z_NO_FLUSH);
        used = (size_t)(z.next_out - out);
    }
    inflateEnd(&z);
    if (crc)
        *crc = result == Z_STREAM_END ? ig_crc32(out, used) : 0;
    return used;
}

ig_lines ig_lines_of(const void *bytes, size_t size)
{
    const char *at = bytes;
    size_t mark = size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    return size ? (ig_lines){at + mark, at + size, 0,
                             memchr(at, '\n', size) ? '\n' : '\r'}
                : (ig_lines){"", "", 0, 0};
}

bool ig_lines_next(ig_lines *l, const char **line, size_t *length)
{
    const char *newline;

    if (l->at == l->end)
        return false;
    *line = l->at;
    newline = memchr(l->at, l->newline, (size_t)(l->end - l->at));
    *length = (size_t)((newline ? newline : l->end) - l->at);
    l->at = newline ? newline + 1 : l->end;
    if (*length > 0 && (*line)[*length - 1] == '\r')
        --*length;
    l->number++;
    return true;
}
