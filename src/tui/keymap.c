/* Keys and actions. */
#include "tui/keymap.h"

#include <stdio.h>
#include <string.h>

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
    long i = ig_abbreviation_find(typed, name_of, table);

    return i >= 0 ? &table[i] : NULL;
}

/* The next blank-separated word of *text (within its line) into `word`; false at its
 * end. */
static bool next_word(const char **text, char *word, size_t size)
{
    size_t n = 0;

    while (**text == ' ')
        (*text)++;
    if (**text == '\0' || **text == '\n')
        return false;
    for (; **text != '\0' && **text != '\n' && **text != ' '; (*text)++)
        if (n + 1 < size)
            word[n++] = **text;
    word[n] = '\0';
    return true;
}

/* The line of a remap that is about an action, behind the action's name; or NULL. */
static const char *remapped(const char *remap, const char *action)
{
    size_t n = strlen(action);

    for (const char *line = remap; line && *line;) {
        const char *end = strchr(line, '\n');

        if (strncmp(line, action, n) == 0 && line[n] == ' ')
            return line + n;
        line = end ? end + 1 : NULL;
    }
    return NULL;
}

static const char *keys_of(const char *remap, const ig_action_entry *b)
{
    const char *keys = remapped(remap, b->name);

    if (!keys && b->old)
        keys = remapped(remap, b->old);
    return keys ? keys : b->keys;
}

const ig_action_entry *ig_keymap_find(const ig_action_entry *table, const char *remap,
                                      ig_key key)
{
    for (; table->name; table++) {
        const char *keys = keys_of(remap, table);
        char word[32];
        ig_key one;

        while (next_word(&keys, word, sizeof word))
            if (ig_key_parse(&one, word) && ig_key_same(one, key))
                return table;
    }
    return NULL;
}

ig_status ig_keymap_check(const ig_action_entry *table, const char *remap,
                          ig_error *error)
{
    while (remap && *remap) {
        const char *end = strchr(remap, '\n');
        char action[32], word[32];
        ig_key key;

        if (next_word(&remap, action, sizeof action) && !ig_keymap_named(table, action))
            return ig_fail(error, IG_USAGE, "there is no action '%s' to give a key to",
                           action);
        while (next_word(&remap, word, sizeof word))
            if (!ig_key_parse(&key, word))
                return ig_fail(error, IG_USAGE, "there is no key '%s' (for %s)", word,
                               action);
        remap = end ? end + 1 : NULL;
    }
    return IG_OK;
}

void ig_keymap_keys(const char *remap, const ig_action_entry *b, char *out, size_t size)
{
    const char *keys = keys_of(remap, b);
    size_t used = 0;
    char word[32], name[IG_KEY_NAME_SIZE];
    ig_key key;

    out[0] = '\0';
    if (keys == b->keys && b->shown_keys) {
        snprintf(out, size, "%s", b->shown_keys);
        return;
    }
    while (next_word(&keys, word, sizeof word) && used < size)
        if (ig_key_parse(&key, word))
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? " " : "",
                                     ig_key_format(name, key));
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
