/* UTF-8 text by grapheme cluster, by utf8proc: selects what is safe for a terminal. */
#include "core/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "core/file.h"

static const char unknown[] = "\xef\xbf\xbd"; /* U+FFFD */

int32_t ig_text_decode(const char *text, size_t length, size_t *bytes)
{
    utf8proc_int32_t c;
    utf8proc_ssize_t n =
        utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)length, &c);

    *bytes = n > 0 ? (size_t)n : 1;
    return n > 0 ? c : -1;
}

bool ig_text_is_control(int32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069);
}

size_t ig_text_encode(int32_t c, char out[4])
{
    return utf8proc_codepoint_valid(c)
               ? (size_t)utf8proc_encode_char(c, (utf8proc_uint8_t *)out)
               : 0;
}

size_t ig_text_valid(const char *text, size_t length)
{
    for (size_t at = 0, bytes; at < length; at += bytes)
        if (ig_text_decode(text + at, length - at, &bytes) < 0)
            return at;
    return length;
}

char *ig_text_mend(const char *text, size_t length)
{
    char *copy = length < SIZE_MAX / 4 ? ig_alloc(length * 3 + 1, 1) : NULL;
    char *to = copy;

    for (size_t at = 0, bytes; copy && at < length; at += bytes)
        if (ig_text_decode(text + at, length - at, &bytes) < 0)
            to = stpcpy(to, unknown);
        else
            to = (char *)memcpy(to, text + at, bytes) + bytes;
    return copy;
}

static bool strong_rtl(int32_t c)
{
    utf8proc_propval_t class = utf8proc_get_property(c)->bidi_class;

    return class == UTF8PROC_BIDI_CLASS_R || class == UTF8PROC_BIDI_CLASS_AL;
}

/* Replacement for a character that must not reach a terminal, or NULL if it may. */
static const char *replacement(int32_t c)
{
    static const char control[32][4] = {
        "␀", "␁", "␂", "␃", "␄", "␅", "␆", "␇", "␈", " ", "␊", "␋", "␌", "␍", "␎", "␏",
        "␐", "␑", "␒", "␓", "␔", "␕", "␖", "␗", "␘", "␙", "␚", "␛", "␜", "␝", "␞", "␟"};

    if (c >= 0 && c < 0x20)
        return control[c];
    switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
        return "·";
    case UTF8PROC_CATEGORY_CN: /* also of −1 */
    case UTF8PROC_CATEGORY_CS:
        return unknown;
    case UTF8PROC_CATEGORY_ZS:
        return c == 0x3000 ? NULL : " ";
    default:
        return NULL;
    }
}

/* The cluster starting at code point `base`, which takes the first `bytes` bytes. */
static ig_grapheme read_cluster(const char *text, size_t length, int32_t base,
                                size_t bytes)
{
    utf8proc_category_t category = utf8proc_category(base);
    ig_grapheme g = {text, bytes, bytes, utf8proc_charwidth(base), strong_rtl(base)};
    bool cut = category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_ME;
    utf8proc_int32_t state = 0;
    int32_t before = base;

    if (cut) {
        g.bytes = "\u25cc";
        g.length = strlen(g.bytes);
    }
    while (g.source < length) {
        int32_t c = ig_text_decode(text + g.source, length - g.source, &bytes);

        if (c < 0x20 || utf8proc_grapheme_break_stateful(before, c, &state))
            break;
        g.source += bytes;
        cut = cut || (c == 0xfe0f && g.width < 2); /* the emoji selector */
        if (!cut) {
            g.length = g.source;
            g.width += utf8proc_category(c) == UTF8PROC_CATEGORY_MC ||
                       (c >= 0x1f1e6 && c <= 0x1f1ff); /* letters of flags */
        }
        before = c;
    }
    g.width = g.width < 1 ? 1 : g.width > 2 ? 2 : g.width;
    return g;
}

ig_grapheme ig_text_grapheme(const char *text, size_t length)
{
    size_t bytes;
    int32_t c = ig_text_decode(text, length, &bytes);
    const char *shown = replacement(c);

    if (shown)
        return (ig_grapheme){shown, strlen(shown), bytes, 1, false};
    if (bytes == 1 && (length == 1 || (unsigned char)text[1] < 0x80))
        return (ig_grapheme){text, 1, 1, 1, false};
    return read_cluster(text, length, c, bytes);
}

size_t ig_text_width(const char *text, size_t length)
{
    size_t width;

    ig_text_fit(text, length, SIZE_MAX, &width);
    return width;
}

int ig_text_columns(const char *text)
{
    return (int)ig_text_width(text, strlen(text));
}

void ig_text_append(char *out, size_t size, const char *format, ...)
{
    size_t used = strlen(out);
    va_list list;

    va_start(list, format);
    vsnprintf(out + used, size - used, format, list);
    va_end(list);
}

size_t ig_text_fit(const char *text, size_t length, size_t columns, size_t *used)
{
    size_t at = 0, width = 0;

    while (at < length) {
        ig_grapheme g = ig_text_grapheme(text + at, length - at);

        if (width + (size_t)g.width > columns)
            break;
        at += g.source;
        width += (size_t)g.width;
    }
    if (used)
        *used = width;
    return at;
}

void ig_text_put(FILE *out, const char *text, size_t length, size_t columns, bool pad)
{
    size_t used, fit = ig_text_fit(text, length, columns, &used);
    bool cut = fit < length && columns > 0;

    if (cut)
        fit = ig_text_fit(text, length, columns - 1, &used);
    for (size_t at = 0; at < fit;) {
        ig_grapheme g = ig_text_grapheme(text + at, length - at);

        fwrite(g.bytes, 1, g.length, out);
        at += g.source;
    }
    if (cut)
        fputs("\u2026", out);
    if (pad)
        fprintf(out, "%*s", (int)(columns - used - cut), "");
}

void ig_text_put_xml(FILE *out, const char *text)
{
    for (size_t length = strlen(text), n; length; text += n, length -= n) {
        ig_grapheme g = ig_text_grapheme(text, length);

        n = g.source;
        if (strchr("&<>\"'", *text))
            fprintf(out, "&#%d;", *text);
        else
            fwrite(*text == '\n' ? text : g.bytes, 1, *text == '\n' ? 1 : g.length,
                   out);
    }
}

bool ig_text_rtl(const char *text, size_t length)
{
    bool rtl = false;

    for (size_t at = 0, bytes; at < length && !rtl; at += bytes) {
        int32_t c = ig_text_decode(text + at, length - at, &bytes);

        if (utf8proc_get_property(c)->bidi_class == UTF8PROC_BIDI_CLASS_L)
            return false;
        rtl = strong_rtl(c);
    }
    return rtl;
}

char *ig_text_fold(const char *text, size_t length, bool bare)
{
    const utf8proc_option_t options = UTF8PROC_STABLE | UTF8PROC_COMPAT |
                                      UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD |
                                      UTF8PROC_IGNORE | (bare ? UTF8PROC_STRIPMARK : 0);
    utf8proc_uint8_t *folded = NULL;
    char *out = ig_text_mend(text, length), *at = out;

    for (; at && (signed char)*at > 0; at++)
        if (*at >= 'A' && *at <= 'Z')
            *at = (char)(*at - 'A' + 'a');
    if (!at || !*at)
        return out;
    utf8proc_map((const utf8proc_uint8_t *)out, 0, &folded,
                 options | UTF8PROC_NULLTERM);
    ig_free(out);
    out = folded ? ig_path_format("%s", (const char *)folded) : NULL;
    free(folded);
    return out;
}
