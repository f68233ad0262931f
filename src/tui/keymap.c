/* The table of keys and actions. */
#include "tui/keymap.h"

#include <stdio.h>
#include <string.h>

static const ig_key_entry table[] = {
    {IG_ACT_TRAIN, "train", "space", "Training", "start, pause and resume training",
     "train"},
    {IG_ACT_METHOD, "method", "m", NULL, "choose a method and start it", "method"},
    {IG_ACT_EDIT, "weights", "e", NULL,
     "edit the objective while it is trained (`edit`: in your own editor)", NULL},
    {IG_ACT_STEP, "step", "s", NULL, "train one epoch more, then pause", NULL},
    {IG_ACT_SPEED, "speed", "f", NULL, "full speed, or a pace that the eye can follow",
     NULL},
    {IG_ACT_EARLIER, "earlier", ",", NULL,
     "look at the epoch before; training goes on, Esc returns", NULL},
    {IG_ACT_LATER, "later", ".", NULL, "look at the epoch after", NULL},
    {IG_ACT_MUCH_EARLIER, "much-earlier", "<", NULL, "ten epochs back", NULL},
    {IG_ACT_MUCH_LATER, "much-later", ">", NULL, "ten epochs forth", NULL},
    {IG_ACT_STOP, "stop", "Ctrl-C", NULL,
     "give up measuring; stop the run, its best epoch is kept; quit", NULL},
    {IG_ACT_WRITE, "write", "w", NULL,
     "write the run; by the ending a report .html, the map .svg .pdf .png, a list "
     ".csv",
     NULL},

    {IG_ACT_COMPARE, "compare", "C", NULL,
     "in runs: put the selected run beside the one shown, and away", NULL},
    {IG_ACT_DELETE, "delete", "d", NULL, "in runs: delete the selected run", NULL},

    {IG_ACT_SPACE, "space", "v", "Map",
     "space: joint, original, meaning, language embeddings", "space"},
    {IG_ACT_SCALE, "scale", "u", NULL, "scale: unit length (as cosine sees) or raw",
     NULL},
    {IG_ACT_AXIS_X, "axis-x", "x", NULL, "next principal component across", NULL},
    {IG_ACT_AXIS_Y, "axis-y", "X", NULL, "next principal component upward", NULL},
    {IG_ACT_COLOUR, "colour", "c", NULL,
     "colour by language, labels, alignment, rank, leak (`colour LABEL`)", "colour"},
    {IG_ACT_LANGUAGE, "language", "1 2 3 4 5 6 7 8 9", NULL,
     "show or hide a group of the legend (any language: `language CODE`)", NULL},
    {IG_ACT_ALL_LANGUAGES, "all", "0", NULL, "show all languages and groups", NULL},
    {IG_ACT_BOX, "box", "b", NULL,
     "box: arrows or the mouse pull it up, Enter selects what lies in it", NULL},
    {IG_ACT_ISOLATE, "isolate", "i", NULL,
     "the selection alone, and back (`select LABEL=VALUE`, `select none`)", NULL},
    {IG_ACT_LINES, "lines", "t", NULL,
     "lines from the cursor's sentence to its translations", NULL},
    {IG_ACT_ZOOM_IN, "zoom-in", "+ =", NULL, "zoom in at the cursor", NULL},
    {IG_ACT_ZOOM_OUT, "zoom-out", "-", NULL, "zoom out", NULL},
    {IG_ACT_FIT, "fit", "_", NULL, "fit all points into the map", NULL},
    {IG_ACT_PAN_LEFT, "pan-left", "H", NULL, "pan left", NULL},
    {IG_ACT_PAN_DOWN, "pan-down", "J", NULL, "pan down", NULL},
    {IG_ACT_PAN_UP, "pan-up", "K", NULL, "pan up", NULL},
    {IG_ACT_PAN_RIGHT, "pan-right", "L", NULL, "pan right", NULL},

    {IG_ACT_NEXT_MEASURE, "measure-next", "]", "Leakage",
     "next matrix of the leakage panel (any: the command `leakage NAME`)", "leakage"},
    {IG_ACT_PREVIOUS_MEASURE, "measure-before", "[", NULL, "the matrix before", NULL},
    {IG_ACT_ALL_ROWS, "all-rows", "a", NULL,
     "measure all rows, or the held-out ids of the run alone", NULL},
    {IG_ACT_MEASURE, "measure", "M", NULL, "measure exactly, without a sample", NULL},
    {IG_ACT_NEXT_SENTENCE, "next-sentence", ")", NULL,
     "next sentence of the list, from any panel", NULL},
    {IG_ACT_PREVIOUS_SENTENCE, "previous-sentence", "(", NULL, "the sentence before it",
     NULL},

    {IG_ACT_LEFT, "left", "left h", "Moving",
     "the nearest point to the left; in lists, the column before", NULL},
    {IG_ACT_DOWN, "down", "down j", NULL, "the nearest point below; the next line",
     NULL},
    {IG_ACT_UP, "up", "up k", NULL, "the nearest point above; the line before", NULL},
    {IG_ACT_RIGHT, "right", "right l", NULL,
     "the nearest point to the right; in lists, the next column", NULL},
    {IG_ACT_FIRST, "first", "g Home", NULL, "first line; first sentence", NULL},
    {IG_ACT_LAST, "last", "G End", NULL, "last line; last sentence", NULL},
    {IG_ACT_PAGE_UP, "page-up", "PgUp", NULL, "a page up; sentence before", NULL},
    {IG_ACT_PAGE_DOWN, "page-down", "PgDn", NULL, "a page down; next sentence", NULL},
    {IG_ACT_ENTER, "enter", "Enter", NULL,
     "the neighbours; show a run, hide a language, list a cell", NULL},
    {IG_ACT_SEARCH, "search", "/", NULL, "search the texts as you type", "search"},
    {IG_ACT_NEXT_MATCH, "next", "n", NULL, "next match", NULL},
    {IG_ACT_PREVIOUS_MATCH, "previous", "N", NULL, "previous match", NULL},
    {IG_ACT_FILTER, "filter", "&", NULL,
     "select by what texts contain; in neighbours: languages (`to de`)", NULL},
    {IG_ACT_COPY, "copy", "y", NULL, "copy the sentence to the terminal's clipboard",
     NULL},

    {IG_ACT_NEXT_PANEL, "panel", "Tab", "Screen", "next panel", "panel"},
    {IG_ACT_PREVIOUS_PANEL, "panel-back", "Shift-Tab", NULL, "previous panel", NULL},
    {IG_ACT_EXPAND, "expand", "z", NULL, "give the panel the whole screen, and back",
     "expand"},
    {IG_ACT_GLYPHS, "glyphs", "o", NULL, "draw with braille, blocks or ASCII", NULL},
    {IG_ACT_REDRAW, "redraw", "Ctrl-L", NULL, "draw the screen anew", NULL},
    {IG_ACT_SUSPEND, "suspend", "Ctrl-Z", NULL, "suspend to the shell", NULL},
    {IG_ACT_HELP, "help", "? F1", NULL, "this list of keys", "help"},
    {IG_ACT_COMMAND, "command", ":", NULL,
     "an action's name, `row N`, `method M`, `set lr 1`, `load RUN`", NULL},
    {IG_ACT_BACK, "back", "Esc", NULL, "one layer out", NULL},
    {IG_ACT_QUIT, "quit", "q", NULL, "quit", "quit"},
};

