/* Keys and actions. */
#include "explorer/keymap.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/text.h"

const ig_action_entry *ig_action_named(const char *line)
{
    const ig_action_entry *begun = NULL;
    size_t length = strcspn(line, " "), found = 0;
    char word[40], others[64];
    ig_key key;

    if (length && strspn(line, "0123456789") == length)
        return ig_action_named("row");
    snprintf(word, sizeof word, " %.*s ", (int)length, line);
    for (const ig_action_entry *e = ig_actions; e->name; e++) {
        bool begins = strncmp(e->name, line, length) == 0;

        snprintf(others, sizeof others, " %s ", e->old ? e->old : "");
        if ((begins && !e->name[length]) || (length && strstr(others, word)))
            return e;
        begun = begins ? e : begun;
        found += begins;
    }
    snprintf(word, sizeof word, "%.*s", (int)length, line);
    if (ig_key_parse(&key, word) && ig_action_of_key(key))
        return ig_action_of_key(key);
    return found == 1 ? begun : NULL;
}

bool ig_key_among(const char *names, ig_key key)
{
    char name[IG_KEY_NAME_SIZE];
    ig_key one;
    size_t length;

    for (; *names; names += length + (names[length] != '\0')) {
        length = 1 + strcspn(names + 1, " /"); /* a slash can be a key */
        snprintf(name, sizeof name, "%.*s", (int)length, names);
        if (ig_key_parse(&one, name) && one.code == key.code &&
            one.unicode == key.unicode)
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

bool ig_key_parse(ig_key *key, const char *name)
{
    size_t bytes, length = strlen(name);
    int32_t c = ig_text_decode(name, length, &bytes);
    bool alt = length == 5 && strncasecmp(name, "alt-", 4) == 0;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(names[i].name, name) == 0) {
            *key = names[i].key;
            return true;
        }
    *key = (ig_key){.code = IG_KEY_TEXT, .unicode = (uint32_t)c};
    if (bytes == length)
        return c >= ' ' && c != 0x7f;
    if (!alt && (length != 6 || strncasecmp(name, "ctrl-", 5) != 0) &&
        (length != 2 || *name != '^'))
        return false;
    c = name[length - 1];
    *key = (ig_key){.code = alt ? IG_KEY_ALT : IG_KEY_CTRL,
                    .unicode = (uint32_t)tolower(c)};
    return c > ' ' && c < 0x7f;
}

bool ig_key_script(const char **script, ig_key *key)
{
    bool named = **script == '<';
    size_t length = strcspn(*script, ">") + 1;
    char name[IG_KEY_NAME_SIZE];

    if (!named)
        ig_text_decode(*script, strnlen(*script, 4), &length);
    snprintf(name, sizeof name, "%.*s", (int)length - 2 * named, *script + named);
    if (length > sizeof name || (named && (*script)[length - 1] != '>') ||
        !ig_key_parse(key, name))
        return false;
    *script += length;
    return true;
}
