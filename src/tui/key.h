/* Keys: what the terminal reads, what a script of keys spells, and their names. */
#ifndef TUI_KEY_H
#define TUI_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ig_key_code {
    IG_KEY_NONE = 0,
    IG_KEY_TEXT, /* a character, in `unicode` */
    IG_KEY_CTRL, /* Ctrl with the character in `unicode`, lower case */
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
    IG_KEY_FUNCTION, /* F1 … F12, its number in `unicode` */
    IG_KEY_MOUSE,    /* at row, col */
    IG_KEY_RESIZE,   /* the screen has another size, or must be drawn anew */
    IG_KEY_STOP      /* end now: SIGTERM, SIGHUP, or the terminal has gone */
} ig_key_code;

typedef enum ig_mouse {
    IG_MOUSE_PRESS, /* the first button */
    IG_MOUSE_DRAG,
    IG_MOUSE_RELEASE,
    IG_MOUSE_WHEEL_UP,
    IG_MOUSE_WHEEL_DOWN,
    IG_MOUSE_SECOND /* press of the second button, or of the first with Shift */
} ig_mouse;

typedef struct ig_key {
    ig_key_code code;
    uint32_t unicode;
    ig_mouse mouse; /* of IG_KEY_MOUSE */
    int row, col;   /* of IG_KEY_MOUSE, cells from the upper left */
} ig_key;

enum { IG_KEY_NAME_SIZE = 24 };

/* The key's name: "q", "Space", "Ctrl-C", "Shift-Tab", "PgUp", "←", "F1". */
const char *ig_key_format(char out[IG_KEY_NAME_SIZE], ig_key key);

/* The key of a name, letters of either case ("ctrl-c", "pgup", "left"), or of a single
 * character; false when it is none. */
bool ig_key_parse(ig_key *key, const char *name);

/* The next key of a script, and *script moved behind it: every character is a key, and
 * <NAME> the key of that name (<lt> for '<' itself). False at the end or at a name that
 * is none, where *script then stands. */
bool ig_key_script(const char **script, ig_key *key);

/* Whether a script is a list of names: words between blanks, each a key, one at least
 * of several letters ("Space z", "Tab Tab j"). */
bool ig_key_is_list(const char *script);

/* The next key of such a list, as ig_key_script. */
bool ig_key_listed(const char **script, ig_key *key);

/* The same key: same code, character and number. */
static inline bool ig_key_same(ig_key a, ig_key b)
{
    return a.code == b.code && a.unicode == b.unicode;
}

#endif