const ig_key_entry *ig_key_entry_at(size_t i)
{
    return i < sizeof table / sizeof *table ? &table[i] : NULL;
}

ig_action ig_action_named(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].action;
    return IG_ACT_NONE;
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

static const char *keys_of(const char *remap, const ig_key_entry *b)
{
    const char *keys = remapped(remap, b->name);

    return keys ? keys : b->keys;
}

ig_action ig_keymap_find(const char *remap, ig_key key)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const char *keys = keys_of(remap, &table[i]);
        char word[32];
        ig_key one;

        while (next_word(&keys, word, sizeof word))
            if (ig_key_parse(&one, word) && ig_key_same(one, key))
                return table[i].action;
    }
    return IG_ACT_NONE;
}

ig_status ig_keymap_check(const char *remap, ig_error *error)
{
    while (remap && *remap) {
        const char *end = strchr(remap, '\n');
        char action[32], word[32];
        ig_key key;

        if (next_word(&remap, action, sizeof action) &&
            ig_action_named(action) == IG_ACT_NONE)
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

void ig_keymap_keys(const char *remap, const ig_key_entry *b, char *out, size_t size)
{
    const char *keys = keys_of(remap, b);
    size_t used = 0;
    char word[32], name[IG_KEY_NAME_SIZE];
    ig_key key;

    out[0] = '\0';
    if (keys == b->keys && b->action == IG_ACT_LANGUAGE) {
        snprintf(out, size, "1 … 9");
        return;
    }
    while (next_word(&keys, word, sizeof word) && used < size)
        if (ig_key_parse(&key, word))
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? " " : "",
                                     ig_key_format(name, key));
}
