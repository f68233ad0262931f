/* Names of keys, one table for both directions. */
#include "tui/key.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

/* The first name of a key is the one shown. */
static const struct {
    const char *name;
    ig_key_code code;
    uint32_t unicode;
} names[] = {
    {"Space", IG_KEY_TEXT, ' '},
    {"lt", IG_KEY_TEXT, '<'},
    {"gt", IG_KEY_TEXT, '>'},
    {"Esc", IG_KEY_ESCAPE, 0},
    {"Escape", IG_KEY_ESCAPE, 0},
    {"Enter", IG_KEY_ENTER, 0},
    {"Return", IG_KEY_ENTER, 0},
    {"Tab", IG_KEY_TAB, 0},
    {"Shift-Tab", IG_KEY_BACKTAB, 0},
    {"BackTab", IG_KEY_BACKTAB, 0},
    {"Backspace", IG_KEY_BACKSPACE, 0},
    {"Delete", IG_KEY_DELETE, 0},
    {"Del", IG_KEY_DELETE, 0},
    {"←", IG_KEY_LEFT, 0},
    {"Left", IG_KEY_LEFT, 0},
    {"→", IG_KEY_RIGHT, 0},
    {"Right", IG_KEY_RIGHT, 0},
    {"↑", IG_KEY_UP, 0},
    {"Up", IG_KEY_UP, 0},
    {"↓", IG_KEY_DOWN, 0},
    {"Down", IG_KEY_DOWN, 0},
    {"PgUp", IG_KEY_PAGE_UP, 0},
    {"PageUp", IG_KEY_PAGE_UP, 0},
    {"PgDn", IG_KEY_PAGE_DOWN, 0},
    {"PageDown", IG_KEY_PAGE_DOWN, 0},
    {"Home", IG_KEY_HOME, 0},
    {"End", IG_KEY_END, 0},
};

enum { NAMES = sizeof names / sizeof *names };

/* One code point as UTF-8, ended by a zero byte. */
static void put_unicode(char *out, uint32_t c)
{
    out[ig_text_encode((int32_t)c, out)] = '\0';
}

/* The code point that a valid text begins with, and its bytes; 0 bytes: none. */
static size_t get_unicode(const char *text, uint32_t *c)
{
    size_t bytes;
    int32_t point = *text ? ig_text_decode(text, strnlen(text, 4), &bytes) : -1;

    if (point < 0)
        return 0;
    *c = (uint32_t)point;
    return bytes;
}

const char *ig_key_format(char out[IG_KEY_NAME_SIZE], ig_key key)
{
    switch (key.code) {
    case IG_KEY_CTRL:
        memcpy(out, "Ctrl-", 5);
        put_unicode(out + 5, key.unicode >= 'a' && key.unicode <= 'z'
                                 ? key.unicode - 'a' + 'A'
                                 : key.unicode);
        return out;
    case IG_KEY_FUNCTION:
        snprintf(out, IG_KEY_NAME_SIZE, "F%u", (unsigned)key.unicode);
        return out;
    case IG_KEY_TEXT:
        if (key.unicode != ' ') {
            put_unicode(out, key.unicode);
            return out;
        }
        break;
    default:
        break;
    }
    for (size_t i = 0; i < NAMES; i++) {
        if (names[i].code == key.code && names[i].unicode == key.unicode) {
            snprintf(out, IG_KEY_NAME_SIZE, "%s", names[i].name);
            return out;
        }
    }
    return strcpy(out, "?");
}

bool ig_key_parse(ig_key *key, const char *name)
{
    uint32_t c;
    size_t bytes = get_unicode(name, &c);
    unsigned number;

    *key = (ig_key){.code = IG_KEY_TEXT};
    for (size_t i = 0; i < NAMES; i++) {
        if (strcasecmp(names[i].name, name) == 0) {
            key->code = names[i].code;
            key->unicode = names[i].unicode;
            return true;
        }
    }
    if (bytes > 0 && name[bytes] == '\0') {
        key->unicode = c;
        return c >= ' ' && c != 0x7f;
    }
    if (strncasecmp(name, "ctrl-", 5) == 0 && name[5] > ' ' && name[5] < 0x7f &&
        !name[6]) {
        bool upper = name[5] >= 'A' && name[5] <= 'Z';

        key->code = IG_KEY_CTRL;
        key->unicode = (uint32_t)(upper ? name[5] - 'A' + 'a' : name[5]);
        return true;
    }
    if ((name[0] == 'F' || name[0] == 'f') && sscanf(name + 1, "%2u", &number) == 1 &&
        number >= 1 && number <= 12 && strlen(name) == (number < 10 ? 2u : 3u)) {
        key->code = IG_KEY_FUNCTION;
        key->unicode = number;
        return true;
    }
    return false;
}

bool ig_key_script(const char **script, ig_key *key)
{
    char name[IG_KEY_NAME_SIZE];
    const char *end;
    size_t bytes;

    if (**script == '<') {
        end = strchr(*script, '>');
        if (!end || end - *script - 1 >= IG_KEY_NAME_SIZE)
            return false;
        memcpy(name, *script + 1, (size_t)(end - *script - 1));
        name[end - *script - 1] = '\0';
        if (!ig_key_parse(key, name))
            return false;
        *script = end + 1;
        return true;
    }
    *key = (ig_key){.code = IG_KEY_TEXT};
    bytes = get_unicode(*script, &key->unicode);
    *script += bytes;
    return bytes > 0;
}

bool ig_key_listed(const char **script, ig_key *key)
{
    char name[IG_KEY_NAME_SIZE];
    size_t n;

    *script += strspn(*script, " ");
    n = strcspn(*script, " ");
    if (n == 0 || n >= sizeof name)
        return false;
    memcpy(name, *script, n);
    name[n] = '\0';
    if (!ig_key_parse(key, name))
        return false;
    *script += n;
    return true;
}

bool ig_key_is_list(const char *script)
{
    bool named = false;
    ig_key key;

    while (*(script += strspn(script, " "))) {
        const char *word = script;

        if (!ig_key_listed(&script, &key))
            return false;
        named |= key.code != IG_KEY_TEXT || script - word > 4;
    }
    return named;
}
