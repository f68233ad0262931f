/* Pieces of files as they may stand in a message: data never drives a terminal. */
#include "data/quote.h"

#include <stdint.h>
#include <string.h>

#include "base/text.h"

static const char ellipsis[] = "…";

/* Cut text[0 … length) where a character ends, leaving room for the ellipsis. */
static size_t cut(const char *text, size_t room)
{
    while (room > 0 && ((unsigned char)text[room] & 0xc0) == 0x80)
        room--;
    return room;
}

const char *ig_quote(char out[IG_QUOTE_SIZE], const char *bytes, size_t length)
{
    size_t kept = length;
    bool valid;

    if (length >= IG_QUOTE_SIZE)
        kept = cut(bytes, IG_QUOTE_SIZE - sizeof ellipsis);
    valid = ig_text_valid(bytes, kept) == kept;
    for (size_t i = 0; i < kept; i++) {
        unsigned char c = (unsigned char)bytes[i];
        /* C1 controls are U+0080 … U+009F: c2 80 … c2 9f. */
        bool control = c < 0x20 || c == 0x7f ||
                       (i > 0 && (unsigned char)bytes[i - 1] == 0xc2 && c < 0xa0);

        if (control && c >= 0x80)
            out[i - 1] = '?';
        out[i] = control || (c >= 0x80 && !valid) ? '?' : bytes[i];
    }
    memcpy(out + kept, ellipsis, kept < length ? sizeof ellipsis : 0);
    if (kept == length)
        out[kept] = '\0';
    return out;
}

const char *ig_quote_list(char out[IG_LIST_SIZE], const char *const *name, size_t count)
{
    char quoted[IG_QUOTE_SIZE];
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        size_t length;

        ig_quote(quoted, name[i], strlen(name[i]));
        length = strlen(quoted);
        if (used + length + 2 + sizeof ellipsis > IG_LIST_SIZE) {
            memcpy(out + used, ellipsis, sizeof ellipsis);
            break;
        }
        memcpy(out + used, quoted, length);
        used += length;
        memcpy(out + used, i + 1 < count ? ", " : "", i + 1 < count ? 3 : 1);
        used += i + 1 < count ? 2 : 0;
    }
    return out;
}

bool ig_quote_is_text(const char *bytes, size_t length)
{
    unsigned char high = 0;
    bool nul = false;

    for (size_t i = 0; i < length; i++) {
        high |= (unsigned char)bytes[i];
        nul |= bytes[i] == '\0';
    }
    return !nul && (high < 0x80 || ig_text_valid(bytes, length) == length);
}
