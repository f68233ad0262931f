/* Short names. */
#include "draw/codes.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { LOOKED_AT = 1000, MOST_COLUMNS = 24 };

/* What is left of a name: bytes at its front, and at its end. */
struct piece {
    const char *head, *tail;
    size_t head_length, tail_length;
};

static struct piece cut(const char *name, int columns, int tail)
{
    size_t length = strlen(name), width = ig_text_width(name, length);
    struct piece p = {name, name, length, 0};

    if ((int)width <= columns)
        return p;
    p.head_length =
        ig_text_fit(name, length, (size_t)(columns - tail - (tail > 0)), NULL);
    while (length > 0 && (int)width > tail) {
        ig_grapheme next = ig_text_grapheme(p.tail, length);

        width -= ig_text_width(p.tail, next.source);
        p.tail += next.source;
        length -= next.source;
    }
    p.tail_length = length;
    return p;
}

static bool is_alike(struct piece a, struct piece b)
{
    return a.head_length == b.head_length && a.tail_length == b.tail_length &&
           memcmp(a.head, b.head, a.head_length) == 0 &&
           memcmp(a.tail, b.tail, a.tail_length) == 0;
}

const char *ig_code_short(char out[IG_CODE_SIZE], const char *const *name, size_t n,
                          size_t i, int columns, ig_glyphs glyphs)
{
    struct piece own;
    int tail = -1;
    bool alike = true;

    columns = columns < 1 ? 1 : columns < MOST_COLUMNS ? columns : MOST_COLUMNS;
    n = n < LOOKED_AT ? n : LOOKED_AT;
    while (alike && ++tail <= columns - 2) {
        own = cut(name[i], columns, tail);
        alike = false;
        for (size_t j = 0; j < n && !alike; j++)
            alike = j != i && is_alike(own, cut(name[j], columns, tail));
    }
    if (alike)
        own = cut(name[i], columns, 0);
    snprintf(out, IG_CODE_SIZE, "%.*s%s%.*s", (int)own.head_length, own.head,
             own.tail_length ? ig_glyph_text(glyphs, IG_GLYPH_ELLIPSIS) : "",
             (int)own.tail_length, own.tail);
    out[ig_text_valid(out, strlen(out))] = '\0';
    return out;
}
