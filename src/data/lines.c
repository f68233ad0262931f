/* Lines one after the other, by memchr. */
#include "data/lines.h"

#include <string.h>

#include "data/content.h"

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

ig_status ig_lines_read(const char *path, const char *vectors_path, ig_columns *c,
                        size_t first, size_t count, ig_error *error)
{
    ig_content content;
    ig_status status = ig_content_open(&content, path, error);
    const char *line;
    size_t length;
    ig_lines l;

    if (status != IG_OK)
        return status;
    l = ig_lines_of(content.bytes, content.size);
    while (status == IG_OK && ig_lines_next(&l, &line, &length)) {
        const char *text;

        if (l.number > count)
            continue;
        text = ig_texts_add(&c->texts, line, length);
        if (!text)
            status = ig_fail_memory(error, path);
        c->text[first + l.number - 1] = text;
    }
    if (status == IG_OK && l.number != count)
        status = ig_fail(error, IG_SHAPE, "%s has %zu row%s but %s has %zu line%s",
                         vectors_path, count, count == 1 ? "" : "s", path, l.number,
                         l.number == 1 ? "" : "s");
    c->has_text = true;
    ig_content_close(&content);
    return status;
}
