/* Keys and actions: how an entry of the table of actions (tui/actions.h) is found by a
 * key or a name. The table makes the keys of the program, its help, the README's list
 * and the man page. */
#ifndef TUI_KEYMAP_H
#define TUI_KEYMAP_H

#include <stddef.h>

#include "base/error.h"
#include "tui/key.h"

struct ig_app;

/* Actions that mean different things in different places: panels, overlays and lists
 * tell them apart. Those that one function does need no name here. */
typedef enum ig_action {
    IG_ACT_NONE = 0,
    IG_ACT_QUIT,
    IG_ACT_STOP,
    IG_ACT_BACK,
    IG_ACT_HELP,
    IG_ACT_REDRAW,
    IG_ACT_SUSPEND,
    IG_ACT_LEFT,
    IG_ACT_DOWN,
    IG_ACT_UP,
    IG_ACT_RIGHT,
    IG_ACT_FIRST,
    IG_ACT_LAST,
    IG_ACT_PAGE_UP,
    IG_ACT_PAGE_DOWN,
    IG_ACT_ENTER,
    IG_ACT_FILTER,
    IG_ACT_TRAIN,
    IG_ACT_STEP,
    IG_ACT_SPEED,
    IG_ACT_EDIT,
    IG_ACT_WRITE,
    IG_ACT_DELETE,
    IG_ACT_BOX,
    IG_ACT_LINES,
    IG_ACT_PAN_LEFT,
    IG_ACT_PAN_DOWN,
    IG_ACT_PAN_UP,
    IG_ACT_PAN_RIGHT,
    IG_ACT_ZOOM_IN,
    IG_ACT_ZOOM_OUT,
    IG_ACT_FIT
} ig_action;

/* An action of the table. */
typedef struct ig_action_entry {
    const char *name;  /* as the command line knows it: "expand" */
    const char *keys;  /* names of keys, separated by blanks */
    const char *group; /* heading in the help; NULL: as the one before */
    const char *help;  /* "give the panel the whole screen" */
    /* In the line of hints: a word for it, or what gives one for what is on the screen
     * (NULL: none now); neither: only where a panel has a word for it. */
    const char *brief;
    const char *(*word)(const struct ig_app *app);
    const char *panels; /* those it is hinted at in, between blanks; NULL: all */
    int rank;           /* in that line: a lower one is before, and stays longer */
    ig_action action;
    /* What does it, one of both; NULL: the panel with the focus, or else the main
     * panel. `step` gets `by`, or where that is 0 the digit that was pressed. */
    void (*act)(struct ig_app *app);
    void (*step)(struct ig_app *app, int by);
    int by;
    const char *old;        /* a name that it had, for commands and remaps; or NULL */
    const char *shown_keys; /* how the table shows the keys, or NULL: as they are */
} ig_action_entry;

/* The entry of a key, or NULL. `remap` (or NULL) is a text of lines "ACTION KEY [KEY
 * …]" that replace the keys of an action; ig_keymap_check has seen it. Tables end
 * with an entry without a name. */
const ig_action_entry *ig_keymap_find(const ig_action_entry *table, const char *remap,
                                      ig_key key);

/* The entry of a name or an old one, or NULL; and of a beginning that only one name
 * has. */
const ig_action_entry *ig_keymap_named(const ig_action_entry *table, const char *name);
const ig_action_entry *ig_keymap_like(const ig_action_entry *table, const char *typed);

/* IG_USAGE names the unknown action or key of a line of a remap. */
ig_status ig_keymap_check(const ig_action_entry *table, const char *remap,
                          ig_error *error);

/* The keys of an entry as they are to be shown, remapped or not: "Tab", "h ←". */
void ig_keymap_keys(const char *remap, const ig_action_entry *entry, char *out,
                    size_t size);

/* --- abbreviation ----------------------------------------------------------------- */

/* Names that may be typed by their beginnings. */

/* Name i, or NULL past the last. */
typedef const char *ig_abbreviation_name(const void *context, size_t i);

/* The number of the name that was typed, or of the only one that begins so; -1: there
 * is none, or several begin so. */
long ig_abbreviation_find(const char *typed, ig_abbreviation_name *name,
                          const void *context);

#endif
