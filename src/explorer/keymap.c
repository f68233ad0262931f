/* Keys and actions. */
#include "explorer/keymap.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/text.h"

const ig_action_entry *ig_keymap_named(const ig_action_entry *table, const char *name)
{
    for (; table->name; table++)
        if (strcmp(table->name, name) == 0 ||
            (table->old && strcmp(table->old, name) == 0))
            return table;
    return NULL;
}

static const char *name_of(const void *table, size_t i)
{
    return ((const ig_action_entry *)table)[i].name;
}

const ig_action_entry *ig_keymap_like(const ig_action_entry *table, const char *typed)
{
    const ig_action_entry *named = ig_keymap_named(table, typed);
    long i = named ? -1 : ig_abbreviation_find(typed, name_of, table);

    return i >= 0 ? &table[i] : named;
}

/* Copy the next word into `word`; false at the end. */
static bool next_word(const char **text, char *word, size_t size)
{
    size_t n = 0;

    while (**text == ' ')
        (*text)++;
    if (**text == '\0')
        return false;
    for (; **text != '\0' && **text != ' '; (*text)++)
        if (n + 1 < size)
            word[n++] = **text;
    word[n] = '\0';
    return true;
}

const ig_action_entry *ig_keymap_find(const ig_action_entry *table, ig_key key)
{
    for (; table->name; table++) {
        const char *keys = table->keys;
        char word[32];
        ig_key one;

        while (next_word(&keys, word, sizeof word))
            if (ig_key_parse(&one, word) && ig_key_same(one, key))
                return table;
    }
    return NULL;
}

void ig_keymap_keys(const ig_action_entry *b, char *out, size_t size)
{
    const char *keys = b->keys;
    char word[32], name[IG_KEY_NAME_SIZE];
    ig_key key;

    out[0] = '\0';
    if (b->shown_keys) {
        snprintf(out, size, "%s", b->shown_keys);
        return;
    }
    while (next_word(&keys, word, sizeof word))
        if (ig_key_parse(&key, word))
            ig_text_append(out, size, "%s%s", *out ? " " : "",
                           ig_key_format(name, key));
}

bool ig_keymap_first(const ig_action_entry *entry, char name[IG_KEY_NAME_SIZE],
                     ig_key *key)
{
    char keys[64];

    ig_keymap_keys(entry, keys, sizeof keys);
    snprintf(name, IG_KEY_NAME_SIZE, "%.*s", (int)strcspn(keys, " "), keys);
    return ig_key_parse(key, name);
}

/* --- abbreviation ----------------------------------------------------------------- */

long ig_abbreviation_find(const char *typed, ig_abbreviation_name *name,
                          const void *context)
{
    const char *one;
    size_t found = 0;
    long like = -1;

    for (size_t i = 0; (one = name(context, i)) != NULL; i++) {
        if (strcmp(one, typed) == 0)
            return (long)i;
        if (strncmp(one, typed, strlen(typed)) == 0) {
            like = (long)i;
            found++;
        }
    }
    return found == 1 ? like : -1;
}

/* --- names of keys ---------------------------------------------------------------- */

/* The first name of a key is shown. */
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

static void put_unicode(char *out, uint32_t c)
{
    out[ig_text_encode((int32_t)c, out)] = '\0';
}

/* Decode the first code point of a text. Returns its bytes; 0: none. */
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
    bool upper = key.unicode >= 'a' && key.unicode <= 'z';

    if (key.code == IG_KEY_CTRL) {
        memcpy(out, "Ctrl-", 5);
        put_unicode(out + 5, key.unicode - (upper ? 'a' - 'A' : 0));
        return out;
    }
    if (key.code == IG_KEY_FUNCTION) {
        snprintf(out, IG_KEY_NAME_SIZE, "F%u", (unsigned)key.unicode);
        return out;
    }
    if (key.code == IG_KEY_TEXT && key.unicode != ' ') {
        put_unicode(out, key.unicode);
        return out;
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
    size_t length = **script == '<' ? strcspn(*script, ">") : 0, bytes;
    char name[IG_KEY_NAME_SIZE];

    if (**script == '<') {
        snprintf(name, sizeof name, "%.*s", (int)(length - 1), *script + 1);
        if (length > sizeof name || (*script)[length] != '>' ||
            !ig_key_parse(key, name))
            return false;
        *script += length + 1;
        return true;
    }
    *key = (ig_key){.code = IG_KEY_TEXT};
    bytes = get_unicode(*script, &key->unicode);
    *script += bytes;
    return bytes > 0;
}
