/* What a file holds, as bytes. */
#include "data/content.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/memory.h"
#include "data/unpack.h"

enum { FIRST_READ = 1 << 16, PATIENCE = 100 /* ms between two looks at `stop` */ };

/* Wait for more of standard input, as long as it is waited for. */
static ig_status await_input(const ig_reading *reading, ig_error *error)
{
    struct pollfd input = {.fd = reading->input, .events = POLLIN};
    ig_status status;

    do
        status = ig_reading_tell(reading, "reading", "standard input", -1, error);
    while (status == IG_OK && poll(&input, 1, PATIENCE) == 0);
    return status;
}

/* All of standard input. */
static ig_status gather(const ig_reading *reading, ig_content *content, ig_error *error)
{
    size_t capacity = 0, said = 0;

    for (;;) {
        unsigned char *bytes;
        ssize_t n;

        if (content->size == capacity &&
            ig_array_grow(&content->block, &capacity,
                          capacity ? 2 * capacity : FIRST_READ, 1, "standard input",
                          error) != IG_OK)
            return IG_NOMEM;
        if (reading && reading->stop && await_input(reading, error) != IG_OK)
            return IG_INTERRUPTED;
        bytes = content->block;
        n = read(reading ? reading->input : STDIN_FILENO, bytes + content->size,
                 capacity - content->size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return ig_fail(error, IG_IO, "standard input: %s", strerror(errno));
        content->bytes = bytes;
        if (n == 0)
            return IG_OK;
        content->size += (size_t)n;
        if (ig_reading_grow(reading, "standard input", content->size, &said, error) !=
            IG_OK)
            return IG_INTERRUPTED;
    }
}

ig_status ig_content_open_for(const ig_reading *reading, ig_content *content,
                              const char *path, ig_error *error)
{
    ig_content packed;
    ig_status status;

    *content = (ig_content){0};
    if (strcmp(path, "-") == 0) {
        status = gather(reading, content, error);
    } else {
        status = ig_mapping_open(&content->mapping, path, error);
        content->bytes = content->mapping.bytes;
        content->size = content->mapping.size;
    }
    if (status == IG_OK && ig_unpack_is_gzip(content->bytes, content->size)) {
        packed = ig_content_move(content);
        status = ig_reading_tell(reading, "unpacking", path, -1, error);
        if (status == IG_OK)
            status = ig_unpack_gzip(reading, path, packed.bytes, packed.size,
                                    &content->block, &content->size, error);
        content->bytes = content->block;
        ig_content_close(&packed);
    }
    if (status != IG_OK)
        ig_content_close(content);
    return status;
}

ig_status ig_content_open(ig_content *content, const char *path, ig_error *error)
{
    return ig_content_open_for(NULL, content, path, error);
}

void ig_content_close(ig_content *content)
{
    ig_mapping_close(&content->mapping);
    ig_free(content->block);
    *content = (ig_content){0};
}

ig_content ig_content_move(ig_content *content)
{
    ig_content moved = *content;

    *content = (ig_content){0};
    return moved;
}

bool ig_content_ends(const char *path, const char *ending)
{
    char packed[32];

    if (ig_path_ends(path, ending))
        return true;
    snprintf(packed, sizeof packed, "%s.gz", ending);
    return ig_path_ends(path, packed);
}
