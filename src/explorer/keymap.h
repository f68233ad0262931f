/* Keys, their names and scripts of keys; and actions: entries of a table (actions.c),
 * found by key or name, of which the help and the manual are made. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

typedef enum ig_key_code {
    IG_KEY_NONE = 0,
    IG_KEY_TEXT, /* a character, in `unicode` */
    IG_KEY_CTRL, /* Ctrl with the character in `unicode`, lower case */
    IG_KEY_ALT,  /* Alt with it, or Esc and it at once */
    IG_KEY_ESCAPE,
    IG_KEY_ENTER,
    IG_KEY_TAB,
    IG_KEY_BACKTAB, /* Shift-Tab */
    IG_KEY_BACKSPACE,
    IG_KEY_DELETE,
    IG_KEY_LEFT,
    IG_KEY_RIGHT,
    IG_KEY_UP,
    IG_KEY_DOWN,
    IG_KEY_PAGE_UP,
    IG_KEY_PAGE_DOWN,
    IG_KEY_HOME,
    IG_KEY_END,
    IG_KEY_FUNCTION,   /* F1 … F12, its number in `unicode` */
    IG_KEY_MOUSE,      /* at row, col */
    IG_KEY_RESIZE,     /* the screen was resized, or must be redrawn */
    IG_KEY_BACKGROUND, /* the terminal has this background, an ig_theme in `unicode` */
    IG_KEY_STOP        /* end now: SIGTERM, SIGHUP, or the terminal was closed */
} ig_key_code;

typedef enum ig_mouse {
    IG_MOUSE_PRESS, /* the first button */
    IG_MOUSE_DRAG,
    IG_MOUSE_RELEASE,
    IG_MOUSE_WHEEL_UP,
    IG_MOUSE_WHEEL_DOWN,
    IG_MOUSE_SECOND /* press of the second button */
} ig_mouse;

typedef struct ig_key {
    ig_key_code code;
    uint32_t unicode;
    ig_mouse mouse; /* of IG_KEY_MOUSE */
    int row, col;   /* of IG_KEY_MOUSE, cells from the upper left */
    bool pasted;    /* a character of the first line of a paste */
} ig_key;

enum { IG_KEY_NAME_SIZE = 24, IG_ACTION_HELP = 44 /* in 80 columns of the list */ };

/* Parse "Ctrl-C", "^C", "left", "←" (any case), or a character; false: neither. */
bool ig_key_parse(ig_key *key, const char *name);

/* Read the next key of a script and advance *script: a character, or <NAME> (<lt> for
 * '<'). False at the end, or at an unknown key, which *script then points to. */
bool ig_key_script(const char **script, ig_key *key);

/* Whether one of these names, separated by blanks or slashes, is the key's. */
bool ig_key_among(const char *names, ig_key key);

struct ig_app;

/* Actions that panels, overlays and lists handle in their own way. */
typedef enum ig_action {
    IG_ACT_NONE = 0,
    IG_ACT_QUIT,
    IG_ACT_STOP,
    IG_ACT_BACK,
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
    IG_ACT_SORT,
    IG_ACT_BOX,
    IG_ACT_LINES,
    IG_ACT_CONTOURS,
    IG_ACT_PAN_LEFT,
    IG_ACT_PAN_DOWN,
    IG_ACT_PAN_UP,
    IG_ACT_PAN_RIGHT,
    IG_ACT_ZOOM_IN,
    IG_ACT_ZOOM_OUT,
    IG_ACT_FIT
} ig_action;

/* Words that an argument may be, listed on the command line. */
typedef enum ig_words {
    IG_WORDS_NONE = 0,
    IG_WORDS_SETTINGS,
    IG_WORDS_SPACES,
    IG_WORDS_PANELS,
    IG_WORDS_METHODS,
    IG_WORDS_TERMS,
    IG_WORDS_TYPED,
    IG_WORDS_LANGUAGES,
    IG_WORDS_COLOURINGS,
    IG_WORDS_MATRICES,
    IG_WORDS_RUNS,
    IG_WORDS_EPOCHS, /* of the run shown */
    IG_WORDS_COLUMNS,
    IG_WORDS_VERSIONS,
    IG_WORDS_SIDES /* versions, then runs, by label where there are versions */
} ig_words;
enum { IG_WORD_SIZE = 192 }; /* at least IG_RUN_LABEL */

/* Word i of an argument, or NULL past the last; written to `out` if it is not static.
 * *about: its description, where it has its own (actions.c). */
const char *ig_action_word(const struct ig_app *app, ig_words words, size_t i,
                           char out[IG_WORD_SIZE], const char **about);

/* An entry of the table of actions: what a key does and what a command does. */
typedef struct ig_action_entry {
    const char *name; /* on the command line: "expand" */
    const char *keys; /* names of keys, separated by blanks, as shown; "": none */
    const char *help; /* at most IG_ACTION_HELP columns */
    ig_action action;
    const char *group; /* heading in the manual; NULL: as the one before */
    /* One of these, unless the focused panel handles `action`; none: the argument is
     * asked for, or the main panel acts. `step` receives `by`, or the digit pressed if
     * that is 0; `flag` is the offset of a bool of the app or its view. */
    void (*act)(struct ig_app *app);
    void (*step)(struct ig_app *app, int by);
    int by;
    size_t flag;
    bool of_view;
    /* On the command line with an argument ("N", in brackets: optional), and without
     * one if the entry has no action; `pick`: one of `words`, by its number. */
    const char *argument;
    void (*run)(struct ig_app *app, const char *argument);
    void (*pick)(struct ig_app *app, size_t word);
    ig_words words;
    bool path;       /* the argument is a path */
    const char *old; /* other names, of commands and hints, by blanks; or NULL */
} ig_action_entry;

/* All actions, ended by an entry without a name (actions.c). */
extern const ig_action_entry ig_actions[];

/* The entry of a key, or NULL; of the first word of a line: its name, other name, key,
 * or the beginning of its name alone, of a number the row; or NULL. */
const ig_action_entry *ig_action_of_key(ig_key key);
const ig_action_entry *ig_action_named(const char *line);

/* The hints of what can be done now, as ig_overlay.keys, the most important first;
 * true: without those that are always there. */
enum { IG_HINTS_SIZE = 512 };
bool ig_hints_list(const struct ig_app *app, char out[IG_HINTS_SIZE]);

/* Run an action without an argument; `digit` for actions that need one. */
void ig_action_run(struct ig_app *app, const ig_action_entry *entry, int digit);

/* Whether an entry does something without an argument. */
static inline bool ig_action_is_bare(const ig_action_entry *entry)
{
    return entry->act || entry->step || entry->flag || entry->action;
}
