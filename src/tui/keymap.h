/* Keys and actions: one table, from which the program, its help, the README and the man
 * page take them. */
#ifndef TUI_KEYMAP_H
#define TUI_KEYMAP_H

#include "base/error.h"
#include "tui/key.h"

typedef enum ig_action {
    IG_ACT_NONE = 0,
    IG_ACT_QUIT,
    IG_ACT_STOP,
    IG_ACT_BACK,
    IG_ACT_HELP,
    IG_ACT_COMMAND,
    IG_ACT_NEXT_PANEL,
    IG_ACT_PREVIOUS_PANEL,
    IG_ACT_EXPAND,
    IG_ACT_LEFT,
    IG_ACT_DOWN,
    IG_ACT_UP,
    IG_ACT_RIGHT,
    IG_ACT_FIRST,
    IG_ACT_LAST,
    IG_ACT_PAGE_UP,
    IG_ACT_PAGE_DOWN,
    IG_ACT_PAN_LEFT,
    IG_ACT_PAN_DOWN,
    IG_ACT_PAN_UP,
    IG_ACT_PAN_RIGHT,
    IG_ACT_ZOOM_IN,
    IG_ACT_ZOOM_OUT,
    IG_ACT_FIT,
    IG_ACT_SEARCH,
    IG_ACT_NEXT_MATCH,
    IG_ACT_PREVIOUS_MATCH,
    IG_ACT_NEXT_MEASURE,
    IG_ACT_PREVIOUS_MEASURE,
    IG_ACT_ALL_ROWS,
    IG_ACT_MEASURE,
    IG_ACT_NEXT_SENTENCE,
    IG_ACT_PREVIOUS_SENTENCE,
    IG_ACT_FILTER,
    IG_ACT_COPY,
    IG_ACT_ENTER,
    IG_ACT_TRAIN,
    IG_ACT_STEP,
    IG_ACT_SPEED,
    IG_ACT_EARLIER,
    IG_ACT_LATER,
    IG_ACT_MUCH_EARLIER,
    IG_ACT_MUCH_LATER,
    IG_ACT_METHOD,
    IG_ACT_EDIT,
    IG_ACT_COMPARE,
    IG_ACT_DELETE,
    IG_ACT_SPACE,
    IG_ACT_SCALE,
    IG_ACT_AXIS_X,
    IG_ACT_AXIS_Y,
    IG_ACT_COLOUR,
    IG_ACT_BOX,
    IG_ACT_ISOLATE,
    IG_ACT_LANGUAGE, /* 1 … 9; the key's digit says which */
    IG_ACT_ALL_LANGUAGES,
    IG_ACT_LINES,
    IG_ACT_WRITE,
    IG_ACT_GLYPHS,
    IG_ACT_REDRAW,
    IG_ACT_SUSPEND
} ig_action;

typedef struct ig_key_entry {
    ig_action action;
    const char *name;  /* as the command line knows it: "expand" */
    const char *keys;  /* names of keys, separated by blanks */
    const char *group; /* heading in the help; NULL: as the one before */
    const char *help;  /* "give the panel the whole screen" */
    const char *brief; /* in the footer, or NULL: not there */
} ig_key_entry;

/* Entry i of the table, or NULL past its end. */
const ig_key_entry *ig_key_entry_at(size_t i);

/* The action of a key, IG_ACT_NONE when it has none. `remap` (or NULL) is a text of
 * lines "ACTION KEY [KEY …]" that replace the keys of an action; ig_keymap_check has
 * seen it. */
ig_action ig_keymap_find(const char *remap, ig_key key);

/* The action of a name of the command line. */
ig_action ig_action_named(const char *name);

/* IG_USAGE names the unknown action or key of a line of a remap. */
ig_status ig_keymap_check(const char *remap, ig_error *error);

/* The keys of a binding as they are to be shown, remapped or not: "Tab", "h ←". */
void ig_keymap_keys(const char *remap, const ig_key_entry *binding, char *out,
                    size_t size);

#endif
