/* Keys and actions. */
#include "explorer/keymap.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/text.h"

const ig_action_entry *ig_action_named(const char *name)
{
    for (const ig_action_entry *entry = ig_actions; entry->name; entry++)
        if (strcmp(entry->name, name) == 0 ||
            (entry->old && strcmp(entry->old, name) == 0))
            return entry;
    return NULL;
}

bool ig_key_among(const char *names, ig_key key)
{
    char name[IG_KEY_NAME_SIZE];
    ig_key one;

    for (size_t length; *names; names += length + strspn(names + length, " ")) {
        length = strcspn(names, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, names);
        if (ig_key_parse(&one, name) && ig_key_same(one, key))
            return true;
    }
    return false;
}

const ig_action_entry *ig_action_of_key(ig_key key)
{
    const ig_action_entry *entry = ig_actions;

    if (key.code == IG_KEY_TEXT && key.unicode >= '1' && key.unicode <= '9')
        key.unicode = '1'; /* "1 … 9" */
    while (entry->name && !ig_key_among(entry->keys, key))
        entry++;
    return entry->name ? entry : NULL;
}

/* --- names of keys ---------------------------------------------------------------- */

static const struct {
    const char *name;
    ig_key key;
} names[] = {
    {"Space", {.code = IG_KEY_TEXT, .unicode = ' '}},
    {"lt", {.code = IG_KEY_TEXT, .unicode = '<'}},
    {"gt", {.code = IG_KEY_TEXT, .unicode = '>'}},
    {"Esc", {.code = IG_KEY_ESCAPE}},
    {"Enter", {.code = IG_KEY_ENTER}},
    {"Tab", {.code = IG_KEY_TAB}},
    {"Shift-Tab", {.code = IG_KEY_BACKTAB}},
    {"Backspace", {.code = IG_KEY_BACKSPACE}},
    {"Delete", {.code = IG_KEY_DELETE}},
    {"←", {.code = IG_KEY_LEFT}},
    {"Left", {.code = IG_KEY_LEFT}},
    {"→", {.code = IG_KEY_RIGHT}},
    {"Right", {.code = IG_KEY_RIGHT}},
    {"↑", {.code = IG_KEY_UP}},
    {"Up", {.code = IG_KEY_UP}},
    {"↓", {.code = IG_KEY_DOWN}},
    {"Down", {.code = IG_KEY_DOWN}},
    {"PgUp", {.code = IG_KEY_PAGE_UP}},
    {"PgDn", {.code = IG_KEY_PAGE_DOWN}},
    {"Home", {.code = IG_KEY_HOME}},
    {"End", {.code = IG_KEY_END}},
    {"F1", {.code = IG_KEY_FUNCTION, .unicode = 1}},
};

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

bool ig_key_parse(ig_key *key, const char *name)
{
    size_t bytes, length = strlen(name);

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(names[i].name, name) == 0) {
            *key = names[i].key;
            return true;
        }
    *key = (ig_key){.code = IG_KEY_TEXT};
    bytes = get_unicode(name, &key->unicode);
    if (bytes > 0 && bytes == length)
        return key->unicode >= ' ' && key->unicode != 0x7f;
    if (length == 6 && strncasecmp(name, "ctrl-", 5) == 0 && name[5] > ' ' &&
        name[5] < 0x7f) {
        bool upper = name[5] >= 'A' && name[5] <= 'Z';

        key->code = IG_KEY_CTRL;
        key->unicode = (uint32_t)(upper ? name[5] - 'A' + 'a' : name[5]);
        return true;
    }
    return false;
}

bool ig_key_script(const char **script, ig_key *key)
{
    bool named = **script == '<';
    uint32_t ignored;
    size_t length = named ? strcspn(*script, ">") : get_unicode(*script, &ignored);
    char name[IG_KEY_NAME_SIZE];

    snprintf(name, sizeof name, "%.*s", (int)length - named, *script + named);
    if (length == 0 || length > sizeof name || (named && (*script)[length] != '>') ||
        !ig_key_parse(key, name))
        return false;
    *script += length + named;
    return true;
}
